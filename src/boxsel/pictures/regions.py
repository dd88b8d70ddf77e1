"""Regions of the plane with their names, inside a frame."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import Final

from matplotlib.patches import Circle, Patch, Rectangle
from matplotlib.transforms import Bbox

from boxsel.pictures.colours import FAINT, PALETTE
from boxsel.pictures.labels import Named, label
from boxsel.pictures.sheet import Picture, entitle, name_axes, square, widen

SIDE: Final = 4.8
STYLES: Final = ("-", "--", ":")


Box = tuple[float, float, float, float]
"""Left, low, right, high."""
Ball = tuple[float, float, float]
"""The centre, and the radius."""
Region = Box | Ball


def draw_regions(
    universe: Region,
    regions: Sequence[tuple[str, Region]],
    names: tuple[str, str],
    title: str,
    note: str,
) -> Picture:
    """Regions with their names; `names` are those of the axes."""
    picture, axes = square(SIDE)
    axes.set_aspect("equal")
    name_axes(axes, *names)
    whole = _patch(universe)
    whole.set(facecolor="none", edgecolor=FAINT, linewidth=1.5, zorder=0)
    axes.add_patch(whole)
    for spine in axes.spines.values():
        spine.set_visible(False)
    things = []
    for place, (name, region) in enumerate(regions):
        patch = _patch(region)
        colour = PALETTE[place % len(PALETTE)]
        style = STYLES[place // len(PALETTE) % len(STYLES)]
        patch.set(edgecolor=colour, facecolor=(colour, 0.10), linewidth=1.8, linestyle=style)
        axes.add_patch(patch)
        things.append(Named(name, patch, _frame(region), colour))
    axes.autoscale_view()
    axes.margins(0.03)
    entitle(axes, title, note)
    beside = label(picture, axes, things)
    if beside:
        room = max(text.get_window_extent().x1 for text in beside)
        widen(picture, axes, SIDE, room - axes.get_window_extent().x1)
    return picture


def _patch(region: Region) -> Patch:
    if len(region) == 3:
        return Circle(region[:2], region[2])
    left, low, right, high = region
    return Rectangle((left, low), right - left, high - low)


def _frame(region: Region) -> Bbox:
    """What a label may use of a region: of a circle, the square inside it."""
    if len(region) == 4:
        return Bbox.from_extents(*region)
    x, y, half = *region[:2], region[2] / sqrt(2)
    return Bbox.from_extents(x - half, y - half, x + half, y + half)
