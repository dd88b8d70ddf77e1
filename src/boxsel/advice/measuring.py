"""What to measure next: which share, once known, would narrow an answer most.

A share that is measured is a conditional more. Nobody knows beforehand what a measurement will say,
so each candidate is tried with the middle of what is known about it, and the best ones with both
ends, too: every number comes from exact bounds with that conditional added, none from a slope.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, Final

from boxsel.errors import BoxselError
from boxsel.exact.answers import Outcome, Status
from boxsel.exact.reasoner import Reasoner
from boxsel.logic.axioms import Conditional
from boxsel.logic.booleans import basic_parts
from boxsel.logic.concepts import Concept, Name, conjunction, conjuncts
from boxsel.logic.html import Told
from boxsel.logic.kb import KB
from boxsel.logic.names import NO_PREFIXES, Prefixes
from boxsel.logic.proportions import Interval, Number, exact, float_above, float_below
from boxsel.logic.rounding import Words
from boxsel.logic.statements import Query, Statement
from boxsel.machine.budget import Budget, Limit, OutOfTimeError

DECIMALS: Final = Words()
DEFAULT_SECONDS: Final = 10.0
"""How long a search may take, unless it is said."""
PRECISION: Final = "0.01"
"""How far a measurement may be off, unless it is said."""
MOST_SHARES: Final = 40
"""So many shares that are not stated are tried at the most."""
MOST_TOLD: Final = 5
"""So many measurements are looked at more closely, and told."""
LEAST_GAIN: Final = Fraction(1, 1000)
"""What narrows an answer by less is not worth telling."""


@dataclass(frozen=True)
class Measurement:
    """A share, what is known of it, and how wide the answer would be if it were measured.

    `width` is for the middle of what is known; from `least` to `most`, by what it turns out to be.
    """

    query: Query
    known: Interval
    stated: bool
    width: Fraction
    least: Fraction
    most: Fraction

    def in_words(self, within: Fraction, prefixes: Prefixes, words: Words = DECIMALS) -> str:
        """The measurement for people."""
        lower, upper = words.outward(self.known.lower, self.known.upper)
        how = "stated" if self.stated else "not stated; it follows that it is"
        spread = (
            f" (from {words.width(self.least)} to {words.width(self.most)},"
            " by what it turns out to be)"
        )
        return (
            f"measuring {self.query.text(prefixes)} to within ±{float(100 * within):.3g} % would"
            f" narrow it to about {words.width(self.width)}"
            f"{spread if self.least < self.most else ''}:"
            f" {how} between {lower} and {upper}"
        )

    def to_json(self, prefixes: Prefixes) -> dict[str, Any]:
        """The measurement as a JSON object; widths are rounded up."""
        return {
            "share": self.query.text(prefixes),
            "stated": self.stated,
            "known": {
                "lower": float_below(self.known.lower),
                "upper": float_above(self.known.upper),
            },
            "width": float_above(self.width),
            "least": float_above(self.least),
            "most": float_above(self.most),
        }


@dataclass(frozen=True)
class Advice(Told):
    """The answer to a query as it is, and the measurements that would narrow it, best first.

    Not `complete`, the time was over before all were tried.
    """

    query: Query
    status: Status
    lower: Fraction | None = None
    upper: Fraction | None = None
    measurements: tuple[Measurement, ...] = ()
    tried: int = 0
    complete: bool = True
    within: Fraction = Fraction(0)
    prefixes: Prefixes = NO_PREFIXES
    percent: bool = field(default=False, repr=False, compare=False)
    """Whether its text says shares in percent; numbers stay as they are."""

    def to_json(self) -> dict[str, Any]:
        """The advice as a JSON object."""
        return {
            "query": self.query.text(self.prefixes),
            "status": self.status,
            "lower": float_below(self.lower),
            "upper": float_above(self.upper),
            "within": float(self.within),
            "measurements": [
                measurement.to_json(self.prefixes) for measurement in self.measurements
            ],
            "tried": self.tried,
            "complete": self.complete,
        }

    def _lines(self) -> Iterator[str]:
        query = self.query.text(self.prefixes)
        if self.lower is None or self.upper is None:
            said = {
                "vacuous": f"vacuous, since {self.query.body.text(self.prefixes)} is always empty",
                "inconsistent": "there is no model at all",
                "budget": "the time was over before the answer was known",
            }
            yield f"{query}: {said[self.status]}"
            return
        if self.lower == self.upper:
            yield f"{query} is one number already: nothing is left to measure"
            return
        words = Words(self.percent)
        lower, upper = words.outward(self.lower, self.upper)
        wide = words.width(self.upper - self.lower)
        yield f"{query} is between {lower} and {upper}: {wide} wide"
        for measurement in self.measurements:
            yield f"  {measurement.in_words(self.within, self.prefixes, words)}"
        if not self.measurements:
            yield f"  no other share would narrow it alone ({self.tried:,} tried)"
        if not self.complete:
            yield f"  the time was over after {self.tried:,} shares: there may be better ones"


def next_measurements(
    kb: KB,
    query: Query | str,
    *,
    within: Number = PRECISION,
    budget: Limit = DEFAULT_SECONDS,
) -> Advice:
    """Which shares would narrow the answer most if they were measured to `within` some error.

    Stated intervals come first, then shares near the query that nothing is stated about. When the
    budget is spent, or stopped, the advice is what was found by then.

    Raises:
        BoxselError: The query is not about the names of the knowledge base, or the error is not
            between 0 and 1/2.

    Examples:
        >>> from boxsel import examples
        >>> advice = next_measurements(examples.load("applicant"), "(Admitted | Applicant)")
        >>> best = advice.measurements[0]
        >>> print(best.query, best.stated, round(float(best.width), 2))
        (DeptA | Admitted) False 0.08
    """
    asked, error = kb.query(query), exact(within)
    if not 0 <= error < Fraction(1, 2):
        raise BoxselError(f"an error is between 0 and 1/2, such as 0.01, and not {within}")
    limit = Budget.of(budget)
    search = _Search(kb, asked, error, limit)
    return replace(search.run(), within=error, prefixes=kb.prefixes)


class _Search:
    """Tries one measurement after another."""

    def __init__(self, kb: KB, query: Query, error: Fraction, budget: Budget) -> None:
        self._kb, self._query, self._error, self._budget = kb, query, error, budget
        self._reasoner = Reasoner(kb, budget=budget)

    def run(self) -> Advice:
        """The best measurements that were found in time."""
        try:
            now = self._reasoner.bounds(self._query)
        except OutOfTimeError:
            return Advice(self._query, "budget", complete=False)
        if now.lower is None or now.upper is None:
            return Advice(self._query, now.status)
        lower, upper = now.lower.bound, now.upper.bound
        advice = Advice(self._query, now.status, lower, upper)
        measurements: list[Measurement] = []
        tried = 0
        try:
            for query, stated in self._candidates(now) if lower < upper else ():
                tried += 1
                measurements += self._measured(query, stated, upper - lower)
            measurements = [self._looked_at(measurement) for measurement in _best(measurements)]
        except OutOfTimeError:
            advice = replace(advice, complete=False)
        return replace(advice, measurements=tuple(_best(measurements)), tried=tried)

    def _candidates(self, now: Outcome) -> Iterator[tuple[Query, bool]]:
        """Shares that may matter, and whether an interval is stated about them."""
        module = self._reasoner.module(self._query)
        stated = [
            statement.axiom for statement in module if isinstance(statement.axiom, Conditional)
        ]
        premises = frozenset(
            premise for end in (now.lower, now.upper) if end for premise in end.proof.premises
        )
        stated.sort(
            key=lambda conditional: conditional not in premises
        )  # what the ends rest on comes first
        seen = {self._query}  # that measuring itself would answer it goes without saying
        for axiom in stated:
            query = Query(axiom.head, axiom.body)
            if query not in seen and not axiom.bounds.is_point:
                yield query, True
            seen.add(query)
        count = 0
        for query in self._unstated(stated):
            if query not in seen and count < MOST_SHARES:
                seen.add(query)
                count += 1
                yield query, False

    def _unstated(self, stated: list[Conditional]) -> Iterator[Query]:
        """Shares of the query's own concepts and of one more; those mentioned most come first."""
        own = [part for side in (self._query.head, self._query.body) for part in basic_parts(side)]
        names = [part for part in dict.fromkeys(own) if isinstance(part, Name)]
        often: dict[Name, int] = {}
        for axiom in stated:
            for side in axiom.concepts():
                for part in conjuncts(side):
                    if isinstance(part, Name) and part not in names:
                        often[part] = often.get(part, 0) + 1
        thirds = sorted(often, key=lambda name: -often[name])
        pairs: list[tuple[Concept, Concept]] = [(one, two) for one in names for two in names]
        for third in thirds:
            pairs += ((one, two) for name in names for one, two in ((third, name), (name, third)))
            if not self._query.is_boolean and not self._reasoner.subsumes(third, self._query.body):
                pairs.append((self._query.head, conjunction(self._query.body, third)))
        yield from (Query(head, body) for head, body in pairs if head != body)

    def _measured(self, query: Query, stated: bool, before: Fraction) -> Iterator[Measurement]:
        """What measuring a share would bring, if it would bring anything."""
        known = self._reasoner.bounds(query)
        if known.lower is None or known.upper is None:
            return
        lower, upper = known.lower.bound, known.upper.bound
        if upper - lower <= 2 * self._error:
            return
        width = self._width(query, Interval(lower, upper), (lower + upper) / 2)
        if width is not None and width < before - LEAST_GAIN:
            yield Measurement(query, Interval(lower, upper), stated, width, width, width)

    def _looked_at(self, measurement: Measurement) -> Measurement:
        """The same with what comes out if the share is found at an end of what is known."""
        ends = (measurement.known.lower, measurement.known.upper)
        widths = [self._width(measurement.query, measurement.known, share) for share in ends]
        possible = [measurement.width, *(width for width in widths if width is not None)]
        return replace(measurement, least=min(possible), most=max(possible))

    def _width(self, query: Query, known: Interval, share: Fraction) -> Fraction | None:
        """How wide the answer is if a share is measured; none if it cannot be that."""
        lower = max(known.lower, share - self._error)
        upper = min(known.upper, share + self._error)
        measured = Statement(Conditional(query.head, query.body, Interval(lower, upper)))
        kb = KB((*self._kb.statements, measured), data=self._kb.data)
        outcome = Reasoner(kb, budget=self._budget).bounds(self._query)
        if outcome.lower is None or outcome.upper is None:
            return None
        return outcome.upper.bound - outcome.lower.bound


def _best(measurements: list[Measurement]) -> list[Measurement]:
    """The narrowest answers; of equals, a stated share first, then a short one."""
    return sorted(
        measurements,
        key=lambda measurement: (
            measurement.width,
            not measurement.stated,
            len(measurement.query.text()),
        ),
    )[:MOST_TOLD]
