"""Renew the pictures of the gallery from screenshots that the tests of the page took.

BOXSEL_SCREENSHOTS=shots python -m pytest --deep tests/serve/page
python -m tests.serve.page.gallery shots
"""

from __future__ import annotations

import sys
from pathlib import Path

from PIL import Image

GALLERY = Path(__file__).parents[3] / "docs" / "assets" / "gallery"
SHOWN = {
    "what-if": "3-what-if-1280-light",
    "hint": "11-hint-1280-light",
    "simpson": "4-simpson-1280-light",
    "mistake": "2-mistake-1280-light",
    "conflict": "5-conflict-1280-light",
    "boxes": "8-boxes-1280-light",
    "narrow-dark": "3-what-if-390-dark",
    "narrow-simpson": "4-simpson-390-light",
}
"""Which screenshot each picture is."""


def renew(shots: Path) -> None:
    """Store the pictures with 256 colours: that is a third of the size, and nobody sees it."""
    for name, shot in SHOWN.items():
        picture = Image.open(shots / f"{shot}.png").convert("RGB")
        picture.quantize(256, dither=Image.Dither.NONE).save(GALLERY / f"{name}.png", optimize=True)


if __name__ == "__main__":
    renew(Path(sys.argv[1]))
