"""Graphs counted in part or with roles: types over names, and a choice for each role.

No counted conditional joins existentials of two roles, so pairs of a type over names and a choice
of one role's existentials are enough for every equation. A choice is possible if each of its
existentials has a witness: a type over names that can have weight, with no other filler than those
of the choice. Choices without witnesses are eliminated until all that are left have them. Names
that are satellites are treated like roles.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from operator import or_
from typing import Final

from flint import fmpq

from boxsel.exact.counted.deferred import DeferredWeights
from boxsel.exact.counted.equations import Extents, as_equations, as_fraction
from boxsel.exact.counted.fillers import implied_existentials
from boxsel.exact.counted.pair_programme import PairOptimum, PairProgramme
from boxsel.exact.counted.pairs import Pairs, make_pairs
from boxsel.exact.counted.separation import satellites
from boxsel.exact.enumeration import enumerate_types, without_subsumed
from boxsel.exact.problem import Clause, Demand, Existential, Goal, Problem
from boxsel.exact.programme import Impossible, Optimum
from boxsel.exact.survivors import Elimination
from boxsel.exact.vocabulary import Mask, Type, bits
from boxsel.logic.concepts import Name, Role
from boxsel.machine.budget import Budget

LISTED_NAMES: Final = 10_000
LISTED_PAIRS: Final = 50_000
"""How many types over names, and how many pairs, are listed."""
ZERO, ONE = fmpq(0), fmpq(1)


@dataclass(frozen=True)
class Decomposed:
    """Answers questions that are about one role, or one satellite, at most."""

    pairs: Pairs
    programme: PairProgramme
    eliminations: tuple[Elimination, ...]
    common: Mapping[int, fmpq]
    """Amounts in which every existential of every choice has a witness."""
    statements: tuple[int, ...]
    """The statements whose clauses the types obey."""

    def knows(self, mask: Mask) -> bool:
        """Whether a mask is about one role, or one satellite, at most."""
        return self.pairs.knows(mask)

    @property
    def weightings(self) -> tuple[Mapping[Type, Fraction], ...]:
        """A weighting that has a witness for every existential."""
        return (DeferredWeights(lambda: self.pairs.weights(self.common)),)

    def realise(self, body: Mask) -> Optimum | Impossible | None:
        """A weighting that gives a body weight, or why there is none; none if that is not found."""
        members = self.pairs.members(Goal(body))
        if any(self.common.get(number, ZERO) for number in members):
            weights = DeferredWeights(lambda: self.pairs.weights(self.common))
            return Optimum(Fraction(0), {}, weights, self.statements)
        everything = self.pairs.members(Goal(0))
        best = self.programme.maximise(everything, members)
        if best is None:
            return None
        if best.value == 0:
            return Impossible(best.multipliers, self.statements)
        return self._optimum(best)

    def extreme(self, body: Mask, head: Mask, sign: int) -> Optimum | Impossible | None:
        """The largest sum of `sign` over those of the body that have the head, the body being 1."""
        members = self.pairs.members(Goal(body))
        best = self.programme.maximise(members, self.pairs.values(((body | head, sign),)))
        if best is not None:
            return self._optimum(best)
        why = self.realise(body)
        return why if isinstance(why, Impossible) else None

    def _optimum(self, best: PairOptimum) -> Optimum:
        weights = DeferredWeights(lambda: self.pairs.weights(best.amounts))
        return Optimum(as_fraction(best.value), best.multipliers, weights, self.statements)


def decompose(problem: Problem, budget: Budget) -> Decomposed | None:
    """A problem as names and roles, if its axioms are of that kind and its types few.

    None also if the problem has no model: why, is for others to find.
    """
    equations = as_equations(problem.rows)
    by_role = _by_role(problem)
    if equations is None or by_role is None:
        return None
    clauses = [clause for _, clause in problem.clauses]
    kept = [problem.clauses[number] for number in without_subsumed(clauses, budget)]
    known = [clause for _, clause in kept]
    groups = [reduce(or_, (one.bit for one in own)) for own in by_role.values()]
    about = [clause.about for clause in known] + [equation.about for equation in equations]
    if any(sum(bool(mask & group) for group in groups) > 1 for mask in about):
        return None
    groups += _satellites(problem, reduce(or_, groups, 0), about)
    names = ((1 << len(problem.vocabulary)) - 1) & ~reduce(or_, groups, 0)
    kinds = enumerate_types(known, names, LISTED_NAMES, budget)
    if not kinds:
        return None
    extents = Extents(kinds)
    eliminations = [one for own in by_role.values() for one in implied_existentials(own, extents)]
    while True:
        obeyed = [*known, *(one.clause for one in eliminations)]
        pairs = make_pairs(kinds, groups, obeyed, LISTED_PAIRS, budget)
        if pairs is None or not pairs.extents.kinds:
            return None
        programme = PairProgramme(pairs, equations, budget)
        demands = list(_demands(problem, pairs))
        found = _witnesses(pairs, programme, {demand.goal for demand, _ in demands})
        if found is None:
            return None
        amounts, refused, proof = found
        more = {
            clause: Elimination(
                clause, demand.existential, demand.goal, proof if refused[demand.goal] else {}
            )
            for demand, clause in demands
            if demand.goal in refused
        }
        if not more:
            statements = tuple(sorted({number for number, _ in kept}))
            return Decomposed(pairs, programme, tuple(eliminations), amounts, statements)
        eliminations += more.values()


def _by_role(problem: Problem) -> dict[Role, list[Existential]] | None:
    """The existentials of each role, if roles have nothing to do with each other."""
    found: dict[Role, list[Existential]] = {}
    names = sum(
        problem.vocabulary.bit(basic)
        for basic in problem.vocabulary.basics
        if isinstance(basic, Name)
    )
    for one in problem.existentials:
        nested = one.filler is None or one.filler & ~names
        if nested or len(problem.supers(one.role)) > 1 or problem.range(one.role) != 0:
            return None
        found.setdefault(one.role, []).append(one)
    return found


def _satellites(problem: Problem, existentials: Mask, about: Iterable[Mask]) -> list[Mask]:
    """Names that are groups of their own: no witness needs them, and they meet no existential."""
    tied = existentials | problem.bodies
    for one in problem.existentials:
        tied |= one.filler or 0
    for mask in about:
        if mask & existentials:
            tied |= mask
    free = ((1 << len(problem.vocabulary)) - 1) & ~tied
    return [1 << position for position in bits(satellites(about, free))]


def _demands(problem: Problem, pairs: Pairs) -> Iterator[tuple[Demand, Clause]]:
    """What the existentials of choices demand, and the clause that holds if it cannot be met."""
    for group, choices in pairs.choices():
        for choice in sorted(choices):
            for demand in problem.demands(choice):
                assert isinstance(demand, Demand)  # every filler can be had
                yield demand, Clause(demand.existential.bit, group & ~choice)


def _witnesses(
    pairs: Pairs, programme: PairProgramme, goals: Iterable[Goal]
) -> tuple[dict[int, fmpq], dict[Goal, bool], Mapping[int, Fraction]] | None:
    """Amounts with weight on every goal that can have it; the other goals; and why they cannot.

    The other goals are said to have types or not; one proof serves all that have.
    """
    everything = pairs.members(Goal(0))
    members = {goal: pairs.members(goal) for goal in (Goal(0), *goals)}
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
