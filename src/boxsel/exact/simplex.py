"""The restricted linear programme by the simplex method in fractions.

Slow and sure: used when floats do not lead to a basis that is optimal in exact arithmetic. The
least index rule (Bland's) keeps it from cycling.
"""

from __future__ import annotations

from fractions import Fraction

from boxsel.exact.basis import Vertex
from boxsel.exact.master import Master

ZERO, ONE = Fraction(0), Fraction(1)


def solve_exactly(master: Master, *, violations: bool) -> Vertex:
    """The optimum of a restricted programme; without violations it must be feasible.

    The columns of the tableau are the types, then each row's slack, then each row's violation.
    """
    tableau = _Tableau(master)
    tableau.maximise([ZERO] * tableau.slacks + [-ONE] * len(master.rows))
    if violations:
        return tableau.vertex([ZERO] * len(master.kinds))
    if tableau.value != 0:
        raise ArithmeticError("a programme without a solution is to be optimised")
    tableau.drop_violations()
    gains = [Fraction(gain) for gain in master.gains]
    tableau.maximise(gains + [ZERO] * len(master.rows))
    return tableau.vertex(gains)


class _Tableau:
    """Equations `a_i·x − slack_i + violation_i = 0` (scaled) and `n·x = 1`, in basic form."""

    def __init__(self, master: Master) -> None:
        self._master = master
        self._count = len(master.rows)
        self._kinds = len(master.kinds)
        self.slacks = self._kinds + self._count
        """Where violations begin."""
        start = master.members.index(1)
        self._lines = [self._equation(row) for row in range(self._count)]
        self._lines.append([Fraction(n) for n in master.members] + [ZERO] * (2 * self._count))
        self._rights = [ZERO] * self._count + [ONE]
        self._basis = [-1] * (self._count + 1)
        self._pivot(self._count, start)
        for row in range(self._count):
            # What the start type leaves of a row is slack, or else violation.
            slack = self._rights[row] <= 0
            self._pivot(row, self._kinds + row if slack else self.slacks + row)
        self.value = ZERO

    def maximise(self, gains: list[Fraction]) -> None:
        """Pivot until no column has a positive reduced gain."""
        costs = list(gains)
        self.value = ZERO
        for line, column in enumerate(self._basis):
            self._eliminate(costs, line, column)
        while (entering := next((n for n, cost in enumerate(costs) if cost > 0), None)) is not None:
            leaving = self._leaving(entering)
            self._pivot(leaving, entering)
            self._eliminate(costs, leaving, entering)

    def drop_violations(self) -> None:
        """Forget the violations, all of which are zero."""
        for line, column in enumerate(self._basis):
            if column >= self.slacks:
                entering = next((n for n in range(self.slacks) if self._lines[line][n] != 0), None)
                if entering is None:
                    raise ArithmeticError("an equation of the tableau is empty")
                self._pivot(line, entering)
        self._lines = [line[: self.slacks] for line in self._lines]

    def vertex(self, gains: list[Fraction]) -> Vertex:
        """The basic solution with its multipliers, from the reduced costs of the slacks."""
        weights = {
            self._master.kinds[column]: right
            for column, right in zip(self._basis, self._rights, strict=True)
            if column < self._kinds and right
        }
        multipliers = {
            row: number / self._master.rows[row].bound.denominator
            for row in range(self._count)
            if (number := self._multiplier(row, gains))
        }
        return Vertex(self.value, multipliers, weights)

    def _multiplier(self, row: int, gains: list[Fraction]) -> Fraction:
        """The reduced cost of a row's slack, whose own gain is zero and whose column is −e."""
        column = self._kinds + row
        return sum(
            (
                self._gain(basic, gains) * self._lines[line][column]
                for line, basic in enumerate(self._basis)
            ),
            ZERO,
        )

    def _gain(self, column: int, gains: list[Fraction]) -> Fraction:
        if column < self._kinds:
            return gains[column]
        return ZERO if column < self.slacks else -ONE

    def _equation(self, row: int) -> list[Fraction]:
        scale = self._master.rows[row].bound.denominator
        line = [Fraction(entries.get(row, 0), scale) for entries in self._master.coefficients] + [
            ZERO
        ] * (2 * self._count)
        line[self._kinds + row] = -ONE
        line[self.slacks + row] = ONE
        return line

    def _leaving(self, entering: int) -> int:
        best: tuple[Fraction, int, int] | None = None
        for line, entries in enumerate(self._lines):
            if entries[entering] > 0:
                ratio = (self._rights[line] / entries[entering], self._basis[line], line)
                best = ratio if best is None else min(best, ratio)
        if best is None:
            raise ArithmeticError("the programme is unbounded")
        return best[2]

    def _pivot(self, line: int, column: int) -> None:
        pivot = self._lines[line][column]
        self._lines[line] = [entry / pivot for entry in self._lines[line]]
        self._rights[line] /= pivot
        for other in range(len(self._lines)):
            factor = self._lines[other][column]
            if other != line and factor:
                self._lines[other] = [
                    entry - factor * unit if unit else entry
                    for entry, unit in zip(self._lines[other], self._lines[line], strict=True)
                ]
                self._rights[other] -= factor * self._rights[line]
        self._basis[line] = column

    def _eliminate(self, costs: list[Fraction], line: int, column: int) -> None:
        factor = costs[column]
        if factor:
            for number, entry in enumerate(self._lines[line]):
                if entry:
                    costs[number] -= factor * entry
            self.value += factor * self._rights[line]
