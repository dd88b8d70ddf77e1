"""How the loss of each member fell."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from boxsel.models.measuring import Floats
from boxsel.models.model import Model
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


def drawn(model: Model) -> Picture:
    """One line for each member, kept or not, and the median of all."""
    picture, axes = sheet(6.4, 4.0)
    members, kept = model.settings.members, model.kept
    entitle(axes, f"Loss of {members} members, {int(kept.sum())} of them kept")
    axes.set_xlabel("training, record by record", color=INK, fontsize=9.5)
    axes.set_ylabel("mean loss of the axioms", color=INK, fontsize=9.5)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    history = _positive(model.history)
    if not len(history):
        axes.text(
            0.5, 0.5, "nothing was recorded", ha="center", color=PALE, transform=axes.transAxes
        )
        return picture
    axes.set_yscale("log")
    axes.grid(axis="y", color=FAINTEST, linewidth=0.8)
    axes.set_axisbelow(True)
    _lines(axes, history[:, kept], BLUE, "kept")
    _lines(axes, history[:, ~kept], ORANGE, "not kept", "--")
    if members > 1:
        steps = np.arange(1, len(history) + 1)
        axes.plot(steps, np.median(history, axis=1), color=INK, linewidth=2, label="median")
    axes.legend(frameon=False, fontsize=9, labelcolor=INK)
    return picture


def _lines(axes: Axes, history: Floats, colour: str, label: str, style: str = "-") -> None:
    count = history.shape[1]
    if not count:
        return
    # Many lines are pale together, few are strong each.
    strength = max(0.15, min(0.9, 8 / count))
    steps = np.arange(1, len(history) + 1)
    marker = "o" if len(history) == 1 else None
    lines = axes.plot(
        steps, history, style, color=colour, alpha=strength, linewidth=0.9, marker=marker
    )
    lines[0].set_label(f"{label} ({count})")


def _positive(history: Floats) -> Floats:
    """Losses for a logarithmic scale: a zero is drawn where the least other loss is."""
    above = history[history > 0]
    least = float(above.min()) if len(above) else 1e-12
    return np.where(history > 0, history, least)
