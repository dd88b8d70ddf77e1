"""Types in parts: a type over the base, and for each group of basic concepts a choice within it.

No clause or equation is about two groups, so what holds in all is a sum over pairs of a type over
the base and a choice of one group. There are few pairs where whole types are too many.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise

import numpy as np
from flint import fmpq
from numpy.typing import NDArray

from boxsel.exact.counted.equations import Extents, as_fraction
from boxsel.exact.counted.numbered import Numbered
from boxsel.exact.enumeration import EVERY, enumerate_types
from boxsel.exact.problem import Clause
from boxsel.exact.vocabulary import Mask, Type, bits
from boxsel.machine.budget import Budget

ZERO = fmpq(0)
Pair = tuple[int, Mask]
"""The place of a type over the base, and a choice of a group."""


class Pairs(Numbered):
    """The pairs that obey clauses, numbered after the types over the base.

    Where a type over the base leaves a group one choice only, the pair has the type's number.
    """

    def __init__(self, kinds: Sequence[Type], groups: Sequence[Mask]) -> None:
        self.extents = Extents(kinds)
        self.groups = tuple(groups)
        self.size = len(kinds)
        self.links: list[tuple[tuple[int, ...], list[int]]] = []
        """Types over the base, and the pairs among which they divide their weight."""
        self._pairs: list[list[Pair]] = []
        self._numbers: list[list[int]] = []
        self._tables: list[tuple[NDArray[np.int64], dict[int, NDArray[np.bool_]]]] = []

    def add(self, options: Sequence[Sequence[Mask]]) -> None:
        """The choices of the next group, for each type over the base."""
        pairs: list[Pair] = []
        numbers: list[int] = []
        for place, choices in enumerate(options):
            first = self.size
            if len(choices) > 1:
                self.links.append(((place,), list(range(first, first + len(choices)))))
                numbers.extend(range(first, first + len(choices)))
                self.size += len(choices)
            else:
                numbers.append(place)
            pairs.extend((place, choice) for choice in choices)
        group = self.groups[len(self._pairs)]
        table = {
            position: np.array([choice >> position & 1 for _, choice in pairs], bool)
            for position in bits(group)
        }
        self._pairs.append(pairs)
        self._numbers.append(numbers)
        self._tables.append((np.array([place for place, _ in pairs], np.int64), table))

    def knows(self, mask: Mask) -> bool:
        """Whether a mask is about one group at most."""
        return sum(bool(mask & group) for group in self.groups) <= 1

    def having(self, mask: Mask) -> list[int]:
        """The numbers of the pairs, or types over the base, that have a mask."""
        for number, group in enumerate(self.groups):
            if mask & group:
                owners, table = self._tables[number]
                base = np.zeros(len(self.extents.kinds), bool)
                base[list(self.extents.of(mask & ~group))] = True
                found = base[owners]
                for position in bits(mask & group):
                    found &= table[position]
                numbers = self._numbers[number]
                return [numbers[place] for place in np.flatnonzero(found).tolist()]
        return list(self.extents.of(mask))

    def choices(self) -> Iterator[tuple[Mask, frozenset[Mask]]]:
        """Each group with all choices that some type over the base leaves."""
        for group, pairs in zip(self.groups, self._pairs, strict=True):
            yield group, frozenset(choice for _, choice in pairs)

    def weights(self, amounts: Mapping[int, fmpq]) -> dict[Type, Fraction]:
        """Whole types with the weights of pairs: choices of different groups side by side."""
        parts: list[list[list[tuple[fmpq, Mask]]]] = [[] for _ in self.extents.kinds]
        for pairs, numbers in zip(self._pairs, self._numbers, strict=True):
            of_group: dict[int, list[tuple[fmpq, Mask]]] = {}
            for (place, choice), number in zip(pairs, numbers, strict=True):
                if amount := amounts.get(number, ZERO):
                    of_group.setdefault(place, []).append((amount, choice))
            for place, divided in of_group.items():
                parts[place].append(divided)
        found: dict[Type, Fraction] = {}
        for place, kind in enumerate(self.extents.kinds):
            if amounts.get(place, ZERO):
                found |= side_by_side(kind, amounts[place], parts[place])
        return found


def side_by_side(
    kind: Type, weight: fmpq, parts: Iterable[Sequence[tuple[fmpq, Mask]]]
) -> dict[Type, Fraction]:
    """Divide a weight in several ways at once: every group runs through its choices in order."""
    cuts: dict[fmpq, Mask] = {}  # where choices change, and which bits change there
    start = kind
    for divided in parts:
        height = ZERO
        start |= divided[0][1]
        for (amount, choice), (_, after) in pairwise(divided):
            height += amount
            cuts[height] = cuts.get(height, 0) | (choice ^ after)
    found: dict[Type, Fraction] = {}
    below = ZERO
    for height in sorted(cuts):
        found[start] = found.get(start, Fraction(0)) + as_fraction(height - below)
        start ^= cuts[height]
        below = height
    found[start] = found.get(start, Fraction(0)) + as_fraction(weight - below)
    return found


def make_pairs(
    kinds: Sequence[Type],
    groups: Sequence[Mask],
    clauses: Iterable[Clause],
    limit: int,
    budget: Budget,
) -> Pairs | None:
    """The pairs that obey clauses; none if there are more than a limit.

    Types over the base that leave some group no choice are left out.
    """
    known = list(clauses)
    while True:
        extents = Extents(kinds)
        options = []
        for group in groups:
            about = [clause for clause in known if clause.about & group]
            found = _options(extents, group, about, limit, budget)
            if found is None:
                return None
            options.append(found)
        living = [
            kind for place, kind in enumerate(kinds) if all(found[place] for found in options)
        ]
        if len(living) == len(kinds):
            break
        kinds = living
    if sum(len(choices) for found in options for choices in found) > limit:
        return None
    pairs = Pairs(kinds, groups)
    for found in options:
        pairs.add(found)
    return pairs


def _options(
    extents: Extents, group: Mask, clauses: Sequence[Clause], limit: int, budget: Budget
) -> list[list[Mask]] | None:
    """For each type over the base, the choices of a group that obey clauses."""
    left: list[set[Clause]] = [set() for _ in extents.kinds]
    for clause in budget.watched(clauses, EVERY):
        rest = Clause(clause.body & group, clause.heads & group)
        heads = clause.heads & ~group
        for place in extents.of(clause.body & ~group):
            if not extents.kinds[place] & heads:
                left[place].add(rest)
    known: dict[frozenset[Clause], list[Mask] | None] = {}
    found: list[list[Mask]] = []
    for rests in budget.watched(left, EVERY):
        key = frozenset(rests)
        if key not in known:
            known[key] = enumerate_types(key, group, limit, budget)
        choices = known[key]
        if choices is None:
            return None
        found.append(choices)
    return found
