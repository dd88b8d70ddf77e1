"""Sample counts read as confidence intervals.

`[7 of 12]` says what was seen in a sample. Read plainly it is the point 7/12; read with a
confidence level it is the interval of proportions that the sample does not speak against.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from types import MappingProxyType
from typing import Final, Literal

from boxsel.errors import InvalidStatementError
from boxsel.logic.axioms import Conditional
from boxsel.logic.expecting import expect
from boxsel.logic.kb import KB
from boxsel.logic.proportions import Count, Interval, Number, exact, number_text
from boxsel.logic.statements import Statement

Method = Literal["clopper-pearson", "wilson"]
Ends = tuple[float, float]

UNIT: Final = 10**6
"""Ends are rounded outward to whole millionths."""

SLACK: Final = 1e-9
"""How far an end is moved outward before rounding, in case floating point fell short.

SciPy's own error is below 1e-11 for totals up to `MAX_TOTAL`.
"""

MAX_TOTAL: Final = 10**12
MIN_RISK: Final = Fraction(1, 10**30)
"""The smallest 1 − confidence that is accepted: quantiles beyond it are not reliable."""


@dataclass(frozen=True, slots=True)
class Reading:
    """How counts are to be read: at what confidence, by which method, one by one or all at once.

    Examples:
        >>> Reading(0.95) == Reading("95%")
        True
    """

    confidence: Number = Fraction(95, 100)
    method: Method = "clopper-pearson"
    simultaneous: bool = False

    def __post_init__(self) -> None:
        level = exact(self.confidence)
        if not 0 < level < 1:
            raise InvalidStatementError(
                f"the confidence {number_text(level)} is not between 0 and 1: write 0.95 or 95%"
            )
        if 1 - level < MIN_RISK:
            raise InvalidStatementError("the confidence is too close to 1: use at most 1 - 1e-30")
        if self.method not in METHODS:
            known = " or ".join(METHODS)
            raise InvalidStatementError(f"there is no interval {self.method!r}: use {known}")
        object.__setattr__(self, "confidence", level)

    @property
    def level(self) -> Fraction:
        """The confidence, exactly as it was written."""
        return exact(self.confidence)

    def individual(self, counts: int) -> Fraction:
        """The level of each interval: by Bonferroni's correction if all are to hold at once."""
        return 1 - (1 - self.level) / counts if self.simultaneous and counts else self.level


@dataclass(frozen=True, slots=True)
class Coverage:
    """What a reading of several counts promises: for each interval, and for all together."""

    counts: int
    reading: Reading

    @property
    def individual(self) -> Fraction:
        """The level of each interval on its own."""
        return self.reading.individual(self.counts)

    @property
    def joint(self) -> Fraction:
        """The level at which all intervals hold together, by the union bound."""
        return max(Fraction(0), 1 - self.counts * (1 - self.individual))

    @property
    def guaranteed(self) -> bool:
        """Whether the levels are proven (Clopper–Pearson), not only approximate (Wilson)."""
        return METHODS[self.reading.method].guaranteed

    @property
    def text(self) -> str:
        """The promise in words."""
        title = METHODS[self.reading.method].title
        if self.counts == 0:
            return "There are no counts: no interval was computed."
        if self.counts == 1:
            sentence = f"The one count is read as a {title} interval"
        else:
            sentence = f"Each of {self.counts} counts is read as a {title} interval"
        sentence += f" at confidence {percent(self.individual)}."
        if self.counts > 1:
            sentence += f" {self._joint_text()}"
        if not self.guaranteed:
            sentence += " Wilson intervals are approximate: no level is guaranteed."
        return sentence

    def _joint_text(self) -> str:
        if self.joint == 0:
            return (
                "Nothing is promised for all of them together: ask for simultaneous intervals"
                " if the result must rest on all of them."
            )
        share = percent(self.joint)
        if self.guaranteed:
            return f"All of them hold together with confidence at least {share}."
        return f"All of them hold together with confidence of about {share} or more."

    def to_json(self) -> dict[str, object]:
        """The promise as a JSON object."""
        return {
            "counts": self.counts,
            "confidence": float(self.reading.level),
            "method": self.reading.method,
            "simultaneous": self.reading.simultaneous,
            "individual": float(self.individual),
            "joint": float(self.joint),
            "guaranteed": self.guaranteed,
            "text": self.text,
        }


def read_counts(kb: KB, reading: Reading) -> tuple[KB, Coverage]:
    """The knowledge base with an interval for every count, and what the intervals promise.

    The comment of each statement keeps the count.

    Examples:
        >>> from boxsel.logic.axioms import conditional
        >>> from boxsel.logic.concepts import names
        >>> Relapse, Treated = names("Relapse Treated")
        >>> kb = KB.of(conditional(Relapse, given=Treated, count=(7, 12)))
        >>> read, coverage = read_counts(kb, Reading(0.95))
        >>> print(read.statements[0])
        (Relapse | Treated)[0.276669, 0.848348]  ## comment: from 7 of 12, Clopper–Pearson 95%
        >>> print(coverage.text)
        The one count is read as a Clopper–Pearson interval at confidence 95%.
    """
    expect(Reading, "counts are read by a Reading, such as Reading(0.95)", reading)
    counted = {statement for statement in kb.statements if _count(statement) is not None}
    coverage = Coverage(len(counted), reading)
    counts = {count for statement in counted if (count := _count(statement)) is not None}
    intervals = confidence_intervals(list(counts), 1 - coverage.individual, reading.method)
    remark = _remark(coverage)
    return (
        replace(
            kb, statements=tuple(_read(statement, intervals, remark) for statement in kb.statements)
        ),
        coverage,
    )


