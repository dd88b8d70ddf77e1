"""Linear programmes in floats, by GLOP: they grow, and start again from their last basis.

GLOP is the fastest on the programmes that column generation meets (docs/decisions/lp-engine.md).
What it finds is a guide: whoever makes a claim of it solves its basis in exact arithmetic.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import inf
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from boxsel.machine.budget import NO_LIMIT, Budget

if TYPE_CHECKING:
    from ortools.linear_solver import pywraplp

Entries = Iterable[tuple[int, float]]
Floats = NDArray[np.float64]


class LinearProgramme:
    """Maximises gains over columns that are not negative, with rows between two bounds.

    Examples:
        >>> programme = LinearProgramme()
        >>> row = programme.add_row(0.0, 1.0)
        >>> column = programme.add_column([(row, 2.0)], gain=1.0)
        >>> programme.solve(), programme.value, programme.basic_columns
        (True, 0.5, [0])
    """

    def __init__(self, parameters: str = "") -> None:
        # It takes longer to load than some answers, which need no programme.
        from ortools.linear_solver import pywraplp

        self._glop = pywraplp
        self._solver = pywraplp.Solver.CreateSolver("GLOP")
        self._solver.SuppressOutput()
        self._aim = self._solver.Objective()
        self._aim.SetMaximization()
        self._rows: list[pywraplp.Constraint] = []
        self._columns: list[pywraplp.Variable] = []
        self.tune(parameters)

    def tune(self, parameters: str) -> None:
        """Set GLOP's own parameters."""
        self._solver.SetSolverSpecificParametersAsString(parameters)

    def add_row(self, lower: float, upper: float = inf, entries: Entries = ()) -> int:
        """A new row, with its entries in columns that there are; its number."""
        row = self._solver.Constraint(lower, upper)
        for column, entry in entries:
            row.SetCoefficient(self._columns[column], entry)
        self._rows.append(row)
        return len(self._rows) - 1

    def add_column(self, entries: Entries = (), gain: float = 0.0, upper: float = inf) -> int:
        """A new column, with its entries in rows that there are; its number."""
        column = self._solver.NumVar(0.0, upper, "")
        for row, entry in entries:
            self._rows[row].SetCoefficient(column, entry)
        if gain:
            self._aim.SetCoefficient(column, gain)
        self._columns.append(column)
        return len(self._columns) - 1

    def set_entry(self, row: int, column: int, entry: float) -> None:
        """Change one entry."""
        self._rows[row].SetCoefficient(self._columns[column], entry)

    def set_gain(self, column: int, gain: float) -> None:
        """Change what a column gains."""
        self._aim.SetCoefficient(self._columns[column], gain)

    def set_upper(self, column: int, upper: float) -> None:
        """Change how large a column may be."""
        self._columns[column].SetUb(upper)

    def clear_gains(self) -> None:
        """Let no column gain anything."""
        self._aim.Clear()
        self._aim.SetMaximization()

    def solve(self, budget: Budget = NO_LIMIT, *, afresh: bool = False) -> bool:
        """Whether an optimum is found; `OutOfTimeError` if the time was over first.

        It starts from the last basis, or afresh.
        """
        budget.check()
        self._solver.SetTimeLimit(budget.milliseconds)
        parameters = self._glop.MPSolverParameters()
        if afresh:
            parameters.SetIntegerParam(parameters.INCREMENTALITY, parameters.INCREMENTALITY_OFF)
        if self._solver.Solve(parameters) == self._glop.Solver.OPTIMAL:
            return True
        budget.check()
        return False

    @property
    def value(self) -> float:
        """The sum of the gains."""
        return float(self._aim.Value())

    @property
    def values(self) -> Floats:
        """The sizes of the columns."""
        return np.array([column.solution_value() for column in self._columns])

    @property
    def duals(self) -> Floats:
        """What a row's bound is worth: not positive where a lower bound of a row is tight."""
        return np.array([row.dual_value() for row in self._rows])

    @property
    def basic_columns(self) -> list[int]:
        """The numbers of the columns in the basis."""
        return self._basic(self._columns)

    @property
    def basic_rows(self) -> list[int]:
        """The numbers of the rows that are not tight: their slack is in the basis."""
        return self._basic(self._rows)

    def _basic(self, items: Iterable[pywraplp.Variable | pywraplp.Constraint]) -> list[int]:
        basic = self._glop.Solver.BASIC
        return [number for number, item in enumerate(items) if item.basis_status() == basic]
