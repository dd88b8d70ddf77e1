"""The schedule of one question: stages that only ever tighten what is known about it.

First it is seen, also by rules, whether few statements empty the query's body, or everything. Then,
where the statements of a large knowledge base hang together like a tree, the whole comes next; if
that takes too long, some *neighbourhoods* of the query do.

A bound from some of the axioms is a bound from all. So in other large ones *chains* come first,
exact bounds from the statements about the query's concepts and one or a few others, then *rules*,
then *capped* bags, which know many statements and little of how they go together. If these leave
one number, any model that has the body completes the answer. The *whole* is tried next; mostly that
is enough. If it takes too long, *neighbourhoods* of the query follow, each twice as large as the
one before, and what is left goes to the whole again. The inner interval is spanned by the shares of
models that were met on the way.

Every stage gets a part of the time: with more of it, each can do all that it did with less. So more
time never makes an interval worse.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from boxsel.exact.answers import End, Outcome
from boxsel.exact.compile.nearness import neighbourhoods
from boxsel.exact.emptied import said_in
from boxsel.exact.reasoner import Reasoner
from boxsel.logic.booleans import Not
from boxsel.logic.kb import KB
from boxsel.logic.proportions import Interval
from boxsel.logic.statements import Query, Statement
from boxsel.machine.budget import Budget, OutOfTimeError

if TYPE_CHECKING:
    from boxsel.rules.derivation import Derivation

SIDE_PART: Final = 0.2
"""The part of what is left that goes to each thing that rarely says all: the few statements that
may empty the body, chains, rules, and capped bags."""
HALF: Final = 0.5
"""The part that goes to the whole where nothing else was asked yet or where it is asked again, and
to neighbourhoods where a tree took too long: on trees they say more than chains and rules do."""
WHOLE_PART: Final = 0.8
"""The part that goes to the whole where all else was asked, or where one number is left and only a
model is missing. The rest is for the check."""
ROWS: Final = (400, 4000)
"""How many rows around the query bags are made of. With 1,300 of them both ends take 0.4 s."""
OVERDRAFT: Final = 0.1
"""The part that may be taken beyond the time for rules, which are sure to find something."""
AFTER_STOP: Final = 2.0
"""The seconds for an interval after somebody stopped the work."""
LINKS: Final = (2, 4, 8)
"""How many third concepts chains take together."""
Part = tuple[Statement, ...]


@dataclass(frozen=True)
class Known:
    """What is known about a share so far; an end has its proof, if it was proved by types."""

    lower: Fraction = Fraction(0)
    upper: Fraction = Fraction(1)
    inner: Interval | None = None
    ends: tuple[End | None, End | None] = (None, None)

    @classmethod
    def of(cls, outcome: Outcome) -> Known:
        """What an answer from some of the statements says about the share."""
        if outcome.lower is None or outcome.upper is None:
            return cls()
        ends = (outcome.lower, outcome.upper)
        return cls(outcome.lower.bound, outcome.upper.bound, ends=ends)

    @classmethod
    def between(cls, lower: End | None, upper: End | None) -> Known:
        """What ends say of which perhaps one is missing."""
        low = Fraction(0) if lower is None else lower.bound
        high = Fraction(1) if upper is None else upper.bound
        return cls(low, high, ends=(lower, upper))

    @property
    def is_point(self) -> bool:
        """Whether one number is left."""
        return self.lower == self.upper

    @property
    def width(self) -> Fraction:
        """How much is left open."""
        return self.upper - self.lower

    @property
    def pinned(self) -> tuple[End, End] | None:
        """Both ends with their proofs, if they are one number."""
        lower, upper = self.ends
        if lower is None or upper is None or lower.bound != upper.bound:
            return None
        return lower, upper

    def joined(self, other: Known) -> Known:
        """The tighter ends of both, with their proofs.

        Where the two have nothing in common the body is empty in every model, and any will do.
        """
        lower, upper = max(self.lower, other.lower), min(self.upper, other.upper)
        if lower > upper:
            return self
        (low, high), (other_low, other_high) = self.ends, other.ends
        if other_low is not None and (low is None or other_low.bound > low.bound):
            low = other_low
        if other_high is not None and (high is None or other_high.bound < high.bound):
            high = other_high
        return Known(lower, upper, self.inner, (low, high))


def within(reasoner: Reasoner, query: Query) -> Outcome | Known:
    """The answer, or what is known of it when the reasoner's budget is spent.

    What is not in a head is the rest of what is: the same proof, read the other way round.
    """
    if isinstance(query.head, Not):
        answer = Schedule(reasoner, Query(query.head.operand, query.body)).run()
        return _rest(answer, query)
    return Schedule(reasoner, query).run()


def _rest(answer: Outcome | Known, query: Query) -> Outcome | Known:
    """What is known of a query whose head is the negation of another's."""
    if isinstance(answer, Outcome):
        lower, upper = _rest_end(answer.upper), _rest_end(answer.lower)
        return replace(answer, query=query, lower=lower, upper=upper)
    inner = answer.inner and Interval(1 - answer.inner.upper, 1 - answer.inner.lower)
    ends = (_rest_end(answer.ends[1]), _rest_end(answer.ends[0]))
    return Known(1 - answer.upper, 1 - answer.lower, inner, ends)


