"""Pictures for slides: answers, what moves them, and two shares beside each other.

The size is that of a slide, with letters to match: nothing is scaled when it is shown there.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from boxsel.pictures.colours import BLUE, INK, ORANGE, PALE
from boxsel.pictures.rows import label_rows
from boxsel.pictures.shares import AnswerRow, RateRow, Slope
from boxsel.pictures.sheet import Picture, frame, name_axes, rule, sheet

Look = dict[str, Any]
"""What matplotlib is told about lines and marks."""

WIDTH: Final = 10.0
ROW: Final = 0.62
MARGIN: Final = 1.9
LINES: Final = 0.28
"""Inches: of a slide, of a row, of what is above and below, and of a line of a title more."""
NARROW: Final = 0.004
"""Narrower intervals would not be seen as lines."""
LETTERS: Final = 12


def draw_answers(
    rows: Sequence[AnswerRow],
    title: str,
    unit: str,
    *,
    percent: bool,
    slopes: Sequence[Slope] = (),
    meaning: str = "proved: it is in here",
) -> Picture:
    """One row for each answer, the first at the top, and what it says at the right.

    Below them, if there are any, what moves their ends. `meaning` says what the pale bars are.
    """
    more = title.count("\n") + sum(row.label.count("\n") for row in rows)
    below = MARGIN + 0.5 * len(slopes) if slopes else 0.0
    height = MARGIN + ROW * len(rows) + LINES * more
    picture, axes = sheet(WIDTH, height + below)
    if slopes:
        picture.clear()
        axes, moving = picture.subplots(2, 1, height_ratios=(height, below))
        frame(axes)
        frame(moving)
        _draw_slopes(moving, slopes)
    for place, row in enumerate(rows):
        _draw_answer(axes, place, row)
    label_rows(axes, [row.label for row in rows], unit)
    _letter(axes, title, percent=percent)
    handles = []
    if any(row.proved is not None for row in rows):
        handles.append(Line2D([], [], color=BLUE, alpha=0.3, linewidth=11, label=meaning))
    if any(row.possible is not None for row in rows):
        handles.append(Line2D([], [], color=BLUE, linewidth=5, label="certainly possible"))
    if any(row.typical is not None for row in rows):
        ring = Line2D([], [], color=ORANGE, marker="o", linestyle="", label="typical")
        ring.set_markerfacecolor("white")
        handles.append(ring)
    if handles:
        picture.legend(handles=handles, loc="outside lower left", **_PLAIN)
    return picture


def draw_contrast(
    rows: Sequence[RateRow], groups: Sequence[str], title: str, note: str, *, percent: bool
) -> Picture:
    """Two shares in each row, joined by a line, and how far they are apart at the right."""
    lines = title.count("\n") + note.count("\n") + sum(group.count("\n") for group in groups)
    picture, axes = sheet(WIDTH, MARGIN + 0.75 + ROW * len(rows) + LINES * lines)
    for place, row in enumerate(rows):
        first, second = (0.0 if rate is None else rate.ends[0] for rate in row.rates)
        axes.plot((first, second), (place, place), color=PALE, linewidth=3, zorder=1)
        for share, colour, size in ((first, BLUE, 150), (second, ORANGE, 60)):
            axes.scatter([share], [place], s=size, color=colour, linewidths=0, zorder=3)
        apart = first - second
        said = f"{100 * apart:+.4g} points" if percent else f"{apart:+.4g}"
        _say(axes, place, said if apart else "equal")
    label_rows(axes, [row.label for row in rows], "share in percent" if percent else "share")
    _letter(axes, title, percent=percent)
    axes.annotate(
        note,
        (0, 0),
        (0, -52),
        xycoords="axes fraction",
        textcoords="offset points",
        fontsize=LETTERS,
        color=INK,
        va="top",
    )
    handles = [
        Line2D([], [], color=colour, marker="o", linestyle="", markersize=size, label=group)
        for colour, group, size in zip((BLUE, ORANGE), groups, (11, 7), strict=True)
    ]
    picture.legend(handles=handles, loc="outside lower left", **_PLAIN | {"ncols": 1})
    return picture


_PLAIN: Final[Look] = {"frameon": False, "fontsize": 11, "ncols": 3}


def _draw_answer(axes: Axes, place: int, row: AnswerRow) -> None:
    wide: Look = {"color": BLUE, "alpha": 0.3, "linewidth": 13}
    narrow: Look = {"color": BLUE, "linewidth": 5}
    for ends, look in ((row.proved, wide), (row.possible, narrow)):
        if ends is not None:
            axes.plot(ends, (place, place), solid_capstyle="butt", **look)
            if ends[1] - ends[0] < NARROW:
                axes.scatter([sum(ends) / 2], [place], s=70, color=BLUE, zorder=3)
    if row.typical is not None and row.proved and row.proved[1] - row.proved[0] >= NARROW:
        ring: Look = {"s": 60, "facecolor": "white", "edgecolor": ORANGE, "linewidths": 2}
        axes.scatter([row.typical], [place], zorder=4, **ring)
    _say(axes, place, row.said)


def _draw_slopes(axes: Axes, slopes: Sequence[Slope]) -> None:
    """Bars from 0: what each stated number does to both ends."""
    for place, slope in enumerate(slopes):
        for moved, shift, colour in ((slope.lower, -0.17, BLUE), (slope.upper, 0.17, ORANGE)):
            if moved:
                axes.barh(place + shift, moved, 0.3, color=colour)
    axes.axvline(0, color=PALE, linewidth=1)
    axes.set_ylim(len(slopes) - 0.5, -0.5)
    axes.set_yticks(range(len(slopes)), [one.label for one in slopes])
    axes.tick_params(axis="y", length=0, labelcolor=INK)
    axes.tick_params(labelsize=LETTERS)
    axes.spines["left"].set_visible(False)
    rule(axes, "x")
    name_axes(axes, "by how much an end moves, for each 0.01 of a stated number", "", LETTERS)
    handles = [
        Line2D([], [], color=colour, linewidth=8, label=label)
        for colour, label in ((BLUE, "lower end"), (ORANGE, "upper end"))
    ]
    axes.set_title("What moves the ends", loc="left", fontsize=14, color=INK, pad=8)
    axes.legend(handles=handles, loc="upper right", bbox_to_anchor=(1, 1.16), **_PLAIN)


def _letter(axes: Axes, title: str, *, percent: bool) -> None:
    axes.tick_params(labelsize=LETTERS)
    if percent:
        axes.xaxis.set_major_formatter(lambda value, _: f"{100 * value:.0f} %")
    axes.set_title(title, loc="left", fontsize=16, color=INK, pad=10)
    axes.xaxis.label.set_fontsize(LETTERS)


def _say(axes: Axes, place: int, said: str) -> None:
    """Words at the right of a row."""
    axes.annotate(
        said, (1.03, place), va="center", color=INK, fontsize=LETTERS, annotation_clip=False
    )
