"""Optima that grown populations attain: particles that are given all other names, one by one.

The rows around a question bound it; rows that stand in the way of a population join them. Past
some limits this passes, and column generation over all rows has to answer.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Final

from boxsel.exact.compile.problem import Form, Goal
from boxsel.exact.compile.vocabulary import Mask
from boxsel.exact.lp.optimum import Impossible, Result
from boxsel.exact.ways.near import Near, why_not
from boxsel.exact.ways.populations.attaining import Question
from boxsel.exact.ways.populations.extension import Extension
from boxsel.exact.ways.populations.layout import Layout
from boxsel.exact.ways.way import Passed, Task

TRIES: Final = 12
"""How often rows may join."""


class Grown:
    """Grows populations around the rows that a question needs."""

    def __init__(self, task: Task) -> None:
        self._task, self._near = task, task.share(Near)

    def maximise(self, goal: Goal, objective: Form) -> Result | Passed:
        """The largest value of a form over weightings that give a goal the weight 1."""
        result = self._maximise(goal, objective)
        return result if isinstance(result, Passed) else self._near.proved(goal, objective, result)

    def _maximise(self, goal: Goal, objective: Form) -> Result | Passed:
        task, near = self._task, self._near
        frame, rows = near.frame, task.problem.rows
        layout = frame.layout
        extension = Extension(layout, frame, task.space, task.budget)
        around = Question(goal, objective, Fraction(0)).about
        few = len(rows) <= task.limits.few
        chosen = {*range(len(layout.ratios))} if few else layout.touching(around)
        for attempt in range(TRIES):
            numbers = sorted(layout.rows(chosen))
            if len(numbers) > task.limits.near:
                return Passed(f"more than {task.limits.near} rows are around the question")
            result = near.solve(numbers, goal, objective)
            if isinstance(result, Impossible) or len(numbers) == len(rows):
                return result
            if not objective and not attempt:
                weights = near.realise([goal])
                if weights is not None and any(map(goal.has, weights)):
                    return replace(result, weights=weights)
            tight = {layout.of_row[row]: rows[row].bound for row in result.multipliers}
            question = Question(goal, objective, result.value)
            form = near.inequality(question, result.multipliers)
            attained = extension.attain(question, tight, form, near.pool, attempt)
            if isinstance(attained, dict):
                return replace(result, weights=attained)
            chosen = _grown(layout, chosen, attained, around)
        return Passed(f"rows joined {TRIES} times")


def _grown(layout: Layout, chosen: set[int], obstacle: set[int], around: Mask) -> set[int]:
    """More ratios: those in the way, else those around, else all."""
    more = chosen | obstacle
    if more == chosen:
        for number in chosen:
            around |= layout.ratios[number].mask
        more |= layout.touching(around)
    return {*range(len(layout.ratios))} if more == chosen else more


def offer(task: Task) -> Grown | Passed:
    """Where populations meet the rows."""
    return why_not(task) or Grown(task)
