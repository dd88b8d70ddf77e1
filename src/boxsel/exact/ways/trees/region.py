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

LIGHTEST_TYPE: Final = 1e-100
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
        self._lines: list[Entries] = []
        self._sizes: list[float] = []
        for place in inside:
            self._first[place] = len(self._sizes)
            floats = weights[place].tolist()
            least = min((weight for weight in floats if weight > LIGHTEST_TYPE), default=1.0)
            self._sizes += [max(least, weight) for weight in floats]
        self.size = len(self._sizes)
        self._rows: list[tuple[int, int]] = []
        """Which row a line is if it is worth less than nothing, and which if it is worth more."""
        for place in self._first:
            self._state(place)
        for place in self._first:
            above = bags.above[place]
            if above != place and above in self._first:
                self._lines += self._agreements(place, above)
        for one, other in bags.across:
            self._lines += self._agreements(one, other)
        for cut in cuts:
            self._cut(cut)
        self.shape = len(self._lines), len(self._sizes)
        """How many lines and columns the programme has."""
        self._programme = Equalities(self._lines, len(self._sizes), budget, self._sizes)

    def _state(self, place: int) -> None:
        """The lines of a bag: a point is an equation, and other sides are not negative."""
        bag = self._bags.bags[place]
        for line in bag.lines:
            rows = [side[0] for side in (line.lower, line.upper) if side is not None]
            sides = [(row, row) for row in rows] if line.point is None else [(rows[0], rows[1])]
            for values, used in zip(line_values(bag, line), sides, strict=False):
                entries = self._entries(place, values)
                if entries:
                    self._add(entries, is_equal=line.point is not None)
                    self._rows.append(used)

    def _add(self, entries: Entries, *, is_equal: bool) -> None:
        """A line that is zero, or that is not negative: then what it is more has its own column."""
        if not is_equal:
            largest = max(abs(entry) * self._sizes[n] for n, entry in entries.items())
            entries[len(self._sizes)] = -1
            self._sizes.append(largest)
        self._lines.append(entries)

    @property
    def places(self) -> tuple[int, ...]:
        """The bags."""
        return tuple(self._first)

    def maximise(self, home: int, members: Sequence[bool], gains: Sequence[int]) -> Balance | None:
        """The largest value of some gains of a bag's types where some of them weigh 1 in all."""
        weighed = self._entries(home, [int(member) for member in members])
        return self._programme.maximise(weighed, self._entries(home, gains)) if weighed else None

    def refute(self, home: int, members: Sequence[bool]) -> Balance | None:
        """A proof that some types of a bag have no weight, if they have none."""
        everything = self._entries(home, [1] * len(members))
        weighed = self._entries(home, [int(member) for member in members])
        best = self._programme.maximise(everything, weighed)
        return best if best is not None and best.value == 0 else None

    def multipliers(self, best: Balance) -> dict[int, Fraction]:
        """The rows that a proof uses, with their positive factors."""
        used = (item for item in best.worth.items() if item[0] < len(self._rows))
        return {self._rows[line][worth > 0]: as_fraction(abs(worth)) for line, worth in used}

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

    def _cut(self, cut: Cut) -> None:
        border = self._bags.border(cut.place, cut.other)
        patterns = border.patterns.tolist()
        own = [patterns[number] for number in border.own.tolist()]
        if cut.closed:
            self._add(
                self._entries(cut.place, [int(place in cut.closed) for place in own]), is_equal=True
            )
        if cut.need is not None:
            scale = lcm(*(int(factor.q) for factor in cut.need.factors.values()))
            factors = {place: int(factor * scale) for place, factor in cut.need.factors.items()}
            values = [factors.get(place, 0) for place in own]
            self._add(self._entries(cut.place, values), is_equal=cut.need.equal)
