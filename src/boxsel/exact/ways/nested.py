"""Optima that nested extents attain: every name to the first types, in one order, that may have it.

The rows around a question bound it; rows that nested extents cannot meet join them. It is fast
where many conditionals have one body, such as the phenotypes of a disease.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import reduce
from operator import or_
from typing import Final

from boxsel.exact.compile.problem import Form, Goal
from boxsel.exact.lp.optimum import Impossible, Result
from boxsel.exact.types.space import relevant
from boxsel.exact.ways.near import Near, why_not
from boxsel.exact.ways.populations.attaining import Question
from boxsel.exact.ways.populations.nesting import Nesting
from boxsel.exact.ways.way import Passed, Task

TRIES: Final = 40
JOIN: Final = 5
"""How often rows may join, and how many ratios each time."""


class Nested:
    """Tries nested extents around the rows that a question needs."""

    def __init__(self, task: Task) -> None:
        self._task, self._near = task, task.share(Near)
        self._nesting: tuple[int, Nesting] | None = None

    def maximise(self, goal: Goal, objective: Form) -> Result | Passed:
        """The largest value of a form over weightings that give a goal the weight 1."""
        result = self._maximise(goal, objective)
        return result if isinstance(result, Passed) else self._near.proved(goal, objective, result)

    def _maximise(self, goal: Goal, objective: Form) -> Result | Passed:
        task, near = self._task, self._near
        layout = near.layout
        about = Question(goal, objective, Fraction(0)).about
        chosen = layout.inside(near.consequences(about))
        for _ in range(TRIES):
            task.budget.check()
            numbers = sorted(layout.rows(chosen))
            if len(numbers) > task.limits.near:
                return Passed(f"more than {task.limits.near} rows are around the question")
            masks = (layout.ratios[number].mask for number in chosen)
            core, _ = relevant(task.clauses, reduce(or_, masks, about))
            counted = self._nested.counted(core)
            if counted is None:
                return Passed("a body reaches beyond the rows around the question")
            result = near.solve(numbers, goal, objective)
            if isinstance(result, Impossible):
                return result
            nested = self._nested.extend(result.weights, core, counted)
            if isinstance(nested, dict):
                if Question(goal, objective, result.value).is_met(nested):
                    return replace(result, weights=nested)
                return Passed("nested extents do not attain the bound")
            if nested is None or chosen.issuperset(nested):
                return Passed("nested extents break a clause, or rows that are met already")
            chosen.update([number for number in nested if number not in chosen][:JOIN])
        return Passed(f"rows joined {TRIES} times")

    @property
    def _nested(self) -> Nesting:
        """The order of types, for the clauses as they are now."""
        known = len(self._task.clauses)
        if self._nesting is None or self._nesting[0] != known:
            self._nesting = known, Nesting(self._near.layout, self._near.following)
        return self._nesting[1]


def offer(task: Task) -> Nested | Passed:
    """Where populations meet the rows, and there is something to choose among them."""
    if len(task.problem.rows) <= task.limits.few:
        return Passed(f"{task.limits.few} rows or fewer are solved at once")
    return why_not(task) or Nested(task)
