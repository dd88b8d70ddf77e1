"""Shares between 0 and 1, row below row: the values of many members, or the rates of two groups."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from boxsel.pictures.colours import BLUE, FAINTEST, INK, ORANGE, PALE
from boxsel.pictures.shares import Bar, RateRow
from boxsel.pictures.sheet import Picture, entitle, explain, name_axes, rule, sheet

Look = dict[str, Any]
"""What matplotlib is told about lines and marks."""


def draw_bars(bars: Sequence[Bar], title: str, note: str, bounds: str) -> Picture:
    """One row for each bar, the first at the top; `bounds` is what the proved ends are called."""
    picture, axes = sheet(7.2, 1.5 + 0.55 * len(bars))
    for row, bar in enumerate(bars):
        _bar(axes, row, bar)
    label_rows(axes, [bar.label for bar in bars], "share")
    entitle(axes, title, note)
    handles: list[Patch | Line2D] = [
        Patch(facecolor=BLUE, alpha=0.35, label="estimate"),
        Line2D([], [], color=BLUE, marker="o", markersize=3.5, linestyle="", label="member kept"),
    ]
    if not all(bar.kept.all() for bar in bars):
        other = Line2D([], [], color=PALE, marker="o", markersize=4, label="all members")
        other.set_markerfacecolor("none")
        handles.append(other)
    if any(bar.bounds for bar in bars):
        end = Line2D([], [], color=ORANGE, marker="|", markersize=11, linestyle="", label=bounds)
        end.set_markeredgewidth(2)
        handles.append(end)
    look: Look = {"labelcolor": INK, "handletextpad": 0.5, "columnspacing": 1.4}
    explain(picture, handles, "outside lower right", ncols=4, **look)
    return picture


def draw_rates(rows: Sequence[RateRow], groups: Sequence[str], title: str, note: str) -> Picture:
    """The rates of both groups in each row, the first of which is about all."""
    picture, axes = sheet(7.2, 1.9 + 0.6 * len(rows))
    colours = (BLUE, ORANGE)
    for place, row in enumerate(rows):
        for group, (rate, colour) in enumerate(zip(row.rates, colours, strict=True)):
            if rate is not None:
                height = place + 0.14 * (2 * group - 1)
                look: Look = {"alpha": 0.45, "linewidth": 5, "solid_capstyle": "round"}
                axes.plot(rate.ends, (height, height), color=colour, **look)
                middle, size = [sum(rate.ends) / 2], 14 + 150 * rate.part
                axes.scatter(middle, [height], s=size, color=colour, linewidths=0, zorder=3)
    axes.axhline(0.5, color=FAINTEST, linewidth=1.5)
    label_rows(axes, [row.label for row in rows], "rate")
    entitle(axes, title, note)
    handles = [
        Line2D([], [], color=colour, marker="o", linestyle="", markersize=6, label=group)
        for colour, group in zip(colours, groups, strict=True)
    ]
    explain(picture, handles, "outside lower right", ncols=2)
    return picture


def label_rows(axes: Axes, labels: Sequence[str], unit: str) -> None:
    """A row for each label, from 0 to 1."""
    axes.set_xlim(-0.02, 1.02)
    axes.set_ylim(len(labels) - 0.5, -0.5)
    axes.set_yticks(range(len(labels)), labels)
    axes.tick_params(axis="y", length=0, labelcolor=INK)
    axes.spines["left"].set_visible(False)
    rule(axes, "x")
    name_axes(axes, unit)


def _bar(axes: Axes, row: int, bar: Bar) -> None:
    if bar.seen is not None:
        axes.plot(bar.seen, (row, row), color=PALE, linewidth=1.2, zorder=1)
    if bar.kept_ends is not None:
        wide: Look = {"alpha": 0.35, "linewidth": 11, "solid_capstyle": "butt"}
        axes.plot(bar.kept_ends, (row, row), color=BLUE, **wide)
    else:
        axes.annotate(
            bar.lacking,
            (0.5, row),
            (0, 9),
            textcoords="offset points",
            ha="center",
            color=PALE,
            fontsize=8.5,
        )
    # A little up and down, the same every time, so that equal values are seen to be several.
    heights = row + 0.16 * (2 * ((np.arange(len(bar.values)) * 0.618) % 1) - 1)
    inside: Look = {"color": BLUE, "alpha": 0.7, "linewidths": 0, "zorder": 3}
    outside: Look = {"facecolor": "none", "edgecolor": PALE, "linewidths": 0.8, "zorder": 2}
    for chosen, look in ((bar.kept, inside), (~bar.kept, outside)):
        axes.scatter(bar.values[chosen], heights[chosen], s=10, **look)
    if bar.bounds is not None:
        ticks: Look = {"color": ORANGE, "markersize": 20, "markeredgewidth": 2, "zorder": 4}
        axes.plot(bar.bounds, (row, row), "|", **ticks)
