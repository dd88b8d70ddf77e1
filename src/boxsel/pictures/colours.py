"""The colours of all pictures."""

from __future__ import annotations

from typing import Final

# Okabe and Ito's colours, which people tell apart whatever cones they have; without the yellow,
# which is too pale for a line.
BLUE: Final = "#0072B2"
ORANGE: Final = "#D55E00"
PALETTE: Final = (BLUE, ORANGE, "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")

INK: Final = "#1f2937"
PALE: Final = "#6b7280"
FAINT: Final = "#d1d5db"
FAINTEST: Final = "#eef0f3"

LETTERS: Final = "currentColor"
"""Within a page, which may be light or dark: its own colour of letters is fit for it."""
