"""A population as a mosaic: everybody is a rectangle, areas are shares; and a group as a bar.

The first name cuts it from top to bottom, the next one cuts both parts from left to right, and so
on, those who have a name always first. The last name gives the colour: so how much of a tile and
its neighbour is blue is the share of the last name among those who have the others.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Final

from boxsel.errors import BoxselError
from boxsel.pictures.colours import LETTERS
from boxsel.pictures.svg import frame, tile

MOST_NAMES: Final = 4
"""Of more names no mosaic can be read: it would have more than sixteen tiles."""
WIDE, HIGH, EDGE = 400, 260, 4
LETTER: Final = 6.4
"""About how wide a small letter is."""
LINE: Final = 15
"""A tile that is lower or narrower has no words; its title has them."""

Having = tuple[bool, ...]
"""Which of some names somebody has."""


@dataclass(frozen=True)
class Tile:
    """Who has which names, their share of everybody, and their place."""

    having: Having
    share: float
    x: float
    y: float
    width: float
    height: float


def draw_mosaic(names: Sequence[str], shares: Mapping[Having, float]) -> str:
    """The mosaic of a population as SVG, by the shares of those who have just some of the names.

    `answer.lower.population` has the shares of the population at an end, and draws itself by this.
    What it shows is also in words, as its title: it can be heard.

    Examples:
        >>> svg = draw_mosaic(["Woman", "Admitted"], {(True, True): 0.2, (False, True): 0.8})
        >>> "20% Woman, Admitted; 80% Admitted, not Woman" in svg
        True

    Raises:
        BoxselError: There are too many names, or shares of nobody.
    """
    if not 1 <= len(names) <= MOST_NAMES:
        raise BoxselError(f"a mosaic is of 1 to {MOST_NAMES} names, not of {len(names)}")
    total = sum(shares.values())
    if total <= 0:
        raise BoxselError("a mosaic needs somebody: all shares are 0")
    tiles = [*lay_tiles({kind: share / total for kind, share in shares.items()}, len(names))]
    said = "; ".join(_words(names, place) for place in tiles)
    size = f'viewBox="0 0 {WIDE + 2 * EDGE} {HIGH + 2 * EDGE}"'
    return frame(size, said, (_draw(names, place) for place in tiles))


def lay_tiles(shares: Mapping[Having, float], names: int) -> Iterator[Tile]:
    """The places of all who have a share, those who have the first names first."""

    def share_of(start: Having) -> float:
        return sum(share for kind, share in shares.items() if kind[: len(start)] == start)

    def lay(start: Having, x: float, y: float, width: float, height: float) -> Iterator[Tile]:
        whole = share_of(start)
        if whole <= 0:
            return
        if len(start) == names:
            yield Tile(start, whole, x, y, width, height)
            return
        having, lacking = (*start, True), (*start, False)
        part = share_of(having) / whole
        if len(start) % 2 == 0:
            yield from lay(having, x, y, width * part, height)
            yield from lay(lacking, x + width * part, y, width * (1 - part), height)
        else:
            yield from lay(having, x, y, width, height * part)
            yield from lay(lacking, x, y + height * part, width, height * (1 - part))

    return lay((), EDGE, EDGE, WIDE, HIGH)


def _draw(names: Sequence[str], place: Tile) -> str:
    """A tile; its words, if there is room for them, and its title in any case."""
    x, y, width, height = place.x, place.y, place.width, place.height
    size = f'x="{x:.2f}" y="{y:.2f}" width="{width:.2f}" height="{height:.2f}"'
    style, opacity = ("tile having", 0.55) if place.having[-1] else ("tile", 0.12)
    drawn = tile(style, size, opacity, _words(names, place))
    lines = [_percent(place.share), *_named(names, place)]
    fitting = [line for line in lines if LETTER * len(line) + 8 <= width]
    for number, line in enumerate(fitting[: int(height // LINE)]):
        drawn += (
            f'<text x="{x + 5:.2f}" y="{y + LINE * (number + 1) - 3:.2f}"'
            f' fill="{LETTERS}" font-size="12" font-family="system-ui, sans-serif">'
            f"{escape(line)}</text>"
        )
    return drawn


def _named(names: Sequence[str], tile: Tile) -> list[str]:
    return [name for name, has in zip(names, tile.having, strict=True) if has]


def _words(names: Sequence[str], tile: Tile) -> str:
    lacking = [f"not {name}" for name, has in zip(names, tile.having, strict=True) if not has]
    return f"{_percent(tile.share)} {', '.join([*_named(names, tile), *lacking])}"


def _percent(share: float) -> str:
    return f"{100 * share:.3g}%"


BAR_HEIGHT: Final = 36
BAR_LETTER: Final = 2.2
"""About how wide a letter is, in percent of the bar on a telephone."""


@dataclass(frozen=True)
class Kind:
    """People who are alike: what they are called, their share of the group, and what counts.

    `counted` are those whom the question asks for.
    """

    called: str
    share: float
    counted: bool


def draw_kinds(title: str, kinds: Sequence[Kind]) -> str:
    """The bar; those who are counted are dark, and names stand where there is room.

    Examples:
        >>> svg = draw_kinds("C", [Kind("A", 0.25, True), Kind("B", 0.75, False)])
        >>> svg.count("<rect"), 'width="75.000%"' in svg
        (2, True)
    """
    parts, left = [], 0.0
    for kind in kinds:
        width = 100 * kind.share
        style, letters = ("counted", "white") if kind.counted else ("others", LETTERS)
        place = f'x="{left:.3f}%" width="{width:.3f}%" height="{BAR_HEIGHT}"'
        opacity = 1 if kind.counted else 0.28
        parts.append(tile(f"kind {style}", place, opacity, f"{kind.called}: {width:.3g} %"))
        if BAR_LETTER * (len(kind.called) + 2) < width:
            parts.append(
                f'<text class="{style}" x="{left + width / 2:.3f}%" y="{BAR_HEIGHT / 2 + 4}"'
                f' text-anchor="middle" font-size="12" fill="{letters}">'
                f"{escape(kind.called)}</text>"
            )
        left += width
    told = "; ".join(f"{kind.called} {100 * kind.share:.3g} %" for kind in kinds)
    return frame(f'width="100%" height="{BAR_HEIGHT}"', f"{title}: {told}", parts)
