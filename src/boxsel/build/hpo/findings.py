"""Contradictions as curators meet them: with labels, what would settle them, and a suggestion."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from boxsel.build.hpo.contradictions import Contradiction
from boxsel.build.hpo.frequencies import FrequencyTerm, frequency_text, proportion
from boxsel.build.hpo.stating import Stated
from boxsel.logic.proportions import Count, Interval
from boxsel.sampling import confidence_intervals

CLOSE_GAPS: Final = "closed gaps"
CONFIDENCE: Final = "95% intervals"
BOTH: Final = f"{CLOSE_GAPS} and {CONFIDENCE}"
_RISK: Final = Fraction(5, 100)
_ADVICE: Final[Mapping[str, str]] = {
    "": "",
    CLOSE_GAPS: " Only the gap between two official intervals separates them.",
    CONFIDENCE: " The samples are small: both can be right, if counts are read as 95% intervals.",
    BOTH: " Both can be right, if gaps are closed and counts are read as 95% intervals.",
}


@dataclass(frozen=True, slots=True)
class Finding:
    """A contradiction, and the milder reading under which it is none, if there is one."""

    contradiction: Contradiction
    labels: Mapping[str, str]
    agree_with: str

    @property
    def name(self) -> str:
        """What the disease is called."""
        return self.labels.get(self.contradiction.disease, "")

    def label(self, stated: Stated) -> str:
        """What the phenotype of a statement is called."""
        return self.labels.get(stated.term, stated.term)

    @property
    def suggestion(self) -> str:
        """What a curator could do."""
        low, high = self.contradiction.descendant, self.contradiction.ancestor
        upper, lower = percent(high.upper), percent(low.lower)
        if self.contradiction.kind == "rows":
            advice = f"{self.label(low)} has two frequencies: keep the better supported one."
        elif self.contradiction.kind == "sex":
            whole, one = (high, low) if low.sex else (low, high)
            share = "none" if low.sex else "all"
            advice = (
                f"If {share} of the patients have {self.label(whole)}, the same holds for"
                f" {one.sex.lower()} ones: correct one of the two."
            )
        else:
            advice = (
                f"Who has {self.label(low)} has {self.label(high)}: raise the latter to at least"
                f" {lower}, or lower the former to at most {upper}."
            )
        return advice + _ADVICE[self.agree_with]

    @property
    def text(self) -> str:
        """The contradiction in one line."""
        low, high = self.contradiction.descendant, self.contradiction.ancestor
        return f"{self._side(low)} > {self._side(high)}"

    def _side(self, stated: Stated) -> str:
        sex = f", {stated.sex.lower()}" if stated.sex else ""
        return f"{self.label(stated)} ({stated.term}{sex}): {shown(stated)}"

    def to_json(self) -> dict[str, object]:
        """As a JSON object; numbers are fractions."""
        one = self.contradiction
        return {
            "disease": one.disease,
            "name": self.name,
            "kind": one.kind,
            "descendant": self._side_json(one.descendant),
            "ancestor": self._side_json(one.ancestor),
            "gap": str(one.gap),
            "agree_with": self.agree_with,
            "suggestion": self.suggestion,
        }

    def _side_json(self, stated: Stated) -> dict[str, object]:
        return {
            "term": stated.term,
            "label": self.label(stated),
            "sex": stated.sex,
            "frequency": stated.given,
            "lower": str(stated.lower),
            "upper": str(stated.upper),
            "source": stated.source,
        }


def find(contradictions: Iterable[Contradiction], labels: Mapping[str, str]) -> tuple[Finding, ...]:
    """Contradictions with labels, each with the mildest reading that settles it, if one does."""
    found = tuple(contradictions)
    sides = [side for one in found for side in (one.descendant, one.ancestor)]
    counts = {side.frequency for side in sides if isinstance(side.frequency, Count)}
    intervals = confidence_intervals(list(counts), _RISK)
    return tuple(Finding(one, labels, _settled_by(one, intervals)) for one in found)


def shown(stated: Stated) -> str:
    """A frequency for tables. No `3/7`: spreadsheets take it for a date."""
    if not isinstance(stated.frequency, Count):
        return frequency_text(stated.given)
    pooled = f" ({stated.given})" if "+" in stated.given else ""
    return f"{stated.frequency.text()}{pooled}"


def percent(share: Fraction) -> str:
    """A share as a percentage of at most two decimals.

    Examples:
        >>> percent(Fraction(4, 5)), percent(Fraction(1, 3))
        ('80%', '33.33%')
    """
    return f"{round(float(share * 100), 2):g}%"


def _settled_by(one: Contradiction, intervals: Mapping[Count, Interval]) -> str:
    for option in (CLOSE_GAPS, CONFIDENCE, BOTH):
        lower = _milder(one.descendant, option, intervals).lower
        upper = _milder(one.ancestor, option, intervals).upper
        if not one.holds_for(lower, upper):
            return option
    return ""


def _milder(stated: Stated, option: str, intervals: Mapping[Count, Interval]) -> Interval:
    """The bounds of a statement under further options, on top of those it was read with."""
    frequency, bounds = stated.frequency, stated.bounds
    if isinstance(frequency, FrequencyTerm) and option in (CLOSE_GAPS, BOTH):
        return proportion(frequency, close_gaps=True).bounds
    if isinstance(frequency, Count) and option in (CONFIDENCE, BOTH):
        wider = intervals[frequency]
        return Interval(min(bounds.lower, wider.lower), max(bounds.upper, wider.upper))
    return bounds
