"""Column generation over all rows: the plain way, which always answers.

Over listed types the best one is read off a table; over searched ones it is looked for by CP-SAT.
"""

from __future__ import annotations

from boxsel.exact.compile.problem import Form, Goal
from boxsel.exact.lp.optimum import Result
from boxsel.exact.ways.way import Passed, Task, Way


class Generated(Way):
    """The programme over all types of a task."""

    def __init__(self, task: Task) -> None:
        self._programme = task.programme

    def maximise(self, goal: Goal, objective: Form) -> Result | Passed:
        """The largest value of a form over weightings that give a goal the weight 1."""
        return self._programme.maximise(goal, objective)


def offer_listed(task: Task) -> Generated | Passed:
    """Where types and rows are few."""
    if task.listed is None:
        return Passed(f"there are more than {task.limits.listed:,} types")
    if task.is_large:
        return Passed(f"{len(task.problem.rows):,} rows are too many for a table of types")
    return Generated(task)


def offer(task: Task) -> Generated | Passed:
    """Always."""
    return Generated(task)
