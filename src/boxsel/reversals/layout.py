"""Rates as intervals or counts, and side by side: lines for people, a picture, and JSON."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from boxsel.exact.certificate import written
from boxsel.formats.source import write_atomically
from boxsel.logic.concepts import Concept
from boxsel.logic.names import Prefixes
from boxsel.logic.proportions import Interval, float_above, float_below
from boxsel.logic.rounding import shown
from boxsel.logic.statements import Query
from boxsel.machine.extras import needing
from boxsel.pictures import shares as drawn
from boxsel.reversals.question import GROUPS, Question
from boxsel.reversals.words import PLACES, count_text

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


def share_text(share: Fraction) -> str:
    """A share for people: exact where that is short, else rounded.

    Examples:
        >>> share_text(Fraction(4, 5)), share_text(Fraction(1, 3))
        ('0.8', 'about 0.3333')
    """
    return shown(share, share, PLACES).joined("")


Spelling = Callable[[Concept], str]


@dataclass(frozen=True)
class Row:
    """The rates of both groups in total or in one stratum, and what parts of them are there."""

    label: str
    rates: tuple[Rate, Rate]
    shares: tuple[Rate, Rate] | None = None

    @property
    def compared(self) -> str:
        """How the first group stands to the second, if the rates tell."""
        first, second = (rate.interval for rate in self.rates)
        if first is None or second is None:
            return "-"
        if first.upper < second.lower:
            return "below"
        if first.lower > second.upper:
            return "above"
        if first.is_point and first == second:
            return "equal"
        return "open"


def rows(question: Question, rates: Rates, spelt: Spelling) -> list[Row]:
    """The total, then the strata."""

    def both(query: Callable[..., Query], *stratum: Concept) -> tuple[Rate, Rate]:
        first, second = (rates[query(group, *stratum)] for group in GROUPS)
        return first, second

    return [
        Row("total", both(question.total)),
        *(
            Row(spelt(stratum), both(question.rate, stratum), both(question.share, stratum))
            for stratum in question.strata
        ),
    ]


def lines(question: Question, rates: Rates, spelt: Spelling) -> list[str]:
    """A table for people: rates, how they compare, and the mixtures."""
    first, second = map(spelt, question.groups)
    cells = [["", first, second, "the first is", "part of the first", "part of the second"]]
    for row in rows(question, rates, spelt):
        shares = ("", "") if row.shares is None else (row.shares[0].text, row.shares[1].text)
        cells.append([row.label, row.rates[0].text, row.rates[1].text, row.compared, *shares])
    widths = [max(len(line[place]) for line in cells) for place in range(len(cells[0]))]
    padded = (
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True))
        for line in cells
    )
    return [line.rstrip() for line in padded]


def mixture_line(question: Question, rates: Rates, spelt: Spelling) -> list[str]:
    """Where the mixtures of both groups differ most, if they are known to differ: what reverses."""
    gaps = []
    for row in rows(question, rates, spelt):
        shares = row.shares or ()
        intervals = [share.interval for share in shares if share.interval is not None]
        if len(intervals) == 2:
            first, second = intervals
            gap = max(first.lower - second.upper, second.lower - first.upper)
            named = zip(shares, question.groups, strict=True)
            parts = [f"{share.text} of {spelt(group)}" for share, group in named]
            gaps.append((gap, f"{row.label} holds {' and '.join(parts)}"))
    gap, said = max(gaps, key=lambda pair: pair[0], default=(Fraction(0), ""))
    return [f"the mixtures differ most here: {said}"] if gap > 0 else []


def as_json(question: Question, rates: Rates, prefixes: Prefixes) -> dict[str, Any]:
    """What is compared, with rates and mixtures, as a JSON object."""

    def pair(both: Iterable[Rate]) -> list[dict[str, Any]]:
        return [rate.to_json(prefixes) for rate in both]

    standard = question.standard
    total, *strata = rows(question, rates, lambda concept: concept.text(prefixes))
    return {
        "outcome": question.outcome.text(prefixes),
        "groups": [group.text(prefixes) for group in question.groups],
        "standard": None if standard is None else standard.text(prefixes),
        "total": pair(total.rates),
        "strata": [
            {"stratum": row.label, "rates": pair(row.rates), "mixture": pair(row.shares or ())}
            for row in strata
        ],
    }


def draw(
    file: str | os.PathLike[str], title: str, groups: Sequence[str], compared: Sequence[Row]
) -> None:
    """Draw the rates of both groups into a file.

    Raises:
        BoxselError: matplotlib is not installed, or the file is no picture.
    """
    from boxsel.answer.figure import expect_picture  # only where something is drawn

    kind = expect_picture(file)
    with needing("matplotlib", "plots", "pictures"):
        from boxsel.pictures.rows import draw_rates
    shown = [drawn.RateRow(row.label, (_shown(row, 0), _shown(row, 1))) for row in compared]
    note = "a larger mark: a larger part of the group is in this stratum"
    write_atomically(file, draw_rates(shown, groups, title, note).spelt(kind))


def _shown(row: Row, group: int) -> drawn.Rate | None:
    """A rate, and the middle of what part of the group is there."""
    interval = row.rates[group].interval
    if interval is None:
        return None
    ends = (float(interval.lower), float(interval.upper))
    if row.shares is None:
        return drawn.Rate(ends)
    share = row.shares[group].interval
    return drawn.Rate(ends, 0.0 if share is None else float(share.lower + share.upper) / 2)
