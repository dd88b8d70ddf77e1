"""Rates: shares as intervals or as counts, for people and as JSON."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor
from typing import Any, Final, Literal

from boxsel.exact.certificate import written
from boxsel.logic.names import Prefixes
from boxsel.logic.proportions import Interval, about, float_above, float_below, number_text
from boxsel.logic.statements import Query

DIGITS: Final = 10**4
"""Numbers for people are rounded to so many parts."""

Standing = Literal["bounded", "vacuous", "budget"]


@dataclass(frozen=True)
class Rate:
    """What a share can be: bounds; none if the body is empty in every model.

    `exact` if nothing tighter is true. A rate from a table has the count and the total.
    """

    query: Query
    interval: Interval | None
    status: Standing = "bounded"
    exact: bool = True
    count: tuple[int, int] | None = None

    @property
    def text(self) -> str:
        """The rate for people: rounded outwards."""
        if self.interval is None:
            return "empty"
        if self.count is not None:
            part, whole = self.count
            return f"{part / whole:.4f} ({part:,} of {whole:,})"
        said = interval_text(self.interval)
        return said if self.exact else f"{said} (not exact)"

    def to_json(self, prefixes: Prefixes) -> dict[str, Any]:
        """The rate as a JSON object."""
        interval = self.interval
        lower, upper = (None, None) if interval is None else (interval.lower, interval.upper)
        return {
            "query": self.query.text(prefixes),
            "status": self.status,
            "lower": float_below(lower),
            "upper": float_above(upper),
            "lower_exact": written(lower),
            "upper_exact": written(upper),
            "exact": self.exact,
            "count": None if self.count is None else list(self.count),
        }


Rates = Mapping[Query, Rate]


def interval_text(interval: Interval) -> str:
    """An interval for people: exact where that is short, else rounded outwards.

    Examples:
        >>> interval_text(Interval.of("1/3", "0.5")), interval_text(Interval.point("2/3"))
        ('0.3333 to 0.5', 'about 0.6667')
    """
    if interval.is_point:
        return share_text(interval.lower)
    lower, upper = _scaled(interval.lower, floor), _scaled(interval.upper, ceil)
    return f"{number_text(lower)} to {number_text(upper)}"


def share_text(share: Fraction) -> str:
    """A share for people: exact where that is short, else rounded.

    Examples:
        >>> share_text(Fraction(4, 5)), share_text(Fraction(1, 3))
        ('0.8', 'about 0.3333')
    """
    if DIGITS % share.denominator == 0:
        return number_text(share)
    return about(share, 4)


def _scaled(number: Fraction, rounding: Callable[[Fraction], int]) -> Fraction:
    return Fraction(rounding(number * DIGITS), DIGITS)
