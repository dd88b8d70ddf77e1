"""The restricted linear programme over some types, in floats, with its basis.

Over weights x ≥ 0 on types: every row `a_i·x ≥ 0`, and the types of the goal weigh 1 in all,
`n·x = 1`. First the total violation of the rows is minimised; when that is zero, the objective
`c·x` is maximised. The floats only guide the search: `simplex` makes exact numbers of the basis.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from boxsel.exact.compile.problem import Form, Goal, Row, value
from boxsel.exact.compile.vocabulary import Type
from boxsel.exact.lp.solver import LinearProgramme
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
        self._programme = LinearProgramme(PARAMETERS)
        for _ in rows:
            self._programme.add_row(0.0)
        self._norm = self._programme.add_row(1.0, 1.0)
        for number in range(len(rows)):  # the rows' violations are the first columns
            self._programme.add_column([(number, 1.0)], gain=-1.0)

    def add(self, kind: Type) -> bool:
        """Take a type in; false if it is known already."""
        if kind in self._positions:
            return False
        self._positions[kind] = len(self.kinds)
        entries: dict[int, int] = {}
        scaled: list[tuple[int, float]] = []
        for number, (body, both, having, lacking, scale) in enumerate(self._terms):
            if kind & body == body:
                entry = entries[number] = having if kind & both == both else lacking
                # Scaled by the bound's denominator, so that rows are alike in size.
                scaled.append((number, entry / scale))
        member = int(self.goal.has(kind))
        gain = value(self.objective, kind)
        if member:
            scaled.append((self._norm, 1.0))
        self._programme.add_column(scaled, 0.0 if self._violations_allowed else float(gain))
        self.kinds.append(kind)
        self.coefficients.append(entries)
        self.members.append(member)
        self.gains.append(gain)
        return True

    def position(self, kind: Type) -> int:
        """Where a type that was taken in stands."""
        return self._positions[kind]

    def forbid_violations(self) -> None:
        """From now on maximise the objective, with every row obeyed."""
        self._violations_allowed = False
        for number in range(len(self.rows)):
            self._programme.set_upper(number, 0.0)
            self._programme.set_gain(number, 0.0)
        for number, gain in enumerate(self.gains, len(self.rows)):
            self._programme.set_gain(number, float(gain))

    def solve(self, budget: Budget = NO_LIMIT) -> Point | None:
        """The optimum, if the solver finds one."""
        if not self._programme.solve(budget):
            return None
        count = len(self.rows)
        columns = self._programme.basic_columns
        duals = self._programme.duals
        return Point(
            self._programme.value,
            # The sign that makes multipliers of `≥` rows in a maximisation positive.
            tuple((-duals[:count]).tolist()),
            float(duals[self._norm]),
            Basis(
                tuple(number - count for number in columns if number >= count),
                frozenset(row for row in self._programme.basic_rows if row < count),
                frozenset(number for number in columns if number < count),
            ),
        )
