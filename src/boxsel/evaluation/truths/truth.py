"""The true interval of a query as a value, and as a line of a file."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Final, Literal, get_args

from boxsel.logic.proportions import Interval, exact, float_above, float_below

Status = Literal["exact", "outer", "vacuous"]
Method = Literal["chain", "reasoner"]

EVERYTHING: Final = Interval(Fraction(0), Fraction(1))

LONGEST: Final = 10_000
"""How many bits the numbers of a fraction may have that is spelt out; longer ones are rounded."""


@dataclass(frozen=True)
class Truth:
    """What the share of the query at some place can be in models of the learning set.

    *Exact*: the shares in `outer`, and nothing tighter is true. *Outer*: the time was over; the
    share lies in `outer`. *Vacuous*: the body is empty in every model, and any share will do.

    Some models have the shares at the ends of `inner`. `budget` are the seconds that the query had
    at most, none for no limit; `seconds` is what it took.
    """

    place: int
    status: Status
    method: Method
    outer: Interval
    inner: Interval | None = None
    budget: float | None = None
    seconds: float = 0.0

    @classmethod
    def point(cls, place: int, share: Fraction) -> Truth:
        """A share that is determined by ratios of sizes."""
        only = Interval(share, share)
        return cls(place, "exact", "chain", only, only)

    def settled(self, budget: float | None) -> bool:
        """Whether no more can be said within a budget."""
        return self.status != "outer" or _seconds(budget) <= _seconds(self.budget)

    def tightened(self, outer: Interval, inner: Interval | None) -> Truth:
        """With what else is known: the outer interval only shrinks, the inner one only grows.

        Where both meet the truth is exact.

        Examples:
            >>> third, half = Fraction(1, 3), Fraction(1, 2)
            >>> truth = Truth(0, "outer", "reasoner", Interval(third, half))
            >>> truth.tightened(EVERYTHING, Interval(third, half)).status
            'exact'
        """
        if self.status != "outer":
            return self
        lower, upper = max(self.outer.lower, outer.lower), min(self.outer.upper, outer.upper)
        outer, inner = Interval(lower, upper), _around(self.inner, inner)
        status: Status = "exact" if outer == inner else "outer"
        return replace(self, status=status, outer=outer, inner=inner)

    def line(self) -> str:
        """The truth as a line of JSON: floats that are rounded outwards, and exact fractions."""
        values = {
            "place": self.place,
            "status": self.status,
            "method": self.method,
            "lower": float_below(self.outer.lower),
            "upper": float_above(self.outer.upper),
            "lower_exact": _spelt(self.outer.lower),
            "upper_exact": _spelt(self.outer.upper),
            "inner": None if self.inner is None else _both(self.inner),
            "budget": self.budget,
            "seconds": round(self.seconds, 4),
        }
        return f"{json.dumps(values)}\n"

    @classmethod
    def read(cls, values: Mapping[str, Any]) -> Truth:
        """A truth from the values of a line.

        Raises:
            KeyError, TypeError, ValueError: It is not such a line.
        """
        if values["status"] not in get_args(Status) or values["method"] not in get_args(Method):
            raise ValueError(values["status"])
        budget = values["budget"]
        return cls(
            int(values["place"]),
            values["status"],
            values["method"],
            Interval(_end(values, "lower"), _end(values, "upper")),
            _interval(values["inner"]),
            None if budget is None else float(budget),
            float(values["seconds"]),
        )


def _seconds(budget: float | None) -> float:
    return math.inf if budget is None else budget


def _around(one: Interval | None, other: Interval | None) -> Interval | None:
    """The least interval around both."""
    if one is None or other is None:
        return one or other
    return Interval(min(one.lower, other.lower), max(one.upper, other.upper))


def _spelt(number: Fraction) -> str | None:
    """A fraction as text, unless it is too long for that."""
    longest = max(number.numerator.bit_length(), number.denominator.bit_length())
    return str(number) if longest <= LONGEST else None


def _both(interval: Interval) -> list[str | None] | None:
    """Both ends as text; nothing if one is too long: no model has a rounded one."""
    ends = [_spelt(interval.lower), _spelt(interval.upper)]
    return None if None in ends else ends


def _interval(ends: Sequence[str] | None) -> Interval | None:
    if ends is None:
        return None
    lower, upper = map(Fraction, ends)
    return Interval(lower, upper)


def _end(values: Mapping[str, Any], end: str) -> Fraction:
    """An end of an interval: the exact one, else the one that was rounded outwards."""
    text = values[f"{end}_exact"]
    return exact(values[end]) if text is None else Fraction(text)
