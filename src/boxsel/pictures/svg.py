"""SVG as text: lines and words, and a drawing made fit for the inside of a page."""

from __future__ import annotations

import re
from html import escape
from typing import Final

from boxsel.pictures.colours import FAINT, FAINTEST, INK, LETTERS, PALE

# What is grey in the drawing follows the page, which may be light or dark.
_THEME: Final = {
    INK: "var(--ink)",
    "#000000": "var(--ink)",
    PALE: "var(--pale)",
    FAINT: "var(--line)",
    FAINTEST: "var(--faint)",
    "#ffffff": "var(--page)",
    "white": "var(--page)",
}
_COLOUR: Final = re.compile(r"(?<=[:\"\s])(#[0-9a-fA-F]{6}|white)(?=[;\"\s])")
_FONT: Final = re.compile(r"'DejaVu Sans'(, '[^']*')*(, sans-serif)?")

Place = str | float
"""Pixels, or a text with a unit."""


def line(x: Place, y: Place, right: Place, foot: Place, look: str = "") -> str:
    """A line from one place to another; `look` are further attributes."""
    return f'<line x1="{x}" y1="{y}" x2="{right}" y2="{foot}"{" " if look else ""}{look}/>'


def words(x: Place, y: Place, said: str, anchor: str, opacity: str, family: str = "") -> str:
    """Some words at a place, in the colour of letters."""
    font = f' font-family="{family}"' if family else ""
    return (
        f'<text x="{x}" y="{y}" fill="{LETTERS}" fill-opacity="{opacity}"'
        f' font-size="13" text-anchor="{anchor}"{font}>{escape(said)}</text>'
    )


def inline_svg(svg: str, key: str, title: str) -> str:
    """An SVG file as an element of a page: its own names, the page's colours, no addresses.

    It has a title for those who do not see it.
    """
    element = svg[svg.index("<svg") :]
    element = re.sub(r"<metadata>.*?</metadata>", "", element, flags=re.DOTALL)
    element = re.sub(r'\s*xmlns(:\w+)?="[^"]*"', "", element)
    element = element.replace("xlink:href", "href")
    element = re.sub(r'\bid="([^"]*)"', rf'id="{key}-\1"', element)
    element = re.sub(r'href="#([^"]*)"', rf'href="#{key}-\1"', element)
    element = re.sub(r"url\(#([^)]*)\)", rf"url(#{key}-\1)", element)
    element = _COLOUR.sub(lambda found: _THEME.get(found[1].lower(), found[1]), element)
    element = _FONT.sub("var(--sans)", element)
    opening, rest = element.split(">", 1)
    opening = re.sub(r'\s(width|height)="[^"]*"', "", opening)
    return f'{opening} role="img" aria-label="{escape(title)}">{rest}'.strip()
