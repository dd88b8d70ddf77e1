"""Column generation led by a guide, before the plain way: its multipliers do not jump about.

What it cannot finish it hands over, types and all.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from boxsel.exact.compile.problem import Form, Goal
from boxsel.exact.compile.vocabulary import Type
from boxsel.exact.lp.led import LedProgramme
from boxsel.exact.lp.optimum import Optimum, Result
from boxsel.exact.ways.way import Passed, Task


class Guided:
    """A guide for a task, and the weightings that it has met."""

    def __init__(self, task: Task) -> None:
        self._task = task
        rows, space = task.problem.rows, task.searched
        self._programme = LedProgramme(rows, task.width, space, task.budget)
        self._met: list[Mapping[Type, Fraction]] = list(task.models)
        self._obeyed = len(task.clauses)

    def maximise(self, goal: Goal, objective: Form) -> Result | Passed:
        """The largest value of a form over weightings that give a goal the weight 1.

        A weighting that was met is one without an objective.
        """
        self._forget()
        met = next((weights for weights in self._met if any(map(goal.has, weights))), None)
        if met is not None and not objective:
            return Optimum(Fraction(0), {}, met)
        optimum = self._programme.lead(goal, objective, met)
        if optimum is None:
            self._task.programme.remember(self._programme.pool)
            return Passed("floats led to no basis of an optimum")
        self._met.append(optimum.weights)
        return optimum

    def outer(self, goal: Goal, objective: Form) -> Fraction | None:
        """What a value is known not to exceed, if it was looked for in vain."""
        return self._programme.outer(goal, objective)

    def _forget(self) -> None:
        """Leave out the types that have been eliminated since."""
        fresh = self._task.clauses[self._obeyed :]
        if fresh:
            self._obeyed = len(self._task.clauses)
            known = {*self._programme.pool, *(kind for weights in self._met for kind in weights)}
            gone = {kind for kind in known if not all(clause.holds(kind) for clause in fresh)}
            self._programme.forget(gone)
            self._met = [weights for weights in self._met if gone.isdisjoint(weights)]


def offer(task: Task) -> Guided | Passed:
    """Where types are searched."""
    if task.listed is not None:
        return Passed("types are listed")
    return Guided(task)
