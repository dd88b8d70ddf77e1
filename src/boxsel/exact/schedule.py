"""Answers under a time budget: intervals that only ever tighten.

A bound from some of the axioms is a bound from all. So in a large knowledge base the outer
interval starts with what short chains say, exact bounds from the statements about the query's
concepts and one or a few others. Where the whole takes too long, it goes on with what rules
derive, and with growing neighbourhoods of the query. The inner interval is spanned by the shares of
models that were met on the way.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from boxsel.exact.answers import End, Outcome
from boxsel.exact.reasoner import Reasoner
from boxsel.logic.concepts import Entity, entities
from boxsel.logic.kb import KB
from boxsel.logic.proportions import Interval
from boxsel.logic.statements import Query, Statement
from boxsel.machine.budget import Budget, OutOfTimeError
from boxsel.rules.derivation import Derivation, propagate

FIRST_TRY: Final = 0.5
LARGE_TRY: Final = 0.75
"""The part of the time after which an interval from parts is looked for; in a large knowledge
base chains and rules have been asked by then."""
PINNED_TRY: Final = 0.8
"""The same where one number is left, so that only a model is missing: the rest is for the check."""
LAST_TRY: Final = 0.6
"""The part of the rest that goes to the whole again: an answer has to be checked, too."""
AFTER_STOP: Final = 2.0
"""The seconds for an interval after somebody stopped the work."""
OVERDRAFT: Final = 0.1
"""The part of the time that may be taken beyond it for rules, which are sure to find something."""
FIRST: Final = 8
"""How many statements the first neighbourhood has; each next one has twice as many."""
CHAINED: Final = 300
"""In a knowledge base with so many statements, chains come before the whole."""
CHAIN_PART: Final = 0.2
"""The part of the time that may go to them."""
RULES_PART: Final = 0.2
"""The part of the time that is left then that may go to rules."""
LINKS: Final = (2, 4, 8)
"""How many third concepts are taken together."""


@dataclass(frozen=True)
class Partial:
    """What is known about a share when the time is over."""

    lower: Fraction = Fraction(0)
    upper: Fraction = Fraction(1)
    inner: Interval | None = None

    @property
    def is_point(self) -> bool:
        """Whether one number is left."""
        return self.lower == self.upper

    def tightened(self, lower: Fraction, upper: Fraction) -> Partial:
        """The same with another outer interval beside it.

        Where the two have nothing in common the body is empty in every model, and any will do.
        """
        lower, upper = max(self.lower, lower), min(self.upper, upper)
        return self if lower > upper else Partial(lower, upper, self.inner)


def within(reasoner: Reasoner, query: Query) -> Outcome | Partial:
    """The answer, or what is known of it when the reasoner's budget is spent.

    In a large knowledge base chains come first: if they leave one number, any model that has the
    body completes the answer; then rules. The whole is tried next; mostly that is enough.
    If not, the rest goes to what is sure to give an interval, and what is left of it to the
    whole again. Whoever stops the work by hand has to wait a moment for the interval.

    Every part of the work gets a part of the time: with more of it, each can do all that it did
    with less. So more time never makes an interval worse.
    """
    budget = reasoner.budget
    chains = _Ends()
    large = len(reasoner.kb) >= CHAINED
    if large:
        chains = _chained(reasoner, query)
    known = chains.interval
    if large and not chains.pinned:
        with budget.shortened(RULES_PART):
            derived = propagate(reasoner.kb, (query,), budget=budget)
        known = known.tightened(*_interval(derived, query))
        if known.is_point:
            chains = chains.joined(_proved(reasoner, query, derived))
    trying = PINNED_TRY if known.is_point else LARGE_TRY if large else FIRST_TRY
    try:
        with budget.shortened(trying):
            return _whole(reasoner, query, chains)
    except OutOfTimeError:
        rest = Budget(AFTER_STOP) if budget.stopped else budget
    try:
        if not chains.pinned:
            if not large:
                derived = propagate(reasoner.kb, (query,), budget=_moment(rest))
                known = known.tightened(*_interval(derived, query))
            for part in neighbourhoods(reasoner, query):
                if known.is_point:
                    break
                found = Reasoner(part, budget=rest).bounds(query)
                if found.lower is not None and found.upper is not None:
                    known = known.tightened(found.lower.bound, found.upper.bound)
        if rest is budget:
            with budget.shortened(LAST_TRY):
                return _whole(reasoner, query, chains)
    except OutOfTimeError:
        pass
    known = known.tightened(*reasoner.approached(query))
    return Partial(known.lower, known.upper, reasoner.witnessed(query))


def _whole(reasoner: Reasoner, query: Query, chains: _Ends) -> Outcome:
    """The answer from everything; where chains leave one number, any model completes it."""
    pinned = chains.pinned and reasoner.pinned(query, *chains.pinned)
    return pinned or reasoner.bounds(query)


@dataclass(frozen=True)
class _Ends:
    """The best ends of an outer interval so far, with their proofs."""

    lower: End | None = None
    upper: End | None = None

    def joined(self, other: Outcome | _Ends) -> _Ends:
        lower, upper = self.lower, self.upper
        if other.lower is not None and (lower is None or other.lower.bound > lower.bound):
            lower = other.lower
        if other.upper is not None and (upper is None or other.upper.bound < upper.bound):
            upper = other.upper
        return _Ends(lower, upper)

    @property
    def pinned(self) -> tuple[End, End] | None:
        """Both ends, if they are one number."""
        if self.lower is None or self.upper is None or self.lower.bound != self.upper.bound:
            return None
        return self.lower, self.upper

    @property
    def width(self) -> Fraction:
        return self.interval.upper - self.interval.lower

    @property
    def interval(self) -> Partial:
        lower = Fraction(0) if self.lower is None else self.lower.bound
        upper = Fraction(1) if self.upper is None else self.upper.bound
        return Partial().tightened(lower, upper)


def _chained(reasoner: Reasoner, query: Query) -> _Ends:
    """Exact bounds from the query's own concepts with one third concept, then with several.

    Several are those on a way of known ratios, and those that say most by themselves.
    """
    best = _Ends()
    widths: dict[int, Fraction] = {}
    try:
        with reasoner.budget.shortened(CHAIN_PART):
            near = reasoner.nearness
            for triangle in near.triangles(query):
                found = _asked(reasoner, query, triangle.statements)
                widths[triangle.third] = found.width
                best = best.joined(found)
                if best.pinned:
                    return best
            path = near.path(query)
            if path is not None:
                best = best.joined(_asked(reasoner, query, near.around(query, path)))
                if best.pinned:
                    return best
            thirds = sorted(widths, key=lambda third: widths[third])
            for count in LINKS:
                if count < len(thirds) or count == LINKS[0]:
                    best = best.joined(_asked(reasoner, query, near.around(query, thirds[:count])))
                    if best.pinned:
                        return best
    except OutOfTimeError:
        pass
    return best


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


def _moment(rest: Budget) -> Budget:
    """The time for rules after the whole took too long: a little, even if nothing is left."""
    if rest.seconds is None:
        return rest
    return Budget(max(RULES_PART * rest.left, OVERDRAFT * rest.seconds), rest.clock)


def _interval(derived: Derivation, query: Query) -> tuple[Fraction, Fraction]:
    interval = derived.interval(query)
    return interval.lower, interval.upper


def _proved(reasoner: Reasoner, query: Query, derived: Derivation) -> _Ends:
    """Exact bounds, with proofs, from the statements that rules went by."""
    axioms = [
        axiom
        for steps in derived.steps(query)
        for step in steps
        for axiom in (step.conclusion, *step.because)
    ]
    try:
        with reasoner.budget.shortened(CHAIN_PART):
            return _asked(reasoner, query, reasoner.nearness.behind(query, axioms))
    except OutOfTimeError:
        return _Ends()


def _asked(reasoner: Reasoner, query: Query, positions: Iterable[int]) -> _Ends:
    """Exact bounds from some of the statements."""
    kb = KB(tuple(reasoner.kb.statements[position] for position in positions))
    return _Ends().joined(Reasoner(kb, budget=reasoner.budget).bounds(query))
