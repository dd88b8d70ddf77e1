"""The linear programme over a region of bags that are connected."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Final

from flint import fmpq

from boxsel.exact.lp.equalities import Balance, Equalities
from boxsel.exact.lp.floats import as_fraction
from boxsel.exact.ways.trees.bags import Bags
from boxsel.exact.ways.trees.beyond import Need, line_values
from boxsel.exact.ways.trees.levels import Floats
from boxsel.machine.budget import Budget

LEAST: Final = 1e-100
"""Types that weigh less in the base are taken to be as large as the least that weighs more."""
ZERO: Final = fmpq(0)

Entries = dict[int, int]


@dataclass(frozen=True, eq=False)
class Cut:
    """What weights of patterns must meet that a bag of the region shares with one beyond it.

    `closed` are patterns that cannot be extended.
    """

    place: int
    other: int
    need: Need | None = None
    closed: frozenset[int] = frozenset()


class Region:
    """Some bags with the lines in them, which agree on what they share."""

    def __init__(
        self,
        bags: Bags,
        weights: Sequence[Floats],
        inside: Iterable[int],
        budget: Budget,
        cuts: Iterable[Cut] = (),
    ) -> None:
        self.budget = budget
        self._bags, self._first = bags, dict[int, int]()
        sizes: list[float] = []
        for place in inside:
            self._first[place] = len(sizes)
            floats = weights[place].tolist()
            least = min((weight for weight in floats if weight > LEAST), default=1.0)
            sizes += [max(least, weight) for weight in floats]
        self.size = len(sizes)
        self._rows: list[tuple[int | None, int | None]] = []  # of the lower and the upper side
        lines: list[Entries] = []

        def state(entries: Entries, lower: int | None, upper: int | None) -> None:
            if not entries:
                return
            if lower is None or upper is None:
                largest = max(abs(entry) * sizes[n] for n, entry in entries.items())
                entries[len(sizes)] = -1 if upper is None else 1
                sizes.append(largest)
            lines.append(entries)
            self._rows.append((lower, upper))

        for place in self._first:
            bag = bags.bags[place]
            for line in bag.lines:
                sides = [side and side[0] for side in (line.lower, line.upper)]
                values = list(line_values(bag, line))
                if line.point is not None:
                    state(self._entries(place, values[0]), sides[0], sides[1])
                    continue
                for side, number in ((0, sides[0]), (1, sides[1])):
                    if number is not None:
                        entries = self._entries(place, values.pop(0))
                        if side:
                            entries = {n: -entry for n, entry in entries.items()}
                        state(entries, *((None, number) if side else (number, None)))
        self._stated = len(lines)
        for place in self._first:
            above = bags.above[place]
            if above != place and above in self._first:
                lines += self._agreements(place, above)
        extra = [entries for cut in cuts for entries in self._cut(cut)]
        for entries, is_open in extra:
            if is_open:
                largest = max(abs(entry) * sizes[n] for n, entry in entries.items())
                entries[len(sizes)] = -1
                sizes.append(largest)
            lines.append(entries)
        self.shape = len(lines), len(sizes)
        """How many lines and columns the programme has."""
        self._programme = Equalities(lines, len(sizes), budget, sizes)

    @property
    def places(self) -> tuple[int, ...]:
        """The bags."""
        return tuple(self._first)

    def maximise(self, home: int, members: Sequence[bool], gains: Sequence[int]) -> Balance | None:
        """The largest value of some gains of a bag's types where some of them weigh 1 in all."""
        weighed = self._entries(home, [int(one) for one in members])
        return self._programme.maximise(weighed, self._entries(home, gains)) if weighed else None

    def refute(self, home: int, members: Sequence[bool]) -> Balance | None:
        """A proof that some types of a bag have no weight, if they have none."""
        everything = self._entries(home, [1] * len(members))
        weighed = self._entries(home, [int(one) for one in members])
        best = self._programme.maximise(everything, weighed)
        return best if best is not None and best.value == 0 else None

    def multipliers(self, best: Balance) -> dict[int, Fraction]:
        """The rows that a proof uses, with their positive factors."""
        found: dict[int, Fraction] = {}
        for number, worth in best.worth.items():
            if number < self._stated:
                lower, upper = self._rows[number]
                row = lower if worth < 0 and lower is not None else upper
                assert row is not None
                found[row] = as_fraction(abs(worth))
        return found

    def amounts(self, best: Balance, place: int) -> dict[int, fmpq]:
        """The weights of a bag's types, where they are not zero."""
        first, count = self._first[place], len(self._bags.bags[place].kinds)
        numbers = ((n, best.amounts.get(first + n, ZERO)) for n in range(count))
        return {n: amount for n, amount in numbers if amount}

    def _entries(self, place: int, values: Sequence[int]) -> Entries:
        first = self._first[place]
        return {first + n: value for n, value in enumerate(values) if value}

    def _agreements(self, one: int, other: int) -> list[Entries]:
        """That two bags agree on the weight of every pattern that they share."""
        border = self._bags.border(one, other)
        lines: list[Entries] = [{} for _ in border.patterns]
        for place, patterns, sign in ((one, border.own, 1), (other, border.other, -1)):
            for n, pattern in enumerate(patterns.tolist()):
                lines[pattern][self._first[place] + n] = sign
        return lines

    def _cut(self, cut: Cut) -> Iterable[tuple[Entries, bool]]:
        border = self._bags.border(cut.place, cut.other)
        patterns = border.patterns.tolist()
        own = [patterns[number] for number in border.own.tolist()]
        if cut.closed:
            yield self._entries(cut.place, [int(one in cut.closed) for one in own]), False
        if cut.need is not None:
            scale = lcm(*(int(factor.q) for factor in cut.need.factors.values()))
            factors = {one: int(factor * scale) for one, factor in cut.need.factors.items()}
            yield self._entries(cut.place, [factors.get(one, 0) for one in own]), not cut.need.equal
