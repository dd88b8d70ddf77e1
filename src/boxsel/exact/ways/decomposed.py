"""Graphs counted in part or with roles: types over names, and a choice for each role.

No counted conditional joins existentials of two roles, so types over names and a choice of one
role's existentials for each are enough for every equation. A choice is possible if each of its
existentials has a witness: a type over names that can have weight, with no other filler than those
of the choice. Choices without witnesses are eliminated until all that are left have them. Names
that are satellites are treated like roles.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from operator import or_

from flint import fmpq

from boxsel.exact.compile.problem import Clause, Demand, Existential, Form, Goal, Problem
from boxsel.exact.compile.vocabulary import Mask, Type, bits
from boxsel.exact.lp.floats import as_fraction
from boxsel.exact.lp.optimum import DeferredWeights, Elimination, Impossible, Optimum, Result
from boxsel.exact.types.enumeration import enumerate_types, without_subsumed
from boxsel.exact.ways.counted.equations import Extents
from boxsel.exact.ways.counted.parts import Group, Parts, divide
from boxsel.exact.ways.counted.parts_programme import PartsOptimum, PartsProgramme
from boxsel.exact.ways.counted.satellite import satellites
from boxsel.exact.ways.way import Passed, Task, Way
from boxsel.logic.concepts import Name, Role
from boxsel.machine.budget import Budget

ZERO, ONE = fmpq(0), fmpq(1)


@dataclass(frozen=True)
class Decomposed(Way):
    """Answers questions that are about one role, or one satellite, at most."""

    parts: Parts
    programme: PartsProgramme
    eliminations: tuple[Elimination, ...]
    common: Mapping[int, fmpq]
    """Amounts in which every existential of every choice has a witness."""
    statements: tuple[int, ...]
    """The statements whose clauses the types obey."""

    @property
    def weightings(self) -> tuple[Mapping[Type, Fraction], ...]:
        """A weighting that has a witness for every existential."""
        return (DeferredWeights(lambda: self.parts.weights(self.common)),)

    def maximise(self, goal: Goal, objective: Form) -> Result | Passed:
        """The largest value of a form over weightings that give a goal the weight 1."""
        if goal.exclude or not all(map(self.parts.knows, (goal.require, *dict(objective)))):
            return Passed("the question is about several roles")
        if not objective:
            return self._realise(goal)
        best = self.programme.maximise(self.parts.members(goal), self.parts.values(objective))
        if best is not None:
            return self._optimum(best)
        why = self._realise(goal)
        return why if isinstance(why, Impossible) else Passed("floats led to no exact optimum")

    def _realise(self, goal: Goal) -> Result | Passed:
        """A weighting that gives a goal weight, or why there is none."""
        members = self.parts.members(goal)
        if any(self.common.get(number, ZERO) for number in members):
            weights = DeferredWeights(lambda: self.parts.weights(self.common))
            return Optimum(Fraction(0), {}, weights, self.statements, self.eliminations)
        best = self.programme.maximise(self.parts.members(Goal(0)), members)
        if best is None:
            return Passed("floats led to no exact optimum")
        if best.value == 0:
            return Impossible(best.multipliers, self.statements, self.eliminations)
        return self._optimum(best)

    def _optimum(self, best: PartsOptimum) -> Optimum:
        weights = DeferredWeights(lambda: self.parts.weights(best.amounts))
        value, proof = as_fraction(best.value), best.multipliers
        return Optimum(value, proof, weights, self.statements, self.eliminations)


def offer(task: Task) -> Decomposed | Passed:
    """Where axioms are those of a counted graph and types over names are few.

    It passes also if the problem has no model: why, is for others to find.
    """
    problem, budget, limits = task.problem, task.budget, task.limits
    if task.equations is None:
        return Passed("some conditionals are intervals")
    by_role = _by_role(problem)
    if by_role is None:
        return Passed("roles have fillers with roles, super-roles or ranges")
    clauses = [clause for _, clause in problem.clauses]
    kept = [problem.clauses[number] for number in without_subsumed(clauses, budget)]
    known = [clause for _, clause in kept]
    chosen = [reduce(or_, (existential.bit for existential in own)) for own in by_role.values()]
    about = [clause.about for clause in known] + [equation.about for equation in task.equations]
    if any(sum(bool(mask & group) for group in chosen) > 1 for mask in about):
        return Passed("a statement is about two roles")
    chosen += _satellites(problem, reduce(or_, chosen, 0), about)
    names = ((1 << task.width) - 1) & ~reduce(or_, chosen, 0)
    groups = [Group(own, names) for own in chosen]
    kinds = enumerate_types(known, names, limits.bags, budget)
    if kinds is None:
        return Passed(f"there are more than {limits.bags:,} types over names")
    extents = Extents(kinds)
    eliminations = [
        existential
        for own in by_role.values()
        for existential in implied_existentials(own, extents)
    ]
    while True:
        obeyed = [*known, *(elimination.clause for elimination in eliminations)]
        parts = divide(kinds, groups, obeyed, limits.listed, budget)
        if parts is None:
            return Passed(f"there are more than {limits.listed:,} choices of existentials")
        if not parts.extents.kinds:
            return Passed("there is no model")
        programme = PartsProgramme(parts, task.equations, budget)
        demands = list(budget.watched(_demands(problem, parts), 100))
        witnesses = _witnesses(parts, programme, {demand.goal for demand, _ in demands}, budget)
        if witnesses is None:
            return Passed("there is no model, or floats led to none")
        amounts, refused, proof = witnesses
        more = {
            clause: Elimination(
                clause, demand.existential, demand.goal, proof if refused[demand.goal] else {}
            )
            for demand, clause in demands
            if demand.goal in refused
        }
        if not more:
            statements = tuple(sorted({number for number, _ in kept}))
            return Decomposed(parts, programme, tuple(eliminations), amounts, statements)
        eliminations += more.values()


def _by_role(problem: Problem) -> dict[Role, list[Existential]] | None:
    """The existentials of each role, if roles have nothing to do with each other."""
    by_role: dict[Role, list[Existential]] = {}
    names = sum(
        problem.vocabulary.bit(basic)
        for basic in problem.vocabulary.basics
        if isinstance(basic, Name)
    )
    for existential in problem.existentials:
        nested = existential.filler is None or existential.filler & ~names
        if (
            nested
            or len(problem.supers(existential.role)) > 1
            or problem.range(existential.role) != 0
        ):
            return None
        by_role.setdefault(existential.role, []).append(existential)
    return by_role


def _satellites(problem: Problem, existentials: Mask, about: Iterable[Mask]) -> list[Mask]:
    """Names that are groups of their own: no witness needs them, and they meet no existential."""
    tied = existentials | problem.bodies
    for existential in problem.existentials:
        tied |= existential.filler or 0
    for mask in about:
        if mask & existentials:
            tied |= mask
    free = ((1 << len(problem.vocabulary)) - 1) & ~tied
    return [1 << position for position in bits(satellites(about, free))]


def _demands(problem: Problem, parts: Parts) -> Iterator[tuple[Demand, Clause]]:
    """What the existentials of choices demand, and the clause that holds if it cannot be met."""
    for group, choices in parts.choices():
        for choice in sorted(choices):
            for demand in problem.demands(choice):
                assert isinstance(demand, Demand)  # every filler can be had
                yield demand, Clause(demand.existential.bit, group & ~choice)


def _witnesses(
    parts: Parts, programme: PartsProgramme, goals: Iterable[Goal], budget: Budget
) -> tuple[dict[int, fmpq], dict[Goal, bool], Mapping[int, Fraction]] | None:
    """Amounts with weight on every goal that can have it; the other goals; and why they cannot.

    The other goals are said to have types or not; one proof serves all that have.
    """
    everything = parts.members(Goal(0))
    members = {goal: parts.members(goal) for goal in budget.watched((Goal(0), *goals))}
    refused = {goal: False for goal, own in members.items() if not own}
    left: dict[Goal, Mapping[int, int]] = {goal: own for goal, own in members.items() if own}
    amounts: dict[int, fmpq] = {}
    free = programme.free()
    for own in left.values():
        place = next((n for n in own if n in free), None)
        if place is not None and place not in amounts:
            amounts.update(dict.fromkeys(free[place], ONE))
    left = _without(left, amounts)
    while left:
        best = programme.maximise(everything, {n: 1 for own in left.values() for n in own})
        if best is None or Goal(0) in refused:
            return None
        if best.value == 0:
            refused.update(dict.fromkeys(left, True))
            return amounts, refused, best.multipliers
        for number, amount in best.amounts.items():
            if amount:
                amounts[number] = amounts.get(number, ZERO) + amount
        left = _without(left, amounts)
    return amounts, refused, {}


def _without(
    members: Mapping[Goal, Mapping[int, int]], amounts: Mapping[int, fmpq]
) -> dict[Goal, Mapping[int, int]]:
    """The goals that some amounts give no weight."""
    return {goal: own for goal, own in members.items() if not any(n in amounts for n in own)}


def implied_existentials(
    existentials: Sequence[Existential], extents: Extents
) -> Iterator[Elimination]:
    """Eliminations that need no numbers, among existentials of one role with fillers.

    If every type with X has Y, whoever has `∃r.X` has `∃r.Y`; if no type has X, nobody has `∃r.X`.
    What follows from others that are given is left out.
    """
    members = {
        existential: frozenset(extents.of(existential.filler or 0)) for existential in existentials
    }
    possible = [existential for existential in existentials if members[existential]]
    for existential in existentials:
        if not members[existential]:
            yield Elimination(
                Clause(existential.bit, 0), existential, Goal(existential.filler or 0)
            )
    above = {
        existential: [
            other
            for other in possible
            if other is not existential and members[existential] <= members[other]
        ]
        for existential in possible
    }
    for existential in possible:
        for other in _nearest(existential, above):
            goal = Goal(existential.filler or 0, (other.filler or 0,))
            yield Elimination(Clause(existential.bit, other.bit), existential, goal)


def _nearest(
    existential: Existential, above: dict[Existential, list[Existential]]
) -> Iterator[Existential]:
    """Existentials above one from which, by the same choice for them, all above it follow."""
    equal = [other for other in above[existential] if existential in above[other]]
    if any(other.bit < existential.bit for other in equal):
        yield min(equal, key=lambda other: other.bit)
        return
    yield from equal
    reached = set(equal)
    for other in sorted(above[existential], key=lambda each: -len(above[each])):
        if other not in reached:
            yield other
            reached.update((other, *above[other]))
