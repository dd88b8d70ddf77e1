"""The types that can be realised: elimination of types that lack a witness.

A type that has `∃r.X` needs a witness: a realised type with X, in r's range, without the fillers
of those existentials of r and its super-roles that the type lacks. A type is realised if some
weighting that obeys the rows gives it weight. Weightings add up, so a largest realisable set
exists. It is never computed: a demand that cannot be met becomes a clause
`∃r.X → ∃s.Y₁ ∨ … ∨ ∃s.Yₖ`, which eliminates every type that makes the demand, and a set of types
whose demands are met among themselves survives.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import reduce
from operator import or_

from boxsel.exact.compile.problem import Clause, Demand, Existential, Form, Goal
from boxsel.exact.compile.vocabulary import Mask, Type, has
from boxsel.exact.lp.generation import combine, integral
from boxsel.exact.lp.optimum import Elimination, Impossible, Optimum, Result
from boxsel.exact.types.witnesses import Witnesses
from boxsel.exact.ways.lean import Lean, broken_rows
from boxsel.exact.ways.near import Near
from boxsel.exact.ways.samples.search import Search
from boxsel.exact.ways.trees.joining import present
from boxsel.exact.ways.way import Passed, Task


class Survivors:
    """The realisable types of a task, found as far as they are needed.

    `relax` is how ways are asked about all types that are not eliminated yet.
    """

    def __init__(
        self,
        task: Task,
        relax: Callable[[Goal, Form], Result],
        canonical: Callable[[], Mapping[Type, Fraction]] = dict,
    ) -> None:
        self._task, self.problem, self._budget = task, task.problem, task.budget
        self.relax, self._canonical = relax, canonical
        self._near = None if task.listed is not None else task.share(Near)
        self._weightings: list[Mapping[Type, Fraction]] = []
        self._witnesses = Witnesses(self.problem)
        self._sought: set[Existential] = set()
        self._excluded: set[Clause] = set()
        self._exclude_obvious_ones()
        for weights in task.models:
            self.settle(weights)

    @property
    def task(self) -> Task:
        """The task, with what follows from roles alone among its clauses."""
        return self._task

    @property
    def listed(self) -> tuple[Type, ...] | None:
        """The types that are left, if they are listed."""
        listed = self._task.listed
        return None if listed is None else listed.kinds

    @property
    def clauses(self) -> list[Clause]:
        """The clauses that every surviving type is known to obey."""
        return self._task.clauses

    @property
    def eliminations(self) -> tuple[Elimination, ...]:
        """Why some types cannot be realised, as far as that is known."""
        return tuple(self._task.eliminations)

    @property
    def weightings(self) -> tuple[Mapping[Type, Fraction], ...]:
        """Weightings of types that survive, each of which obeys the rows."""
        return tuple(self._weightings)

    def maximise(self, goal: Goal, objective: Form = ()) -> Result:
        """The largest value over weightings of surviving types that give a goal the weight 1.

        It is a supremum: where the optimum's own types do not witness each other, a little of
        other weightings has to be mixed in.
        """
        self._take_canonical()
        while True:
            result = self.relax(goal, objective)
            if isinstance(result, Impossible) or self.settle(result.weights):
                # What does not say on which eliminations it rests, rests on all that are known.
                return (
                    result if result.steps is not None else replace(result, steps=self.eliminations)
                )

    def settle(self, weights: Mapping[Type, Fraction]) -> bool:
        """Whether the types of a weighting survive; if not, a clause that one violates is found."""
        if not self._needs_witnesses(weights):
            self._weightings.append(weights)
            return True
        weightings = [weights]
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
                    witnesses.add(kind for weighting in self._weightings for kind in weighting)
                    if witnesses.find(existential, subject) is not None:
                        continue
                demand = self.problem.demand_of(existential, subject)
                if isinstance(demand, Existential):
                    self._eliminate(Elimination(Clause(demand.bit, 0), demand, None))
                    return False
                result = self.relax(demand.goal, ())
                if isinstance(result, Impossible):
                    self._eliminate(self._strongest(demand, result.multipliers))
                    return False
                weightings.append(result.weights)
                queue += witnesses.add(result.weights)
        self._weightings.extend(weightings)
        self._witnesses = witnesses
        return True

    def _take_canonical(self) -> None:
        """Let a population that is found without a search serve as witnesses, once.

        It obeys every row, and none of its types needs others.
        """
        find, self._canonical = self._canonical, dict
        near = self._near if self._task.is_ontology else None
        weights = {} if near is None else find()
        obeyed = all(clause.holds(kind) for clause in self.clauses for kind in weights)
        if weights and obeyed and not broken_rows(self.problem.rows, weights):
            witnesses = self._witnesses.copy()
            fresh = witnesses.add(weights)
            needs = (
                (existential, kind) for kind in fresh for existential in self.problem.existentials
            )
            if all(
                witnesses.find(existential, kind)
                for existential, kind in needs
                if kind & existential.bit
            ):
                self._witnesses = witnesses
                self._weightings.append(weights)
                assert near is not None
                near.remember(weights)

    def _needs_witnesses(self, weights: Mapping[Type, Fraction]) -> bool:
        """Whether some types may have existentials: weights along a tree are not spelt out."""
        somebody = present(weights) if self.problem.existentials else 0
        return any(somebody & existential.bit for existential in self.problem.existentials)

    def _provide(self, existential: Existential) -> Mapping[Type, Fraction] | None:
        """A weighting with witnesses that serve all subjects of many existentials, if found.

        Such a witness has no filler that does not follow from what it must have. The
        existentials that the witnesses themselves may need are provided for as well.
        """
        if self._near is None or existential in self._sought:
            return None
        modest = self._near.modest(existential)
        bare = None if modest is None else self._near.bare(modest)
        if bare is not None and not any(bare & one.bit for one in self.problem.existentials):
            self._sought.add(existential)
            return {bare: Fraction(1)}
        if self._task.is_counted:  # populations do not meet its rows
            return None
        if self._task.is_ontology and modest is not None:
            few = self._task.share(Lean).maximise(modest, ())
            if not isinstance(few, Passed):
                self._sought.add(existential)
                return few.weights if isinstance(few, Optimum) else None
        search = Search(self._task, [modest] if modest is not None else [])
        self._sought.update(search.existentials)
        return next(search.run(), None)

    def _consequences(self, mask: Mask) -> Mask:
        """What follows from basic concepts without numbers, as far as that is looked for."""
        return mask if self._near is None else self._near.consequences(mask)

    def _exclude_obvious_ones(self) -> None:
        """What is obvious for some existentials can make more obvious for others."""
        known = -1
        while known != len(self._excluded):
            known = len(self._excluded)
            for existential in self._budget.watched(self.problem.existentials):
                self._exclude_obvious(existential)
            if self._near is None:
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
        form = dict(integral(combine(self.problem.rows, multipliers)))
        form[0] = form.get(0, 0) + 1  # values are integers: what was not below zero is above it now
        raised = tuple(form.items())
        kept = list(zip(demand.goal.exclude, demand.escapes, strict=True))
        for pair in tuple(kept):
            fewer = [other for other in kept if other is not pair]
            goal = Goal(demand.goal.require, tuple(mask for mask, _ in fewer))
            if self._task.space.positive(raised, goal) is None:
                kept = fewer
        heads = reduce(or_, (bit for _, bit in kept), 0)
        goal = Goal(demand.goal.require, tuple(mask for mask, _ in kept))
        clause = Clause(demand.existential.bit, heads)
        return Elimination(clause, demand.existential, goal, multipliers)

    def _eliminate(self, elimination: Elimination) -> None:
        self._excluded.add(elimination.clause)
        self._sought.clear()  # what was found for them may be impossible now
        self._task.restrict(elimination)
