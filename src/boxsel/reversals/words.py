"""What is said about rates and reversals: also by those who only show what others found."""

from __future__ import annotations

from typing import Final, Literal

PLACES: Final = 4
"""Rates for people have at most so many decimals."""

TableVerdict = Literal["full", "partial", "none", "undefined"]

SAID: Final[dict[TableVerdict, str]] = {
    "full": "full reversal: every stratum goes against the total",
    "partial": "partial reversal: the standardised rates go against the total, but not all strata",
    "none": "no reversal: neither every stratum nor the standardised rates go against the total",
    "undefined": "no reversal can be told",
}
"""The verdicts about a table."""

AGAINST: Final = {
    "full": "every stratum goes against the total",
    "partial": "the standardised rates go against the total",
}
"""What a reversal is."""


def count_text(part: int, whole: int) -> str:
    """A rate that was counted.

    Examples:
        >>> count_text(2, 3)
        '0.6667 (2 of 3)'
    """
    return f"{part / whole:.{PLACES}f} ({part:,} of {whole:,})"
