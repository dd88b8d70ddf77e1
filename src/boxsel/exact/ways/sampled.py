"""Optima that drawn populations attain.

The rows around a question bound it. A population that attains the bound has types at which its
proof is tight, and no others: such types are drawn, and weighed so that they obey every row. If
none is found, the rows that pull hardest join those around the question.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Final

from boxsel.exact.compile.problem import Form, Goal
from boxsel.exact.compile.vocabulary import Type
from boxsel.exact.lp.optimum import Impossible, Optimum, Result
from boxsel.exact.ways.near import Near, Question, Useful
from boxsel.exact.ways.samples.sample import Face
from boxsel.exact.ways.samples.search import NOTHING, Search
from boxsel.exact.ways.samples.shares import Ratio
from boxsel.exact.ways.way import Passed, Task, Way

ZERO: Final = Fraction(0)
ONE: Final = Fraction(1)
JOINING_TRIES: Final = 5
"""How often rows may join."""


class Sampled(Way):
    """Draws populations around the rows that a question needs."""

    def __init__(self, task: Task) -> None:
        self._task, self._near = task, task.share(Near)
        self._searched: tuple[int, dict[tuple[Goal, Ratio], Search]] = (0, {})

    def maximise(self, goal: Goal, objective: Form) -> Result | Passed:
        """The largest value of a form over weightings that give a goal the weight 1."""
        result = self._maximise(goal, objective)
        return result if isinstance(result, Passed) else self._near.prove(goal, objective, result)

    def _maximise(self, goal: Goal, objective: Form) -> Result | Passed:
        task, near = self._task, self._near
        rows = task.problem.rows
        around = Question(goal, objective).about
        chosen = {*range(len(rows))} if len(rows) <= task.limits.few else near.touching(around)
        if len(chosen) > task.limits.large:  # more can still join
            chosen = near.within(near.consequences(around))
        useful = Useful(task, goal, objective)
        before: Fraction | None = None  # what was not attained the last time
        for _ in range(JOINING_TRIES):
            if len(chosen) > task.limits.large:
                return Passed(f"more than {task.limits.large} rows are around the question")
            result = near.solve(sorted(chosen), goal, objective)
            if isinstance(result, Impossible) or len(chosen) == len(rows):
                return result
            question = Question(goal, objective, result.value)
            weights = self._attain(question, result) if before is None else None
            if weights is None:  # types that attain it may be too few to be calibrated
                weights = useful.attain(self._met(goal, objective, result), result.value)
            if weights is None and before is not None and before != result.value:
                weights = self._attain(question, result)
            if weights is not None:
                return replace(result, weights=weights)
            before, chosen = result.value, self._grow(chosen, question)
        return Passed(f"rows joined {JOINING_TRIES} times")

    def _attain(self, question: Question, bound: Optimum) -> Mapping[Type, Fraction] | None:
        """A population that attains a bound, if one is drawn."""
        goal, rows = question.goal, self._task.problem.rows
        if not question.objective:
            return next(self._search(goal, NOTHING).run(), None)
        ((mask, sign),) = question.objective
        share = float(sign * bound.value)
        held = {(rows[n].body, rows[n].both): rows[n].bound for n in bound.multipliers}
        face = Face(self._near.inequality(question, bound.multipliers), held, share)
        search = self._search(goal, Ratio(goal.require, mask, ZERO, ONE))
        weights = search.attain(face, sign)
        return weights if weights is not None and question.is_met(weights) else None

    def _met(self, goal: Goal, objective: Form, bound: Optimum) -> Iterator[Type]:
        """The types of programmes, and those that were drawn for a question."""
        yield from bound.weights
        yield from self._near.pool
        query = NOTHING
        if objective:
            ((mask, _),) = objective
            query = Ratio(goal.require, mask, ZERO, ONE)
        yield from self._search(goal, query).kinds

    def _grow(self, chosen: set[int], question: Question) -> set[int]:
        """More rows: those that pull hard against a push, else those around."""
        rows, around = self._task.problem.rows, question.about
        more = set(chosen)
        if question.objective:
            ((mask, sign),) = question.objective
            search = self._search(question.goal, Ratio(question.goal.require, mask, ZERO, ONE))
            binding = {*search.find_binding(sign)}
            more |= {n for n, row in enumerate(rows) if (row.body, row.both) in binding}
        if more == chosen:
            for number in chosen:
                around |= rows[number].both
            more |= self._near.touching(around)
        return more

    def _search(self, goal: Goal, query: Ratio) -> Search:
        """The search about a share, for the clauses as they are now."""
        known, searches = self._searched
        if known != len(self._task.clauses):
            searches = {}
            self._searched = len(self._task.clauses), searches
        if (goal, query) not in searches:
            searches[goal, query] = Search(self._task, [goal], query)
        return searches[goal, query]


def offer(task: Task) -> Sampled | Passed:
    """Where populations meet the rows."""
    return Passed("types are listed") if task.listed is not None else Sampled(task)
