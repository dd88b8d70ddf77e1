"""What populations share: the rows around a question, and what a proof from few rows needs.

The exact optimum under the rows around a question is proved for all types, and holds under all
rows. If a weighting attains it and obeys all rows, it is the optimum.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import reduce
from operator import or_
from typing import Final, TypeVar

from boxsel.exact.compile.consequences import Consequences
from boxsel.exact.compile.problem import Existential, Form, Goal, value
from boxsel.exact.compile.vocabulary import Mask, Type, has
from boxsel.exact.lp.generation import TOLERANCE, Programme, combine, integral
from boxsel.exact.lp.master import Master
from boxsel.exact.lp.optimum import Bound, Elimination, Impossible, Optimum, Result
from boxsel.exact.lp.simplex import Vertex, optimal_vertex
from boxsel.exact.types.space import relevant
from boxsel.exact.ways.way import Passed, Task

EACH: Final = 64
"""After so many types that join it is seen whether there is time."""
Proved = TypeVar("Proved", Optimum, Impossible, Bound, Result)


@dataclass(frozen=True)
class Question:
    """The largest value of an objective where a goal weighs 1, and that value."""

    goal: Goal
    objective: Form
    value: Fraction = Fraction(0)

    @property
    def about(self) -> Mask:
        """The basic concepts in it."""
        masks = (*self.goal.exclude, *(mask for mask, _ in self.objective))
        return reduce(or_, masks, self.goal.require)

    def is_met(self, weights: Mapping[Type, Fraction]) -> bool:
        """Whether a weighting gives the goal weight and the objective its value."""
        total = sum((w for kind, w in weights.items() if self.goal.has(kind)), Fraction(0))
        gained = sum((w * value(self.objective, kind) for kind, w in weights.items()), Fraction(0))
        return total > 0 and gained == self.value * total


class Near:
    """The names, clauses and ratios of a task as they are now, and programmes over some rows."""

    def __init__(self, task: Task) -> None:
        self._task = task
        self._followed: tuple[int, Consequences] | None = None
        self._pool: dict[Type, None] = {}
        self._obeyed = 0

    @property
    def pool(self) -> tuple[Type, ...]:
        """The types that were found useful so far, and that are still possible."""
        fresh = self._task.clauses[self._obeyed :]
        if fresh:
            self._obeyed = len(self._task.clauses)
            self._pool = {
                kind: None for kind in self._pool if all(clause.holds(kind) for clause in fresh)
            }
        return tuple(self._pool)

    def remember(self, kinds: Iterable[Type]) -> None:
        """Take in types that may be useful."""
        self._pool.update(dict.fromkeys(kinds))

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

    def modest(self, existential: Existential) -> Goal | None:
        """What a witness has that obliges its subjects to nothing that is not obvious."""
        problem = self._task.problem
        objects = problem.range(existential.role)
        if existential.filler is None or objects is None:
            return None
        required = self.consequences(existential.filler | objects)
        fillers = (duty.filler for duty in problem.duties(existential.role))
        others = (filler for filler in fillers if filler is not None and not has(required, filler))
        return Goal(existential.filler | objects, tuple(others))

    def touching(self, mask: Mask) -> set[int]:
        """The rows that share a basic concept with a mask."""
        return {n for n, row in enumerate(self._task.problem.rows) if row.both & mask}

    def within(self, mask: Mask) -> set[int]:
        """The rows that are about nothing but what a mask has."""
        return {n for n, row in enumerate(self._task.problem.rows) if not row.both & ~mask}

    def solve(self, numbers: Sequence[int], goal: Goal, objective: Form) -> Result:
        """The optimum under some rows."""
        task = self._task
        rows = [task.problem.rows[number] for number in numbers]
        programme = Programme(rows, task.space, task.budget)
        programme.remember(self.pool)
        result = programme.maximise(goal, objective)
        self._pool.update(dict.fromkeys(programme.pool))
        multipliers = {numbers[place]: number for place, number in result.multipliers.items()}
        return replace(result, multipliers=multipliers)

    def inequality(self, question: Question, multipliers: Mapping[int, Fraction]) -> Form:
        """The form c + y·a − π·n, which is nowhere above zero."""
        form = combine(self._task.problem.rows, multipliers, question.objective)
        if question.value:
            form[question.goal.require] = form.get(question.goal.require, 0) - question.value
        return integral(form)

    def prove(self, goal: Goal, objective: Form, result: Proved) -> Proved:
        """The same with the statements and the eliminations that its proof needs, and no others."""
        problem, eliminations = self._task.problem, self._task.eliminations
        used = set(result.multipliers)
        about = Question(goal, objective).about
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
                    about |= Question(step.goal, ()).about
        numbers = {problem.rows[row].statement for row in used}
        numbers |= {number for number, clause in problem.clauses if not clause.body & ~inside}
        if steps:
            numbers |= set(problem.of_roles)
        ordered = tuple(steps[place] for place in sorted(steps))
        return replace(result, statements=tuple(sorted(numbers)), steps=ordered)


class Useful:
    """The programme under all rows over the types that were found useful so far: they grow.

    Only where floats say that a value is attained, exact numbers are looked for.
    """

    def __init__(self, task: Task, goal: Goal, objective: Form) -> None:
        self._budget = task.budget
        self._master = Master(task.problem.rows, goal, objective)
        self._obeying: Vertex | None = None  # weights that obey all rows, once there are some

    def attain(self, kinds: Iterable[Type], value: Fraction) -> Mapping[Type, Fraction] | None:
        """Weights that obey every row and give the objective a value, if floats lead to some."""
        master = self._master
        for kind in self._budget.watched(kinds, EACH):
            master.add(kind)
        if self._obeying is None:
            least = self._solve(0.0)
            if least is None or least.price < 0:
                return None
            self._obeying = least
            master.forbid_violations()
        if not master.objective:
            return self._obeying.weights
        best = self._solve(float(value))
        return None if best is None or best.price != value else best.weights

    def _solve(self, value: float) -> Vertex | None:
        """The optimum in exact numbers, where floats find it not below a value."""
        point = self._master.solve(self._budget)
        if point is None or point.value < value - TOLERANCE:
            return None
        feasible = None if self._obeying is None else self._obeying.basis
        return optimal_vertex(
            self._master,
            point.basis,
            violations=feasible is None,
            feasible=feasible,
            check=self._budget.check,
        )


def why_not(task: Task) -> Passed | None:
    """Why types that have only what they must are not tried, if they are not."""
    if task.listed is not None:
        return Passed("types are listed")
    if task.is_counted:
        return Passed("all rows are equations, as in counted data: such types rarely meet them")
    return None
