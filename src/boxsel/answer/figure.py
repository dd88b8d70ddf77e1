"""Answers and checks as figures for slides: bars between 0 and 1, with what they say."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Any, Final

from boxsel.answer.answer import Answer
from boxsel.answer.picture import ends_of
from boxsel.errors import BoxselError
from boxsel.exact.diagnosis.check import Check, check
from boxsel.formats.source import check_writable, write_atomically
from boxsel.logic.axioms import Axiom, Conditional
from boxsel.logic.kb import KB
from boxsel.logic.names import Prefixes
from boxsel.logic.rounding import in_percent, outward
from boxsel.logic.statements import Query
from boxsel.machine.extras import needing
from boxsel.pictures.shares import AnswerRow, Ends, Slope

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from boxsel.pictures.sheet import Picture

KINDS: Final = ("png", "svg", "pdf")
LABEL: Final = 42
"""So many characters of a query stand in a line."""
TITLE: Final = 76
"""So many of a title."""
MOST_STATEMENTS: Final = 30
"""So many statements are drawn at most."""


def expect_picture(file: str | os.PathLike[str]) -> str:
    """The kind of picture that a file is to hold; refused before the work if there is none."""
    kind = Path(file).suffix.lower().removeprefix(".")
    if kind not in KINDS:
        raise BoxselError(f"{os.fspath(file)}: a picture ends in .png, .svg or .pdf")
    check_writable(file)
    return kind


def plot_answers(
    answers: Answer | Sequence[Answer],
    file: str | os.PathLike[str] | None = None,
    *,
    title: str = "What the share can be",
    percent: bool = False,
    ordered: bool = True,
) -> Figure:
    """A figure of answers, a row for each, from the least share to the largest unless `ordered`.

    With a file it is written there, as .svg, .png or .pdf. Notebooks show it by itself.

    Raises:
        BoxselError: There is nothing to draw, the file is no picture, or matplotlib is not
            installed.
    """
    if file is not None:
        expect_picture(file)
    with needing("matplotlib", "plots", "pictures"):
        from boxsel.pictures.slides import draw_answers
    asked = [answers] if isinstance(answers, Answer) else answers
    rows = [_row(answer, percent) for answer in asked]
    if not rows:
        raise BoxselError("there are no answers to draw")
    if ordered:
        rows.sort(key=lambda row: row.proved or (2.0, 2.0))
    unit = "share in percent" if percent else "share"
    slopes = [slope for answer in asked for slope in _slopes(answer, several=len(asked) > 1)]
    figure = draw_answers(rows, title, unit, percent=percent, slopes=slopes)
    if file is not None:
        write_picture(figure, file, title, _told(rows))
    return figure


def plot_check(
    kb: KB,
    checked: Check | None = None,
    file: str | os.PathLike[str] | None = None,
    *,
    percent: bool = False,
) -> Figure:
    """A figure of what `check` found: the statements of a conflict, or all shares, as bars.

    Of many statements the first are drawn, and the title says of how many.

    Raises:
        BoxselError: The file is no picture, or matplotlib is not installed.
    """
    if file is not None:
        expect_picture(file)
    with needing("matplotlib", "plots", "pictures"):
        from boxsel.pictures.slides import draw_answers
    result = check(kb) if checked is None else checked
    conflict, names = result.conflict, result.prefixes
    if conflict is not None:
        statements, title = conflict.statements, replace(conflict, prefixes=names).summary
    else:
        statements = tuple(
            statement for statement in kb.statements if isinstance(statement.axiom, Conditional)
        )
        title = (
            "Coherent: every name can have members" if result.coherent else "Not decided in time"
        )
    if len(statements) > MOST_STATEMENTS:
        title = f"{title} (the first {MOST_STATEMENTS} of {len(statements):,} statements)"
        statements = statements[:MOST_STATEMENTS]
    rows = [_stated(statement.axiom, names, percent) for statement in statements]
    if not rows:
        raise BoxselError("there is nothing to draw: no share is stated")
    title, unit = fill(title.removesuffix(":"), TITLE), "share in percent" if percent else "share"
    figure = draw_answers(rows, title, unit, percent=percent, meaning="stated")
    if file is not None:
        write_picture(figure, file, title, _told(rows))
    return figure


def write_picture(
    figure: Picture, file: str | os.PathLike[str], title: str, description: str
) -> None:
    """Write a figure with its words, as its file is named; an SVG has a viewBox."""
    kind = expect_picture(file)
    told = {"Title": " ".join(title.split())}
    if kind != "pdf":
        told["Description"] = description
    write_atomically(file, figure.spelt(kind, metadata=told))


def _stated(axiom: Axiom, names: Prefixes, percent: bool) -> AnswerRow:
    """A statement as a row; one without a number has no bar."""
    if not isinstance(axiom, Conditional):
        return AnswerRow(fill(axiom.text(names), LABEL), None, None, None, "")
    bounds = axiom.bounds
    ends = float(bounds.lower), float(bounds.upper)
    label = fill(Query(axiom.head, axiom.body).text(names), LABEL)
    return AnswerRow(label, ends, None, None, _said(ends, percent))


def _slopes(answer: Answer, *, several: bool) -> list[Slope]:
    """What moves the ends of an answer, a row for each stated number."""
    if answer.sensitivity is None:
        return []
    moved: dict[str, dict[str, float]] = {}
    for influence in answer.sensitivity.influences:
        which = {"lower": "lower bound of ", "upper": "upper bound of ", "point": ""}[
            influence.bound
        ]
        axiom = influence.statement.axiom.text(answer.prefixes)
        about = f"{answer.query.text(answer.prefixes)}: " if several else ""
        ends = moved.setdefault(fill(f"{about}{which}{axiom}", LABEL), {})
        ends[influence.end] = float(influence.slope) / 100
    return [
        Slope(label, ends.get("lower", 0), ends.get("upper", 0)) for label, ends in moved.items()
    ]


def _told(rows: Sequence[AnswerRow]) -> str:
    """The figure in words, for those who do not see it."""
    return "; ".join(f"{' '.join(row.label.split())}: {row.said}" for row in rows)


def _row(answer: Answer, percent: bool) -> AnswerRow:
    content: dict[str, Any] = answer.to_json()
    proved, possible = ends_of(content["outer"]), ends_of(content["inner"])
    said: str = answer.status
    if proved is not None:
        said = _said(proved, percent)
    typical = content.get("typical")
    label = fill(answer.query.text(answer.prefixes), LABEL)
    return AnswerRow(label, proved, possible, typical and typical["value"], said)


def _said(ends: Ends, percent: bool) -> str:
    shown = outward(*ends)
    texts = (shown.lower, shown.upper)
    return " to ".join(dict.fromkeys(map(in_percent, texts) if percent else texts))
