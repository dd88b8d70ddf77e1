"""One problem, ready for questions: its types, its programme and its survivors."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from boxsel.exact.budget import Budget
from boxsel.exact.problem import Clause, Form, Goal, Problem
from boxsel.exact.programme import Impossible, Optimum, Programme
from boxsel.exact.space import LISTED, ListedSpace, Space, list_types
from boxsel.exact.survivors import Survivors
from boxsel.exact.vocabulary import Mask
from boxsel.logic.axioms import Axiom
from boxsel.logic.concepts import Concept


class Engine:
    """Answers questions about the types of some axioms."""

    def __init__(
        self,
        statements: Iterable[tuple[int, Axiom]],
        also: Iterable[Concept],
        budget: Budget,
        listed: int = LISTED,
    ) -> None:
        numbered = tuple(statements)
        self.statements = tuple(number for number, _ in numbered)
        self.problem = Problem(numbered, also)
        space = _space(self.problem, budget, listed)
        self.survivors = Survivors(self.problem, space, Programme(self.problem.rows, space, budget))

    @property
    def clauses(self) -> list[Clause]:
        """The clauses that every surviving type is known to obey."""
        axioms = [clause for _, clause in self.problem.clauses]
        return axioms + [elimination.clause for elimination in self.survivors.eliminations]

    def realise(self, goal: Goal) -> Optimum | Impossible:
        """A weighting that gives a goal weight, or why there is none."""
        return self.survivors.maximise(goal)

    def extreme(self, body: Mask, head: Mask, sign: int) -> Optimum | Impossible:
        """The largest (sign 1) or smallest (sign −1) share of a body that has a head."""
        objective: Form = ((body | head, sign),)
        result = self.survivors.maximise(Goal(body), objective)
        if isinstance(result, Impossible):
            return result
        return Optimum(Fraction(sign) * result.value, result.multipliers, result.weights)


def _space(problem: Problem, budget: Budget, listed: int) -> Space:
    clauses = [clause for _, clause in problem.clauses]
    width = len(problem.vocabulary)
    kinds = list_types(clauses, width, listed) if listed else None
    if kinds is not None:
        return ListedSpace(kinds, width)

    from boxsel.exact.search import SearchedSpace

    return SearchedSpace(clauses, budget)
