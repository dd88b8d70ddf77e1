"""Problems that separate: a base whose weights are fixed, and satellites that vary by themselves.

If the equations about the base alone fix its weights, no satellite can move them, so a question
about one satellite is a small linear programme, whatever the others are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import cached_property, reduce
from operator import or_
from typing import TypeVar

from flint import fmpq

from boxsel.exact.compile.problem import Clause, Form, Goal
from boxsel.exact.compile.vocabulary import Mask, Type, bits
from boxsel.exact.lp.floats import as_fraction
from boxsel.exact.lp.optimum import DeferredWeights, Impossible, Optimum, Result
from boxsel.exact.types.enumeration import enumerate_types, without_subsumed
from boxsel.exact.ways.counted.equations import (
    Equation,
    FixedWeights,
    fix_weights,
)
from boxsel.exact.ways.counted.satellite import Satellite, satellites
from boxsel.exact.ways.way import Passed, Task, Way
from boxsel.machine.budget import Budget

T = TypeVar("T")
Shares = Mapping[int, fmpq]
"""How much of each type over the base has a satellite."""
ZERO = fmpq(0)


class Separated(Way):
    """Answers questions about the base and at most one satellite."""

    def __init__(
        self,
        base: FixedWeights,
        members: Mapping[Mask, Satellite],
        statements: Mapping[Mask, tuple[int, ...]],
    ) -> None:
        self._base, self._members = base, members
        self._satellites = sum(members)
        self._statements = statements

    def maximise(self, goal: Goal, objective: Form) -> Result | Passed:
        """The largest value of a form over weightings that give a goal the weight 1."""
        asked = reduce(or_, dict(objective), goal.require) & self._satellites
        if goal.exclude or asked.bit_count() > 1:
            return Passed("the question is about two names that occur in no body")
        satellite = self._members[asked]
        if not objective:
            return self._realise(satellite, goal)
        return self._extreme(satellite, goal, objective)

    def _realise(self, satellite: Satellite, goal: Goal) -> Result:
        """A weighting that gives a goal weight, or why there is none."""
        members = satellite.halves(((goal.require, 1),))
        best = satellite.maximise(members)
        statements = self._statements[satellite.bit]
        if satellite.total(members, best.shares) == 0:
            return Impossible(satellite.prove(members, best), statements, ())
        return Optimum(Fraction(0), {}, self._weights(satellite, best.shares), steps=())

    def _extreme(self, satellite: Satellite, goal: Goal, objective: Form) -> Result:
        """The largest value of a form where the goal weighs 1.

        The shares of the body that are possible are found by Dinkelbach's method: the surplus
        over the best share so far is maximised until there is none.
        """
        members, chosen = satellite.halves(((goal.require, 1),)), satellite.halves(objective)
        shares = satellite.resting.shares
        if satellite.total(members, shares) == 0:
            shares = satellite.maximise(members).shares
            if satellite.total(members, shares) == 0:
                return self._realise(satellite, goal)
        while True:
            share = satellite.total(chosen, shares) / satellite.total(members, shares)
            surplus = chosen.plus(-share, members)
            best = satellite.maximise(surplus)
            if satellite.total(surplus, best.shares) == 0:
                return Optimum(
                    as_fraction(share),
                    satellite.prove(surplus, best),
                    self._weights(satellite, shares),
                    self._statements[satellite.bit],
                    (),
                )
            shares = best.shares

    def _weights(self, satellite: Satellite, shares: Mapping[int, fmpq]) -> Mapping[Type, Fraction]:
        return DeferredWeights(lambda: self._nest.weights(satellite.bit, shares))

    @cached_property
    def _nest(self) -> Nest:
        return Nest(
            self._base, {bit: satellite.resting.shares for bit, satellite in self._members.items()}
        )


def offer(task: Task) -> Separated | Passed:
    """Where there are no existentials, and equations fix the weights of a base.

    It passes also if the problem has no model: why, is for others to find.
    """
    problem, budget, equations = task.problem, task.budget, task.equations
    if equations is None:
        return Passed("some conditionals are intervals")
    if problem.existentials:
        return Passed("there are roles")
    clauses = [clause for _, clause in problem.clauses]
    kept = [problem.clauses[number] for number in without_subsumed(clauses, budget)]
    everything = (1 << task.width) - 1
    about = [clause.about for _, clause in kept]
    about += {equation.about for equation in equations}
    outside = satellites(about, everything & ~problem.bodies)
    known = [clause for _, clause in kept]
    base = _fix_base(known, equations, everything & ~outside, task.limits.fixed, budget)
    if base is None:
        return Passed("equations do not fix the weights of the names in bodies")
    clauses_of = _grouped(kept, lambda pair: pair[1].about & outside)
    equations_of = _grouped(equations, lambda equation: equation.about & outside)
    members, statements = {}, {}
    for bit in budget.watched((0, *(1 << position for position in bits(outside)))):
        own = clauses_of.get(bit, []) if bit else []
        about_bit = equations_of.get(bit, []) if bit else []
        members[bit] = Satellite(bit, base, [clause for _, clause in own], about_bit)
        if not members[bit].feasible:
            return Passed("there is no model")
        used = {number for number, _ in (*clauses_of.get(0, []), *own)}
        statements[bit] = tuple(sorted(used))
    return Separated(base, members, statements)


def _grouped(items: Iterable[T], key: Callable[[T], Mask]) -> dict[Mask, list[T]]:
    groups: dict[Mask, list[T]] = {}
    for item in items:
        groups.setdefault(key(item), []).append(item)
    return groups


def _fix_base(
    clauses: list[Clause], equations: list[Equation], base: Mask, limit: int, budget: Budget
) -> FixedWeights | None:
    own = [equation for equation in equations if not equation.about & ~base]
    # Weights are fixed by at least as many equations as there are types, but one.
    kinds = enumerate_types(clauses, base, min(limit, len(own) + 1), budget)
    return None if kinds is None else fix_weights(kinds, own)


class Nest:
    """The shares of all satellites, of which one at a time is moved.

    Axioms fix how much of a type over the base has each satellite, never what two satellites have
    in common. So the smaller may always lie within the larger, and few types are enough.
    """

    def __init__(self, base: FixedWeights, resting: Mapping[Mask, Shares]) -> None:
        self._base, self._resting = base, resting
        self._parts: list[list[tuple[fmpq, Mask]]] = [[] for _ in base.weights]
        for bit, shares in resting.items():
            for place, share in shares.items():
                if share:
                    self._parts[place].append((share, bit))
        self._nested = [self._weigh(place, parts) for place, parts in enumerate(self._parts)]

    def weights(self, bit: Mask, shares: Shares) -> dict[Type, Fraction]:
        """The weights of types if one satellite has other shares."""
        kinds: dict[Type, Fraction] = {}
        resting = self._resting[bit]
        for place, nested in enumerate(self._nested):
            share = shares.get(place, ZERO)
            if share == resting.get(place, ZERO):
                kinds.update(nested)
                continue
            parts = [pair for pair in self._parts[place] if pair[1] != bit]
            if share:
                parts.append((share, bit))
            kinds.update(self._weigh(place, parts))
        return kinds

    def _weigh(self, place: int, parts: list[tuple[fmpq, Mask]]) -> dict[Type, Fraction]:
        """The types within one type over the base, from those with most satellites on."""
        kind = self._base.extents.kinds[place] | sum(bit for _, bit in parts)
        kinds: dict[Type, Fraction] = {}
        below = ZERO
        for height, bit in (*sorted(parts), (self._base.weights[place], 0)):
            if height > below:
                kinds[kind] = as_fraction(height - below)
                below = height
            kind &= ~bit
        return kinds
