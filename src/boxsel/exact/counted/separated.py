"""Problems that separate: a base whose weights are fixed, and satellites that vary by themselves.

If the equations about the base alone fix its weights, no satellite can move them, so a question
about one satellite is a small linear programme, whatever the others are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import cached_property
from typing import Final, TypeVar

from flint import fmpq

from boxsel.exact.counted.deferred import DeferredWeights
from boxsel.exact.counted.equations import (
    Equation,
    FixedWeights,
    as_equations,
    as_fraction,
    fix_weights,
)
from boxsel.exact.counted.nesting import Nest
from boxsel.exact.counted.satellite import Satellite
from boxsel.exact.counted.separation import satellites
from boxsel.exact.enumeration import enumerate_types, without_subsumed
from boxsel.exact.problem import Clause, Problem
from boxsel.exact.programme import Impossible, Optimum
from boxsel.exact.vocabulary import Mask, Type, bits
from boxsel.machine.budget import NO_LIMIT, Budget

LARGEST_BASE: Final = 2_000
"""How many types over the base are tried."""
T = TypeVar("T")


class Separated:
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

    def knows(self, mask: Mask) -> bool:
        """Whether a mask is about one satellite at most."""
        return (mask & self._satellites).bit_count() <= 1

    def realise(self, body: Mask) -> Optimum | Impossible:
        """A weighting that gives a body weight, or why there is none."""
        satellite = self._members[body & self._satellites]
        members = satellite.halves(((body, 1),))
        best = satellite.maximise(members)
        if satellite.total(members, best.shares) == 0:
            return Impossible(satellite.prove(members, best), self._statements[satellite.bit])
        return Optimum(Fraction(0), {}, self._weights(satellite, best.shares))

    def extreme(self, body: Mask, head: Mask, sign: int) -> Optimum | Impossible:
        """The largest sum of `sign` over those of the body that have the head, the body being 1.

        The shares of the body that are possible are found by Dinkelbach's method: the surplus
        over the best share so far is maximised until there is none.
        """
        satellite = self._members[(body | head) & self._satellites]
        members = satellite.halves(((body, 1),))
        chosen = satellite.halves(((body | head, sign),))
        shares = satellite.resting.shares
        if satellite.total(members, shares) == 0:
            shares = satellite.maximise(members).shares
            if satellite.total(members, shares) == 0:
                return self.realise(body)
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
                )
            shares = best.shares

    def _weights(self, satellite: Satellite, shares: Mapping[int, fmpq]) -> Mapping[Type, Fraction]:
        return DeferredWeights(lambda: self._nest.weights(satellite.bit, shares))

    @cached_property
    def _nest(self) -> Nest:
        return Nest(self._base, {bit: one.resting.shares for bit, one in self._members.items()})


def separate(problem: Problem, budget: Budget = NO_LIMIT) -> Separated | None:
    """A problem as base and satellites, if it has no existentials and the base is fixed.

    None also if the problem has no model: why, is for others to find.
    """
    equations = as_equations(problem.rows)
    if equations is None or problem.existentials:
        return None
    clauses = [clause for _, clause in problem.clauses]
    kept = [problem.clauses[number] for number in without_subsumed(clauses, budget)]
    everything = (1 << len(problem.vocabulary)) - 1
    about = [clause.about for _, clause in kept]
    about += {equation.about for equation in equations}
    outside = satellites(about, everything & ~problem.bodies)
    base = _fix_base([clause for _, clause in kept], equations, everything & ~outside, budget)
    if base is None:
        return None
    clauses_of = _grouped(kept, lambda pair: pair[1].about & outside)
    equations_of = _grouped(equations, lambda equation: equation.about & outside)
    members, statements = {}, {}
    for bit in budget.watched((0, *(1 << position for position in bits(outside)))):
        own = clauses_of.get(bit, []) if bit else []
        about_bit = equations_of.get(bit, []) if bit else []
        members[bit] = Satellite(bit, base, [clause for _, clause in own], about_bit)
        if not members[bit].feasible:
            return None
        used = {number for number, _ in (*clauses_of.get(0, []), *own)}
        statements[bit] = tuple(sorted(used))
    return Separated(base, members, statements)


def _grouped(items: Iterable[T], key: Callable[[T], Mask]) -> dict[Mask, list[T]]:
    found: dict[Mask, list[T]] = {}
    for item in items:
        found.setdefault(key(item), []).append(item)
    return found


def _fix_base(
    clauses: list[Clause], equations: list[Equation], base: Mask, budget: Budget
) -> FixedWeights | None:
    own = [equation for equation in equations if not equation.about & ~base]
    # Weights are fixed by at least as many equations as there are types, but one.
    kinds = enumerate_types(clauses, base, min(LARGEST_BASE, len(own) + 1), budget)
    return None if kinds is None else fix_weights(kinds, own)
