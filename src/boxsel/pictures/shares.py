"""Shares on lines from 0 to 1 as SVG: an answer, an estimate, the rates of two groups.

Places are percentages of the width and sizes are pixels: letters stay readable on a narrow page.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, sqrt
from typing import TYPE_CHECKING, Final

from boxsel.logic.rounding import Shown
from boxsel.pictures.colours import BLUE, LETTERS, ORANGE
from boxsel.pictures.svg import frame

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Ends = tuple[float, float]
"""The ends of an interval of shares."""

Place = str | float
"""Pixels, or a text with a unit."""

EDGE: Final = 4.0
"""The margin at both sides, in percent of the width."""
TICKS: Final = (0.0, 0.25, 0.5, 0.75, 1.0)

HEIGHT: Final = 104
LINE: Final = 52
APART: Final = 0.3
"""Ends that are nearer to each other than this share one label."""
POINT: Final = 0.005
"""Narrower intervals are drawn as points."""

ROW: Final = 56
FOOT: Final = 32
CLASSES: Final = ("group-first", "group-second")
PARTS: Final = (20, 10, 4)
"""An axis has steps of one part in so many, as fine as so few steps allow."""
MOST_STEPS: Final = 5
ROUGH: Final = 1e-9
LEAST, MORE = 5.0, 7.0
"""The radius of a mark, and how much larger it is if the whole group is there."""

SMALL_PICTURE: Final = (240, 24, 6)
"""Width, height and margin of an estimate: a value of 0 or 1 can be seen."""


@dataclass(frozen=True)
class Rate:
    """A rate of a group, and what part of the group is there."""

    ends: Ends
    part: float = 1.0


@dataclass(frozen=True)
class RateRow:
    """The rates of both groups, in total or in a stratum; none where there is nobody."""

    label: str
    rates: tuple[Rate | None, Rate | None]


@dataclass(frozen=True)
class AnswerRow:
    """An answer in a row: what is proved, what is certainly possible, what is typical, in words."""

    label: str
    proved: Ends | None
    possible: Ends | None
    typical: float | None
    said: str


@dataclass(frozen=True)
class Slope:
    """How far the lower and the upper end of an answer move with a stated number; 0 if not."""

    label: str
    lower: float
    upper: float


@dataclass(frozen=True, eq=False)
class Bar:
    """The values of members, NaN where there is none, and which of them are kept.

    `kept_ends` is the interval of those kept, `seen` that of all, and `bounds` one that was proved;
    `lacking` says why there is no interval.
    """

    label: str
    values: NDArray[np.float64]
    kept: NDArray[np.bool_]
    kept_ends: Ends | None
    seen: Ends | None
    bounds: Ends | None = None
    lacking: str = ""


def draw_answer(
    title: str,
    proved: tuple[Ends, Shown] | None,
    possible: Ends | None,
    estimated: Ends | None,
    typical: float | None = None,
) -> str:
    """A pale bar with its numbers, a dark one, a bracket above and a ring; only the line without.

    The ring is hollow: what is typical is a choice among what is possible.
    """
    parts = [_axis()]
    if proved is not None:
        parts.append(_bar("outer", *proved[0], 28, 0.28))
    if possible is not None:
        parts.append(_bar("inner", *possible, 12, 1.0))
    if estimated is not None:
        parts.append(_bracket(*estimated))
    if typical is not None:
        parts.append(
            f'<circle class="typical" cx="{_place(typical)}" cy="{LINE}" r="{LEAST:g}" fill="white"'
            f' stroke="{ORANGE}" stroke-width="2"/>'
        )
    if proved is not None:
        parts.append(_numbers(*proved[0], proved[1]))
    return frame(f'width="100%" height="{HEIGHT}"', title, parts)


def draw_rates(rows: Sequence[RateRow], title: str) -> str:
    """Rates as marks; larger where more of the group is, wide where not known.

    The axis is as long as the rates need, and a line joins those of a row: where its slope turns,
    the comparison does.
    """
    height = ROW * len(rows)
    parts = []
    ticks = fitting_ticks([end for row in rows for rate in row.rates if rate for end in rate.ends])
    low, length = ticks[0], ticks[-1] - ticks[0]
    for tick in ticks:
        x = _place((tick - low) / length, 3)
        parts.append(_line(x, 20, x, height + 4, f'stroke="{LETTERS}" stroke-opacity=".15"'))
        parts.append(_words(x, height + 22, f"{tick:g}", "middle", ".75"))
    for place, row in enumerate(rows):
        top = place * ROW
        parts.append(
            f'<text x="{EDGE}%" y="{top + 16}" class="row-label" fill="{LETTERS}"'
            f' font-size="13">{escape(row.label)}</text>'
        )
        drawn = [
            rate and Rate(((rate.ends[0] - low) / length, (rate.ends[1] - low) / length), rate.part)
            for rate in row.rates
        ]
        if drawn[0] is not None and drawn[1] is not None:
            first, second = (_place(sum(rate.ends) / 2, 3) for rate in drawn if rate is not None)
            parts.append(_line(first, top + 28, second, top + 42, 'class="rate-slope"'))
        for group, rate in enumerate(drawn):
            if rate is not None:
                parts.append(_mark(top + 28 + 14 * group, rate, CLASSES[group]))
    return frame(f'width="100%" height="{height + FOOT}"', title, parts)


def fitting_ticks(shares: Sequence[float]) -> list[float]:
    """The places of an axis that is as long as some shares need.

    Examples:
        >>> fitting_ticks([0.75, 0.9]), fitting_ticks([0.1, 0.95])
        ([0.75, 0.8, 0.85, 0.9], [0.0, 0.25, 0.5, 0.75, 1.0])
    """
    for parts in PARTS:
        first = min(floor(min(shares, default=0) * parts + ROUGH), parts - 1)
        last = max(ceil(max(shares, default=1) * parts - ROUGH), first + 1)
        if last - first <= MOST_STEPS:
            break
    return [place / parts for place in range(first, last + 1)]


def draw_estimate(title: str, kept: Ends | None, seen: Ends) -> str:
    """A small bar for the members that are kept, and a thin line for all of them."""
    width, height, margin = SMALL_PICTURE

    def along(ends: Ends, thick: int, colour: str, opacity: float) -> str:
        left, right = (margin + share * (width - 2 * margin) for share in ends)
        # A point must be seen as well: no line is shorter than two pixels.
        right, middle = max(right, left + 2), f"{height / 2:g}"
        look = f'stroke="{colour}" stroke-width="{thick}" stroke-opacity="{opacity}"'
        return _line(f"{left:.1f}", middle, f"{right:.1f}", middle, look)

    faint = f'stroke="{LETTERS}" stroke-opacity="0.25"'
    parts = [along((0, 1), 1, LETTERS, 0.25)]
    parts += [_line(place, 4, place, height - 4, faint) for place in (margin, width - margin)]
    if kept is not None:
        parts.append(along(kept, 10, BLUE, 0.5))
    parts.append(along(seen, 2, LETTERS, 0.8))
    return (
        f'<svg role="img" width="{width}" height="{height}" viewBox="0 0 {width} {height}">'
        f"<title>{escape(title)}</title>{''.join(parts)}</svg>"
    )


def _percent(share: float) -> float:
    return EDGE + share * (100 - 2 * EDGE)


def _place(share: float, digits: int = 4) -> str:
    return f"{_percent(share):.{digits}f}%"


def _axis() -> str:
    faint = f'stroke="{LETTERS}" stroke-opacity=".4"'
    parts = [_line(f"{EDGE}%", LINE, f"{100 - EDGE}%", LINE, faint)]
    for tick in TICKS:
        place = f"{_percent(tick):g}%"
        parts.append(_line(place, LINE + 18, place, LINE + 23, faint))
        parts.append(_number(tick, LINE + 40, f"{tick:g}", "middle", "0.75"))
    return "".join(parts)


def _number(share: float, height: int, said: str, anchor: str, opacity: str = "1") -> str:
    return _words(_place(share, 3), height, said, anchor, opacity, "system-ui, sans-serif")


def _numbers(lower: float, upper: float, ends: Shown) -> str:
    """The numbers of what is proved, above its ends, or one above the middle."""
    if upper - lower >= APART:
        return _number(lower, 16, ends.lower, "start") + _number(upper, 16, ends.upper, "end")
    middle = (lower + upper) / 2
    anchor = "start" if middle < 0.15 else "end" if middle > 0.85 else "middle"
    end = lower if anchor == "start" else upper if anchor == "end" else middle
    return _number(end, 16, ends.joined(" – "), anchor)


def _bar(kind: str, lower: float, upper: float, height: int, opacity: float) -> str:
    top = LINE - height / 2
    if upper - lower < POINT:  # as wide as can be seen, whatever the width of the page
        place = _place((lower + upper) / 2)
        return (
            f'<line class="{kind}" x1="{place}" y1="{top:g}" x2="{place}" y2="{top + height:g}"'
            f' stroke="{BLUE}" stroke-opacity="{opacity:g}" stroke-width="{height // 4 + 1}"/>'
        )
    return (
        f'<rect class="{kind}" x="{_place(lower)}" y="{top:g}"'
        f' width="{_percent(upper) - _percent(lower):.4f}%" height="{height}" rx="3"'
        f' fill="{BLUE}" fill-opacity="{opacity:g}"/>'
    )


def _bracket(lower: float, upper: float) -> str:
    start, end = _place(lower), _place(upper)
    top, foot = LINE - 26, LINE - 17
    sides = ((start, foot, start, top), (start, top, end, top), (end, top, end, foot))
    lines = "".join(_line(*side) for side in sides)
    return (
        f'<g class="estimate" stroke="{ORANGE}" stroke-width="2" stroke-dasharray="4 3">{lines}</g>'
    )


def _mark(height: int, rate: Rate, group: str) -> str:
    lower, upper = rate.ends
    if upper - lower > 1e-6:
        look = f'class="{group} rate-range"'
        return _line(_place(lower, 3), height, _place(upper, 3), height, look)
    radius = LEAST + MORE * sqrt(rate.part) / 2
    middle = _place((lower + upper) / 2, 3)
    return f'<circle cx="{middle}" cy="{height}" r="{radius:.2f}" class="{group}"/>'


def _line(x: Place, y: Place, right: Place, foot: Place, look: str = "") -> str:
    """A line from one place to another; `look` are further attributes."""
    return f'<line x1="{x}" y1="{y}" x2="{right}" y2="{foot}"{" " if look else ""}{look}/>'


def _words(x: Place, y: Place, said: str, anchor: str, opacity: str, family: str = "") -> str:
    """Some words at a place, in the colour of letters."""
    font = f' font-family="{family}"' if family else ""
    return (
        f'<text x="{x}" y="{y}" fill="{LETTERS}" fill-opacity="{opacity}"'
        f' font-size="13" text-anchor="{anchor}"{font}>{escape(said)}</text>'
    )
