"""What all pictures share: a figure that needs no screen, its colours, its frame."""

from __future__ import annotations

from io import BytesIO
from typing import Final

from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure

# Okabe and Ito's colours, which people tell apart whatever cones they have; without the yellow,
# which is too pale for a line.
BLUE: Final = "#0072B2"
ORANGE: Final = "#D55E00"
GREEN: Final = "#009E73"
PALETTE: Final = (BLUE, ORANGE, GREEN, "#CC79A7", "#E69F00", "#56B4E9", "#000000")

INK: Final = "#1f2937"
PALE: Final = "#6b7280"
FAINT: Final = "#d1d5db"
FAINTEST: Final = "#eef0f3"

# The margins of a square, in inches.
LEFT: Final = 0.75
RIGHT: Final = 0.25
BOTTOM: Final = 0.65
TOP: Final = 0.62

RGB = tuple[float, float, float]


class Picture(Figure):
    """A figure that belongs to no window, and that notebooks show by themselves."""

    def _repr_png_(self) -> bytes:
        data = BytesIO()
        self.savefig(data, format="png")
        return data.getvalue()


def sheet(width: float, height: float) -> tuple[Picture, Axes]:
    """An empty picture of some inches, with axes for one drawing."""
    picture = Picture(figsize=(width, height), dpi=144, layout="constrained", facecolor="white")
    axes = picture.subplots()
    for side, spine in axes.spines.items():
        spine.set_visible(side in ("left", "bottom"))
        spine.set_color(FAINT)
    axes.tick_params(which="both", color=FAINT, labelcolor=PALE, labelsize=9)
    return picture, axes


def square(side: float) -> tuple[Picture, Axes]:
    """A picture with square axes of some inches, which stay where they are."""
    picture, axes = sheet(side, side)
    picture.set_layout_engine("none")
    _place(picture, axes, side, LEFT + side + RIGHT)
    return picture, axes


def widen(picture: Picture, axes: Axes, side: float, pixels: float) -> None:
    """Make room at the right of a square."""
    _place(picture, axes, side, LEFT + side + RIGHT + pixels / picture.dpi)


def _place(picture: Picture, axes: Axes, side: float, width: float) -> None:
    height = BOTTOM + side + TOP
    picture.set_size_inches(width, height)
    axes.set_position((LEFT / width, BOTTOM / height, side / width, side / height))


def darker(colour: str) -> RGB:
    """A shade of a colour that is dark enough for letters."""
    red, green, blue = to_rgb(colour)
    return 0.7 * red, 0.7 * green, 0.7 * blue


def entitle(axes: Axes, title: str, note: str = "") -> None:
    """A title, and beneath it what one should know to read the picture."""
    axes.set_title(title, loc="left", fontsize=11, color=INK, pad=20 if note else 8)
    if note:
        axes.annotate(
            note,
            (0, 1),
            (0, 6),
            xycoords="axes fraction",
            textcoords="offset points",
            fontsize=8.5,
            color=PALE,
            va="bottom",
        )
