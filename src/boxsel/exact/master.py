"""The restricted linear programme over some types, in floats, with its basis.

Over weights x ≥ 0 on types: every row `a_i·x ≥ 0`, and the types of the goal weigh 1 in all,
`n·x = 1`. First the total violation of the rows is minimised; when that is zero, the objective
`c·x` is maximised. The floats only guide the search: `simplex` makes exact numbers of the basis.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from ortools.linear_solver import pywraplp

from boxsel.exact.linear import is_solved
from boxsel.exact.problem import Form, Goal, Row, value
from boxsel.exact.vocabulary import Type
from boxsel.machine.budget import NO_LIMIT, Budget

PARAMETERS: Final = "use_preprocessing: false change_status_to_imprecise: false use_scaling: false"
"""A solution that is a little off is still a good guide; and presolve would hide the basis."""


@dataclass(frozen=True)
class Basis:
    """Which types, and which rows' slacks or violations, are basic; every other row is tight."""

    columns: tuple[int, ...]
    slack: frozenset[int]
    violated: frozenset[int]

    def without_violations(self) -> Basis:
        """The same basis, for a programme whose violations are all zero."""
        return Basis(self.columns, self.slack | self.violated, frozenset())


@dataclass(frozen=True)
class Point:
    """A solution in floats: its value, the rows' multipliers, the goal's price and the basis.

    The multipliers are those of rows over the denominators of their bounds.
    """

    value: float
    multipliers: tuple[float, ...]
    price: float
    basis: Basis


class Master:
    """The linear programme, growing by types."""

    def __init__(self, rows: Sequence[Row], goal: Goal, objective: Form) -> None:
        self.rows, self.goal, self.objective = rows, goal, objective
        self._terms = [
            (
                row.body,
                row.both,
                value(row.form, row.both),
                value(row.form, row.body),
                row.bound.denominator,
            )
            for row in rows
        ]
        self.kinds: list[Type] = []
        self.coefficients: list[dict[int, int]] = []
        self.members: list[int] = []
        self.gains: list[int] = []
        self._positions: dict[Type, int] = {}
        self._violations_allowed = True
        self._solver = pywraplp.Solver.CreateSolver("GLOP")
        self._solver.SuppressOutput()
        self._solver.SetSolverSpecificParametersAsString(PARAMETERS)
        infinity = self._solver.infinity()
        self._constraints = [self._solver.Constraint(0.0, infinity) for _ in rows]
        self._norm = self._solver.Constraint(1.0, 1.0)
        self._weights: list[pywraplp.Variable] = []
        self._violations = []
        self._aim = self._solver.Objective()
        self._aim.SetMaximization()
        for constraint in self._constraints:
            violation = self._solver.NumVar(0.0, infinity, "")
            constraint.SetCoefficient(violation, 1.0)
            self._aim.SetCoefficient(violation, -1.0)
            self._violations.append(violation)

    def add(self, kind: Type) -> bool:
        """Take a type in; false if it is known already."""
        if kind in self._positions:
            return False
        self._positions[kind] = len(self.kinds)
        weight = self._solver.NumVar(0.0, self._solver.infinity(), "")
        entries = {}
        for number, (body, both, having, lacking, scale) in enumerate(self._terms):
            if kind & body == body:
                entry = entries[number] = having if kind & both == both else lacking
                # Scaled by the bound's denominator, so that rows are alike in size.
                self._constraints[number].SetCoefficient(weight, entry / scale)
        member = int(self.goal.has(kind))
        gain = value(self.objective, kind)
        if member:
            self._norm.SetCoefficient(weight, 1.0)
        if not self._violations_allowed:
            self._aim.SetCoefficient(weight, float(gain))
        self.kinds.append(kind)
        self.coefficients.append(entries)
        self.members.append(member)
        self.gains.append(gain)
        self._weights.append(weight)
        return True

    def position(self, kind: Type) -> int:
        """Where a type that was taken in stands."""
        return self._positions[kind]

    def forbid_violations(self) -> None:
        """From now on maximise the objective, with every row obeyed."""
        self._violations_allowed = False
        for violation in self._violations:
            violation.SetUb(0.0)
            self._aim.SetCoefficient(violation, 0.0)
        for weight, gain in zip(self._weights, self.gains, strict=True):
            self._aim.SetCoefficient(weight, float(gain))

    def solve(self, budget: Budget = NO_LIMIT) -> Point | None:
        """The optimum, if the solver finds one."""
        if not is_solved(self._solver, budget):
            return None
        basic = pywraplp.Solver.BASIC
        columns = [n for n, one in enumerate(self._weights) if one.basis_status() == basic]
        slack = [n for n, one in enumerate(self._constraints) if one.basis_status() == basic]
        violated = [n for n, one in enumerate(self._violations) if one.basis_status() == basic]
        return Point(
            self._aim.Value(),
            # The sign that makes multipliers of `≥` rows in a maximisation positive.
            tuple(-constraint.dual_value() for constraint in self._constraints),
            self._norm.dual_value(),
            Basis(tuple(columns), frozenset(slack), frozenset(violated)),
        )
