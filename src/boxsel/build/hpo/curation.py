"""Tables for curators: contradictions and changes as CSV, or as a page that needs nothing else."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from html import escape
from pathlib import Path
from typing import Final

from boxsel.build.hpo.findings import Finding, shown
from boxsel.build.hpo.identifiers import NAMESPACES, iri, is_identifier
from boxsel.build.hpo.relaxing import Change
from boxsel.build.hpo.stating import Stated
from boxsel.errors import WriteError
from boxsel.formats.csv_table import guarded

Row = Mapping[str, str]
_SIDE: Final = ("term", "label", "sex", "frequency", "lower", "upper", "reference")
CONTRADICTION_COLUMNS: Final = (
    "disease",
    "name",
    "kind",
    *(f"descendant {column}" for column in _SIDE),
    *(f"ancestor {column}" for column in _SIDE),
    "gap",
    "agree with",
    "suggestion",
)
CHANGE_COLUMNS: Final = (
    "disease",
    "name",
    *_SIDE,
    "new lower",
    "new upper",
    "amount",
    "weight",
)
_REFERENCE: Final = re.compile(r"PMID:[0-9]+|[A-Z]+:[A-Za-z0-9]+")
_STYLE: Final = (
    "body{font:14px/1.4 sans-serif;margin:2em}table{border-collapse:collapse}"
    "th,td{border:1px solid #ccc;padding:.2em .5em;text-align:left;vertical-align:top}"
    "th{background:#eee;position:sticky;top:0}tr:nth-child(even){background:#f8f8f8}"
)


def contradiction_rows(findings: Iterable[Finding]) -> list[Row]:
    """One row for each contradiction."""
    return [
        {
            "disease": one.contradiction.disease,
            "name": one.name,
            "kind": one.contradiction.kind,
            **_side(one.contradiction.descendant, one.labels, "descendant "),
            **_side(one.contradiction.ancestor, one.labels, "ancestor "),
            "gap": _number(one.contradiction.gap),
            "agree with": one.agree_with,
            "suggestion": one.suggestion,
        }
        for one in findings
    ]


def change_rows(changes: Iterable[Change], labels: Mapping[str, str]) -> list[Row]:
    """One row for each statement that was relaxed."""
    return [
        {
            "disease": one.old.disease,
            "name": labels.get(one.old.disease, ""),
            **_side(one.old, labels, ""),
            "new lower": _number(one.new.lower),
            "new upper": _number(one.new.upper),
            "amount": _number(one.amount),
            "weight": str(one.weight),
        }
        for one in changes
    ]


def table(path: str, columns: Sequence[str], rows: Sequence[Row], title: str) -> bytes:
    """A table in the form that a file's name asks for."""
    return table_writer(path)(columns, rows, title).encode()


def table_writer(path: str) -> Callable[[Sequence[str], Sequence[Row], str], str]:
    """The form that a file's name asks for; an error if it is neither CSV nor HTML."""
    writers = {".csv": _as_csv, ".html": _as_html, ".htm": _as_html}
    writer = writers.get(Path(path).suffix.lower())
    if writer is None:
        raise WriteError(f"{path}: a table is written as .csv or .html")
    return writer


def _as_csv(columns: Sequence[str], rows: Sequence[Row], _: str) -> str:
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([guarded(row[column]) for column in columns] for row in rows)
    return stream.getvalue()


def _as_html(columns: Sequence[str], rows: Sequence[Row], title: str) -> str:
    head = "".join(f"<th>{escape(column)}</th>" for column in columns)
    body = "\n".join(
        "<tr>" + "".join(f"<td>{_linked(column, row[column])}</td>" for column in columns) + "</tr>"
        for row in rows
    )
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        f"<title>{escape(title)}</title><style>{_STYLE}</style></head>\n"
        f"<body><h1>{escape(title)}</h1>\n<table><thead><tr>{head}</tr></thead><tbody>\n{body}\n"
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


def _side(stated: Stated, labels: Mapping[str, str], prefix: str) -> Row:
    cells = (
        stated.term,
        labels.get(stated.term, ""),
        stated.sex,
        shown(stated),
        _number(stated.lower),
        _number(stated.upper),
        stated.source,
    )
    return {f"{prefix}{column}": cell for column, cell in zip(_SIDE, cells, strict=True)}


def _number(number: Fraction) -> str:
    """A decimal: spreadsheets take fractions for dates."""
    return f"{float(number):.6g}"
