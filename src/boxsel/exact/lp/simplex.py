"""The restricted linear programme in exact arithmetic: floats find a basis, fractions decide.

A basis names as many types as there are tight rows, and one; every other row has a basic slack,
or a basic violation. Solving for it over the rationals gives the weights, the multipliers and
the value that floats only approach. Where the basis is not quite optimal, the simplex method goes
on from it in exact arithmetic. It takes what is farthest off, and of equals the largest entry: from
a basis that is nearly optimal that is two steps where the first in line were 3,000. It may circle,
so after as many steps as there are rows the first in line come by Bland's rule, which cannot.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import count
from typing import Final

from flint import fmpq, fmpq_mat

from boxsel.exact.compile.vocabulary import Type
from boxsel.exact.lp.floats import as_fraction
from boxsel.exact.lp.master import Basis, Master

ZERO: Final = fmpq(0)
Check = Callable[[], None]


@dataclass(frozen=True)
class Vertex:
    """A basic solution: a price π and multipliers y ≥ 0 with c + y·a ≤ π·n, and the weights."""

    price: Fraction
    multipliers: Mapping[int, Fraction]
    weights: Mapping[Type, Fraction]
    basis: Basis


class SingularError(ArithmeticError):
    """What was taken for a basis is none."""


def optimal_vertex(
    master: Master,
    basis: Basis | None,
    *,
    violations: bool,
    feasible: Basis | None = None,
    check: Check = lambda: None,
) -> Vertex:
    """The exact optimum of a restricted programme, from a basis that floats found.

    While violations are allowed, the price is minus the least total violation. Otherwise a
    feasible basis must be known. `check` is called before every step, and may stop the work.
    """
    start = feasible.without_violations() if feasible and not violations else _trivial(master)
    for first in (basis, start):
        if first is not None:
            simplex = _Simplex(master, first, violations=violations)
            try:
                return simplex.optimise(check)
            except SingularError:
                continue
    raise ArithmeticError("no exact optimum was found")


def _trivial(master: Master) -> Basis:
    """One type of the goal; what it leaves of each row is slack, or else violation."""
    start = master.members.index(1)
    entries = master.coefficients[start]
    rows = range(len(master.rows))
    violated = frozenset(row for row in rows if entries.get(row, 0) < 0)
    return Basis((start,), frozenset(rows) - violated, violated)


class _Simplex:
    """The simplex method from a basis.

    Variables are numbered: the types, then each row's slack, then each row's violation.
    """

    def __init__(self, master: Master, basis: Basis, *, violations: bool) -> None:
        self._master, self._violations = master, violations
        self._costs = [fmpq(1, row.bound.denominator) for row in master.rows]
        self._rows, self._kinds = len(master.rows), len(master.kinds)
        self._columns = list(basis.columns)
        self._units = dict.fromkeys(basis.slack, 1) | dict.fromkeys(basis.violated, -1)
        if not violations:
            self._units = dict.fromkeys(self._units, 1)
        self._is_hasty = True

    def optimise(self, check: Check) -> Vertex:
        """Pivot until the basis is optimal."""
        for step in count():
            check()
            self._is_hasty = step < self._rows
            self._solve()
            infeasible = self._first((value, basic) for basic, value in self._values() if value < 0)
            entering = self._first((-gain, one) for one, gain in self._gains() if gain > 0)
            if infeasible is None and entering is None:
                return self._vertex()
            if infeasible is None:
                assert entering is not None
                self._swap(self._leaving(entering), entering)
            elif entering is None:
                self._swap(infeasible, self._entering(infeasible))
            else:
                raise SingularError("the basis is feasible on neither side")
        raise AssertionError("it ends by Bland's rule")

    def _first(self, negative: Iterable[tuple[fmpq, int]]) -> int | None:
        """The variable that is farthest below zero, or by Bland's rule the first that is."""
        if self._is_hasty:
            return min(negative, default=(ZERO, None))[1]
        return min((variable for _, variable in negative), default=None)

    def _least(self, ratios: Iterable[tuple[fmpq, fmpq, int]]) -> int | None:
        """The variable with the least ratio, of equals that with the largest entry."""
        return min(
            ((ratio, -abs(entry) if self._is_hasty else ZERO, one) for ratio, entry, one in ratios),
            default=(ZERO, ZERO, None),
        )[2]

    def _solve(self) -> None:
        """The weights and the multipliers of the basis."""
        self._tight = [row for row in range(self._rows) if row not in self._units]
        self._place = {row: place for place, row in enumerate(self._tight)}
        size = len(self._columns)
        if size != len(self._tight) + 1:
            raise SingularError("the basis has the wrong size")
        self._matrix = fmpq_mat(size, size)
        gains = fmpq_mat(size, 1)
        for place, column in enumerate(self._columns):
            gain = fmpq(self._master.gains[column] if not self._violations else 0)
            for row, entry in self._master.coefficients[column].items():
                if row in self._place:
                    self._matrix[self._place[row], place] = fmpq(entry)
                elif self._units[row] < 0:
                    gain += entry * self._costs[row]
            self._matrix[size - 1, place] = fmpq(self._master.members[column])
            gains[place, 0] = gain
        total = fmpq_mat(size, 1)
        total[size - 1, 0] = fmpq(1)
        try:
            weights = self._matrix.solve(total)
            duals = self._matrix.transpose().solve(gains)
        except ZeroDivisionError:
            raise SingularError("the basis is singular") from None
        self._weights = [weights[place, 0] for place in range(size)]
        self._multipliers = {row: -duals[place, 0] for row, place in self._place.items()}
        for row, sign in self._units.items():
            if sign < 0:
                self._multipliers[row] = self._costs[row]
        self._price = duals[size - 1, 0]

    def _values(self) -> Iterator[tuple[int, fmpq]]:
        """The basic variables with their values."""
        yield from zip(self._columns, self._weights, strict=True)
        sums = self._sums(self._weights)
        for row, sign in self._units.items():
            yield self._unit(row, sign), sign * sums.get(row, ZERO)

    def _gains(self) -> Iterator[tuple[int, fmpq]]:
        """The variables that are not basic with what each would gain."""
        basic = set(self._columns)
        for column in range(self._kinds):
            if column not in basic:
                gain = fmpq(self._master.gains[column] if not self._violations else 0)
                for row, entry in self._master.coefficients[column].items():
                    multiplier = self._multipliers.get(row, ZERO)
                    if multiplier:
                        gain += multiplier * entry
                yield column, gain - self._price * self._master.members[column]
        for row in self._tight:
            yield self._unit(row, 1), -self._multipliers[row]
        if self._violations:
            for row in range(self._rows):
                if self._units.get(row) != -1:
                    multiplier = self._multipliers.get(row, ZERO)
                    yield self._unit(row, -1), multiplier - self._costs[row]

    def _leaving(self, entering: int) -> int:
        """The basic variable that reaches zero first as another grows."""
        column = self._entries(entering)
        rates = self._matrix.solve(self._restricted(column))
        drops = [rates[place, 0] for place in range(len(self._columns))]
        leaving = self._least(
            (value / drop, drop, basic)
            for basic, value, drop in self._with_drops(column, drops)
            if drop > 0
        )
        if leaving is None:
            raise ArithmeticError("the programme is unbounded")
        return leaving

    def _with_drops(
        self, column: Mapping[int, int], drops: list[fmpq]
    ) -> Iterator[tuple[int, fmpq, fmpq]]:
        yield from zip(self._columns, self._weights, drops, strict=True)
        values, sums = self._sums(self._weights), self._sums(drops)
        for row, sign in self._units.items():
            drop = sums.get(row, ZERO) - column.get(row, 0)
            yield self._unit(row, sign), sign * values.get(row, ZERO), sign * drop

    def _entering(self, leaving: int) -> int:
        """The variable that may replace a basic one below zero and keeps the others' gains."""
        unit = fmpq_mat(len(self._columns), 1)
        row, sign = None, 1
        if leaving < self._kinds:
            unit[self._columns.index(leaving), 0] = fmpq(1)
        else:
            sign = 1 if leaving < self._kinds + self._rows else -1
            row = (leaving - self._kinds) % self._rows
            for place, column in enumerate(self._columns):
                unit[place, 0] = fmpq(self._master.coefficients[column].get(row, 0))
        solved = self._matrix.transpose().solve(unit)
        line = {place: solved[n, 0] for place, n in self._place.items()}
        line[self._rows] = solved[len(self._columns) - 1, 0]  # of the norm
        ratios = []
        for variable, gain in self._gains():
            entries = self._entries(variable)
            terms = (line[place] * entry for place, entry in entries.items() if place in line)
            rate = sum(terms, ZERO)
            if row is not None:
                rate = sign * (rate - entries.get(row, 0))
            if rate < 0:
                ratios.append((gain / rate, rate, variable))
        entering = self._least(ratios)
        if entering is None:
            raise SingularError("the programme has no solution")
        return entering

    def _swap(self, leaving: int, entering: int) -> None:
        if leaving < self._kinds:
            self._columns.remove(leaving)
        else:
            del self._units[(leaving - self._kinds) % self._rows]
        if entering < self._kinds:
            self._columns.append(entering)
        else:
            sign = 1 if entering < self._kinds + self._rows else -1
            self._units[(entering - self._kinds) % self._rows] = sign

    def _entries(self, variable: int) -> Mapping[int, int]:
        """A variable's column; the entry for the norm is under the number of rows."""
        if variable < self._kinds:
            member = self._master.members[variable]
            return {**self._master.coefficients[variable], self._rows: member}
        row = (variable - self._kinds) % self._rows
        return {row: -1 if variable < self._kinds + self._rows else 1}

    def _restricted(self, column: Mapping[int, int]) -> fmpq_mat:
        """The entries of a column in the tight rows and the norm."""
        size = len(self._columns)
        vector = fmpq_mat(size, 1)
        for row, entry in column.items():
            if row in self._place:
                vector[self._place[row], 0] = fmpq(entry)
        vector[size - 1, 0] = fmpq(column.get(self._rows, 0))
        return vector

    def _sums(self, weights: list[fmpq]) -> dict[int, fmpq]:
        """The rows' sums over the basic types."""
        sums: dict[int, fmpq] = {}
        for column, weight in zip(self._columns, weights, strict=True):
            if weight:
                for row, entry in self._master.coefficients[column].items():
                    if row in self._units:
                        sums[row] = sums.get(row, ZERO) + weight * entry
        return sums

    def _vertex(self) -> Vertex:
        return Vertex(
            as_fraction(self._price),
            {row: as_fraction(number) for row, number in self._multipliers.items() if number},
            {
                self._master.kinds[column]: as_fraction(weight)
                for column, weight in zip(self._columns, self._weights, strict=True)
                if weight
            },
            Basis(
                tuple(self._columns),
                frozenset(row for row, sign in self._units.items() if sign > 0),
                frozenset(row for row, sign in self._units.items() if sign < 0),
            ),
        )

    def _unit(self, row: int, sign: int) -> int:
        return self._kinds + row + (0 if sign > 0 else self._rows)
