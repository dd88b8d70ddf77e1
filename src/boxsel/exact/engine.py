"""One problem, ready for questions: its types, its programme and its survivors."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from typing import Final

from boxsel.exact.counted.decomposed import Decomposed, decompose
from boxsel.exact.counted.equations import as_equations
from boxsel.exact.counted.merged import MergedProgramme
from boxsel.exact.counted.separated import Separated, separate
from boxsel.exact.guide import Guide
from boxsel.exact.known import Known, as_weighting
from boxsel.exact.local.local import Local, Tally
from boxsel.exact.problem import Clause, Form, Goal, Problem
from boxsel.exact.programme import Impossible, Optimum, Programme
from boxsel.exact.space import LISTED, ListedSpace
from boxsel.exact.spaces import space_of
from boxsel.exact.survivors import Elimination, Survivors
from boxsel.exact.vocabulary import Mask, Type
from boxsel.logic.axioms import Axiom
from boxsel.logic.concepts import Concept
from boxsel.machine.budget import Budget

MANY: Final = 40
"""With so many equations a guide leads to optima, not the rows around a question."""


class Engine:
    """Answers questions about the types of some axioms."""

    def __init__(
        self,
        statements: Iterable[tuple[int, Axiom]],
        also: Iterable[Concept],
        budget: Budget,
        listed: int = LISTED,
        known: Iterable[Known] = (),
    ) -> None:
        numbered = tuple(statements)
        self._known = tuple(known)
        self.statements = tuple(number for number, _ in numbered)
        self.problem = Problem(numbered, also)
        self._budget, self._listed = budget, listed
        self._survivors: Survivors | None = None

    @property
    def survivors(self) -> Survivors:
        """The realisable types, compiled when they are first needed."""
        if self._survivors is None:
            clauses = [clause for _, clause in self.problem.clauses]
            width = len(self.problem.vocabulary)
            space = space_of(clauses, width, self._budget, self._listed)
            local, programme = None, Programme(self.problem.rows, space, self._budget)
            if not isinstance(space, ListedSpace):
                local = Local(self.problem, space, self._budget)
                if self._is_counted:
                    guide = Guide(self.problem.rows, width, space, self._budget)
                    programme = MergedProgramme(self.problem, space, self._budget, guide)
            self._survivors = Survivors(self.problem, space, programme, self._budget, local)
            for one in self._known:
                weights = as_weighting(self.problem, one)
                if weights:
                    programme.meet(weights)
                    self._survivors.settle(weights)
        return self._survivors

    @property
    def _is_counted(self) -> bool:
        """Whether many rows, and all of them equations, look like those of a counted graph."""
        rows = self.problem.rows
        return len(rows) > MANY and as_equations(rows) is not None

    @property
    def tally(self) -> Tally:
        """How often questions were settled from few conditionals."""
        known = self._survivors
        return known.local.tally if known is not None and known.local is not None else Tally()

    @property
    def eliminations(self) -> tuple[Elimination, ...]:
        """What is known so far about types that cannot be realised."""
        known = self._parts.eliminations if self._parts else ()
        return known + (tuple(self._survivors.eliminations) if self._survivors else ())

    @property
    def weightings(self) -> tuple[Mapping[Type, Fraction], ...]:
        """Weightings of types that survive, each of which obeys the rows."""
        known = self._parts.weightings if self._parts else ()
        return known + (self._survivors.weightings if self._survivors else ())

    @property
    def _parts(self) -> Decomposed | None:
        """The problem in parts, if they were found: to look for them takes time."""
        known = self.__dict__.get("_counted")
        return known if isinstance(known, Decomposed) else None

    @cached_property
    def _counted(self) -> Separated | Decomposed | None:
        """The problem in parts, if it is like a counted graph."""
        if not self._listed:
            return None
        return separate(self.problem, self._budget) or decompose(self.problem, self._budget)

    @property
    def clauses(self) -> list[Clause]:
        """The clauses that every surviving type is known to obey."""
        axioms = [clause for _, clause in self.problem.clauses]
        return axioms + [elimination.clause for elimination in self.eliminations]

    def realise(self, goal: Goal) -> Optimum | Impossible:
        """A weighting that gives a goal weight, or why there is none."""
        self._budget.check()
        result: Optimum | Impossible | None = None
        if self._counted and not goal.exclude and self._counted.knows(goal.require):
            result = self._counted.realise(goal.require)
        return result or self._shifted(self.survivors.maximise(goal))

    def approached(self, body: Mask, head: Mask, sign: int) -> Fraction | None:
        """What a share is known not to pass, if its extreme was looked for in vain."""
        guide = None if self._survivors is None else self._survivors.programme.guide
        objective: Form = ((body | head, sign),)
        bound = None if guide is None else guide.outer.get((Goal(body), objective))
        return None if bound is None else sign * bound

    def extreme(self, body: Mask, head: Mask, sign: int) -> Optimum | Impossible:
        """The largest (sign 1) or smallest (sign −1) share of a body that has a head."""
        self._budget.check()
        result: Optimum | Impossible | None = None
        if self._counted and self._counted.knows(body | head):
            result = self._counted.extreme(body, head, sign)
        if result is None:
            objective: Form = ((body | head, sign),)
            result = self._shifted(self.survivors.maximise(Goal(body), objective))
        if isinstance(result, Impossible):
            return result
        return replace(result, value=sign * result.value)

    def _shifted(self, result: Optimum | Impossible) -> Optimum | Impossible:
        """The same with steps that count the eliminations from elsewhere, which come first."""
        known = len(self.eliminations) - len(self.survivors.eliminations)
        if not known or result.steps is None:
            return result
        return replace(result, steps=tuple(place + known for place in result.steps))
