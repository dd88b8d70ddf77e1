"""A picture of rates: both groups in total and in each stratum, with the parts that are there."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from boxsel.errors import BoxselError
from boxsel.formats.source import check_writable, write_atomically
from boxsel.machine.extras import needing
from boxsel.pictures.shares import Rate, RateRow
from boxsel.reversals.layout import Row

KINDS: Final = ("png", "svg", "pdf")


def check_picture(file: str | os.PathLike[str]) -> str:
    """The kind of picture that a file is to hold; refused before the work if there is none."""
    kind = Path(file).suffix.lower().removeprefix(".")
    if kind not in KINDS:
        raise BoxselError(f"{os.fspath(file)}: a picture ends in .png, .svg or .pdf")
    check_writable(file)
    return kind


def draw(
    file: str | os.PathLike[str], title: str, groups: Sequence[str], rows: Sequence[Row]
) -> None:
    """Draw the rates of both groups into a file.

    Raises:
        BoxselError: matplotlib is not installed, or the file is no picture.
    """
    kind = check_picture(file)
    with needing("matplotlib", "plots", "pictures"):
        from boxsel.pictures.rows import draw_rates
    shown = [RateRow(row.label, (_rate(row, 0), _rate(row, 1))) for row in rows]
    note = "a larger mark: a larger part of the group is in this stratum"
    write_atomically(file, draw_rates(shown, groups, title, note).spelt(kind))


def _rate(row: Row, group: int) -> Rate | None:
    """A rate, and the middle of what part of the group is there."""
    interval = row.rates[group].interval
    if interval is None:
        return None
    ends = (float(interval.lower), float(interval.upper))
    if row.shares is None:
        return Rate(ends)
    share = row.shares[group].interval
    return Rate(ends, 0.0 if share is None else float(share.lower + share.upper) / 2)
