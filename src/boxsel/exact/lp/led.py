"""Column generation led by a guide: floats that stay calm find a basis, exact steps finish it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from boxsel.exact.compile.problem import Form, Goal, Row
from boxsel.exact.compile.vocabulary import Type
from boxsel.exact.lp.generation import Programme
from boxsel.exact.lp.guide import Guide
from boxsel.exact.lp.master import Master
from boxsel.exact.lp.optimum import Optimum, Result
from boxsel.exact.lp.simplex import nearby_vertex
from boxsel.machine.budget import Budget

if TYPE_CHECKING:
    from boxsel.exact.types.searched import SearchedSpace

PIVOTS: Final = 10
"""How many exact steps a basis that floats found may be from an optimum."""


class LedProgramme(Programme):
    """A programme over searched types that asks a guide first."""

    def __init__(
        self, rows: Sequence[Row], width: int, space: SearchedSpace, budget: Budget
    ) -> None:
        super().__init__(rows, space, budget)
        self._guide = Guide(self.rows, width, space, budget)

    def maximise(self, goal: Goal, objective: Form = ()) -> Result:
        """The largest value of a form over weightings that give a goal the weight 1."""
        led = self.lead(goal, objective)
        return super().maximise(goal, objective) if led is None else led

    def lead(
        self, goal: Goal, objective: Form, met: Mapping[Type, Fraction] | None = None
    ) -> Optimum | None:
        """The optimum, if the guide leads to one.

        It may start from a weighting with the goal that was met. What it finds on the way is
        remembered.
        """
        first: Iterable[Type] = met or ()
        if met is None:
            start = self._space.best((), goal)
            if start is None:
                return None
            first = [start[0], *self._pool]
        else:
            self._guide.measure(met, goal)
        optimum = self._follow(goal, objective, dict.fromkeys(first))
        self.remember(self._guide.kinds)
        return optimum

    def outer(self, goal: Goal, objective: Form) -> Fraction | None:
        """What a value is known not to exceed, if it was looked for in vain."""
        return self._guide.outer.get((goal, objective))

    def forget(self, kinds: Iterable[Type]) -> None:
        """Leave out types that turned out not to be possible."""
        gone = tuple(kinds)
        super().forget(gone)
        self._guide.forget(gone)

    def _follow(self, goal: Goal, objective: Form, first: Iterable[Type]) -> Optimum | None:
        """The first lead that exact arithmetic can finish, and that no type improves."""
        for lead in self._guide.leads(goal, objective, first):
            master = Master(self.rows, goal, objective)
            for known in (*lead.basic, *lead.others[: len(self.rows)]):
                master.add(known)
            check = self._budget.check
            vertex = nearby_vertex(master, lead.basis, lead.penalties, PIVOTS, check)
            if vertex is None:
                return None
            forms = self.reduced(master, vertex, violations=False)
            tried = (self._space.positive(form, own) for form, own in forms)
            better = [kind for kind in tried if kind is not None]
            if not better:
                return Optimum(vertex.price, vertex.multipliers, vertex.weights)
            if all(kind in self._guide.kinds for kind in better):
                return None
            self._guide.remember(better)
        return None
