"""How the page looks: style sheets, each for a part of it."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Final

# What comes later wins.
SHEETS: Final = (
    "colours",
    "bench",
    "editor",
    "statements",
    "question",
    "answer",
    "sliders",
    "simpson",
    "boxes",
    "dialogs",
    "narrow",
)


@cache
def style() -> str:
    """All style sheets as one.

    Examples:
        >>> "--blue" in style()
        True
    """
    folder = files(__name__)
    return "\n".join(folder.joinpath(f"{sheet}.css").read_text("utf-8") for sheet in SHEETS)
