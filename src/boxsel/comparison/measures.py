"""How two shares are compared: by their difference, their ratio, and the ratio of their odds.

Each rises with the first share and falls with the second. So what is known of the first where the
second lies in an interval bounds all of them there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import inf
from typing import Final

Value = Fraction | float
"""A fraction, or infinity."""


@dataclass(frozen=True)
class Measure:
    """A way to compare: `of` the first and the second share; `tie` where they are equal."""

    name: str
    words: str
    tie: Fraction
    of: Callable[[Fraction, Fraction], Value]

    def is_near(self, outer: Value, inner: Value, finest: Fraction) -> bool:
        """Whether a bound is as near to a value that was met as is asked for."""
        if outer == inner:
            return True
        if inf in (outer, inner):
            return False
        met = Fraction(inner)
        return abs(Fraction(outer) - met) <= finest * max(Fraction(1), abs(met))

    def has_value(self, first: Fraction, second: Fraction) -> bool:
        """Whether there is a value: nothing over nothing is none.

        Examples:
            >>> [one.has_value(Fraction(0), Fraction(0)) for one in MEASURES]
            [True, False, False]
        """
        if self.name == "difference" or first != second:
            return True
        return first > 0 if self.name == "ratio" else 0 < first < 1


def _ratio(above: Fraction, below: Fraction) -> Value:
    """A ratio; of nothing to nothing there is none, and 0 is below whatever it may be near."""
    if below:
        return above / below
    return inf if above else Fraction(0)


MEASURES: Final = (
    Measure("difference", "the difference", Fraction(0), lambda first, second: first - second),
    Measure("ratio", "the ratio", Fraction(1), _ratio),
    Measure(
        "odds_ratio",
        "the odds ratio",
        Fraction(1),
        lambda first, second: _ratio(first * (1 - second), second * (1 - first)),
    ),
)
DIFFERENCE: Final = MEASURES[0]
RATIO: Final = MEASURES[1]
