"""Standardisation: how rates by stratum are weighed into one rate."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from boxsel.logic.proportions import Interval
from boxsel.logic.statements import Query
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
            return tuple(Query(one, question.standard) for one in question.strata)
        return (*map(question.part, GROUPS), *question.mixture)

    def weights(self, box: Mapping[Query, Interval]) -> list[Interval]:
        """The interval of each weight, for intervals of the shares."""
        if self.question.standard is not None:
            return [box[one] for one in self.queries]
        part = self.first_part(box)
        return [
            mixed(part, *(box[self.question.share(group, one)] for group in GROUPS))
            for one in self.question.strata
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
        points = {one: Interval.point(shares[one]) for one in self.queries}
        weights = [one.lower for one in self.weights(points)]
        if not sum(weights):
            return None
        strata = self.question.strata
        first, second = (
            sum(
                (
                    weight * shares[self.question.rate(group, one)]
                    for weight, one in zip(weights, strata, strict=True)
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
