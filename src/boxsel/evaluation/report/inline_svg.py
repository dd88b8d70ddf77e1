"""A drawing made fit for the inside of a page: its own names, the page's colours, no addresses."""

from __future__ import annotations

import re
from html import escape
from typing import Final

# What is grey in the drawing follows the page, which may be light or dark.
_THEME: Final = {
    "#1f2937": "var(--ink)",
    "#000000": "var(--ink)",
    "#6b7280": "var(--pale)",
    "#d1d5db": "var(--line)",
    "#eef0f3": "var(--faint)",
    "#ffffff": "var(--page)",
    "white": "var(--page)",
}
_COLOUR: Final = re.compile(r"(?<=[:\"\s])(#[0-9a-fA-F]{6}|white)(?=[;\"\s])")
_FONT: Final = re.compile(r"'DejaVu Sans'(, '[^']*')*(, sans-serif)?")


def inline_svg(svg: str, key: str, title: str) -> str:
    """An SVG file as an element of a page, with a title for those who do not see it."""
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
    label = escape(title, quote=True)
    return f'{opening} role="img" aria-label="{label}">{rest}'.strip()
