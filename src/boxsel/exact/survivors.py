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

from boxsel.exact.local.local import Local
from boxsel.exact.problem import Clause, Demand, Existential, Form, Goal, Problem
from boxsel.exact.programme import Impossible, Optimum, Programme, integral
from boxsel.exact.space import ListedSpace, Space
from boxsel.exact.vocabulary import Mask, Type, has
from boxsel.exact.witnesses import Witnesses
from boxsel.machine.budget import Budget


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

    def __init__(
        self,
        problem: Problem,
        space: Space,
        programme: Programme,
        budget: Budget,
        local: Local | None = None,
    ) -> None:
        self.problem, self._space, self.programme = problem, space, programme
        self._budget = budget
        self.local = local
        self.eliminations: list[Elimination] = []
        self._weightings: list[Mapping[Type, Fraction]] = []
        self._witnesses = Witnesses(problem)
        self._sought: set[Existential] = set()
        self._excluded: set[Clause] = set()
        self._exclude_obvious_ones()

    @property
    def listed(self) -> tuple[Type, ...] | None:
        """The types that are left, if they are listed."""
        return self._space.kinds if isinstance(self._space, ListedSpace) else None

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
            result = self._best(goal, objective)
            if isinstance(result, Impossible) or self.settle(result.weights):
                return result

    def settle(self, weights: Mapping[Type, Fraction]) -> bool:
        """Whether the types of a weighting survive; if not, a clause that one violates is found."""
        found = [weights]
        witnesses = self._witnesses.copy()
        queue = witnesses.add(weights)
        while queue:
            self._budget.check()
            subject = queue.pop()
            for existential in self.problem.existentials:
                if not subject & existential.bit:
                    continue
                if witnesses.find(existential, subject) is not None:
                    continue
                provided = self._provide(existential)
                if provided is not None:
                    if not self.settle(provided):
                        return False
                    witnesses.add(kind for one in self._weightings for kind in one)
                    if witnesses.find(existential, subject) is not None:
                        continue
                demand = self.problem.demanded(existential, subject)
                if isinstance(demand, Existential):
                    self._eliminate(Elimination(Clause(demand.bit, 0), demand, None))
                    return False
                result = self._best(demand.goal)
                if isinstance(result, Impossible):
                    self._eliminate(self._strongest(demand, result.multipliers))
                    return False
                found.append(result.weights)
                queue += witnesses.add(result.weights)
        self._weightings.extend(found)
        self._witnesses = witnesses
        return True

    def _best(self, goal: Goal, objective: Form = ()) -> Optimum | Impossible:
        found = None
        if self.local is not None and self.programme.guide is None:
            found = self.local.maximise(goal, objective, self.eliminations)
        return found or self.programme.maximise(goal, objective)

    def _provide(self, existential: Existential) -> Mapping[Type, Fraction] | None:
        """A weighting with witnesses that serve all subjects of many existentials, if found.

        Such a witness has no filler that does not follow from what it must have. The
        existentials that the witnesses themselves may need are provided for as well.
        """
        if self.local is None or existential in self._sought:
            return None
        modest = self._modest(existential)
        bare = None if modest is None else self.local.bare(modest)
        if bare is not None and not any(bare & one.bit for one in self.problem.existentials):
            self._sought.add(existential)
            return {bare: Fraction(1)}
        if self.programme.guide is not None:
            return None
        goals = {existential: modest}
        while True:
            reached = self.local.reach([goal for goal in goals.values() if goal is not None])
            fresh = [
                one
                for one in self.problem.existentials
                if one.bit & reached and one not in goals and one not in self._sought
            ]
            if not fresh:
                break
            goals |= {one: self._modest(one) for one in fresh}
        self._sought.update(goals)
        sought = [goal for goal in goals.values() if goal is not None]
        return self.local.realise(sought) if sought else None

    def _modest(self, existential: Existential) -> Goal | None:
        """What a witness has that obliges its subjects to nothing that is not obvious."""
        objects = self.problem.range(existential.role)
        if existential.filler is None or objects is None:
            return None
        required = self._consequences(existential.filler | objects)
        fillers = (duty.filler for duty in self.problem.duties(existential.role))
        others = (one for one in fillers if one is not None and not has(required, one))
        return Goal(existential.filler | objects, tuple(others))

    def _consequences(self, mask: Mask) -> Mask:
        """What follows from basic concepts without numbers, as far as that is looked for."""
        return mask if self.local is None else self.local.consequences(mask)

    def _exclude_obvious_ones(self) -> None:
        """What is obvious for some existentials can make more obvious for others."""
        known = -1
        while known != len(self.eliminations):
            known = len(self.eliminations)
            for existential in self._budget.watched(self.problem.existentials):
                self._exclude_obvious(existential)
            if self.local is None:
                return

    def _exclude_obvious(self, existential: Existential) -> None:
        """Clauses that need no search: `∃r.X → ∃s.Y` where X, with r's range, implies Y."""
        demand = self.problem.demand(existential, lambda duty: duty.bit != existential.bit)
        if isinstance(demand, Existential):
            clause = Clause(demand.bit, 0)
            if clause not in self._excluded:
                self._eliminate(Elimination(clause, demand, None))
            return
        implied = self._consequences(demand.goal.require)
        for mask, bit in zip(demand.goal.exclude, demand.escapes, strict=True):
            clause = Clause(existential.bit, bit)
            if has(implied, mask) and clause not in self._excluded:
                goal = Goal(demand.goal.require, (mask,))
                self._eliminate(Elimination(clause, existential, goal))

    def _strongest(self, demand: Demand, multipliers: Mapping[int, Fraction]) -> Elimination:
        """The elimination with as few exclusions as the same multipliers allow."""
        form = dict(integral(self.programme.combine(multipliers)))
        form[0] = form.get(0, 0) + 1  # values are integers: what was not below zero is above it now
        raised = tuple(form.items())
        kept = list(zip(demand.goal.exclude, demand.escapes, strict=True))
        for pair in tuple(kept):
            fewer = [other for other in kept if other is not pair]
            goal = Goal(demand.goal.require, tuple(mask for mask, _ in fewer))
            if self._space.positive(raised, goal) is None:
                kept = fewer
        heads = reduce(or_, (bit for _, bit in kept), 0)
        goal = Goal(demand.goal.require, tuple(mask for mask, _ in kept))
        clause = Clause(demand.existential.bit, heads)
        return Elimination(clause, demand.existential, goal, multipliers)

    def _eliminate(self, elimination: Elimination) -> None:
        self.eliminations.append(elimination)
        self._excluded.add(elimination.clause)
        self._sought.clear()  # what was found for them may be impossible now
        self._space.restrict(elimination.clause)
        self.programme.forget(
            kind for kind in self.programme.pool if not elimination.clause.holds(kind)
        )
