"""What an ensemble says about queries, as bars between 0 and 1."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import fill

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from boxsel.errors import BoxselError
from boxsel.exact.bounds import Bounds
from boxsel.models.estimate import Estimate
from boxsel.models.pictures.picture import (
    BLUE,
    FAINTEST,
    INK,
    ORANGE,
    PALE,
    Picture,
    entitle,
    sheet,
)

WIDE = 40
"""Queries are broken into lines of so many characters."""


def drawn(estimates: Sequence[Estimate], bounds: Sequence[Bounds | None] | None) -> Picture:
    """One row for each query, the first at the top."""
    if not estimates:
        raise BoxselError("there are no estimates to draw")
    if bounds is not None and len(bounds) != len(estimates):
        raise BoxselError(
            f"there are {len(estimates)} estimates and {len(bounds)} bounds: give one for each"
        )
    picture, axes = sheet(7.2, 1.5 + 0.55 * len(estimates))
    for row, estimate in enumerate(estimates):
        _row(axes, row, estimate, bounds[row] if bounds is not None else None)
    axes.set_xlim(-0.02, 1.02)
    axes.set_ylim(len(estimates) - 0.5, -0.5)
    axes.set_yticks(range(len(estimates)), list(map(_asked, estimates)))
    axes.tick_params(axis="y", length=0, labelcolor=INK)
    axes.spines["left"].set_visible(False)
    axes.grid(axis="x", color=FAINTEST, linewidth=0.8)
    axes.set_axisbelow(True)
    axes.set_xlabel("share", color=INK, fontsize=9.5)
    entitle(axes, "What members say", "approximate: these are no bounds")
    picture.legend(
        handles=_legend(estimates, bounds),
        loc="outside lower right",
        ncols=4,
        frameon=False,
        fontsize=8.5,
        labelcolor=INK,
        handletextpad=0.5,
        columnspacing=1.4,
    )
    return picture


def _asked(estimate: Estimate) -> str:
    query = fill(estimate.query.text(estimate.prefixes), WIDE)
    return f"{query}\ndirected members" if estimate.directed else query


def _row(axes: Axes, row: int, estimate: Estimate, bounds: Bounds | None) -> None:
    seen = estimate.all_members
    if seen is not None:
        axes.plot(seen, (row, row), color=PALE, linewidth=1.2, zorder=1)
    lower, upper = estimate.lower, estimate.upper
    if lower is not None and upper is not None:
        axes.plot(
            (lower, upper), (row, row), color=BLUE, alpha=0.35, linewidth=11, solid_capstyle="butt"
        )
    else:
        axes.annotate(
            "vacuous" if estimate.empty else "no estimate",
            (0.5, row),
            (0, 9),
            textcoords="offset points",
            ha="center",
            color=PALE,
            fontsize=8.5,
        )
    # A little up and down, the same every time, so that equal values are seen to be several.
    heights = row + 0.16 * (2 * ((np.arange(estimate.members) * 0.618) % 1) - 1)
    kept = estimate.kept
    axes.scatter(
        estimate.values[kept], heights[kept], s=10, color=BLUE, alpha=0.7, linewidths=0, zorder=3
    )
    axes.scatter(
        estimate.values[~kept],
        heights[~kept],
        s=10,
        facecolor="none",
        edgecolor=PALE,
        linewidths=0.8,
        zorder=2,
    )
    if bounds is not None and bounds.lower is not None and bounds.upper is not None:
        ends = (float(bounds.lower), float(bounds.upper))
        axes.plot(ends, (row, row), "|", color=ORANGE, markersize=20, markeredgewidth=2, zorder=4)


def _legend(
    estimates: Sequence[Estimate], bounds: Sequence[Bounds | None] | None
) -> list[Patch | Line2D]:
    found: list[Patch | Line2D] = [
        Patch(facecolor=BLUE, alpha=0.35, label="estimate"),
        Line2D([], [], color=BLUE, marker="o", markersize=3.5, linestyle="", label="member kept"),
    ]
    if not all(estimate.kept.all() for estimate in estimates):
        other = Line2D([], [], color=PALE, marker="o", markersize=4, label="all members")
        other.set_markerfacecolor("none")
        found.append(other)
    given = [one for one in bounds or () if one is not None and one.lower is not None]
    if given:
        end = Line2D([], [], color=ORANGE, marker="|", markersize=11, linestyle="")
        end.set_markeredgewidth(2)
        end.set_label("exact bounds" if all(one.exact for one in given) else "bounds")
        found.append(end)
    return found
