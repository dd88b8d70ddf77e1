"""The numbers beside a rule: what was counted, or what a printed confidence stands for."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final

from boxsel.errors import InvalidStatementError
from boxsel.logic.proportions import Count, Interval, Proportion, exact

DOUBLE: Final = Fraction(1, 2**52)
"""How far a printed floating-point number may be off, relative to itself."""

_WHOLE = re.compile(r"([0-9]{1,300})(?:[.,]0*)?")
_DECIMAL = re.compile(r"[0-9]*[.,]?([0-9]*)(?:[eE]([+-]?[0-9]{1,2}))?")


@dataclass(frozen=True, slots=True)
class Numbers:
    """Hits of a rule, the total that they are a part of, and the confidence as it was printed.

    They `agree` if the count gives the confidence, as far as it was printed.
    """

    hits: int | None = None
    total: int | None = None
    confidence: str | None = None
    agree: bool = field(init=False, default=True)

    def __post_init__(self) -> None:
        count = self.count
        if self.confidence is not None:
            interval = rounded(self.confidence)
            object.__setattr__(self, "agree", count is None or count.bounds.lower in interval)

    @property
    def count(self) -> Count | None:
        """The count, if both of its numbers are there."""
        if self.hits is None or self.total is None:
            return None
        return Count(self.hits, self.total)

    def proportion(self, *, prefer_count: bool) -> Proportion | None:
        """What they say: the count, or if it does not give the confidence the preferred one."""
        if self.count is not None and (self.agree or prefer_count):
            return self.count
        return None if self.confidence is None else rounded(self.confidence)


def rounded(text: str) -> Interval:
    """All proportions that are printed as this number, up to half a unit of its last digit.

    Examples:
        >>> print(rounded("0.123"))
        [0.1225, 0.1235]
    """
    text = text.replace(",", ".")
    value = exact(text)
    match = _DECIMAL.fullmatch(text)
    if match is None or not 0 <= value <= 1:
        raise InvalidStatementError(f"the confidence {text!r:.40} is not between 0 and 1")
    unit = Fraction(1, 10 ** len(match[1])) * Fraction(10) ** int(match[2] or 0)
    around = max(unit / 2, value * DOUBLE)
    return Interval(max(value - around, Fraction(0)), min(value + around, Fraction(1)))


def whole(text: str) -> int | None:
    """A whole number that is not negative; `None` for anything else."""
    match = _WHOLE.fullmatch(text.strip())
    return int(match[1]) if match else None


def decimal(text: str) -> str | None:
    """The text of a number that is not negative; `None` for anything else, such as -1 or NaN."""
    text = text.strip()
    return text if any(map(str.isdecimal, text)) and _DECIMAL.fullmatch(text) else None
