"""Column generation led by a guide, before the plain way: its multipliers do not jump about.

Floats that stay calm find a basis, and exact steps finish it. What they cannot finish is handed
over, types and all.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Final

from boxsel.exact.compile.problem import Form, Goal
from boxsel.exact.compile.vocabulary import Type
from boxsel.exact.lp.generation import reduced_forms
from boxsel.exact.lp.guide import Guide
from boxsel.exact.lp.master import Master
from boxsel.exact.lp.optimum import Optimum, Result
from boxsel.exact.lp.simplex import nearby_vertex
from boxsel.exact.ways.way import Passed, Task, Way

PIVOTS: Final = 10
"""How many exact steps a basis that floats found may be from an optimum."""


class Guided(Way):
    """A guide for a task, and the weightings that it has met."""

    def __init__(self, task: Task) -> None:
        self._task = task
        self._guide = Guide(task.problem.rows, task.width, task.searched, task.budget)
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
        optimum = self._follow(goal, objective, self._first(goal, met))
        if optimum is None:
            self._task.programme.remember(self._guide.kinds)
            return Passed("floats led to no basis of an optimum")
        self._met.append(optimum.weights)
        return optimum

    def outer(self, goal: Goal, objective: Form) -> Fraction | None:
        """What a value is known not to exceed, if it was looked for in vain."""
        return self._guide.outer.get((goal, objective))

    def _first(self, goal: Goal, met: Mapping[Type, Fraction] | None) -> tuple[Type, ...]:
        """The types to begin with: a weighting with the goal, else all that are known."""
        if met is not None:
            self._guide.measure(met, goal)
            return tuple(met)
        start = self._task.searched.best((), goal)
        return () if start is None else tuple(dict.fromkeys((start[0], *self._guide.kinds)))

    def _follow(self, goal: Goal, objective: Form, first: Iterable[Type]) -> Optimum | None:
        """The first lead that exact arithmetic can finish, and that no type improves."""
        rows, check = self._task.problem.rows, self._task.budget.check
        for lead in self._guide.leads(goal, objective, first) if first else ():
            master = Master(rows, goal, objective)
            for known in (*lead.basic, *lead.others[: len(rows)]):
                master.add(known)
            vertex = nearby_vertex(master, lead.basis, lead.penalties, PIVOTS, check)
            if vertex is None:
                return None
            forms = reduced_forms(rows, vertex, goal, objective)
            tried = (self._task.searched.positive(form, own) for form, own in forms)
            better = [kind for kind in tried if kind is not None]
            if not better:
                return Optimum(vertex.price, vertex.multipliers, vertex.weights)
            if all(kind in self._guide.kinds for kind in better):
                return None
            self._guide.remember(better)
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
    if task.listed is not None:
        return Passed("types are listed")
    return Guided(task)
