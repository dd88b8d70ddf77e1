"""Shares that are certainly possible: models that anybody can check have them."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

from boxsel.logic.proportions import Interval, floats_within


class Inner(NamedTuple):
    """An interval that is certainly possible, and how many witnesses there are for it.

    Models side by side are a model, and any mixture of their sizes: so every share between two
    that are possible is possible too.
    """

    lower: Fraction
    upper: Fraction
    witnesses: int

    @classmethod
    def between(cls, lower: Fraction, upper: Fraction) -> Inner:
        """What witnesses for both ends show: one witness, if the ends are one number."""
        return cls(lower, upper, 1 if lower == upper else 2)

    def to_json(self) -> dict[str, Any]:
        """The interval as a JSON object, rounded inward."""
        lower, upper = floats_within(Interval(self.lower, self.upper))
        return {"lower": lower, "upper": upper, "witnesses": self.witnesses}

    def joined(self, other: Inner | None) -> Inner:
        """All that either shows to be possible.

        Examples:
            >>> half, third = Fraction(1, 2), Fraction(1, 3)
            >>> Inner(half, half, 1).joined(Inner(third, half, 2))
            Inner(lower=Fraction(1, 3), upper=Fraction(1, 2), witnesses=3)
        """
        if other is None:
            return self
        lower, upper = min(self.lower, other.lower), max(self.upper, other.upper)
        return Inner(lower, upper, self.witnesses + other.witnesses)
