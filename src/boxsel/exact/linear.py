"""Linear programmes in floats, within what is left of a budget."""

from __future__ import annotations

from ortools.linear_solver import pywraplp

from boxsel.machine.budget import Budget


def is_solved(solver: pywraplp.Solver, budget: Budget) -> bool:
    """Whether a solver finds an optimum; `OutOfTimeError` if the time was over first."""
    budget.check()
    solver.SetTimeLimit(budget.milliseconds)
    if solver.Solve() == pywraplp.Solver.OPTIMAL:
        return True
    budget.check()
    return False
