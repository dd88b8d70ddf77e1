"""SVG elements that drawings share: the frame that can be heard, and rectangles with a title."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from boxsel.pictures.colours import BLUE


def frame(size: str, title: str, parts: Iterable[str]) -> str:
    """A drawing; its title is said by screen readers, and shown where nothing else has one.

    Examples:
        >>> frame('width="9"', "A & B", []).partition(" role=")[2]
        '"img" aria-label="A &amp; B"><title>A &amp; B</title></svg>'
    """
    said = escape(title)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-label="{said}">'
        f"<title>{said}</title>{''.join(parts)}</svg>"
    )


def tile(style: str, place: str, opacity: float, title: str) -> str:
    """Some people as a rectangle, the bluer the more opaque, with a white border.

    Examples:
        >>> tile("kind", 'width="9"', 0.5, "A")[:33]
        '<rect class="kind" width="9" fill'
    """
    return (
        f'<rect class="{style}" {place} fill="{BLUE}" fill-opacity="{opacity:g}" stroke="white">'
        f"<title>{escape(title)}</title></rect>"
    )