def confidence_intervals(
    counts: Sequence[Count], risk: Fraction, method: Method = "clopper-pearson"
) -> dict[Count, Interval]:
    """The interval of each count; `risk` is the share of samples that it may miss.

    Examples:
        >>> interval = confidence_intervals([Count(0, 30)], Fraction(5, 100))[Count(0, 30)]
        >>> print(interval)
        [0, 0.115704]
    """
    for count in counts:
        if count.total > MAX_TOTAL:
            raise InvalidStatementError(
                f"{count.text()}: totals above {MAX_TOTAL:,} cannot be read as an interval"
            )
    ends = METHODS[method].ends(counts, float(risk)) if counts else []
    return {count: _outward(count, *pair) for count, pair in zip(counts, ends, strict=True)}


def percent(level: Fraction) -> str:
    """A level as a percentage, rounded down to ten decimals so that it never promises more.

    Examples:
        >>> percent(Fraction(19, 20)), percent(1 - Fraction(1, 60))
        ('95%', '98.3333333333%')
    """
    return f"{number_text(Fraction(math.floor(level * 10**12), 10**10))}%"


def _count(statement: Statement) -> Count | None:
    axiom = statement.axiom
    if isinstance(axiom, Conditional) and isinstance(axiom.proportion, Count):
        return axiom.proportion
    return None


def _read(statement: Statement, intervals: Mapping[Count, Interval], remark: str) -> Statement:
    count = _count(statement)
    if count is None:
        return statement
    assert isinstance(statement.axiom, Conditional)
    axiom = replace(statement.axiom, proportion=intervals[count])
    return Statement(axiom, statement.note.remarked(f"from {count.text()}, {remark}"))


def _remark(coverage: Coverage) -> str:
    title = METHODS[coverage.reading.method].title
    remark = f"{title} {percent(coverage.reading.level)}"
    if coverage.reading.simultaneous and coverage.counts > 1:
        remark += f" for all {coverage.counts} counts together"
    return remark


def _outward(count: Count, lower: float, upper: float) -> Interval:
    """Millionths around the ends; the observed share is always inside."""
    low = min(math.floor((lower - SLACK) * UNIT), count.count * UNIT // count.total)
    high = max(math.ceil((upper + SLACK) * UNIT), -(-count.count * UNIT // count.total))
    return Interval(Fraction(max(low, 0), UNIT), Fraction(min(high, UNIT), UNIT))


def _clopper_pearson(counts: Sequence[Count], risk: float) -> list[Ends]:
    """Quantiles of the beta distribution: no tail is larger than half the risk.

    The lower end is the p at which `count` or more has probability risk/2, the upper end the
    p at which `count` or fewer has (Clopper and Pearson 1934).
    """
    from scipy.special import betainccinv, betaincinv

    hits = [count.count for count in counts]
    misses = [count.total - count.count for count in counts]
    # At the edges the distribution is degenerate: those ends are 0 and 1 by definition.
    lower = betaincinv([max(k, 1) for k in hits], [m + 1 for m in misses], risk / 2)
    upper = betainccinv([k + 1 for k in hits], [max(m, 1) for m in misses], risk / 2)
    return [
        (low if k else 0.0, high if m else 1.0)
        for k, m, low, high in zip(hits, misses, lower.tolist(), upper.tolist(), strict=True)
    ]


def _wilson(counts: Sequence[Count], risk: float) -> list[Ends]:
    """The proportions that the normal approximation does not reject (Wilson 1927)."""
    from scipy.special import ndtri

    z = float(ndtri(risk / 2))
    return [_wilson_ends(count.count, count.total, z * z) for count in counts]


def _wilson_ends(k: int, n: int, z_squared: float) -> Ends:
    middle = k + z_squared / 2
    half = math.sqrt(z_squared * (k * (n - k) / n + z_squared / 4))
    return (
        (middle - half) / (n + z_squared) if k else 0.0,
        (middle + half) / (n + z_squared) if k < n else 1.0,
    )


@dataclass(frozen=True, slots=True)
class _Method:
    title: str
    guaranteed: bool
    ends: Callable[[Sequence[Count], float], list[Ends]]


METHODS: Final[Mapping[str, _Method]] = MappingProxyType(
    {
        "clopper-pearson": _Method("Clopper–Pearson", True, _clopper_pearson),
        "wilson": _Method("Wilson", False, _wilson),
    }
)
"""The methods by the name that the command line uses."""
