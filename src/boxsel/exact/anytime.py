"""Answers under a time budget: intervals that only ever tighten.

A bound from some of the axioms is a bound from all. So where the whole takes too long, the outer
interval starts with what rules derive, and is tightened by exact bounds from growing
neighbourhoods of the query. The inner interval is spanned by the shares of models that were met
on the way.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from boxsel.exact.answers import Outcome
from boxsel.exact.budget import Budget, OutOfTimeError
from boxsel.exact.reasoner import Reasoner
from boxsel.logic.concepts import Entity, entities
from boxsel.logic.kb import KB
from boxsel.logic.proportions import Interval
from boxsel.logic.statements import Query, Statement
from boxsel.rules.derivation import propagate

FIRST_TRY: Final = 0.5
"""The part of the time after which an interval from parts is looked for."""
AFTER_STOP: Final = 2.0
"""The seconds for that after somebody stopped the work."""
FIRST: Final = 8
"""How many statements the first neighbourhood has; each next one has twice as many."""


@dataclass(frozen=True)
class Partial:
    """What is known about a share when the time is over."""

    lower: Fraction = Fraction(0)
    upper: Fraction = Fraction(1)
    inner: Interval | None = None

    def tightened(self, lower: Fraction, upper: Fraction) -> Partial:
        """The same with another outer interval beside it.

        Where the two have nothing in common the body is empty in every model, and any will do.
        """
        lower, upper = max(self.lower, lower), min(self.upper, upper)
        return self if lower > upper else Partial(lower, upper, self.inner)


def within(reasoner: Reasoner, query: Query) -> Outcome | Partial:
    """The answer, or what is known of it when the reasoner's budget is spent.

    The whole comes first, for half of the time; mostly that is enough. If not, the rest goes to
    what is sure to give an interval, and what is left of it to the whole again. Whoever stops the
    work by hand has to wait a moment for the interval.
    """
    budget = reasoner.budget
    try:
        with budget.shortened(FIRST_TRY):
            return reasoner.bounds(query)
    except OutOfTimeError:
        rest = budget if budget.left > 0 else Budget(AFTER_STOP)
    known = Partial()
    try:
        known = _by_rules(reasoner.kb, query, rest, known)
        for part in neighbourhoods(reasoner, query):
            found = Reasoner(part, budget=rest).bounds(query)
            if found.lower is not None and found.upper is not None:
                known = known.tightened(found.lower.bound, found.upper.bound)
        if rest is budget:
            return reasoner.bounds(query)
    except OutOfTimeError:
        pass
    return Partial(known.lower, known.upper, reasoner.witnessed(query))


def neighbourhoods(reasoner: Reasoner, query: Query) -> Iterator[KB]:
    """Parts of the query's module, nearest statements first, each twice the one before."""
    near = list(_by_distance(reasoner.module(query), query))
    size = FIRST
    while size < len(near):
        yield KB(tuple(near[:size]))
        size *= 2


def _by_distance(statements: tuple[Statement, ...], query: Query) -> Iterator[Statement]:
    """Statements in rings around the query's names; statements share names with the ring inside."""
    users: dict[Entity, list[int]] = {}
    for number, statement in enumerate(statements):
        for entity in dict.fromkeys(statement.axiom.entities()):
            users.setdefault(entity, []).append(number)
    seen: set[int] = set()
    ring = dict.fromkeys((*entities(query.body), *entities(query.head)))
    known = set(ring)
    while ring:
        further: dict[Entity, None] = {}
        for entity in ring:
            for number in users.get(entity, ()):
                if number not in seen:
                    seen.add(number)
                    yield statements[number]
                    further |= dict.fromkeys(statements[number].axiom.entities())
        ring = {entity: None for entity in further if entity not in known}
        known |= ring.keys()
    yield from (one for number, one in enumerate(statements) if number not in seen)


def _by_rules(kb: KB, query: Query, budget: Budget, known: Partial) -> Partial:
    """What rules alone derive, in a part of the time."""
    share = None if budget.seconds is None else budget.left / 5
    interval = propagate(kb, (query,), budget=share).interval(query)
    return known.tightened(interval.lower, interval.upper)
