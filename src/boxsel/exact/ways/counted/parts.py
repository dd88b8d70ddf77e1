"""Types in parts: types over a base, and for each group of basic concepts a choice within them.

No clause or equation is about two groups, so what holds in all is a sum over types over the base
and over choices of one group. What matters of the base for a group is a *pattern* of it: the types
over the base with one pattern divide their weight among the choices that the pattern leaves. There
are few of both where whole types are too many.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from flint import fmpq

from boxsel.exact.compile.problem import Clause, Form, Goal
from boxsel.exact.compile.vocabulary import Mask, Type
from boxsel.exact.lp.floats import as_fraction
from boxsel.exact.types.enumeration import CLAUSES_BETWEEN_LOOKS, enumerate_types
from boxsel.exact.ways.counted.equations import Extents
from boxsel.machine.budget import Budget

ZERO = fmpq(0)


@dataclass(frozen=True)
class Group:
    """Basic concepts that are chosen together, and the part of the base that matters for them."""

    bits: Mask
    matters: Mask


@dataclass(frozen=True)
class Pattern:
    """What types over the base have of what matters, their places, and what a group may choose."""

    kind: Type
    places: tuple[int, ...]
    choices: tuple[Mask, ...]


class Parts:
    """Types over a base, numbered first, and the choices of groups, numbered after them.

    Where a pattern leaves one choice only, that choice has the numbers of its types.
    """

    def __init__(self, kinds: Sequence[Type], groups: Mapping[Group, Sequence[Pattern]], /) -> None:
        self.extents = Extents(kinds)
        self.size = len(kinds)
        self.links: list[tuple[tuple[int, ...], list[int]]] = []
        """Types over the base, and the choices among which they divide their weight."""
        self._groups = groups
        self._chosen: dict[Group, tuple[Extents, list[tuple[int, ...]]]] = {}
        for group, patterns in groups.items():
            numbers: list[tuple[int, ...]] = []
            for pattern in patterns:
                if len(pattern.choices) == 1:
                    numbers.append(pattern.places)
                    continue
                fresh = list(range(self.size, self.size + len(pattern.choices)))
                self.links.append((pattern.places, fresh))
                numbers += ((number,) for number in fresh)
                self.size += len(fresh)
            chosen = [pattern.kind | choice for pattern in patterns for choice in pattern.choices]
            self._chosen[group] = Extents(chosen), numbers

    def knows(self, mask: Mask) -> bool:
        """Whether a mask is about one group at most, and tells no types of a pattern apart."""
        own = [group for group in self._groups if mask & group.bits]
        return not own or (len(own) == 1 and not mask & ~own[0].bits & ~own[0].matters)

    def having(self, mask: Mask) -> list[int]:
        """The numbers of the choices, or types over the base, that have a mask."""
        for group, (extents, numbers) in self._chosen.items():
            if mask & group.bits:
                return [number for place in extents.of(mask) for number in numbers[place]]
        return list(self.extents.of(mask))

    def values(self, form: Form) -> dict[int, int]:
        """The values of a form, where they are not zero."""
        values: dict[int, int] = {}
        for mask, coefficient in form:
            for number in self.having(mask):
                values[number] = values.get(number, 0) + coefficient
        return {number: value for number, value in values.items() if value}

    def members(self, goal: Goal) -> dict[int, int]:
        """One for each that is in a goal; exclusions are about the base."""
        excluded = {place for mask in goal.exclude for place in self.extents.of(mask)}
        if not excluded:
            return dict.fromkeys(self.having(goal.require), 1)
        return {place: 1 for place in self.extents.of(goal.require) if place not in excluded}

    def choices(self) -> Iterator[tuple[Mask, frozenset[Mask]]]:
        """Each group with all choices that some pattern leaves."""
        for group, patterns in self._groups.items():
            yield (
                group.bits,
                frozenset(choice for pattern in patterns for choice in pattern.choices),
            )

    def weights(self, amounts: Mapping[int, fmpq]) -> dict[Type, Fraction]:
        """Whole types: choices of different groups side by side, in each type its own part."""
        divided: list[list[list[tuple[fmpq, Mask]]]] = [[] for _ in self.extents.kinds]
        for group, patterns in self._groups.items():
            numbers = iter(self._chosen[group][1])
            for pattern in patterns:
                own = [
                    (sum((amounts.get(number, ZERO) for number in next(numbers)), ZERO), choice)
                    for choice in pattern.choices
                ]
                total = sum((amount for amount, _ in own), ZERO)
                for place in pattern.places if total else ():
                    if weight := amounts.get(place, ZERO):
                        part = weight / total
                        shares = [(amount * part, choice) for amount, choice in own if amount]
                        divided[place].append(shares)
        weights: dict[Type, Fraction] = {}
        for place, kind in enumerate(self.extents.kinds):
            if weight := amounts.get(place, ZERO):
                weights |= side_by_side(kind, weight, divided[place])
        return weights


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
    weights: dict[Type, Fraction] = {}
    below = ZERO
    for height in sorted(cuts):
        weights[start] = weights.get(start, Fraction(0)) + as_fraction(height - below)
        start ^= cuts[height]
        below = height
    weights[start] = weights.get(start, Fraction(0)) + as_fraction(weight - below)
    return weights


def divide(
    kinds: Sequence[Type],
    groups: Iterable[Group],
    clauses: Iterable[Clause],
    limit: int,
    budget: Budget,
) -> Parts | None:
    """The types and the choices that obey clauses; none if the choices are more than a limit.

    Types over the base that leave some group no choice are left out.
    """
    known, chosen = list(clauses), list(groups)
    while True:
        patterns: dict[Group, list[Pattern]] = {}
        count = 0
        for group in chosen:
            left = _patterns(kinds, group, known, limit, budget)
            if left is None:
                return None
            count += sum(len(pattern.choices) for pattern in left)
            if count > limit:
                return None
            patterns[group] = left
        dead = {
            place
            for own in patterns.values()
            for pattern in own
            if not pattern.choices
            for place in pattern.places
        }
        if not dead:
            return Parts(kinds, patterns)
        kinds = [kind for place, kind in enumerate(kinds) if place not in dead]


def _patterns(
    kinds: Sequence[Type], group: Group, clauses: Iterable[Clause], limit: int, budget: Budget
) -> list[Pattern] | None:
    """The patterns of types over the base with the choices of a group that obey clauses.

    What is left of the clauses decides, and many patterns leave the same.
    """
    places: dict[Type, list[int]] = {}
    for place, kind in enumerate(kinds):
        places.setdefault(kind & group.matters, []).append(place)
    extents = Extents(list(places))
    left: list[set[Clause]] = [set() for _ in places]
    about = [clause for clause in clauses if clause.about & group.bits]
    for clause in budget.watched(about, CLAUSES_BETWEEN_LOOKS):
        rest = Clause(clause.body & group.bits, clause.heads & group.bits)
        heads = clause.heads & ~group.bits
        for number in extents.of(clause.body & ~group.bits):
            if not extents.kinds[number] & heads:
                left[number].add(rest)
    known: dict[frozenset[Clause], list[Mask] | None] = {}
    patterns = []
    for (kind, own), rests in zip(
        places.items(), budget.watched(left, CLAUSES_BETWEEN_LOOKS), strict=True
    ):
        key = frozenset(rests)
        if key not in known:
            known[key] = enumerate_types(key, group.bits, limit, budget)
        choices = known[key]
        if choices is None:
            return None
        patterns.append(Pattern(kind, tuple(own), tuple(choices)))
    return patterns
