"""Boxes with their names as SVG: areas are shares of the frame."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Final

from boxsel.pictures.svg import frame

SIDE: Final = 400
MARGIN: Final = 6
LETTER: Final = 8.4
"""About how wide a letter is."""
LINE: Final = 18
COLOURS: Final = 7
"""So many colours there are; then they come again, dashed."""

Corners = Sequence[float]
"""Left, low, right, high."""
Rectangle = tuple[float, float, float, float]
"""Left, top, width, height: of a drawing."""


def draw_boxes(names: Sequence[str], boxes: Sequence[Corners]) -> str:
    """The boxes of names within the frame, which is everything.

    Examples:
        >>> 'class="box colour-0"' in draw_boxes(["A"], [(0, 0, 0.5, 1)])
        True
    """
    edge = SIDE + 2 * MARGIN
    parts = [f'<rect class="universe" x="{MARGIN}" y="{MARGIN}" width="{SIDE}" height="{SIDE}"/>']
    rectangles = [_rectangle(corners) for corners in boxes]
    labels = []
    taken: list[Corners] = []
    order = sorted(range(len(names)), key=lambda place: -_area(boxes[place]))
    for place in order:
        x, y, width, height = rectangles[place]
        dashed = ' stroke-dasharray="6 4"' if place >= COLOURS else ""
        parts.append(
            f'<rect class="box colour-{place % COLOURS}" x="{x:.1f}" y="{y:.1f}"'
            f' width="{width:.1f}" height="{height:.1f}"{dashed}>'
            f"<title>{escape(names[place])}</title></rect>"
        )
    for place in reversed(order):  # small boxes have the fewest places for their names
        spot = _spot(names[place], rectangles[place], taken, rectangles)
        if spot is not None:
            taken.append(spot)
            labels.append(
                f'<text class="box-label colour-{place % COLOURS}" x="{spot[0]:.1f}"'
                f' y="{spot[1] + LINE - 5:.1f}">{escape(names[place])}</text>'
            )
    return frame(f'viewBox="0 0 {edge} {edge}"', f"Boxes of {', '.join(names)}", parts + labels)


def _rectangle(corners: Corners) -> Rectangle:
    left, low, right, high = (min(1.0, max(0.0, corner)) for corner in corners)
    return (
        MARGIN + left * SIDE,
        MARGIN + (1 - high) * SIDE,
        max(0.0, right - left) * SIDE,
        max(0.0, high - low) * SIDE,
    )


def _area(corners: Corners) -> float:
    left, low, right, high = corners
    return (right - left) * (high - low)


def _spot(
    name: str, own: Rectangle, taken: Sequence[Corners], others: Sequence[Rectangle]
) -> Corners | None:
    """Where the name fits into its box: off other names, across few borders, in few other boxes."""
    x, y, width, height = own
    long = len(name) * LETTER + 4
    if width < long + 8 or height < LINE + 4:
        return None
    rows = min(20, max(1, int((height - 4) // LINE)))
    spots = [
        (left, y + 4 + row * LINE, left + long, y + 4 + (row + 1) * LINE)
        for row in range(rows)
        for left in (x + 6, x + width - long - 2, x + (width - long) / 2)
    ]
    free = [spot for spot in spots if not any(_overlap(spot, other) for other in taken)]
    return min(free, key=lambda spot: sum(_disturbs(spot, other) for other in others), default=None)


def _overlap(one: Corners, other: Corners) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _disturbs(spot: Corners, rectangle: Rectangle) -> int:
    """How much a box disturbs a name: more if its border goes through, less if it is around."""
    x, y, width, height = rectangle
    if not _overlap(spot, (x, y, x + width, y + height)):
        return 0
    around = x <= spot[0] and y <= spot[1] and spot[2] <= x + width and spot[3] <= y + height
    return 1 if around else 3
