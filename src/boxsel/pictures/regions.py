"""Regions of the plane inside a frame, with their names: in or beside them, never over others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import sqrt
from typing import Final, NamedTuple

from matplotlib.axes import Axes
from matplotlib.patches import Circle, Patch, Rectangle
from matplotlib.patheffects import withStroke
from matplotlib.text import Text
from matplotlib.transforms import Bbox

from boxsel.pictures.colours import FAINT, PALETTE
from boxsel.pictures.sheet import Picture, darker, entitle, name_axes, square, widen

MARGIN: Final = 3.0
"""How far a label keeps from the border of what it names, in points."""

SIZE: Final = 9
LINE: Final = 0.055
"""The least distance of labels at the right, as a part of the height."""


class Named(NamedTuple):
    """Something to be labelled: what is drawn, the frame inside it for its label, its colour."""

    text: str
    patch: Patch
    frame: Bbox
    colour: str


def label(picture: Picture, axes: Axes, things: Sequence[Named]) -> list[Text]:
    """Write every label where there is room: inside, else beside, else at the right with a line.

    The smallest go first: they have the fewest places. Gives the labels at the right, for which
    the picture may have to be wider.
    """
    margin = MARGIN * picture.dpi / 72
    whole = axes.get_window_extent()
    taken: list[Bbox] = []
    left: list[Named] = []
    for thing in sorted(things, key=lambda one: one.frame.width * one.frame.height):
        width, height = _size(axes, thing.text)
        frame = axes.transData.transform_bbox(thing.frame)
        for place in _places(frame, width, height, margin):
            if (
                Bbox.union([whole, place]).bounds == whole.bounds
                and not any(place.overlaps(other) for other in taken)
                and not any(_crosses(place.padded(margin / 2), one.patch) for one in things)
            ):
                taken.append(place)
                x, y = axes.transData.inverted().transform((place.x0, place.y0))
                axes.text(x, y, thing.text, color=darker(thing.colour), fontsize=SIZE, va="bottom")
                break
        else:
            left.append(thing)
    return _column(axes, left)


def _size(axes: Axes, text: str) -> tuple[float, float]:
    """The width and the height of a label in pixels."""
    trial = axes.text(0, 0, text, fontsize=SIZE, va="bottom")
    extent = trial.get_window_extent()
    trial.remove()
    return extent.width, extent.height


def _places(frame: Bbox, width: float, height: float, margin: float) -> Iterator[Bbox]:
    """Places inside a frame: its corners, then between them; then outside, at its borders."""
    left, right = frame.x0 + margin, frame.x1 - margin - width
    low, high = frame.y0 + margin, frame.y1 - margin - height
    middle, centre = (left + right) / 2, (low + high) / 2
    above, below = frame.y1 + margin, frame.y0 - margin - height
    after, before = frame.x1 + margin, frame.x0 - margin - width
    corners = [(x, y) for y in (high, low, centre) for x in (left, right, middle)]
    if left > right or low > high:
        corners = []
    corners += product((middle, frame.x0, frame.x1 - width), (above, below))
    corners += [(x, y) for y in (centre, frame.y1 - height, frame.y0) for x in (after, before)]
    for x, y in corners:
        yield Bbox.from_bounds(x, y, width, height)


def _crosses(place: Bbox, patch: Patch) -> bool:
    """Whether the border of a patch goes through a place."""
    border = patch.get_transform().transform_path(patch.get_path())
    return bool(border.intersects_bbox(place, filled=False))


def _column(axes: Axes, things: Sequence[Named]) -> list[Text]:
    """Labels at the right of the axes, each with a line to what it names."""
    bottom, top = axes.get_ylim()
    ordered = sorted(things, key=lambda one: -one.frame.y1)
    wanted = [float((thing.frame.y1 - bottom) / (top - bottom)) for thing in ordered]
    found: list[Text] = []
    for thing, height in zip(ordered, _spread(wanted), strict=True):
        note = axes.annotate(
            thing.text,
            (thing.frame.x1, thing.frame.y1),
            (1.03, height),
            textcoords="axes fraction",
            color=darker(thing.colour),
            fontsize=SIZE,
            va="center",
            arrowprops={"arrowstyle": "-", "color": thing.colour, "linewidth": 0.8},
        )
        note.set_path_effects([withStroke(linewidth=2, foreground="white")])
        found.append(note)
    return found


def _spread(heights: Sequence[float]) -> list[float]:
    """Heights from top to bottom, moved apart where they are too near to each other.

    Examples:
        >>> [round(height, 3) for height in _spread([0.9, 0.5, 0.49, 0.0, 0.0])]
        [0.9, 0.5, 0.445, 0.055, 0.0]
    """
    found = list(heights)
    for place in range(1, len(found)):
        found[place] = min(found[place], found[place - 1] - LINE)
    for place in reversed(range(len(found))):
        below = found[place + 1] + LINE if place + 1 < len(found) else 0.0
        found[place] = max(found[place], below)
    return found


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
