"""Charts drawn with matplotlib: the same chart gives the same bytes."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final

import matplotlib
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator, NullFormatter, NullLocator

from boxsel.pictures.chart import Chart, Panel, Reference, Series
from boxsel.pictures.colours import INK, PALE, PALETTE
from boxsel.pictures.sheet import Picture, explain, frame, name_axes, rule

COLOURS: Final = (*PALETTE, "#8B5E3C", "#999933")
MARKERS: Final = "osD^vPXp<"
"""With the colours, so that lines differ in print without colours as well."""

HOLLOW: Final[dict[str, Any]] = {
    "linestyle": "",
    "markersize": 7,
    "markerfacecolor": "none",
    "markeredgewidth": 1.2,
}
SHADED: Final = 5
"""The shades of more lines than these hide each other."""

WIDE: Final = 7.4
HIGH: Final = 2.55
"""Inches of a picture, and of a row of panels."""

CHARACTERS: Final = 96
HANDLE: Final = 8
"""How many letters of a legend fit beside each other; what stands before each label."""

Look = tuple[str, str]
"""A colour and a marker."""

DASHES: Final = (0, (4, 2))
RISING: Final = (0, (1, 2))
FALLING: Final = (0, (5, 2, 1, 2))


def draw_chart(chart: Chart) -> tuple[bytes, bytes]:
    """A chart as SVG, whose text is text, and as PNG."""
    with matplotlib.rc_context(
        {"svg.fonttype": "none", "svg.hashsalt": chart.key, "font.family": ["DejaVu Sans"]}
    ):
        picture = _picture(chart)
        silent = dict.fromkeys(("Date", "Creator", "Format", "Type"))
        vector = picture.spelt("svg", metadata=silent)
        return vector, picture.spelt("png", dpi=200, metadata={"Software": None})


def _picture(chart: Chart) -> Picture:
    count = len(chart.panels)
    columns = {1: 1, 2: 2, 4: 2}.get(count, 3)
    rows = math.ceil(count / columns)
    width = WIDE if columns > 1 else 0.7 * WIDE
    handles = _handles(chart)
    across = _across([str(handle.get_label()) for handle in handles], width / WIDE * CHARACTERS)
    legend = 0.21 * math.ceil(len(handles) / across) + 0.1
    picture = Picture(
        figsize=(width, HIGH * rows + legend), layout="constrained", facecolor="white"
    )
    grid = picture.subplots(rows, columns, squeeze=False, sharey=chart.shared)
    every = list(grid.flat)
    looks = _looks(chart)
    for axes, panel in zip(every, chart.panels, strict=False):
        frame(axes, 8)
        rule(axes, "y")
        _draw(axes, panel, looks)
    for axes in every[count:]:
        axes.set_visible(False)
    for place, axes in enumerate(every[:count]):
        # Panels that share an axis grow with each other: its end is set when all are drawn.
        axes.set_ylim(bottom=0)
        if chart.shared and place % columns:
            axes.set_ylabel("")
    look = {"labelcolor": INK, "handletextpad": 0.6, "columnspacing": 1.6}
    explain(picture, handles, "outside lower left", ncols=across, **look)
    return picture


def _draw(axes: Axes, panel: Panel, looks: Mapping[str, Look]) -> None:
    axes.set_title(panel.title, loc="left", fontsize=9.5, color=INK, pad=7)
    name_axes(axes, panel.x, panel.y, 8.5)
    if panel.logarithmic:
        axes.set_xscale("log")
    for reference in panel.references:
        _refer(axes, reference)
    shaded = sum(not (one.dashed or one.quiet or one.hollow) for one in panel.series) <= SHADED
    for series in panel.series:
        _line(axes, series, *looks[series.label], shaded=shaded)
    if panel.ticks:
        places, words = zip(*panel.ticks, strict=True)
        axes.set_xticks(places, words)
        axes.xaxis.set_minor_locator(NullLocator())
        axes.xaxis.set_minor_formatter(NullFormatter())
    else:
        axes.xaxis.set_major_locator(MaxNLocator(6))
    if panel.unit:
        axes.set_xlim(-0.02, 1.02)
    else:
        axes.margins(x=0.06)
    axes.yaxis.set_major_locator(MaxNLocator(5))


def _line(axes: Axes, series: Series, colour: str, marker: str, *, shaded: bool) -> None:
    xs = [point.x for point in series.points]
    ys = [point.y for point in series.points]
    if series.hollow:
        axes.plot(xs, ys, marker, color=colour, zorder=4, **HOLLOW)
        return
    thin = series.dashed or series.quiet
    if shaded and not thin and any(point.deviation for point in series.points):
        low = [max(0.0, point.y - point.deviation) for point in series.points]
        high = [point.y + point.deviation for point in series.points]
        axes.fill_between(xs, low, high, color=colour, alpha=0.13, linewidth=0)
    axes.plot(
        xs,
        ys,
        color=colour,
        marker=marker,
        markersize=3.2 if thin else 4.2,
        linewidth=0.9 if thin else 1.6,
        linestyle=DASHES if series.dashed else "-",
        markerfacecolor="white" if series.dashed else colour,
        clip_on=False,
        zorder=2 if thin else 3,
    )


def _refer(axes: Axes, reference: Reference) -> None:
    (x, y), (right, top) = reference.start, reference.end
    style = RISING if top > y else FALLING
    axes.plot((x, right), (y, top), color=PALE, linewidth=0.8, linestyle=style, zorder=0.5)


def _looks(chart: Chart) -> dict[str, Look]:
    """A colour and a marker for each label: what is quiet is grey."""
    quiet = dict.fromkeys(series.label for series in chart.series if series.quiet or series.hollow)
    loud = [label for label in chart.labels if label not in quiet]
    colours = {label: COLOURS[place % len(COLOURS)] for place, label in enumerate(loud)}
    return {
        label: (colours.get(label, PALE), MARKERS[place % len(MARKERS)])
        for labels in (loud, quiet)
        for place, label in enumerate(labels)
    }


def _handles(chart: Chart) -> list[Line2D]:
    """What the legend explains: the series, then what dashes and dots mean."""
    hollow = {series.label for series in chart.series if series.hollow}
    handles = []
    for label, (colour, marker) in _looks(chart).items():
        handle = Line2D([], [], color=colour, marker=marker, label=label)
        handle.update(HOLLOW if label in hollow else {"markersize": 4, "linewidth": 1.4})
        handles.append(handle)
    if any(series.dashed for series in chart.series):
        handles.append(
            Line2D([], [], color=PALE, linewidth=0.9, linestyle=DASHES, label=chart.dashes)
        )
    known = {one.label: one for panel in chart.panels for one in panel.references}
    for label, reference in known.items():
        style = RISING if reference.end[1] > reference.start[1] else FALLING
        handles.append(Line2D([], [], color=PALE, linewidth=0.8, linestyle=style, label=label))
    return handles


def _across(labels: list[str], room: float) -> int:
    """How many columns a legend may have: it is filled column by column."""
    for columns in range(len(labels), 1, -1):
        height = math.ceil(len(labels) / columns)
        parts = [labels[start : start + height] for start in range(0, len(labels), height)]
        if sum(max(map(len, part)) + HANDLE for part in parts) <= room:
            return columns
    return 1
