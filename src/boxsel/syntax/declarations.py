"""How lines begin that declare something, and state nothing."""

from __future__ import annotations

from typing import Final

DECLARATIONS: Final = (
    "Prefix:",
    "Label:",
    "Class:",
    "ObjectProperty:",
    "Individual:",
    "Dropped:",
    "Skipped:",
)
