"""One population that shows which names can be non-empty, found and checked without a search.

Elements are drawn so that most shares are met, and weighed. An element counts only if those that
its existentials need count, too; if a pattern has no element left, it is weighed again without.
What the population does not show is not thereby empty: others have to say.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from flint import fmpq

from boxsel.exact.coherence.drawing import Draw
from boxsel.exact.coherence.elements import Elements, Pattern
from boxsel.exact.coherence.weighing import Bound, bounds_of, weigh
from boxsel.logic.concepts import Name
from boxsel.machine.budget import Budget

RARE_ELEMENT: Final = 1e-3
"""How large an element is taken to be that is not drawn, as a part of its smallest body."""


@dataclass(frozen=True)
class Realised:
    """A population: elements that exist with their weights, and the names that they have.

    `worth` has the bounds that stand in the way of other elements, and how much.
    """

    weights: dict[int, fmpq]
    names: frozenset[Name]
    worth: Mapping[Bound, float]


class Realising:
    """Looks for a population of some elements that has as many of them as it can."""

    def __init__(self, elements: Elements, budget: Budget) -> None:
        self._elements, self._budget = elements, budget
        self._bounds = bounds_of(elements.shares)

    def run(self, advice: Iterable[frozenset[int]] = ()) -> Realised:
        """The population; some further elements, by what they start with, may be of use."""
        elements = self._elements
        draw = Draw(elements, self._budget)
        sizes: dict[int, float] = {}
        if draw.sweep():
            for element, weight in draw.groups:
                sizes[element] = sizes.get(element, 0.0) + weight
            more = [one for one in map(elements.having, advice) if one is not None]
            masses = {body: draw.mass(body) for body in elements.bodies}
            self._complete(sizes, more, masses)
        else:
            free = (one for one in elements.named.values() if not elements.pattern(one))
            sizes = {one: 1.0 for one in free if elements.possible(one)}
        weights, worth = self._weigh(sizes)
        members: set[int] = set().union(*map(elements.members, weights))
        names = frozenset(name for name in elements.named if elements.number(name) in members)
        return Realised(weights, names, worth)

    def _complete(
        self, sizes: dict[int, float], more: Iterable[int], masses: Mapping[int, float]
    ) -> None:
        """Take in more, the elements of names, and what all need, with a guess of their sizes."""
        elements = self._elements
        queue = [*more, *(one for one in elements.named.values() if elements.possible(one))]
        queue += (target for element in sizes for _, target in elements.links(element))
        while queue:
            element = queue.pop()
            if element not in sizes:
                bodies = elements.members(element) & masses.keys()
                known = (masses[body] for body in bodies if masses[body])
                sizes[element] = RARE_ELEMENT * min(known, default=1.0)
                queue.extend(target for _, target in elements.links(element))

    def _weigh(self, sizes: Mapping[int, float]) -> tuple[dict[int, fmpq], Mapping[Bound, float]]:
        """The elements that exist with their weights, and what bounds are worth to others."""
        elements = self._elements
        alive = set(sizes)
        worth: Mapping[Bound, float] = {}
        while True:
            alive = self._linked(alive)
            columns: dict[Pattern, list[int]] = {}
            for element in alive:
                columns.setdefault(elements.pattern(element), []).append(element)
            totals = [sum(sizes[one] for one in some) for some in columns.values()]
            weighing = weigh(list(columns), totals, self._bounds, self._budget)
            weights = {} if weighing is None else weighing.weights
            if weighing is not None and not worth:
                worth = weighing.worth  # later ones are about what follows
            weighed = {
                one
                for number, some in enumerate(columns.values())
                if number in weights
                for one in some
            }
            linked = self._linked(weighed)
            if weighing is None or all(
                not linked.isdisjoint(some)
                for number, some in enumerate(columns.values())
                if number in weights
            ):
                break
            alive = linked
        found = {}
        for number, some in enumerate(columns.values()):
            sharing = [one for one in some if one in linked]
            for one in sharing:
                found[one] = weights[number] / len(sharing)
        return found, worth

    def _linked(self, some: Iterable[int]) -> set[int]:
        """The elements among some that need none but these."""
        left = set(some)
        users: dict[int, list[int]] = {}
        queue = []
        for element in left:
            for _, target in self._elements.links(element):
                users.setdefault(target, []).append(element)
                if target not in left:
                    queue.append(element)
        while queue:
            element = queue.pop()
            if element in left:
                left.discard(element)
                queue.extend(users.get(element, ()))
        return left
