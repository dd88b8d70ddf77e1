"""Who is in a group, as a bar: a part for each kind of people, as wide as they are many.

A mosaic shows everybody by a few names, and needs a page; this has any kinds on a line.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Final

from boxsel.pictures.colours import LETTERS
from boxsel.pictures.svg import frame, tile

HEIGHT: Final = 36
LETTER: Final = 2.2
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
        place = f'x="{left:.3f}%" width="{width:.3f}%" height="{HEIGHT}"'
        opacity = 1 if kind.counted else 0.28
        parts.append(tile(f"kind {style}", place, opacity, f"{kind.called}: {width:.3g} %"))
        if LETTER * (len(kind.called) + 2) < width:
            parts.append(
                f'<text class="{style}" x="{left + width / 2:.3f}%" y="{HEIGHT / 2 + 4}"'
                f' text-anchor="middle" font-size="12" fill="{letters}">'
                f"{escape(kind.called)}</text>"
            )
        left += width
    told = "; ".join(f"{kind.called} {100 * kind.share:.3g} %" for kind in kinds)
    return frame(f'width="100%" height="{HEIGHT}"', f"{title}: {told}", parts)
