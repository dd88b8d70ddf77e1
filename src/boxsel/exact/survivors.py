"""The types that can be realised: elimination of types that lack a witness.

A type that has `∃r.X` needs a witness: a realised type with X, in r's range, without the fillers
of those existentials of r and its super-roles that the type lacks. A type is realised if some
weighting that obeys the rows gives it weight. Weightings add up, so a largest realisable set
exists. It is never computed: a demand that cannot be met becomes a clause
`∃r.X → ∃s.Y₁ ∨ … ∨ ∃s.Yₖ`, which eliminates every type that makes the demand, and a set of types
whose demands are met among themselves survives.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import reduce
from operator import or_

from boxsel.exact.problem import Clause, Demand, Existential, Form, Goal, Problem
from boxsel.exact.programme import Impossible, Optimum, Programme, integral
from boxsel.exact.space import Space
from boxsel.exact.vocabulary import Type, has


@dataclass(frozen=True)
class Elimination:
    """A clause that every realised type obeys, and why its demand cannot be met.

    Among the types that obey the axioms and the earlier clauses, y·a(t) ≤ 0 everywhere and
    < 0 on the goal's; without multipliers the goal has no type at all.
    """

    clause: Clause
    existential: Existential
    goal: Goal | None
    multipliers: Mapping[int, Fraction] = field(default_factory=dict)


class Survivors:
    """The realisable types of a problem, found as far as they are needed."""

    def __init__(self, problem: Problem, space: Space, programme: Programme) -> None:
        self.problem, self._space, self.programme = problem, space, programme
        self.eliminations: list[Elimination] = []
        self._weightings: list[Mapping[Type, Fraction]] = []
        for existential in problem.existentials:
            self._exclude_obvious(existential)

    @property
    def weightings(self) -> tuple[Mapping[Type, Fraction], ...]:
        """Weightings of types that survive, each of which obeys the rows."""
        return tuple(self._weightings)

    def maximise(self, goal: Goal, objective: Form = ()) -> Optimum | Impossible:
        """The largest value over weightings of surviving types that give a goal the weight 1.

        It is a supremum: where the optimum's own types do not witness each other, a little of
        other weightings has to be mixed in.
        """
        while True:
            result = self.programme.maximise(goal, objective)
            if isinstance(result, Impossible) or self.settle(result.weights):
                return result

    def settle(self, weights: Mapping[Type, Fraction]) -> bool:
        """Whether the types of a weighting survive; if not, a clause that one violates is found."""
        found = [weights]
        present = dict.fromkeys(kind for one in self._weightings for kind in one)
        queue = [kind for kind in weights if kind not in present]
        present.update(dict.fromkeys(queue))
        while queue:
            for demand in self.problem.demands(queue.pop()):
                if isinstance(demand, Existential):
                    self._eliminate(Elimination(Clause(demand.bit, 0), demand, None))
                    return False
                if any(demand.goal.has(kind) for kind in present):
                    continue
                result = self.programme.maximise(demand.goal)
                if isinstance(result, Impossible):
                    self._eliminate(self._strongest(demand, result.multipliers))
                    return False
                found.append(result.weights)
                fresh = [kind for kind in result.weights if kind not in present]
                present.update(dict.fromkeys(fresh))
                queue.extend(fresh)
        self._weightings.extend(found)
        return True

    def _exclude_obvious(self, existential: Existential) -> None:
        """Clauses that need no search: `∃r.X → ∃s.Y` where X, or r's range, contains Y."""
        demand = self.problem.demand(existential, lambda duty: duty.bit != existential.bit)
        if isinstance(demand, Existential):
            self._eliminate(Elimination(Clause(demand.bit, 0), demand, None))
            return
        for mask, bit in zip(demand.goal.exclude, demand.escapes, strict=True):
            if has(demand.goal.require, mask):
                goal = Goal(demand.goal.require, (mask,))
                self._eliminate(Elimination(Clause(existential.bit, bit), existential, goal))

    def _strongest(self, demand: Demand, multipliers: Mapping[int, Fraction]) -> Elimination:
        """The elimination with as few exclusions as the same multipliers allow."""
        form = integral(self.programme.combine(multipliers))
        kept = list(zip(demand.goal.exclude, demand.escapes, strict=True))
        for pair in tuple(kept):
            fewer = [other for other in kept if other is not pair]
            goal = Goal(demand.goal.require, tuple(mask for mask, _ in fewer))
            best = self._space.best(form, goal)
            if best is None or best[1] < 0:
                kept = fewer
        heads = reduce(or_, (bit for _, bit in kept), 0)
        goal = Goal(demand.goal.require, tuple(mask for mask, _ in kept))
        clause = Clause(demand.existential.bit, heads)
        return Elimination(clause, demand.existential, goal, multipliers)

    def _eliminate(self, elimination: Elimination) -> None:
        self.eliminations.append(elimination)
        self._space.restrict(elimination.clause)
        self.programme.forget(
            kind for kind in self.programme.pool if not elimination.clause.holds(kind)
        )
