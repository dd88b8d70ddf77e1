"""One type alone: what a goal requires, with all that follows, if no row is in its way."""

from __future__ import annotations

from fractions import Fraction

from boxsel.exact.compile.problem import Form, Goal
from boxsel.exact.lp.optimum import Optimum, Result
from boxsel.exact.ways.near import Near, why_not
from boxsel.exact.ways.way import Passed, Task, Way


class Bare(Way):
    """Realises goals, and leaves questions about shares to others."""

    def __init__(self, task: Task) -> None:
        self._near = task.share(Near)

    def maximise(self, goal: Goal, objective: Form) -> Result | Passed:
        """The type, with all weight on it."""
        if objective:
            return Passed("a share is asked for")
        kind = self._near.bare(goal)
        if kind is None:
            return Passed("the type alone breaks a clause or a row")
        return self._near.prove(goal, (), Optimum(Fraction(0), {}, {kind: Fraction(1)}))


def offer(task: Task) -> Bare | Passed:
    """Where types are searched, and populations meet the rows."""
    return why_not(task) or Bare(task)
