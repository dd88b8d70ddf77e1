"""Standardisation: how rates by stratum are weighed into one, and conditions on such sums.

Then goals, of all conditions: what makes a reversal, full or partial, and what makes none.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from boxsel.logic.concepts import Concept
from boxsel.logic.proportions import Interval
from boxsel.logic.statements import Query
from boxsel.reversals.conditions import Below, Box, Condition, Positive
from boxsel.reversals.question import FIRST, GROUPS, SECOND, Question


@dataclass(frozen=True)
class Weighing:
    """The weights of the strata, up to a common factor, from shares.

    With a standard the weight of a stratum is its share there. Otherwise both groups are put
    together: with γ the part of the first, the weight is γ·(S | G1) + (1 − γ)·(S | G2). Who belongs
    to both groups counts twice.
    """

    question: Question

    @property
    def queries(self) -> tuple[Query, ...]:
        """The shares that the weights are made of."""
        question = self.question
        if question.standard is not None:
            return tuple(Query(stratum, question.standard) for stratum in question.strata)
        return (*map(question.part, GROUPS), *question.mixture)

    def weights(self, box: Mapping[Query, Interval]) -> list[Interval]:
        """The interval of each weight, for intervals of the shares."""
        if self.question.standard is not None:
            return [box[query] for query in self.queries]
        part = self.first_part(box)
        return [
            mixed(part, *(box[self.question.share(group, stratum)] for group in GROUPS))
            for stratum in self.question.strata
        ]

    def first_part(self, box: Mapping[Query, Interval]) -> Interval:
        """γ: the part of the first group, a / (a + b) for the parts a and b of both."""
        first, second = (box[self.question.part(group)] for group in GROUPS)
        least, most = first.lower + second.upper, first.upper + second.lower
        return Interval(
            first.lower / least if least else Fraction(0),
            first.upper / most if most else Fraction(1),
        )

    def narrowed(self, box: Mapping[Query, Interval]) -> Mapping[Query, Interval]:
        """The parts of both groups add up to 1 at least: nobody else is put together."""
        if self.question.standard is not None:
            return box
        first, second = (self.question.part(group) for group in (FIRST, SECOND))
        ends = {}
        for own, other in ((first, second), (second, first)):
            lower = max(box[own].lower, 1 - box[other].upper)
            ends[own] = Interval(min(lower, box[own].upper), box[own].upper)
        return {**box, **ends}

    def rates(self, shares: Mapping[Query, Fraction]) -> tuple[Fraction, Fraction] | None:
        """The standardised rates of both groups; none if the strata have no weight."""
        points = {query: Interval.point(shares[query]) for query in self.queries}
        weights = [weight.lower for weight in self.weights(points)]
        if not sum(weights):
            return None
        strata = self.question.strata
        first, second = (
            sum(
                (
                    weight * shares[self.question.rate(group, stratum)]
                    for weight, stratum in zip(weights, strata, strict=True)
                ),
                Fraction(0),
            )
            / sum(weights)
            for group in GROUPS
        )
        return first, second


def mixed(part: Interval, first: Interval, second: Interval) -> Interval:
    """γ·a + (1 − γ)·b: it is linear in γ, so that the extremes are at its ends.

    Examples:
        >>> half = Interval.point("1/2")
        >>> print(mixed(half, Interval.of(0, "1/2"), Interval.point(1)))
        [0.5, 0.75]
    """
    parts = (part.lower, part.upper)
    return Interval(
        min(one * first.lower + (1 - one) * second.lower for one in parts),
        max(one * first.upper + (1 - one) * second.upper for one in parts),
    )


Ends = tuple[Fraction, Fraction]


@dataclass(frozen=True)
class Standardised(Positive):
    """The standardised rate of one group is above that of the other, or equal if not `strict`."""

    question: Question
    above: int
    strict: bool = True

    @property
    def queries(self) -> tuple[Query, ...]:
        """The rates by stratum, and what weighs them."""
        rates = self.question.rates[len(GROUPS) :]
        return tuple(dict.fromkeys((*rates, *Weighing(self.question).queries)))

    def ends(self, box: Box) -> Ends:
        """Those of Σ v·(p − q), for weights v of strata and rates p, q in both groups."""
        lower = upper = Fraction(0)
        weights = Weighing(self.question).weights(box)
        for stratum, weight in zip(self.question.strata, weights, strict=True):
            own = box[self.question.rate(self.above, stratum)]
            other = box[self.question.rate(1 - self.above, stratum)]
            least, most = _times(_minus(own, other), (weight.lower, weight.upper))
            lower, upper = lower + least, upper + most
        return lower, upper

    def narrowed(self, box: Box) -> Box:
        """By what the weights have to add up to."""
        return Weighing(self.question).narrowed(box)


@dataclass(frozen=True)
class Shift(Positive):
    """The other mixture gives more outcome than that of the group `above`, at the same rates.

    Where strata part both groups, T1 − T2 = Σ s1·p1 − s2·p2. With p1 > p2 in all strata that is
    above Σ (s1 − s2)·p for p = p1 and for p = p2; and it is D + Σ (s1 − s2)·p for the difference D
    of the rates standardised by both groups, if γ weighs p2 and 1 − γ weighs p1. So a reversal
    needs that sum to be below 0, and none is near equal mixtures. `rates` is whose rates p are;
    without it they are weighed.
    """

    question: Question
    above: int
    rates: int | None = None
    strict: bool = True

    @property
    def queries(self) -> tuple[Query, ...]:
        """The mixtures, and the rates by stratum that they weigh."""
        question = self.question
        groups = GROUPS if self.rates is None else (self.rates,)
        rates = (question.rate(group, stratum) for stratum in question.strata for group in groups)
        parts = map(question.part, GROUPS) if self.rates is None else ()
        return tuple(dict.fromkeys((*question.mixture, *rates, *parts)))

    def ends(self, box: Box) -> Ends:
        """Those of Σ (s2 − s1)·p, where 1 is the group `above`."""
        rates = [self._rate(box, concept) for concept in self.question.strata]
        # The shifts add up to 0, so that any number may be taken off all rates.
        middle = sum((interval.lower + interval.upper for interval in rates), Fraction(0)) / (
            2 * len(rates)
        )
        lower = upper = Fraction(0)
        for stratum, rate in zip(self.question.strata, rates, strict=True):
            own, other = (
                box[self.question.share(group, stratum)] for group in (self.above, 1 - self.above)
            )
            off = (rate.lower - middle, rate.upper - middle)
            least, most = _times(_minus(other, own), off)
            lower, upper = lower + least, upper + most
        return lower, upper

    def _rate(self, box: Box, stratum: Concept) -> Interval:
        question = self.question
        if self.rates is not None:
            return box[question.rate(self.rates, stratum)]
        # The rate of each group is weighed by the part of the other one.
        first, second = (box[question.rate(group, stratum)] for group in GROUPS)
        return mixed(Weighing(question).first_part(box), second, first)


def _minus(one: Interval, other: Interval) -> Ends:
    return one.lower - other.upper, one.upper - other.lower


def _times(one: Ends, other: Ends) -> Ends:
    products = [left * right for left in one for right in other]
    return min(products), max(products)


@dataclass(frozen=True)
class Goal:
    """Conditions that are to hold together, in a model in which some concepts are not empty."""

    conditions: tuple[Condition, ...]
    present: tuple[Query, ...] = ()

    @property
    def queries(self) -> tuple[Query, ...]:
        """All shares that it is about: their bodies are not to be empty."""
        asked = (query for condition in self.conditions for query in condition.queries)
        return tuple(dict.fromkeys((*self.present, *asked)))

    def holds(self, shares: Mapping[Query, Fraction | None]) -> bool:
        """Whether shares are all there, and meet all conditions."""
        there = {query: share for query in self.queries if (share := shares.get(query)) is not None}
        if len(there) < len(self.queries):
            return False
        return all(condition.holds(there) for condition in self.conditions)


def full(question: Question, above: int, *, parted: bool = False) -> Goal:
    """The group `above` has the lower rate in total, and the higher one in every stratum.

    If strata are known to part both groups, the mixtures have to differ.
    """
    strata = (
        Below(question.rate(1 - above, stratum), question.rate(above, stratum))
        for stratum in question.strata
    )
    shifts = (Shift(question, above, group) for group in GROUPS) if parted else ()
    return Goal((Below(question.total(above), question.total(1 - above)), *strata, *shifts))


def partial(question: Question, above: int, *, parted: bool = False) -> Goal:
    """The group `above` has the lower rate in total, and the higher one when standardised.

    With one stratum, weighed by both groups, that is the rate in the stratum.
    """
    if len(question.strata) == 1 and question.standard is None:
        return full(question, above, parted=parted)
    total = Below(question.total(above), question.total(1 - above))
    pooled = parted and question.standard is None
    shifts = (Shift(question, above),) if pooled else ()
    return Goal((total, Standardised(question, above), *shifts))


def not_full(question: Question) -> tuple[Goal, ...]:
    """Some stratum does not go against the total: one of these is met, if no stratum is empty."""
    return tuple(
        Goal(
            (
                Below(question.total(low), question.total(1 - low), strict=False),
                Below(question.rate(low, stratum), question.rate(1 - low, stratum), strict=False),
            )
        )
        for stratum in question.strata
        for low in (FIRST, SECOND)
    )


def not_partial(question: Question) -> tuple[Goal, ...]:
    """The standardised rates do not go against the total: one of these, if no stratum is empty."""
    if len(question.strata) == 1 and question.standard is None:
        return not_full(question)
    return tuple(
        Goal(
            (
                Below(question.total(low), question.total(1 - low), strict=False),
                Standardised(question, 1 - low, strict=False),
            )
        )
        for low in (FIRST, SECOND)
    )
