"""Curves that fall, many of them together."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray

from boxsel.pictures.colours import BLUE, INK, ORANGE, PALE
from boxsel.pictures.sheet import Picture, entitle, name_axes, rule, sheet

Floats = NDArray[np.float64]


def draw_curves(
    values: Floats, kept: NDArray[np.bool_], names: tuple[str, str], title: str
) -> Picture:
    """A line for each column, kept or not, and the median of all; `names` are those of the axes."""
    picture, axes = sheet(6.4, 4.0)
    entitle(axes, title)
    name_axes(axes, *names)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    if not len(values):
        axes.text(
            0.5, 0.5, "nothing was recorded", ha="center", color=PALE, transform=axes.transAxes
        )
        return picture
    above = _positive(values)
    axes.set_yscale("log")
    rule(axes, "y")
    _lines(axes, above[:, kept], BLUE, "kept")
    _lines(axes, above[:, ~kept], ORANGE, "not kept", "--")
    if len(kept) > 1:
        steps = np.arange(1, len(above) + 1)
        axes.plot(steps, np.median(above, axis=1), color=INK, linewidth=2, label="median")
    axes.legend(frameon=False, fontsize=9, labelcolor=INK)
    return picture


def _lines(axes: Axes, values: Floats, colour: str, label: str, style: str = "-") -> None:
    count = values.shape[1]
    if not count:
        return
    # Many lines are pale together, few are strong each.
    strength = max(0.15, min(0.9, 8 / count))
    steps = np.arange(1, len(values) + 1)
    marker = "o" if len(values) == 1 else None
    lines = axes.plot(
        steps, values, style, color=colour, alpha=strength, linewidth=0.9, marker=marker
    )
    lines[0].set_label(f"{label} ({count})")


def _positive(values: Floats) -> Floats:
    """Values for a logarithmic scale: a zero is drawn where the least other one is."""
    above = values[values > 0]
    least = float(above.min()) if len(above) else 1e-12
    return np.where(values > 0, values, least)
