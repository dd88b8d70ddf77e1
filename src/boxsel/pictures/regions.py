"""Regions of the plane with their names, inside a frame."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Final

from matplotlib.patches import Circle, Patch, Rectangle
from matplotlib.transforms import Bbox

from boxsel.pictures.colours import FAINT, PALETTE
from boxsel.pictures.labels import Named, label
from boxsel.pictures.sheet import Picture, entitle, name_axes, square, widen

SIDE: Final = 4.8
STYLES: Final = ("-", "--", ":")


@dataclass(frozen=True)
class Box:
    """A rectangle from its lower to its upper corner."""

    lower: tuple[float, float]
    upper: tuple[float, float]

    def patch(self) -> Patch:
        """What is drawn."""
        (left, low), (right, high) = self.lower, self.upper
        return Rectangle(self.lower, right - left, high - low)

    def frame(self) -> Bbox:
        """What a label may use of it."""
        return Bbox([self.lower, self.upper])


@dataclass(frozen=True)
class Ball:
    """A circle."""

    centre: tuple[float, float]
    radius: float

    def patch(self) -> Patch:
        """What is drawn."""
        return Circle(self.centre, self.radius)

    def frame(self) -> Bbox:
        """What a label may use of it: the square inside."""
        (x, y), half = self.centre, self.radius / sqrt(2)
        return Bbox([[x - half, y - half], [x + half, y + half]])


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
    whole = universe.patch()
    whole.set(facecolor="none", edgecolor=FAINT, linewidth=1.5, zorder=0)
    axes.add_patch(whole)
    for spine in axes.spines.values():
        spine.set_visible(False)
    things = []
    for place, (name, region) in enumerate(regions):
        patch = region.patch()
        colour = PALETTE[place % len(PALETTE)]
        style = STYLES[place // len(PALETTE) % len(STYLES)]
        patch.set(edgecolor=colour, facecolor=(colour, 0.10), linewidth=1.8, linestyle=style)
        axes.add_patch(patch)
        things.append(Named(name, patch, region.frame(), colour))
    axes.autoscale_view()
    axes.margins(0.03)
    entitle(axes, title, note)
    beside = label(picture, axes, things)
    if beside:
        room = max(text.get_window_extent().x1 for text in beside)
        widen(picture, axes, SIDE, room - axes.get_window_extent().x1)
    return picture
