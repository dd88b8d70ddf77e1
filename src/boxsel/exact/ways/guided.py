"""Column generation led by a guide: floats that stay calm find a basis, exact steps finish it.

The guide comes before the plain way, since its multipliers do not jump about: where many rows are
tight it needs a small part of the types. What it cannot finish it hands over, types and all.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Final, cast

from boxsel.exact.compile.problem import Form, Goal
from boxsel.exact.compile.vocabulary import Type
from boxsel.exact.lp.guide import Guide
from boxsel.exact.lp.master import Master
from boxsel.exact.lp.optimum import Optimum, Result
from boxsel.exact.lp.simplex import nearby_vertex
from boxsel.exact.types.space import ListedSpace
from boxsel.exact.ways.way import Passed, Task

if TYPE_CHECKING:
    from boxsel.exact.types.searched import SearchedSpace

PIVOTS: Final = 10
"""How many exact steps a basis that floats found may be from an optimum."""


class Guided:
    """A guide for a task, and the weightings that it has met."""

    def __init__(self, task: Task) -> None:
        self._task = task
        self._space = cast("SearchedSpace", task.space)
        self._guide = Guide(task.problem.rows, task.width, self._space, task.budget)
        self._met: list[Mapping[Type, Fraction]] = list(task.models)
        self._obeyed = len(task.clauses)

    def maximise(self, goal: Goal, objective: Form) -> Result | Passed:
        """The largest value of a form over weightings that give a goal the weight 1.

        A weighting that was met is one without an objective.
        """
        self._forget()
        guide = self._guide
        met = next((weights for weights in self._met if any(map(goal.has, weights))), None)
        if met is None:
            start = self._space.best((), goal)
            if start is None:
                return Passed("no type has what is asked")
            first = [start[0]]
        elif not objective:
            return Optimum(Fraction(0), {}, met)
        else:
            guide.measure(met, goal)
            first = list(met)
        optimum = self._follow(goal, objective, first)
        if optimum is None:
            self._task.programme.remember(guide.kinds)
            return Passed("floats led to no basis of an optimum")
        self._met.append(optimum.weights)
        return optimum

    def outer(self, goal: Goal, objective: Form) -> Fraction | None:
        """What a value is known not to exceed, if it was looked for in vain."""
        return self._guide.outer.get((goal, objective))

    def _follow(self, goal: Goal, objective: Form, first: list[Type]) -> Optimum | None:
        """The first lead that exact arithmetic can finish, and that no type improves."""
        guide, programme, rows = self._guide, self._task.programme, self._task.problem.rows
        for lead in guide.leads(goal, objective, dict.fromkeys(first)):
            master = Master(rows, goal, objective)
            for known in (*lead.basic, *lead.others[: len(rows)]):
                master.add(known)
            check = self._task.budget.check
            vertex = nearby_vertex(master, lead.basis, lead.penalties, PIVOTS, check)
            if vertex is None:
                return None
            forms = programme.reduced(master, vertex, violations=False)
            better = [
                kind for form, own in forms if (kind := self._space.positive(form, own)) is not None
            ]
            if not better:
                return Optimum(vertex.price, vertex.multipliers, vertex.weights)
            if all(kind in guide.kinds for kind in better):
                return None
            guide.remember(better)
        return None

    def _forget(self) -> None:
        """Leave out the types that have been eliminated since."""
        fresh = self._task.clauses[self._obeyed :]
        if fresh:
            self._obeyed = len(self._task.clauses)
            known = {*self._guide.kinds, *(kind for weights in self._met for kind in weights)}
            gone = {kind for kind in known if not all(clause.holds(kind) for clause in fresh)}
            self._guide.forget(gone)
            self._met = [weights for weights in self._met if gone.isdisjoint(weights)]


def offer(task: Task) -> Guided | Passed:
    """Where types are searched."""
    if isinstance(task.space, ListedSpace):
        return Passed("types are listed")
    return Guided(task)
