"""Linear programmes of sparse equations: the solver's basis in floats, its numbers in fractions.

Over amounts v ≥ 0 every line is zero, `a_i·v = 0`, and some members weigh 1. The lines stay; the
members and the gains change, and each question starts from the last basis. Where it is known how
large amounts are, floats are told: else what is rare would be lost in their tolerance.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import lcm
from typing import Final

from flint import fmpq

from boxsel.exact.lp import sparse
from boxsel.exact.lp.solver import LinearProgramme
from boxsel.machine.budget import Budget

PRECISELY: Final = (
    "use_preprocessing: false primal_feasibility_tolerance: 1e-12 dual_feasibility_tolerance: 1e-12"
)
"""So that few exact steps are left; bases that preprocessing gives back may be far from any."""
FIRST_SOLVE: Final = f"use_dual_simplex: true {PRECISELY}"
LATER_SOLVES: Final = f"use_dual_simplex: false {PRECISELY}"
"""From nothing the dual method is faster, from the last basis the primal one."""
AFRESH: Final = "use_dual_simplex: true"
"""How those that floats find impossible, or that no exact step mends, are tried from nothing."""
BARE: Final = (
    "use_dual_simplex: false use_scaling: false use_preprocessing: false"
    " primal_feasibility_tolerance: 1e-15 dual_feasibility_tolerance: 1e-15"
)
"""And how where that fails: numbers that grow along a long chain suffer from being scaled again."""
POWERS: Final = (1.0, 0.5, 0.0)
"""And then with sizes that are trusted less: what is rare may be common in an optimum."""
STEPS_EACH: Final = 10
"""So many steps for each line and column are too many: the floats go round in circles."""
PIVOTS: Final = 20
"""How many exact steps the basis of the floats may be from an optimum."""
ZERO = fmpq(0)
Values = Mapping[int, int]


@dataclass(frozen=True)
class Balance:
    """The largest value, the amounts that attain it, and what the lines are worth, which proves it.

    `gains − members·value − Σ worth_i·a_i` is nowhere above zero.
    """

    value: fmpq
    amounts: Mapping[int, fmpq]
    worth: Mapping[int, fmpq]


class Equalities:
    """One linear programme, of which the members and the gains change."""

    def __init__(
        self,
        lines: Sequence[Values],
        size: int,
        budget: Budget,
        sizes: Sequence[float] | None = None,
    ) -> None:
        self._lines, self._size, self._budget = lines, size, budget
        self._sizes = [1.0] * size if sizes is None else sizes
        self._known: dict[float, _Floats] = {}
        self._powers: tuple[float, ...] = (1.0,) if sizes is None else POWERS

    def maximise(self, members: Values, gains: Values) -> Balance | None:
        """The largest value of some gains where members weigh 1.

        None if that is impossible, or if the floats lead to no exact optimum.
        """
        for power in self._powers:
            floats = self._floats(power)
            for basis in floats.bases(members, gains):
                best = self._exact(members, gains, *basis)
                if best is not None:
                    others = (one for one in self._powers if one != power)
                    self._powers = (power, *others)  # what served now comes first the next time
                    return best
        return None

    def _floats(self, power: float) -> _Floats:
        if power not in self._known:
            sizes = [size**power for size in self._sizes]
            self._known[power] = _Floats(self._lines, sizes, self._budget)
        return self._known[power]

    def _exact(
        self, members: Values, gains: Values, columns: Sequence[int], idle: Sequence[int]
    ) -> Balance | None:
        """The optimum in fractions, if few exact steps lead there from the basis of the floats."""
        basis = _Basis([*self._lines, members], columns, idle, self._size, gains, self._budget)
        if not basis.improve():
            return None
        count = len(self._lines)
        amounts = {n: amount for n, amount in basis.amounts.items() if n < self._size}
        worth = {n: dual for n, dual in basis.duals.items() if dual and n < count}
        return Balance(basis.duals.get(count, ZERO), amounts, worth)


class _Floats:
    """The programme in floats, with amounts taken relative to some sizes."""

    def __init__(self, lines: Sequence[Values], sizes: Sequence[float], budget: Budget) -> None:
        self._sizes, self._budget = sizes, budget
        self._programme = LinearProgramme()
        for _ in sizes:
            self._programme.add_column()
        for line in budget.watched(lines):
            longest = max(abs(entry) for entry in line.values())  # integers of any length
            scaled = [(n, entry / longest * sizes[n]) for n, entry in line.items()]
            largest = max(abs(entry) for _, entry in scaled) or 1.0
            self._programme.add_row(0.0, 0.0, ((n, entry / largest) for n, entry in scaled))
        self._norm = self._programme.add_row(1.0, 1.0)
        self._most = STEPS_EACH * (len(lines) + len(sizes))
        self._members: Values = {}
        self._method = FIRST_SOLVE

    def bases(self, members: Values, gains: Values) -> Iterator[tuple[list[int], list[int]]]:
        """Bases that are optimal in floats: their columns, and the lines that need none."""
        self._set_members(members)
        scaled = {number: gain * self._sizes[number] for number, gain in gains.items()}
        largest = max(map(abs, scaled.values()), default=1.0)
        self._programme.clear_gains()
        for number, gain in scaled.items():
            self._programme.set_gain(number, gain / largest)
        method, self._method = self._method, LATER_SOLVES
        for again, parameters in enumerate((method, AFRESH, BARE)):
            self._programme.tune(f"{parameters} max_number_of_iterations: {self._most}")
            if self._programme.solve(self._budget, afresh=bool(again)):
                idle = [row for row in self._programme.basic_rows if row != self._norm]
                yield self._programme.basic_columns, idle

    def _set_members(self, members: Values) -> None:
        for number in self._members.keys() - members.keys():
            self._programme.set_entry(self._norm, number, 0.0)
        largest = max((self._sizes[number] for number in members), default=1.0)
        for number in members:
            self._programme.set_entry(self._norm, number, self._sizes[number] / largest)
        self._members = members


class _Basis:
    """Columns that determine amounts and duals of lines, the last of which is 1, the others 0.

    Lines that floats take to follow from others have a column of their own, whose amount is to be
    zero and which never comes back.
    """

    def __init__(
        self,
        lines: Sequence[Values],
        columns: Sequence[int],
        idle: Sequence[int],
        size: int,
        gains: Values,
        budget: Budget,
    ) -> None:
        self._columns, self._gains, self._size = list(columns), gains, size
        self._lines = [dict(line) for line in lines]
        self._check = budget.check
        for own, number in enumerate(idle, size):
            self._lines[number][own] = 1
            self._columns.append(own)
        self._entries: list[dict[int, int]] = [{} for _ in range(size + len(idle))]
        for number, line in enumerate(self._lines):
            for column, entry in line.items():
                self._entries[column][number] = entry
        self.amounts: dict[int, fmpq] = {}
        self.duals: dict[int, fmpq] = {}

    def improve(self) -> bool:
        """Whether it is optimal after some steps; rounding leaves it a few away at the most."""
        for _ in range(PIVOTS):
            amounts = self._solve({len(self._lines) - 1: fmpq(1)})
            duals = self._transposed({c: fmpq(self._gains.get(c, 0)) for c in self._columns})
            if amounts is None or duals is None:
                return False
            for own in [n for n, amount in amounts.items() if n >= self._size and amount > 0]:
                ((number, entry),) = self._entries[own].items()
                self._entries[own][number] = self._lines[number][own] = -entry
                amounts[own] = -amounts[own]
            self.amounts, self.duals = amounts, duals
            costs = self._costs(duals)
            below = min(amounts, key=amounts.__getitem__, default=None)
            cheap = min(costs, key=costs.__getitem__, default=None)
            is_below = below is not None and amounts[below] < 0
            is_cheap = cheap is not None and costs[cheap] < 0
            if not is_below and not is_cheap:
                return True
            swap = self._replacement(below, costs) if is_below else self._displaced(cheap, amounts)
            if swap is None:
                return False
            leaving, entering = swap
            self._columns[self._columns.index(leaving)] = entering
        return False

    def _replacement(self, below: int | None, costs: Mapping[int, fmpq]) -> tuple[int, int] | None:
        """What may take the place of a column below zero, so that nothing becomes cheap."""
        assert below is not None
        line = self._transposed({below: fmpq(1)})
        if line is None:
            return None
        best: tuple[fmpq, int] | None = None
        for column, cost in costs.items():
            rate = sum((line.get(n, ZERO) * e for n, e in self._entries[column].items()), ZERO)
            ratio = max(cost, ZERO) / -rate if rate < 0 else None
            if ratio is not None and (best is None or (ratio, column) < best):
                best = ratio, column
        return None if best is None else (below, best[1])

    def _displaced(self, cheap: int | None, amounts: Mapping[int, fmpq]) -> tuple[int, int] | None:
        """What reaches zero first as a cheap column grows."""
        assert cheap is not None
        drops = self._solve({n: fmpq(entry) for n, entry in self._entries[cheap].items()})
        limits = [
            (amounts.get(column, ZERO) / drop, column)
            for column, drop in (drops or {}).items()
            if drop > 0
        ]
        return (min(limits)[1], cheap) if limits else None

    def _costs(self, duals: Mapping[int, fmpq]) -> dict[int, fmpq]:
        """What the lines of every column outside the basis cost beyond what it gains."""
        basic = {*self._columns}
        scale = lcm(*(int(dual.q) for dual in duals.values()))
        factors = {n: int(dual.p) * (scale // int(dual.q)) for n, dual in duals.items() if dual}
        costs: dict[int, fmpq] = {}
        for column, entries in enumerate(self._entries[: self._size]):
            if column not in basic:
                whole = sum(factors[n] * entry for n, entry in entries.items() if n in factors)
                costs[column] = fmpq(whole - scale * self._gains.get(column, 0), scale)
        return costs

    def _solve(self, rights: Mapping[int, fmpq]) -> dict[int, fmpq] | None:
        """Amounts of the columns with which the lines have these values."""
        basic = {*self._columns}
        chosen = [{n: line[n] for n in line.keys() & basic} for line in self._lines]
        return sparse.solve(chosen, [rights.get(n, ZERO) for n in range(len(chosen))], self._check)

    def _transposed(self, rights: Mapping[int, fmpq]) -> dict[int, fmpq] | None:
        """Factors of the lines with which the columns have these values."""
        chosen = [self._entries[column] for column in self._columns]
        return sparse.solve(
            chosen, [rights.get(column, ZERO) for column in self._columns], self._check
        )
