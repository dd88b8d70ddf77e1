"""Populations along a tree of bags: the weights of each bag's types, and of the whole types.

Weights that agree along a tree are those of a population. Everybody who is there already has some
pattern of what a new bag shares with the bag before it. The bag's types with that pattern weigh the
same in all, and are filled in one after the other, as in a transport plan: whoever is in two of
them is divided. So there are never more types than the bags have together; and where a type says
nothing new, nobody is touched.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, reduce
from operator import or_

from flint import fmpq

from boxsel.exact.compile.vocabulary import Mask, Type, bits, mask_at
from boxsel.exact.lp.floats import as_fraction
from boxsel.exact.lp.optimum import DeferredWeights
from boxsel.exact.ways.trees.bags import Positions

Members = frozenset[int]
ZERO = fmpq(0)


@dataclass(frozen=True)
class Part:
    """The weights of the types of one bag, in its own numbers, and the place of the part before.

    If it is `relative`, they are shares of what the type has in common with the part before. The
    first part is before itself.
    """

    members: Positions
    before: int
    weights: Mapping[int, fmpq]
    relative: bool = False

    def after(self, before: Part) -> Part:
        """The same with weights, after a part with weights."""
        if not self.relative:
            return self
        seen, shared = self._seen(before)
        totals: dict[int, fmpq] = {}
        for pattern, weight in zip(map(seen, before.weights), before.weights.values(), strict=True):
            totals[pattern] = totals.get(pattern, ZERO) + weight
        weights = {
            kind: totals[kind & shared] * share
            for kind, share in self.weights.items()
            if kind & shared in totals
        }
        return Part(self.members, self.before, weights)

    def inhabited(self, before: Part, kinds: Iterable[int]) -> list[int]:
        """The types that have weight where some types of the part before have."""
        if not self.relative:
            return [*self.weights]
        seen, shared = self._seen(before)
        patterns = {*map(seen, kinds)}
        return [kind for kind in self.weights if kind & shared in patterns]

    def _seen(self, before: Part) -> tuple[Callable[[int], int], Mask]:
        """What types of the part before look like here, and as far as which of the members."""
        there = {member: place for place, member in enumerate(before.members)}
        pairs = [(n, there[one]) for n, one in enumerate(self.members) if one in there]
        shared = sum([1 << own for own, _ in pairs])
        return lambda kind: sum([(kind >> other & 1) << own for own, other in pairs]), shared

    @property
    def named(self) -> dict[Members, fmpq]:
        """The weights by the basic concepts that types have."""
        return {
            frozenset(self.members[place] for place in bits(kind)): weight
            for kind, weight in self.weights.items()
        }


class TreeWeights(DeferredWeights):
    """The weights of a population along a tree; whole types are spelt out when they are needed."""

    def __init__(self, make: Callable[[], Sequence[Part]]) -> None:
        super().__init__(lambda: _join(self.weighed))
        self._make_parts = make

    @cached_property
    def parts(self) -> Sequence[Part]:
        """The weights of each bag, or the shares, beyond where they were looked for."""
        return self._make_parts()

    @cached_property
    def weighed(self) -> Sequence[Part]:
        """The same, all with weights."""
        weighed: list[Part] = []
        for part in self.parts:
            weighed.append(part.after(weighed[part.before]) if weighed else part)
        return weighed

    @cached_property
    def present(self) -> Mask:
        """The basic concepts that somebody has."""
        present: set[int] = set()
        kinds: list[list[int]] = []
        for part in self.parts:
            known = (self.parts[part.before], kinds[part.before]) if kinds else (part, [])
            kinds.append(part.inhabited(*known))
            present.update(part.members[place] for place in bits(reduce(or_, kinds[-1], 0)))
        return mask_at(present)


def present(weights: Mapping[Type, Fraction]) -> Mask:
    """The basic concepts that somebody has."""
    return weights.present if isinstance(weights, TreeWeights) else reduce(or_, weights, 0)


def _join(parts: Sequence[Part]) -> dict[Type, Fraction]:
    population = _Population()
    for place, part in enumerate(parts):
        shared = set(part.members).intersection(parts[part.before].members) if place else ()
        population.fill(frozenset(shared), part.named)
    return population.weights


class _Population:
    """Groups of people who have the same basic concepts, with their weights."""

    def __init__(self) -> None:
        self._groups: list[tuple[Members, fmpq]] = []
        self._having: dict[int, set[int]] = {}  # the groups that have a basic concept

    @property
    def weights(self) -> dict[Type, Fraction]:
        """The weight of each type."""
        found: dict[Type, Fraction] = {}
        for members, weight in self._groups:
            kind = sum(1 << member for member in members)
            found[kind] = found.get(kind, Fraction(0)) + as_fraction(weight)
        return found

    def fill(self, shared: Members, weights: Mapping[Members, fmpq]) -> None:
        """Let everybody have what a part says besides what it shares."""
        if not self._groups:
            for members, weight in weights.items():
                self._add(members, weight)
            return
        waiting: dict[Members, list[tuple[Members, fmpq]]] = {}
        for members, weight in weights.items():
            if members - shared:
                choice = members - shared, weight
                waiting.setdefault(members & shared, []).append(choice)
        for pattern, choices in waiting.items():
            self._give(choices, self._groups_with(pattern, shared))

    def _give(self, choices: list[tuple[Members, fmpq]], groups: Iterable[int]) -> None:
        """Let some groups have what is chosen, each choice for as many as its weight says."""
        for number in groups:
            members, left = self._groups[number]
            while choices and left:
                more, weight = choices.pop()
                if weight < left:
                    self._add(members | more, weight)
                    left -= weight
                    self._groups[number] = members, left
                else:
                    if weight > left:
                        choices.append((more, weight - left))
                    self._name(number, more)
                    break
            if not choices:
                return

    def _groups_with(self, pattern: Members, shared: Members) -> list[int]:
        """The groups that have a pattern, and nothing else of what is shared; the barest first."""
        others = [self._having.get(one, set()) for one in shared - pattern]
        inside: Iterable[int] = range(len(self._groups))
        if pattern:
            first, *rest = sorted((self._having.get(one, set()) for one in pattern), key=len)
            inside = first.intersection(*rest)
        found = [n for n in inside if not any(n in other for other in others)]
        return sorted(found, key=lambda n: (len(self._groups[n][0]), n))

    def _add(self, members: Members, weight: fmpq) -> None:
        self._groups.append((frozenset(), weight))
        self._name(len(self._groups) - 1, members)

    def _name(self, number: int, more: Members) -> None:
        members, weight = self._groups[number]
        self._groups[number] = members | more, weight
        for one in more:
            self._having.setdefault(one, set()).add(number)