def _rest_end(end: End | None) -> End | None:
    return None if end is None else replace(end, bound=1 - end.bound)


class Schedule:
    """The stages of one question; run again with more time, it goes on where it stopped."""

    def __init__(self, reasoner: Reasoner, query: Query) -> None:
        self._reasoner, self._query = reasoner, query
        self._large = len(reasoner.kb) >= reasoner.limits.large
        self._chains = Stage(lambda: chains(reasoner, query))
        self._neighbourhoods = Stage(lambda: near_parts(reasoner, query))
        self._derived: Derivation | None = None
        self._capped = 0  # how many of the bags were asked about
        self._is_again = False
        self.known = Known()

    def run(self) -> Outcome | Known:
        """The answer, or what is known of it when the budget is spent.

        Whoever stops the work by hand has to wait a moment for the interval.
        """
        budget = self._reasoner.budget
        if self._is_again:
            self._reasoner.try_again()
        self._is_again = True
        stated = self._reasoner.stated(self._query)
        if stated is not None:
            return stated
        with suppress(OutOfTimeError), budget.shortened(SIDE_PART):
            vacuous = self._reasoner.vacuous(self._query)
            if vacuous is None:
                vacuous = self._reasoner.refuted(self._query)
            if vacuous is not None:
                return vacuous
        if self._large:
            try:
                with budget.shortened(HALF):
                    if self._reasoner.is_narrow(self._query):
                        return self._whole()
            except OutOfTimeError:
                self._look_near()
            self._chain()
            if not self.known.pinned:
                with budget.shortened(SIDE_PART):
                    self._derive(budget)
                if self._derived is not None and self.known.is_point:
                    self._prove_rules()
            if not self.known.pinned and budget.limited:
                self._cap()
        try:
            with budget.shortened(WHOLE_PART if self._large or self.known.is_point else HALF):
                return self._whole()
        except OutOfTimeError:
            rest = Budget(AFTER_STOP) if budget.stopped else budget
        with suppress(OutOfTimeError):
            if not self.known.pinned:
                if not self._large:
                    self._derive(_moment(rest))
                    self._cap()
                self._neighbourhoods.run(lambda part: self._ask(part, rest), self._is_enough)
            if rest is budget:
                with budget.shortened(HALF):
                    return self._whole()
        return replace(self.known, inner=self._reasoner.witnessed(self._query))

    def _is_enough(self) -> bool:
        return self.known.is_point

    def _whole(self) -> Outcome:
        """The answer from everything; where one number is left, any model completes it."""
        pinned = self.known.pinned and self._reasoner.pinned(self._query, *self.known.pinned)
        return pinned or self._reasoner.bounds(self._query)

    def _ask(self, part: Part, budget: Budget) -> Known:
        """Take in exact bounds from some of the statements."""
        part_known = Known.of(Reasoner(KB(part), budget=budget).bounds(self._query))
        self.known = self.known.joined(part_known)
        return part_known

    def _look_near(self) -> None:
        """Exact bounds from what is nearest: on a tree few statements often say all."""
        budget = self._reasoner.budget
        with suppress(OutOfTimeError), budget.shortened(HALF):
            self._neighbourhoods.run(lambda part: self._ask(part, budget), self._is_enough)

    def _chain(self) -> None:
        """Exact bounds from the query's own concepts with one third concept, then with several."""
        budget = self._reasoner.budget
        with suppress(OutOfTimeError), budget.shortened(SIDE_PART):
            budget.check()  # to index what is near takes long where there are a million
            self._chains.run(
                lambda part: self._ask(part, budget), lambda: self.known.pinned is not None
            )

    def _cap(self) -> None:
        """Bounds from bags of few names, with more and more rows around the query."""
        budget, query = self._reasoner.budget, self._query
        with suppress(OutOfTimeError), budget.shortened(SIDE_PART):
            most = 2 * len(self._reasoner.module(query))  # a statement has at the most two rows
            for rows in ROWS[self._capped :]:
                self.known = self.known.joined(Known.between(*self._reasoner.capped(query, rows)))
                self._capped = len(ROWS) if rows >= most else self._capped + 1
                if self._capped == len(ROWS) or self._is_enough():
                    return

    def _derive(self, budget: Budget) -> None:
        """What rules say, if they have not said all yet; they know no Boolean combinations."""
        if self._query.is_boolean:
            return
        if self._derived is None or not self._derived.complete:
            # What is stated, or hangs together like a tree, needs no rules.
            from boxsel.rules.derivation import derive

            self._derived = derive(self._reasoner.grounds, self._query, budget)
            interval = self._derived.interval(self._query)
            self.known = self.known.joined(Known(interval.lower, interval.upper))

    def _prove_rules(self) -> None:
        """Exact bounds, with proofs, from the statements that rules went by."""
        assert self._derived is not None
        axioms = said_in(step for steps in self._derived.steps(self._query) for step in steps)
        budget, near = self._reasoner.budget, self._reasoner.nearness
        with suppress(OutOfTimeError), budget.shortened(SIDE_PART):
            positions = near.behind(axioms, self._query.head, self._query.body)
            self._ask(_statements(self._reasoner, positions), budget)


