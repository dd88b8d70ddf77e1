"""Conditions on shares, and what boxes of shares say about them.

A *box* gives each share an interval. A condition is true of all shares in a box, of none, or that
is not known; then the box can be parted until it is.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from boxsel.logic.proportions import Interval
from boxsel.logic.statements import Query

Box = Mapping[Query, Interval]
Shares = Mapping[Query, Fraction]


@dataclass(frozen=True)
class Below:
    """One share is below another, or at most that large if not `strict`."""

    low: Query
    high: Query
    strict: bool = True

    @property
    def queries(self) -> tuple[Query, ...]:
        """Both shares."""
        return self.low, self.high

    def holds(self, shares: Shares) -> bool:
        """Whether it is."""
        low, high = shares[self.low], shares[self.high]
        return low < high or (low == high and not self.strict)

    def judged(self, box: Box) -> bool | None:
        """By the ends of both intervals."""
        low, high = box[self.low], box[self.high]
        if self.low == self.high:
            return not self.strict
        if low.upper < high.lower or (low.upper == high.lower and not self.strict):
            return True
        if low.lower > high.upper or (low.lower == high.upper and self.strict):
            return False
        return None

    def narrowed(self, box: Box) -> Box:
        """The lower share is at most the end of the higher one, and the other way round."""
        low, high = box[self.low], box[self.high]
        return {
            **box,
            self.low: Interval(low.lower, min(low.upper, high.upper)),
            self.high: Interval(max(low.lower, high.lower), high.upper),
        }

    def gap(self, box: Box) -> Fraction:
        """The length that both intervals have in common."""
        return box[self.low].upper - box[self.high].lower

    def parts(self, box: Box) -> tuple[Box, ...]:
        """A number is between both shares, or above both, or below both."""
        low, high = box[self.low], box[self.high]
        if high.lower >= low.upper:
            return ()
        middle = between(high.lower, low.upper)
        below, above = Interval(low.lower, middle), Interval(middle, high.upper)
        return (
            {**box, self.low: below, self.high: above},
            {**box, self.high: Interval(high.lower, middle)},
            {**box, self.low: Interval(middle, low.upper)},
        )


class Positive(ABC):
    """A number that is made of shares is above 0, or at least 0 if not `strict`."""

    strict: bool

    @property
    @abstractmethod
    def queries(self) -> tuple[Query, ...]:
        """The shares that it is made of."""

    @abstractmethod
    def ends(self, box: Box) -> tuple[Fraction, Fraction]:
        """Two numbers between which it is for all shares in a box: itself, if they are points."""

    def holds(self, shares: Shares) -> bool:
        """Whether it is."""
        number, _ = self.ends({query: Interval.point(shares[query]) for query in self.queries})
        return number > 0 or (number == 0 and not self.strict)

    def judged(self, box: Box) -> bool | None:
        """By the ends."""
        lower, upper = self.ends(box)
        if lower > 0 or (lower == 0 and not self.strict):
            return True
        if upper < 0 or (upper == 0 and self.strict):
            return False
        return None

    def narrowed(self, box: Box) -> Box:
        """The box itself, unless more is known."""
        return box

    def gap(self, box: Box) -> Fraction:
        """How far the ends are apart."""
        lower, upper = self.ends(box)
        return upper - lower

    def parts(self, box: Box) -> tuple[Box, ...]:
        """Both halves of the interval that, parted, leaves least open."""
        places = []
        for query in self.queries:
            interval = box[query]
            if interval.is_point:
                continue
            middle = between(interval.lower, interval.upper)
            halves = [
                {**box, query: Interval(interval.lower, middle)},
                {**box, query: Interval(middle, interval.upper)},
            ]
            places.append((sum(map(self.gap, halves)), halves))
        if not places:
            return ()
        _, halves = min(places, key=lambda pair: pair[0])
        return tuple(sorted(halves, key=lambda half: -sum(self.ends(half))))


Condition = Below | Positive
"""Something that shares meet or do not meet. It says of a box whether all shares in it do, where in
it those are that do, how much of it is open, and how it is parted so that less is."""


def between(lower: Fraction, upper: Fraction) -> Fraction:
    """A short fraction in the middle third of an interval.

    Examples:
        >>> print(between(Fraction(1, 3), Fraction(4, 7)))
        4/9
    """
    third = (upper - lower) / 3
    middle, most = (lower + upper) / 2, 10
    while abs((short := middle.limit_denominator(most)) - middle) > third / 2:
        most *= 10
    return short
