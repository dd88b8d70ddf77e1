"""The entry point: optima over all types from the conditionals around a question.

The exact optimum under the rows around a question is proved for all types, and holds under all
rows. If a weighting attains it and obeys all rows, it is the optimum. If none is found, the rows
that stand in the way join, and the bound tightens. Past some limits this gives up, and column
generation over all rows has to answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Final

from boxsel.exact.local.attaining import Question
from boxsel.exact.local.extension import Extension, Weighting
from boxsel.exact.local.layout import Consequences, Layout
from boxsel.exact.local.nested import Nesting
from boxsel.exact.local.population import Frame
from boxsel.exact.local.realising import realise
from boxsel.exact.problem import Form, Goal, Problem, value
from boxsel.exact.programme import Impossible, Optimum, Programme, integral
from boxsel.exact.space import relevant
from boxsel.exact.vocabulary import Mask, Type, bits, has
from boxsel.machine.budget import Budget

if TYPE_CHECKING:
    from boxsel.exact.search import SearchedSpace
    from boxsel.exact.survivors import Elimination

FEW: Final = 12
"""So few rows are solved at once."""
TRIES: Final = 12
"""How often rows may join."""
NESTED_TRIES: Final = 40
JOIN: Final = 5
"""How often rows may join where extents are nested, and how many ratios each time."""
LARGEST: Final = 400
"""With more rows than this, column generation over all rows does no worse."""


@dataclass
class Tally:
    """How often a question was settled here, and how often it was given up."""

    settled: int = 0
    given_up: int = 0


class Local:
    """Answers questions about the types of a problem that are searched, not listed."""

    def __init__(self, problem: Problem, space: SearchedSpace, budget: Budget) -> None:
        self._problem, self._space, self._budget = problem, space, budget
        self._width = len(problem.vocabulary)
        self._shy = [bit for one in problem.existentials for bit in bits(one.bit)]
        self._frame: Frame | None = None
        self._nesting: Nesting | None = None
        self._horn: tuple[int, Consequences] | None = None
        self._known = 0
        self._pool: dict[Type, None] = {}
        self.tally = Tally()

    def maximise(
        self, goal: Goal, objective: Form, eliminations: Sequence[Elimination]
    ) -> Optimum | Impossible | None:
        """The largest value of a form over weightings that give a goal the weight 1.

        None if that is not settled here.
        """
        found = self._maximise(goal, objective)
        if found is None:
            self.tally.given_up += 1
            return None
        self.tally.settled += 1
        statements, steps = self._needed(goal, objective, found.multipliers, eliminations)
        return replace(found, statements=statements, steps=steps)

    def realise(self, goals: Sequence[Goal]) -> Weighting | None:
        """A weighting that gives some goals weight, all if possible, if one is found."""
        rows, clauses = self._problem.rows, self._space.clauses
        bare = {goal: self.bare(goal) for goal in goals}
        found: Weighting = {kind: Fraction(1) for kind in bare.values() if kind is not None}
        others = [goal for goal, kind in bare.items() if kind is None]
        if others:
            more = realise(self._width, clauses, rows, others, self._shy, self._budget)
            for kind, weight in (more or {}).items():
                found[kind] = found.get(kind, Fraction(0)) + weight
        return found or None

    def bare(self, goal: Goal) -> Type | None:
        """What a goal requires with all that follows, if that type alone obeys every row."""
        kind = self.consequences(goal.require)
        if not goal.has(kind) or not all(one.holds(kind) for one in self._space.clauses):
            return None
        counted = (row for row in self._problem.rows if has(kind, row.body))
        return None if any(value(row.form, kind) < 0 for row in counted) else kind

    def consequences(self, mask: Mask) -> Mask:
        """What follows from basic concepts by the clauses with one head."""
        return self._following().of(mask)

    def reach(self, goals: Sequence[Goal]) -> Mask:
        """The basic concepts that a weighting with some goals may need."""
        seeds = 0
        for goal in goals:
            seeds |= goal.require
        return self._layout.reach(seeds)

    def _following(self) -> Consequences:
        """What follows by the clauses as they are now."""
        if self._horn is None or self._horn[0] != len(self._space.clauses):
            self._horn = (len(self._space.clauses), Consequences(self._space.clauses))
        return self._horn[1]

    @property
    def _layout(self) -> Layout:
        return self._framed().layout

    def _framed(self) -> Frame:
        """The names, clauses and ratios as they are now."""
        if self._frame is None or self._known != len(self._space.clauses):
            self._known = len(self._space.clauses)
            clauses = list(dict.fromkeys(self._space.clauses))
            layout = Layout(self._width, clauses, self._problem.rows)
            self._frame, self._nesting = Frame(layout, self._shy), None
            self._pool = {
                kind: None for kind in self._pool if all(one.holds(kind) for one in clauses)
            }
        return self._frame

    def _maximise(self, goal: Goal, objective: Form) -> Optimum | Impossible | None:
        if not objective:
            bare = self.bare(goal)
            if bare is not None:
                return Optimum(Fraction(0), {}, {bare: Fraction(1)})
        if len(self._problem.rows) > FEW:
            found = self._nested(goal, objective)
            if found is not None:
                return found
        return self._extended(goal, objective)

    def _nested(self, goal: Goal, objective: Form) -> Optimum | Impossible | None:
        """The optimum if extents that are nested around the question attain it."""
        layout = self._layout
        if self._nesting is None:
            self._nesting = Nesting(layout, self._following())
        about = Question(goal, objective, Fraction(0)).about
        chosen = layout.inside(self.consequences(about))
        for _ in range(NESTED_TRIES):
            self._budget.check()
            numbers = sorted(layout.rows(chosen))
            if len(numbers) > LARGEST:
                return None
            masks = (layout.ratios[number].mask for number in chosen)
            core, _ = relevant(self._space.clauses, reduce(or_, masks, about))
            counted = self._nesting.counted(core)
            if counted is None:
                return None
            found = self._solve(numbers, goal, objective)
            if isinstance(found, Impossible):
                return found
            nested = self._nesting.extend(found.weights, core, counted)
            if isinstance(nested, dict):
                met = Question(goal, objective, found.value).is_met(nested)
                return replace(found, weights=nested) if met else None
            if nested is None or chosen.issuperset(nested):
                return None
            chosen.update([number for number in nested if number not in chosen][:JOIN])
        return None

    def _extended(self, goal: Goal, objective: Form) -> Optimum | Impossible | None:
        """The optimum if a population that is grown around the question attains it."""
        frame = self._framed()
        layout, rows = frame.layout, self._problem.rows
        extension = Extension(layout, frame, self._space, self._budget)
        around = Question(goal, objective, Fraction(0)).about
        chosen = layout.touching(around) if len(rows) > FEW else {*range(len(layout.ratios))}
        for attempt in range(TRIES):
            numbers = sorted(layout.rows(chosen))
            if len(numbers) > LARGEST:
                return None
            found = self._solve(numbers, goal, objective)
            if isinstance(found, Impossible) or len(numbers) == len(rows):
                return found
            if not objective and not attempt:
                weights = self.realise([goal])
                if weights is not None and any(map(goal.has, weights)):
                    return replace(found, weights=weights)
            tight = {layout.of_row[row]: rows[row].bound for row in found.multipliers}
            question = Question(goal, objective, found.value)
            form = self._inequality(question, found.multipliers)
            attained = extension.attain(question, tight, form, tuple(self._pool), attempt)
            if isinstance(attained, dict):
                return replace(found, weights=attained)
            chosen = _grown(layout, chosen, attained, around)
        return None

    def _solve(self, numbers: Sequence[int], goal: Goal, objective: Form) -> Optimum | Impossible:
        """The optimum under some rows."""
        rows = [self._problem.rows[number] for number in numbers]
        programme = Programme(rows, self._space, self._budget)
        programme.remember(self._pool)
        found = programme.maximise(goal, objective)
        self._pool.update(dict.fromkeys(programme.pool))
        if isinstance(found, Optimum) and is_trivial(goal, objective, found.value):
            return replace(found, multipliers={})  # what is tight by chance would only bind
        multipliers = {numbers[place]: number for place, number in found.multipliers.items()}
        return replace(found, multipliers=multipliers)

    def _inequality(self, question: Question, multipliers: Mapping[int, Fraction]) -> Form:
        """The form c + y·a − π·n, which is nowhere above zero."""
        whole = Programme(self._problem.rows, self._space, self._budget)
        form = whole.combine(multipliers, question.objective)
        if question.value:
            form[question.goal.require] = form.get(question.goal.require, 0) - question.value
        return integral(form)

    def _needed(
        self,
        goal: Goal,
        objective: Form,
        multipliers: Mapping[int, Fraction],
        eliminations: Sequence[Elimination],
    ) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The statements and the eliminations that a proof needs."""
        rows = self._problem.rows
        used = set(multipliers)
        about = Question(goal, objective, Fraction(0)).about
        steps: set[int] = set()
        while True:
            for row in used:
                about |= rows[row].both
            inside, _ = relevant(self._space.clauses, about)
            fresh = {
                place
                for place, one in enumerate(eliminations)
                if place not in steps and not one.clause.body & ~inside
            }
            if not fresh:
                break
            steps |= fresh
            for place in fresh:
                one = eliminations[place]
                used |= set(one.multipliers)
                about |= one.clause.about
                if one.goal is not None:
                    about |= Question(one.goal, (), Fraction(0)).about
        numbers = {rows[row].statement for row in used}
        numbers |= {number for number, clause in self._problem.clauses if not clause.body & ~inside}
        if steps:
            numbers |= set(self._problem.of_roles)
        return tuple(sorted(numbers)), tuple(sorted(steps))


def is_trivial(goal: Goal, objective: Form, value: Fraction) -> bool:
    """Whether a form cannot exceed a value on the types of a goal, whatever the rows say."""
    return sum(number for mask, number in objective if number > 0) <= value and all(
        has(mask, goal.require) for mask, number in objective if number > 0
    )


def _grown(layout: Layout, chosen: set[int], obstacle: set[int], around: Mask) -> set[int]:
    """More ratios: those in the way, else those around, else all."""
    found = chosen | obstacle
    if found == chosen:
        for number in chosen:
            around |= layout.ratios[number].mask
        found |= layout.touching(around)
    if found == chosen:
        found = {*range(len(layout.ratios))}
    return found
