"""What populations share: the rows around a question, and what a proof from few rows needs.

The exact optimum under the rows around a question is proved for all types, and holds under all
rows. If a weighting attains it and obeys all rows, it is the optimum.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import reduce
from operator import or_

from boxsel.exact.compile.problem import Form, Goal, value
from boxsel.exact.compile.vocabulary import Mask, Type, bits, has
from boxsel.exact.lp.generation import Programme, combine, integral
from boxsel.exact.lp.optimum import Elimination, Optimum, Result
from boxsel.exact.types.space import relevant
from boxsel.exact.ways.populations.attaining import Question
from boxsel.exact.ways.populations.extension import Weighting
from boxsel.exact.ways.populations.layout import Consequences, Layout
from boxsel.exact.ways.populations.population import Frame
from boxsel.exact.ways.populations.realising import realise
from boxsel.exact.ways.way import Passed, Task


class Near:
    """The names, clauses and ratios of a task as they are now, and programmes over some rows."""

    def __init__(self, task: Task) -> None:
        self._task = task
        self._shy = [bit for one in task.problem.existentials for bit in bits(one.bit)]
        self._framed: tuple[int, Frame] | None = None
        self._followed: tuple[int, Consequences] | None = None
        self._pool: dict[Type, None] = {}

    @property
    def pool(self) -> tuple[Type, ...]:
        """The types that were found useful so far."""
        return tuple(self._pool)

    @property
    def frame(self) -> Frame:
        """The names, clauses and ratios as they are now."""
        clauses = self._task.clauses
        if self._framed is None or self._framed[0] != len(clauses):
            distinct = list(dict.fromkeys(clauses))
            layout = Layout(self._task.width, distinct, self._task.problem.rows)
            self._framed = len(clauses), Frame(layout, self._shy)
            self._pool = {
                kind: None for kind in self._pool if all(one.holds(kind) for one in distinct)
            }
        return self._framed[1]

    @property
    def layout(self) -> Layout:
        """The same without what populations prepare."""
        return self.frame.layout

    @property
    def following(self) -> Consequences:
        """What follows by the clauses with one head, as they are now."""
        clauses = self._task.clauses
        if self._followed is None or self._followed[0] != len(clauses):
            self._followed = len(clauses), Consequences(clauses)
        return self._followed[1]

    def consequences(self, mask: Mask) -> Mask:
        """What follows from basic concepts by the clauses with one head."""
        return self.following.of(mask)

    def bare(self, goal: Goal) -> Type | None:
        """What a goal requires with all that follows, if that type alone obeys every row."""
        kind = self.consequences(goal.require)
        if not goal.has(kind) or not all(clause.holds(kind) for clause in self._task.clauses):
            return None
        counted = (row for row in self._task.problem.rows if has(kind, row.body))
        return None if any(value(row.form, kind) < 0 for row in counted) else kind

    def realise(self, goals: Sequence[Goal]) -> Weighting | None:
        """A weighting that gives some goals weight, all if possible, if one is found."""
        task = self._task
        bare = {goal: self.bare(goal) for goal in goals}
        weights: Weighting = {kind: Fraction(1) for kind in bare.values() if kind is not None}
        others = [goal for goal, kind in bare.items() if kind is None]
        if others:
            rows = task.problem.rows
            more = realise(task.width, task.clauses, rows, others, self._shy, task.budget)
            for kind, weight in (more or {}).items():
                weights[kind] = weights.get(kind, Fraction(0)) + weight
        return weights or None

    def reach(self, goals: Iterable[Goal]) -> Mask:
        """The basic concepts that a weighting with some goals may need."""
        return self.layout.reach(reduce(or_, (goal.require for goal in goals), 0))

    def solve(self, numbers: Sequence[int], goal: Goal, objective: Form) -> Result:
        """The optimum under some rows."""
        task = self._task
        rows = [task.problem.rows[number] for number in numbers]
        programme = Programme(rows, task.space, task.budget)
        programme.remember(self._pool)
        result = programme.maximise(goal, objective)
        self._pool.update(dict.fromkeys(programme.pool))
        if isinstance(result, Optimum) and is_trivial(goal, objective, result.value):
            return replace(result, multipliers={})  # what is tight by chance would only bind
        multipliers = {numbers[place]: number for place, number in result.multipliers.items()}
        return replace(result, multipliers=multipliers)

    def inequality(self, question: Question, multipliers: Mapping[int, Fraction]) -> Form:
        """The form c + y·a − π·n, which is nowhere above zero."""
        form = combine(self._task.problem.rows, multipliers, question.objective)
        if question.value:
            form[question.goal.require] = form.get(question.goal.require, 0) - question.value
        return integral(form)

    def proved(self, goal: Goal, objective: Form, result: Result) -> Result:
        """The same with the statements and the eliminations that its proof needs, and no others."""
        problem, eliminations = self._task.problem, self._task.eliminations
        used = set(result.multipliers)
        about = Question(goal, objective, Fraction(0)).about
        steps: dict[int, Elimination] = {}
        while True:
            for row in used:
                about |= problem.rows[row].both
            inside, _ = relevant(self._task.clauses, about)
            fresh = {
                place: step
                for place, step in enumerate(eliminations)
                if place not in steps and not step.clause.body & ~inside
            }
            if not fresh:
                break
            steps |= fresh
            for step in fresh.values():
                used |= set(step.multipliers)
                about |= step.clause.about
                if step.goal is not None:
                    about |= Question(step.goal, (), Fraction(0)).about
        numbers = {problem.rows[row].statement for row in used}
        numbers |= {number for number, clause in problem.clauses if not clause.body & ~inside}
        if steps:
            numbers |= set(problem.of_roles)
        ordered = tuple(steps[place] for place in sorted(steps))
        return replace(result, statements=tuple(sorted(numbers)), steps=ordered)


def is_trivial(goal: Goal, objective: Form, value: Fraction) -> bool:
    """Whether a form cannot exceed a value on the types of a goal, whatever the rows say."""
    return sum(number for mask, number in objective if number > 0) <= value and all(
        has(mask, goal.require) for mask, number in objective if number > 0
    )


def why_not(task: Task) -> Passed | None:
    """Why populations are not tried, if they are not."""
    if task.listed is not None:
        return Passed("types are listed")
    if task.is_counted:
        return Passed("all rows are equations, as in counted data: populations rarely meet them")
    return None
