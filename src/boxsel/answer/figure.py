"""Answers as a figure for slides: bars between 0 and 1, with what they say."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Any, Final

from boxsel.answer.answer import Answer
from boxsel.errors import BoxselError
from boxsel.formats.source import check_writable, write_atomically
from boxsel.logic.rounding import in_percent, outward
from boxsel.machine.extras import needing
from boxsel.pictures.shares import AnswerRow, Ends

if TYPE_CHECKING:
    from matplotlib.figure import Figure

KINDS: Final = ("png", "svg", "pdf")
LABEL: Final = 42
"""So many characters of a query stand in a line."""


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
    kind = None if file is None else expect_picture(file)
    with needing("matplotlib", "plots", "pictures"):
        from boxsel.pictures.rows import draw_answers
    rows = [_row(one, percent) for one in ([answers] if isinstance(answers, Answer) else answers)]
    if not rows:
        raise BoxselError("there are no answers to draw")
    if ordered:
        rows.sort(key=lambda row: row.proved or (2.0, 2.0))
    unit = "share in percent" if percent else "share"
    figure = draw_answers(rows, title, unit, percent=percent)
    if file is not None and kind is not None:
        told = {"Title": title, **({} if kind == "pdf" else {"Description": _told(rows)})}
        write_atomically(file, figure.spelt(kind, metadata=told))
    return figure


def _told(rows: Sequence[AnswerRow]) -> str:
    """The figure in words, for those who do not see it."""
    return "; ".join(f"{' '.join(row.label.split())}: {row.said}" for row in rows)


def _row(answer: Answer, percent: bool) -> AnswerRow:
    found: dict[str, Any] = answer.to_json()
    proved, possible = _ends(found["outer"]), _ends(found["inner"])
    said: str = answer.status
    if proved is not None:
        shown = outward(*proved)
        ends = (shown.lower, shown.upper)
        texts = dict.fromkeys(map(in_percent, ends) if percent else ends)
        said = " to ".join(texts)
    typical = found.get("typical")
    label = fill(answer.query.text(answer.prefixes), LABEL)
    return AnswerRow(label, proved, possible, typical and typical["value"], said)


def _ends(interval: dict[str, Any] | None) -> Ends | None:
    if interval is None or interval["lower"] is None:
        return None
    return interval["lower"], interval["upper"]
