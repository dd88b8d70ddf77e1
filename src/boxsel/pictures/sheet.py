"""What drawings with matplotlib share: a figure that needs no screen, its frame, its words."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from typing import Any, Final, Literal

from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure

from boxsel.pictures.colours import FAINT, FAINTEST, INK, PALE

# The margins of a square, in inches.
LEFT: Final = 0.75
RIGHT: Final = 0.25
BOTTOM: Final = 0.65
TOP: Final = 0.62

Below = Literal["outside lower left", "outside lower right"]
RGB = tuple[float, float, float]


class Picture(Figure):
    """A figure that belongs to no window, and that notebooks show by themselves."""

    def _repr_png_(self) -> bytes:
        return self.spelt("png")

    def spelt(self, kind: str, **options: Any) -> bytes:
        """The bytes of a file of some kind."""
        data = BytesIO()
        self.savefig(data, format=kind, **options)
        return data.getvalue()


def sheet(width: float, height: float) -> tuple[Picture, Axes]:
    """An empty picture of some inches, with axes for one drawing."""
    picture = Picture(figsize=(width, height), dpi=144, layout="constrained", facecolor="white")
    axes = picture.subplots()
    frame(axes)
    return picture, axes


def frame(axes: Axes, letters: float = 9) -> None:
    """Lines at the left and at the bottom alone."""
    for side, spine in axes.spines.items():
        spine.set_visible(side in ("left", "bottom"))
        spine.set_color(FAINT)
    axes.tick_params(which="both", color=FAINT, labelcolor=PALE, labelsize=letters)


def rule(axes: Axes, axis: Literal["x", "y"]) -> None:
    """Faint lines across, behind what is drawn."""
    axes.grid(axis=axis, color=FAINTEST, linewidth=0.8)
    axes.set_axisbelow(True)


def name_axes(axes: Axes, x: str, y: str = "", letters: float = 9.5) -> None:
    """Say what is along the axes."""
    axes.set_xlabel(x, color=INK, fontsize=letters)
    axes.set_ylabel(y, color=INK, fontsize=letters)


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


def explain(picture: Picture, handles: Sequence[Artist], where: Below, **look: Any) -> None:
    """A legend below everything."""
    picture.legend(handles=handles, loc=where, frameon=False, fontsize=8.5, **look)
