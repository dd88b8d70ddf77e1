"""Whole numbers that obey linear constraints and clauses, searched for by CP-SAT.

The problem is written in the solver's own format. The modelling language that comes with it loads
pandas, and so takes longer than most answers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

from boxsel.machine.budget import Budget

LARGEST: Final = 2**63 - 1
"""No sum may be larger: the solver computes in 64 bits."""
Terms = Iterable[tuple[int, int]]
"""Variables, each once, with their factors."""


class Solution(NamedTuple):
    """The solver's word for what it found, and the values of all variables if it found some."""

    status: str
    values: Sequence[int]


class Integers:
    """Variables are counted from 0; of one that is 0 or 1, `~variable` says that it is 0.

    Examples:
        >>> problem = Integers()
        >>> one, other, size = problem.variable(), problem.variable(), problem.variable(0, 9)
        >>> problem.require_any([one, other])
        >>> problem.require_any([~one, ~other])
        >>> problem.require([(size, 1), (one, -4)], least=0, most=3)
        >>> problem.maximise([(size, 1)])
        >>> problem.solve(Budget())
        Solution(status='OPTIMAL', values=[1, 0, 7])
    """

    def __init__(self) -> None:
        from ortools.sat.python import cp_model_helper

        self._solver: Any = cp_model_helper  # its types say nothing of what it takes
        self._problem = cp_model_helper.CpModelProto()
        self._count = 0

    def variable(self, least: int = 0, most: int = 1) -> int:
        """A new variable."""
        self._problem.variables.add().domain.extend([least, most])
        self._count += 1
        return self._count - 1

    def require_any(self, literals: Iterable[int]) -> None:
        """One of some literals is true."""
        self._problem.constraints.add().bool_or.literals.extend([*literals])

    def require(self, terms: Terms, least: int, most: int = LARGEST) -> None:
        """A sum lies between two numbers."""
        linear = self._problem.constraints.add().linear
        for variable, factor in terms:
            linear.vars.append(variable)
            linear.coeffs.append(factor)
        linear.domain.extend([least, most])

    def maximise(self, terms: Terms) -> None:
        """A sum is as large as it can be."""
        objective = self._problem.objective  # which is minimised
        for variable, factor in terms:
            objective.vars.append(variable)
            objective.coeffs.append(-factor)

    def hint(self, values: Iterable[int]) -> None:
        """The first variables may have these values."""
        for variable, number in enumerate(values):
            self._problem.solution_hint.vars.append(variable)
            self._problem.solution_hint.values.append(number)

    def solve(self, budget: Budget, effort: float | None = None) -> Solution:
        """A solution, in the time that there is; effort is in units that no machine changes."""
        parameters, solver = self._solver.SatParameters(), self._solver.SolveWrapper()
        parameters.num_workers = 1
        parameters.random_seed = 0
        parameters.catch_sigint_signal = False  # it would leave Python without its handler
        if effort is not None:
            parameters.max_deterministic_time = effort
        budget.limit(parameters)
        solver.set_parameters(parameters)
        with budget.stopping(solver.stop_search):
            response = solver.solve(self._problem)
        return Solution(response.status.name, list(response.solution))
