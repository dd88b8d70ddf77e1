"""A comparison as a figure for slides: both shares in the populations farthest apart."""

from __future__ import annotations

import os
from textwrap import fill
from typing import TYPE_CHECKING, Final

from boxsel.answer.figure import LABEL, TITLE, expect_picture, write_picture
from boxsel.comparison.comparison import Comparison, Extreme
from boxsel.errors import BoxselError
from boxsel.machine.extras import needing
from boxsel.pictures.shares import Rate, RateRow

if TYPE_CHECKING:
    from matplotlib.figure import Figure

GROUP: Final = 2 * LABEL
SAID: Final = {
    "open": "can be higher and can be lower",
    "undecided": "may be higher or lower: that was not decided",
}


def plot_comparison(
    comparison: Comparison, file: str | os.PathLike[str] | None = None, *, percent: bool = False
) -> Figure:
    """Both shares with the least and with the largest difference; with a file, written there.

    Raises:
        BoxselError: There is nothing to draw, the file is no picture, or matplotlib is not
            installed.
    """
    if file is not None:
        expect_picture(file)
    with needing("matplotlib", "plots", "pictures"):
        from boxsel.pictures.slides import draw_contrast
    least, most = comparison.least, comparison.most
    if least is None or most is None:
        raise BoxselError(f"there is nothing to draw: {comparison.text.strip()}")
    if (least.first, least.second) == (most.first, most.second):
        rows = [_row("in every population", least)]
    else:
        rows = [_row("least difference", least), _row("largest difference", most)]
    lines = comparison.text.splitlines()[1:]
    groups = [
        fill(one.text(comparison.prefixes), GROUP) for one in (comparison.first, comparison.second)
    ]
    said = SAID.get(comparison.verdict, f"is {comparison.verdict}")
    title = fill(f"The first share {said}", TITLE)
    note = "\n".join(line.strip() for line in lines if not line.strip().startswith("with the"))
    figure = draw_contrast(rows, groups, title, note, percent=percent)
    if file is not None:
        write_picture(figure, file, title, " ".join(comparison.text.split()))
    return figure


def _row(label: str, extreme: Extreme) -> RateRow:
    first, second = (Rate((float(one), float(one))) for one in (extreme.first, extreme.second))
    return RateRow(label, (first, second))
