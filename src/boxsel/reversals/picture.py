"""A picture of rates: both groups in total and in each stratum, with the parts that are there."""

from __future__ import annotations

import os
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Final

from boxsel.errors import BoxselError
from boxsel.formats.source import check_writable, write_atomically
from boxsel.machine.extras import needing
from boxsel.reversals.layout import Row

if TYPE_CHECKING:
    from matplotlib.axes import Axes

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
        from matplotlib.lines import Line2D

        from boxsel.models.pictures.picture import BLUE, FAINTEST, INK, ORANGE, entitle, sheet
    picture, axes = sheet(7.2, 1.9 + 0.6 * len(rows))
    colours = (BLUE, ORANGE)
    for place, row in enumerate(rows):
        for group, colour in enumerate(colours):
            _mark(axes, place + 0.14 * (2 * group - 1), row, group, colour)
    axes.set_xlim(-0.02, 1.02)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.axhline(0.5, color=FAINTEST, linewidth=1.5)
    axes.set_yticks(range(len(rows)), [row.label for row in rows])
    axes.tick_params(axis="y", length=0, labelcolor=INK)
    axes.spines["left"].set_visible(False)
    axes.grid(axis="x", color=FAINTEST, linewidth=0.8)
    axes.set_axisbelow(True)
    axes.set_xlabel("rate", color=INK, fontsize=9.5)
    entitle(axes, title, "a larger mark: a larger part of the group is in this stratum")
    handles = [
        Line2D([], [], color=colour, marker="o", linestyle="", markersize=6, label=group)
        for colour, group in zip(colours, groups, strict=True)
    ]
    picture.legend(handles=handles, loc="outside lower right", ncols=2, frameon=False, fontsize=8.5)
    data = BytesIO()
    picture.savefig(data, format=kind)
    write_atomically(file, data.getvalue())


def _mark(axes: Axes, height: float, row: Row, group: int, colour: str) -> None:
    """The interval of a rate, and a mark as large as the part of the group that is there."""
    interval = row.rates[group].interval
    if interval is None:
        return
    ends = (float(interval.lower), float(interval.upper))
    part = 1.0
    if row.shares is not None:
        share = row.shares[group].interval
        part = 0.0 if share is None else float(share.lower + share.upper) / 2
    axes.plot(ends, (height, height), color=colour, alpha=0.45, linewidth=5, solid_capstyle="round")
    axes.scatter([sum(ends) / 2], [height], s=14 + 150 * part, color=colour, linewidths=0, zorder=3)
