"""Rates: shares as intervals or as counts, for people and as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final, Literal

from boxsel.exact.certificate import written
from boxsel.logic.names import Prefixes
from boxsel.logic.proportions import Interval, float_above, float_below
from boxsel.logic.rounding import shown
from boxsel.logic.statements import Query

PLACES: Final = 4
"""Rates for people have at most so many decimals."""

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
            return count_text(*self.count)
        said = shown(self.interval.lower, self.interval.upper, PLACES).joined(" to ")
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


def count_text(part: int, whole: int) -> str:
    """A rate that was counted.

    Examples:
        >>> count_text(2, 3)
        '0.6667 (2 of 3)'
    """
    return f"{part / whole:.{PLACES}f} ({part:,} of {whole:,})"


def share_text(share: Fraction) -> str:
    """A share for people: exact where that is short, else rounded.

    Examples:
        >>> share_text(Fraction(4, 5)), share_text(Fraction(1, 3))
        ('0.8', 'about 0.3333')
    """
    return shown(share, share, PLACES).joined("")
