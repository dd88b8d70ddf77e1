"""Contradictions as curators meet them: with a suggestion each, and as tables in CSV or HTML."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from html import escape
from pathlib import Path
from typing import Final

from boxsel.build.phenotypes.contradictions import Contradiction
from boxsel.build.phenotypes.frequencies import FrequencyTerm, frequency_text, proportion
from boxsel.build.phenotypes.ontology import NAMESPACES, iri, is_identifier
from boxsel.build.phenotypes.relaxing import Change
from boxsel.build.phenotypes.stating import Stated
from boxsel.errors import WriteError
from boxsel.formats.csv_table import guarded
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

_SIDE: Final = ("term", "label", "sex", "frequency", "lower", "upper", "reference")
_REFERENCE: Final = re.compile(r"PMID:[0-9]+|[A-Z]+:[A-Za-z0-9]+")
_STYLE: Final = (
    "body{font:14px/1.4 sans-serif;margin:2em}table{border-collapse:collapse}"
    "th,td{border:1px solid #ccc;padding:.2em .5em;text-align:left;vertical-align:top}"
    "th{background:#eee;position:sticky;top:0}tr:nth-child(even){background:#f8f8f8}"
)


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
        contradiction = self.contradiction
        return {
            "disease": contradiction.disease,
            "name": self.name,
            "kind": contradiction.kind,
            "descendant": self._side_json(contradiction.descendant),
            "ancestor": self._side_json(contradiction.ancestor),
            "gap": str(contradiction.gap),
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
    sides = [
        side
        for contradiction in found
        for side in (contradiction.descendant, contradiction.ancestor)
    ]
    counts = {side.frequency for side in sides if isinstance(side.frequency, Count)}
    intervals = confidence_intervals(list(counts), _RISK)
    return tuple(
        Finding(contradiction, labels, _settled_by(contradiction, intervals))
        for contradiction in found
    )


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


def _settled_by(contradiction: Contradiction, intervals: Mapping[Count, Interval]) -> str:
    for option in (CLOSE_GAPS, CONFIDENCE, BOTH):
        lower = _milder(contradiction.descendant, option, intervals).lower
        upper = _milder(contradiction.ancestor, option, intervals).upper
        if not contradiction.holds_for(lower, upper):
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


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table for curators."""

    title: str
    columns: tuple[str, ...]
    rows: list[tuple[str, ...]]


def contradiction_sheet(findings: Iterable[Finding]) -> Sheet:
    """One row for each contradiction."""
    sides = (f"{side} {column}" for side in ("descendant", "ancestor") for column in _SIDE)
    columns = ("disease", "name", "kind", *sides, "gap", "agree with", "suggestion")
    rows = [
        (
            *(contradiction.disease, finding.name, contradiction.kind),
            *_side(contradiction.descendant, finding.labels),
            *_side(contradiction.ancestor, finding.labels),
            *(_number(contradiction.gap), finding.agree_with, finding.suggestion),
        )
        for finding in findings
        for contradiction in (finding.contradiction,)
    ]
    return Sheet("Contradictions", columns, rows)


def change_sheet(changes: Iterable[Change], labels: Mapping[str, str]) -> Sheet:
    """One row for each statement that was relaxed."""
    columns = ("disease", "name", *_SIDE, "new lower", "new upper", "amount", "weight")
    rows = [
        (
            *(change.old.disease, labels.get(change.old.disease, "")),
            *_side(change.old, labels),
            *map(_number, (change.new.lower, change.new.upper, change.amount)),
            str(change.weight),
        )
        for change in changes
    ]
    return Sheet("Relaxed statements", columns, rows)


def sheet_writer(path: str) -> Callable[[Sheet], str]:
    """The form that a file's name asks for; an error if it is neither CSV nor HTML."""
    writers = {".csv": _as_csv, ".html": _as_html, ".htm": _as_html}
    writer = writers.get(Path(path).suffix.lower())
    if writer is None:
        raise WriteError(f"{path}: a table is written as .csv or .html")
    return writer


def _as_csv(sheet: Sheet) -> str:
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(sheet.columns)
    writer.writerows(map(guarded, row) for row in sheet.rows)
    return stream.getvalue()


def _as_html(sheet: Sheet) -> str:
    title = escape(sheet.title)
    head = "".join(f"<th>{escape(column)}</th>" for column in sheet.columns)
    cells = (map(_linked, sheet.columns, row) for row in sheet.rows)
    body = "\n".join("<tr>" + "".join(f"<td>{one}</td>" for one in row) + "</tr>" for row in cells)
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        f"<title>{title}</title><style>{_STYLE}</style></head>\n"
        f"<body><h1>{title}</h1>\n<table><thead><tr>{head}</tr></thead><tbody>\n{body}\n"
        "</tbody></table></body></html>\n"
    )


def _linked(column: str, cell: str) -> str:
    """A cell in which identifiers and articles lead to their pages."""
    if column.endswith("reference"):
        return _REFERENCE.sub(lambda match: _link(match[0]), escape(cell))
    return _link(cell) if is_identifier(cell) else escape(cell)


def _link(identifier: str) -> str:
    prefix, _, local = identifier.partition(":")
    if prefix == "PMID":
        address = f"https://pubmed.ncbi.nlm.nih.gov/{local}/"
    elif prefix in NAMESPACES:
        address = iri(identifier)
    else:
        return escape(identifier)
    return f'<a href="{escape(address)}">{escape(identifier)}</a>'


def _side(stated: Stated, labels: Mapping[str, str]) -> tuple[str, ...]:
    bounds = (_number(stated.lower), _number(stated.upper))
    label = labels.get(stated.term, "")
    return (stated.term, label, stated.sex, shown(stated), *bounds, stated.source)


def _number(number: Fraction) -> str:
    """A decimal: spreadsheets take fractions for dates."""
    return f"{float(number):.6g}"
