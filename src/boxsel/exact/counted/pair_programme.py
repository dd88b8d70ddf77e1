"""Linear programmes over pairs: the solver's basis in floats, its numbers in fractions.

Over amounts v ≥ 0 of pairs and types over the base: every equation `a_i·v = 0`; the choices of each
group weigh what their type over the base weighs; and the pairs of a goal weigh 1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Final, Protocol

from flint import fmpq
from ortools.linear_solver import pywraplp

from boxsel.exact.counted import sparse
from boxsel.exact.counted.equations import Equation, Extents
from boxsel.exact.counted.ratios import spanning
from boxsel.exact.linear import is_solved
from boxsel.exact.problem import Form
from boxsel.exact.vocabulary import Mask
from boxsel.machine.budget import Budget

FIRST: Final = "use_dual_simplex: true"
LATER: Final = "use_dual_simplex: false"
"""From nothing the dual method is faster, from the last basis the primal one."""
ZERO = fmpq(0)
Values = Mapping[int, int]


@dataclass(frozen=True)
class PairOptimum:
    """The largest value, the amounts that attain it, and multipliers of rows that prove it."""

    value: fmpq
    amounts: Mapping[int, fmpq]
    multipliers: Mapping[int, Fraction]


class Divided(Protocol):
    """Types over a base, and choices among which they divide their weight, all numbered."""

    extents: Extents
    size: int
    links: list[tuple[tuple[int, ...], list[int]]]

    def having(self, mask: Mask) -> list[int]:
        """The numbers of the choices, or types over the base, that have a mask."""
        ...

    def values(self, form: Form) -> dict[int, int]:
        """The values of a form, where they are not zero."""
        ...


class PairProgramme:
    """One linear programme, of which the goal and the objective change."""

    def __init__(self, pairs: Divided, equations: Sequence[Equation], budget: Budget) -> None:
        self._pairs, self._budget = pairs, budget
        totals: dict[Mask, tuple[int, ...]] = {}
        for mask in dict.fromkeys(mask for equation in equations for mask, _ in equation.form):
            totals[mask] = tuple(pairs.having(mask))
        # Short lines first, so that there are few entries in all.
        about = [equation for equation in equations if totals[equation.form[1][0]]]
        ordered = sorted(about, key=lambda one: len(totals[one.form[1][0]]))
        self._equations = spanning(ordered, totals.__getitem__)
        self._lines: list[Values] = [pairs.values(one.form) for one in self._equations]
        for places, parts in pairs.links:
            self._lines.append({**dict.fromkeys(places, -1), **dict.fromkeys(parts, 1)})
        self._solver = pywraplp.Solver.CreateSolver("GLOP")
        self._solver.SuppressOutput()
        infinity = self._solver.infinity()
        self._variables = [self._solver.NumVar(0.0, infinity, "") for _ in range(pairs.size)]
        self._constraints = [self._constraint(line) for line in self._lines]
        self._norm = self._solver.Constraint(1.0, 1.0)
        self._members: Values = {}
        self._aim = self._solver.Objective()
        self._method = FIRST

    def maximise(self, members: Values, gains: Values) -> PairOptimum | None:
        """The largest value of some gains where members weigh 1.

        None if that is impossible, or if the floats lead to no exact optimum.
        """
        self._set_members(members)
        self._aim.Clear()
        self._aim.SetMaximization()
        for number, gain in gains.items():
            self._aim.SetCoefficient(self._variables[number], float(gain))
        self._solver.SetSolverSpecificParametersAsString(self._method)
        self._method = LATER
        if not is_solved(self._solver, self._budget):
            return None
        return self._exact(members, gains)

    def free(self) -> dict[int, tuple[int, ...]]:
        """Types over the base that may have any amount, each with pairs that it may have it in.

        No equation sees the type or these pairs.
        """
        seen = {number for line in self._lines[: len(self._equations)] for number in line}
        base = range(len(self._pairs.extents.kinds))
        found: dict[int, tuple[int, ...]] = {n: (n,) for n in base if n not in seen}
        for places, parts in self._pairs.links:
            unseen = next((number for number in parts if number not in seen), None)
            for place in places:
                if place in found and unseen is not None:
                    found[place] = (*found[place], unseen)
                else:
                    found.pop(place, None)
        return found

    def _constraint(self, line: Values) -> pywraplp.Constraint:
        constraint = self._solver.Constraint(0.0, 0.0)
        largest = max(abs(number) for number in line.values())
        for number, value in line.items():
            constraint.SetCoefficient(self._variables[number], value / largest)
        return constraint

    def _set_members(self, members: Values) -> None:
        for number in self._members.keys() - members.keys():
            self._norm.SetCoefficient(self._variables[number], 0.0)
        for number in members.keys() - self._members.keys():
            self._norm.SetCoefficient(self._variables[number], 1.0)
        self._members = members

    def _exact(self, members: Values, gains: Values) -> PairOptimum | None:
        """The basis solved exactly, if amounts and multipliers turn out as they must."""
        basic = pywraplp.Solver.BASIC
        columns = {n for n, one in enumerate(self._variables) if one.basis_status() == basic}
        tight = [n for n, one in enumerate(self._constraints) if one.basis_status() != basic]
        lines = [*(self._lines[number] for number in tight), members]
        chosen = [{n: line[n] for n in line.keys() & columns} for line in lines]
        check = self._budget.check
        amounts = sparse.solve(chosen, [*([ZERO] * len(tight)), fmpq(1)], check)
        if amounts is None or any(amount < 0 for amount in amounts.values()):
            return None
        if any(_dot(line, amounts) for line in self._lines):
            return None
        transposed: dict[int, dict[int, int]] = {column: {} for column in columns}
        for number, line in enumerate(chosen):
            for column, entry in line.items():
                transposed[column][number] = entry
        order = list(transposed)
        duals = sparse.solve(
            [transposed[column] for column in order],
            [fmpq(gains.get(n, 0)) for n in order],
            check,
        )
        if duals is None or not self._is_proof(lines, duals, gains):
            return None
        count = len(self._equations)
        multipliers = dict(
            self._equations[tight[number]].multiplier(-dual)
            for number, dual in duals.items()
            if dual and number < len(tight) and tight[number] < count
        )
        return PairOptimum(duals.get(len(tight), ZERO), amounts, multipliers)

    def _is_proof(self, lines: Sequence[Values], duals: Mapping[int, fmpq], gains: Values) -> bool:
        """Whether no pair gains more than the lines that it is in cost."""
        scale = lcm(*(int(dual.q) for dual in duals.values()))
        costs = [-scale * gains.get(number, 0) for number in range(self._pairs.size)]
        for number, dual in duals.items():
            factor = int(dual.p) * (scale // int(dual.q))
            if factor:
                for place, entry in lines[number].items():
                    costs[place] += factor * entry
        return all(cost >= 0 for cost in costs)


def _dot(line: Values, amounts: Mapping[int, fmpq]) -> fmpq:
    return sum((entry * amounts[n] for n, entry in line.items() if n in amounts), ZERO)