class Stage:
    """Parts of a knowledge base to ask about; one that time cuts short comes again."""

    def __init__(self, start: Callable[[], Generator[Part, Known, None]]) -> None:
        self._start = start
        self._parts: Generator[Part, Known, None] | None = None
        self._part: Part | None = None

    def run(self, ask: Callable[[Part], Known], is_enough: Callable[[], bool]) -> None:
        """Ask about what is left, until that is enough."""
        if self._parts is None:
            self._parts = self._start()
            self._part = next(self._parts, None)
        while self._part is not None and not is_enough():
            answer = ask(self._part)
            try:
                self._part = self._parts.send(answer)
            except StopIteration:
                self._part = None


def chains(reasoner: Reasoner, query: Query) -> Generator[Part, Known, None]:
    """The statements about a query's own concepts and one third concept, then several.

    Several are those on a way of known ratios, and those that say most by themselves.
    """
    near = reasoner.nearness
    widths: dict[int, Fraction] = {}
    for triangle in near.triangles(query):
        answer = yield _statements(reasoner, triangle.statements)
        widths[triangle.third] = answer.width
    path = near.path(query)
    if path is not None:
        yield _statements(reasoner, near.around(query, path))
    thirds = sorted(widths, key=lambda third: widths[third])
    for count in LINKS:
        if count < len(thirds) or count == LINKS[0]:
            yield _statements(reasoner, near.around(query, thirds[:count]))


def near_parts(reasoner: Reasoner, query: Query) -> Generator[Part, Known, None]:
    """Parts of the query's module, nearest statements first, each twice the one before."""
    module = reasoner.module(query)
    for part in neighbourhoods(module, query.body, query.head):
        yield tuple(module[position] for position in part)


def _statements(reasoner: Reasoner, positions: tuple[int, ...]) -> Part:
    return tuple(reasoner.kb.statements[position] for position in positions)


def _moment(rest: Budget) -> Budget:
    """The time for rules after the whole took too long: a little, even if nothing is left."""
    if rest.seconds is None:
        return rest
    return Budget(max(SIDE_PART * rest.left, OVERDRAFT * rest.seconds), rest.clock)
