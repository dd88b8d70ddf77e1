"""A population along a tree of bags: what concepts weigh in it, and people drawn from it.

Whoever is known above is known, for a bag, by the pattern that both share: its types then have
fixed parts. So the weight of a concept is added up along the bags from its basic concepts to the
root, wherever they stand; and people are drawn from the root down, all bags of one depth at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from boxsel.exact.compile.vocabulary import Mask, Type
from boxsel.exact.ways.trees.bags import Bags, Numbers, Places
from boxsel.exact.ways.trees.levels import Floats, Shared, add_up
from boxsel.exact.ways.trees.sweeps import Sweeps, Weighting

AT_ONCE: Final = 4_000_000
"""So many types are chosen at once: a person has one in every bag."""

Flags = NDArray[np.bool_]


class Population:
    """Weights along a tree; `width` is the number of basic concepts."""

    lightest: ClassVar[float] = 1e-20

    def __init__(self, bags: Bags, sweeps: Sweeps, weighting: Weighting, width: int) -> None:
        self._bags, self._sweeps, self._weighting = bags, sweeps, weighting
        self._width = width

    def weigh(self, positions: Iterable[int]) -> float:
        """The weight of those who have all of some basic concepts."""
        factors: dict[int, Floats] = {}  # of the types of bags, where something is asked below
        for position in positions:
            place = self._bags.holding((position,))
            assert place is not None  # every basic concept is in a bag
            bag = self._bags.bags[place]
            having = bag.have(bag.mask((position,)))
            factors[place] = np.where(having, factors.get(place, 1.0), 0.0)
        while factors:
            place = max(factors)  # bags come after those above them: nothing is left below this one
            parts = self._parts(place) * factors.pop(place)
            if place == 0:
                return float(parts.sum())
            above = self._bags.above[place]
            border = self._bags.border(place, above)
            passed = add_up(border.own, parts, len(border.patterns))[border.other]
            factors[above] = factors.get(above, 1.0) * passed
        return 1.0

    def _parts(self, place: int) -> Floats:
        first = self._sweeps.first
        return self._weighting.parts[first[place] : first[place + 1]]

    def listed(self, most: int) -> dict[Type, float] | None:
        """The weights of all types that have some, bag by bag; none if there are too many."""
        found: dict[Type, float] = {0: 1.0}
        known: Mask = 0
        for place, bag in enumerate(self._bags.bags):
            shared = known & _mask(bag.members)
            further: dict[Mask, list[tuple[Type, float]]] = {}
            for kind, part in zip(bag.kinds.tolist(), self._parts(place).tolist(), strict=True):
                own = _mask(member for bit, member in enumerate(bag.members) if kind >> bit & 1)
                if part > 0:
                    further.setdefault(own & shared, []).append((own, part))
            found = {
                kind | own: weight * part
                for kind, weight in found.items()
                for own, part in further.get(kind & shared, ())
            }
            if len(found) > most:
                return None
            known |= _mask(bag.members)
        return found

    def draw(self, count: int, random: np.random.Generator) -> Iterator[Flags]:
        """Some people, a few at a time: a line for each, with what they have."""
        draws = [*self._draws()]
        kinds = np.concatenate([bag.kinds for bag in self._bags.bags])
        step = max(1, AT_ONCE // len(self._bags))
        for start in range(0, count, step):
            drawn = min(step, count - start)
            chosen = np.zeros((drawn, len(self._bags)), np.intp)
            having = np.zeros((drawn, self._width), bool)
            for draw in draws:
                draw.choose(chosen, random)
                types = kinds[chosen[:, draw.owners]]
                having[:, draw.members] = types >> draw.bits & 1
            yield having

    def _draws(self) -> Iterator[_Draw]:
        first, parts = self._sweeps.first, self._weighting.parts
        root = np.arange(first[1]), np.zeros(first[1], np.intp)
        levels = [Shared(1, root, root), *self._sweeps.levels]
        for places, level in zip(self._sweeps.depths, levels, strict=True):
            fresh = np.array([*_fresh(self._bags, places)], np.int64).reshape(-1, 3)
            above = np.array([self._bags.above[place] for place in places])
            sizes = first[above + 1] - first[above]
            offsets = np.cumsum(sizes) - sizes - first[above]
            choice = _Choice.of(level, parts)
            yield _Draw(np.array(places), above, offsets, level.above[1], choice, *fresh.T)


def _mask(positions: Iterable[int]) -> Mask:
    return sum(1 << position for position in positions)


def _fresh(bags: Bags, places: Iterable[int]) -> Iterator[tuple[int, int, int]]:
    """The members that the bag above has not, each with its bag and its number there."""
    for place in places:
        above = set(bags.bags[bags.above[place]].members) if place else set()
        for bit, member in enumerate(bags.bags[place].members):
            if member not in above:
                yield member, place, bit


@dataclass(frozen=True)
class _Choice:
    """The types of some bags in the order of their patterns.

    `upto` is the number of the pattern, and how much of it a type and those before it are. The
    `last` type of a pattern that weighs anything takes what rounding leaves.
    """

    types: Places
    upto: Floats
    last: Places

    @classmethod
    def of(cls, level: Shared, parts: Floats) -> _Choice:
        types, patterns = level.below
        order = np.argsort(patterns, kind="stable")
        types, patterns = types[order], patterns[order]
        sums = np.concatenate([[0.0], np.cumsum(parts[types])])
        starts = np.searchsorted(patterns, np.arange(level.count))
        upto = np.minimum(sums[1:] - sums[starts][patterns], 1.0)
        last, there = np.zeros(level.count, np.intp), np.flatnonzero(parts[types] > 0)
        np.maximum.at(last, patterns[there], there)
        return cls(types, patterns + upto, last)

    def pick(self, patterns: Places, random: np.random.Generator) -> Places:
        """A type for each pattern."""
        wanted = patterns + random.random(patterns.shape)
        found = np.searchsorted(self.upto, wanted, side="right")
        picked: Places = self.types[np.minimum(found, self.last[patterns])]
        return picked


@dataclass(frozen=True)
class _Draw:
    """How types of the bags of one depth are drawn, given those above.

    `patterns` are those of the types above, bag by bag; `offsets` lead to them from the numbers of
    the types. `members` are new here, with the bags that have them, and their numbers there.
    """

    places: Places
    above: Places
    offsets: Places
    patterns: Places
    choice: _Choice
    members: Places
    owners: Places
    bits: Numbers

    def choose(self, chosen: Places, random: np.random.Generator) -> None:
        """Choose a type of each of these bags for everybody."""
        known = self.patterns[chosen[:, self.above] + self.offsets]
        chosen[:, self.places] = self.choice.pick(known, random)
