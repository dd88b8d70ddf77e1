"""A comparison of two shares as users get it: ranges, a verdict, and both extreme populations."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import inf
from typing import TYPE_CHECKING, Any, Final, Literal

from boxsel.comparison.measures import DIFFERENCE, MEASURES, RATIO, Value
from boxsel.exact.answers import Status
from boxsel.exact.certificate import written
from boxsel.exact.weighted_model import WeightedModel
from boxsel.logic.html import Told
from boxsel.logic.names import NO_PREFIXES, Prefixes
from boxsel.logic.proportions import float_above, float_below
from boxsel.logic.rounding import Words, number_words, shown
from boxsel.logic.statements import Query

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Verdict = Literal[
    "always higher",
    "always lower",
    "always equal",
    "never lower",
    "never higher",
    "open",
    "undecided",
]


POINTS: Final = " points"
NO_VALUE: Final = "has no value: both shares are 0 in every model"
NO_ODDS: Final = f"{NO_VALUE}, or both are 1"


@dataclass(frozen=True)
class Range:
    """Bounds of a comparison that are proved, and the values nearest to them that were met.

    An upper bound of infinity: as large as one likes, or nothing is known to stop it.
    """

    lower: Value
    upper: Value
    lower_met: Value | None = None
    upper_met: Value | None = None

    @property
    def exact(self) -> bool:
        """Whether both bounds are attained, or approached."""
        return self.lower == self.lower_met and self.upper == self.upper_met

    @property
    def gap(self) -> Value:
        """How far a bound may be from the tightest one, at the most."""
        gaps: list[Value] = []
        for bound, met in ((self.lower, self.lower_met), (self.upper, self.upper_met)):
            if bound == met:
                gaps.append(Fraction(0))
            else:
                known = met is not None and inf not in (bound, met)
                gaps.append(abs(Fraction(bound) - Fraction(met or 0)) if known else inf)
        return max(gaps)

    def claim(self) -> list[str | None]:
        """The bounds as fractions in text; none for infinity."""
        return [_fraction(self.lower), _fraction(self.upper)]

    def to_json(self) -> dict[str, Any]:
        """The range as a JSON object; numbers are rounded outward, infinity is null."""
        return {
            "lower": None if self.lower == inf else float_below(Fraction(self.lower)),
            "upper": None if self.upper == inf else float_above(Fraction(self.upper)),
            "lower_exact": _fraction(self.lower),
            "upper_exact": _fraction(self.upper),
            "exact": self.exact,
            "gap": None if self.gap == inf else float_above(Fraction(self.gap)),
        }

    @property
    def text(self) -> str:
        """The range for people."""
        return self.told()

    def told(self, scale: int = 1, unit: str = "") -> str:
        """The range for people, so many times as large, in some unit.

        Examples:
            >>> Range(Fraction(-1, 5), Fraction(1, 2)).told(100, " points")
            'is between -20 and 50 points (not known to be tight)'
        """
        if inf in (self.lower, self.upper):
            if self.lower == inf:
                return "is without bound in every model"
            least = signed_words(Fraction(self.lower))
            told = "can be as large as one likes" if self.upper_met == inf else self._met_text()
            return f"is at least {least}, and {told}"
        lower, upper = scale * Fraction(self.lower), scale * Fraction(self.upper)
        if lower == upper:
            return f"= {signed_words(lower)}{unit}"
        said = f"is between {_rounded(lower, up=False)} and {_rounded(upper, up=True)}{unit}"
        if self.exact:
            return said
        if self.gap == inf:
            return f"{said} (not known to be tight)"
        return f"{said} (within {scale * float(self.gap):.1g}{unit} of what is possible)"

    def _met_text(self) -> str:
        if self.upper_met is None or self.upper_met == inf:
            return "nothing is known to bound it from above"
        return f"can be {float(self.upper_met):.6g}; no upper bound was proved"


@dataclass(frozen=True)
class Extreme:
    """A population with a least or a largest difference: both shares, and the model."""

    first: Fraction
    second: Fraction
    model: WeightedModel = field(repr=False, compare=False)

    def to_json(self) -> dict[str, Any]:
        """The shares as fractions."""
        return {"first": written(self.first), "second": written(self.second)}


@dataclass(frozen=True)
class Comparison(Told):
    """How two shares differ over all models in which both bodies have members.

    *Vacuous*: there is no such model, since `empty` is empty in all, or the two never meet.
    `certified` if the certificate was checked independently. `least` and `most` are populations
    with the least and the largest difference that were met.
    """

    first: Query
    second: Query
    status: Status
    ranges: Mapping[str, Range] = field(default_factory=dict)
    least: Extreme | None = None
    most: Extreme | None = None
    certified: bool = False
    empty: Query | None = None
    ignored: int = 0
    seconds: float = 0.0
    certificate: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)
    prefixes: Prefixes = field(default=NO_PREFIXES, repr=False, compare=False)
    percent: bool = field(default=False, repr=False, compare=False)
    """Whether its text says shares in percent; numbers stay as they are."""

    @property
    def difference(self) -> Range | None:
        """The first share less the second."""
        return self.ranges.get("difference")

    @property
    def ratio(self) -> Range | None:
        """The first share over the second."""
        return self.ranges.get("ratio")

    @property
    def odds_ratio(self) -> Range | None:
        """The odds of the first over those of the second."""
        return self.ranges.get("odds_ratio")

    @property
    def verdict(self) -> Verdict:
        """Which share is larger, in all models."""
        range_ = self.difference
        if range_ is None:
            return "undecided"
        lower, upper = range_.lower, range_.upper
        if lower == upper == 0:
            return "always equal"
        if lower >= 0:
            return "always higher" if lower > 0 else "never lower"
        if upper <= 0:
            return "always lower" if upper < 0 else "never higher"
        met = range_.lower_met, range_.upper_met
        if met[0] is not None and met[1] is not None and met[0] < 0 < met[1]:
            return "open"
        return "undecided"

    def plot(self, file: str | os.PathLike[str] | None = None, *, percent: bool = False) -> Figure:
        """A figure of both shares where they are farthest apart; with a file, written there."""
        from boxsel.comparison.figure import plot_comparison

        return plot_comparison(self, file, percent=percent)

    def to_json(self) -> dict[str, Any]:
        """The comparison as a JSON object."""
        content: dict[str, Any] = {
            "first": self.first.text(self.prefixes),
            "second": self.second.text(self.prefixes),
            "status": self.status,
            "verdict": self.verdict if self.ranges else None,
        }
        for measure in MEASURES:
            range_ = self.ranges.get(measure.name)
            content[measure.name] = None if range_ is None else range_.to_json()
        return content | {
            "least": None if self.least is None else self.least.to_json(),
            "most": None if self.most is None else self.most.to_json(),
            "certified": self.certified,
            "seconds": round(self.seconds, 3),
        }

    def _lines(self) -> list[str]:
        first, second = (query.text(self.prefixes) for query in (self.first, self.second))
        title = f"{first} against {second}"
        if self.status == "inconsistent":
            return [f"{title}: there is no model at all"]
        if self.status == "vacuous":
            if self.empty is None:
                return [f"{title}: vacuous, since no model has members of both bodies"]
            body = self.empty.body.text(self.prefixes)
            return [f"{title}: vacuous, since {body} is empty in every model"]
        if not self.ranges:
            return [f"{title}: the time was over before both shares were known"]
        lines = [f"{title}: {self.said} ({self._standing()})"]
        for one in MEASURES:
            range_ = self.ranges.get(one.name)
            points = (100, POINTS) if self.percent and one is DIFFERENCE else ()
            none = NO_VALUE if one is RATIO else NO_ODDS
            lines.append(f"  {one.words} {none if range_ is None else range_.told(*points)}")
        for name, extreme in (("least", self.least), ("largest", self.most)):
            if extreme is not None and (self.least != self.most or name == "least"):
                words = Words(self.percent)
                pair = f"{words.one(extreme.first)} against {words.one(extreme.second)}"
                lines.append(f"  with the {name} difference: {pair}")
        return lines

    @property
    def said(self) -> str:
        """The verdict for people."""
        told = {
            "open": "open: it can be higher and lower",
            "undecided": "undecided: what was proved leaves a little room",
        }
        return told.get(self.verdict, self.verdict)

    def _standing(self) -> str:
        if self.certified and self.ignored:
            return "certified, but axioms were left out on reading"
        exact = self.difference is not None and self.difference.exact and not self.ignored
        if self.certified:
            return "exact, certified" if exact else "certified"
        return "the time was over" if self.status == "budget" else "not certified"


def signed_words(number: Fraction) -> str:
    """One number for people, which may be negative.

    Examples:
        >>> signed_words(Fraction(-3, 100)), signed_words(Fraction(-1, 3))
        ('-0.03', '-1/3 (about -0.333333)')
    """
    if number >= 0:
        return number_words(number)
    return f"-{number_words(-number)}".replace("(about ", "(about -").replace("-about ", "about -")


def _rounded(number: Fraction, *, up: bool) -> str:
    """A number of at most six places that is not below, or not above, another one.

    Examples:
        >>> _rounded(Fraction(-1, 3), up=False), _rounded(Fraction(-1, 3), up=True)
        ('-0.333334', '-0.333333')
    """
    if number < 0:
        text = _rounded(-number, up=not up)
        return text if text == "0" else f"-{text}"
    return shown(Fraction(0), number).upper if up else shown(number, number + 1).lower


def _fraction(value: Value) -> str | None:
    return None if value == inf else written(Fraction(value))
