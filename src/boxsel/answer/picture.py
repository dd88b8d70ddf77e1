"""An answer as a picture: outer, inner and estimate on a line from 0 to 1, as SVG.

Places are percentages of the width and sizes are pixels: letters stay readable on a narrow page.
"""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any, Final

from boxsel.answer.answer import Answer
from boxsel.logic.rounding import Shown, inward, outward

HEIGHT: Final = 104
EDGE: Final = 4.0
"""The margin at both sides, in percent of the width."""
LINE: Final = 52
BLUE, ORANGE = "#0072B2", "#D55E00"
# The reader's page may be light or dark, and its own colour of letters is fit for it.
INK: Final = "currentColor"
TICKS: Final = (0.0, 0.25, 0.5, 0.75, 1.0)
APART: Final = 0.3
"""Ends that are nearer to each other than this share one label."""
POINT: Final = 0.005
"""Narrower intervals are drawn as points."""


def picture(answer: Answer) -> str:
    """A picture of an answer; only the line where there is no interval.

    The pale bar is what is proved, the dark one what is certainly possible. What an ensemble
    estimates is a bracket above: it is no bound.

    Examples:
        >>> from boxsel import examples
        >>> from boxsel.answer.ask import ask
        >>> svg = picture(ask(examples.load("applicant"), "(Admitted | Applicant)"))
        >>> "proved: 0.16 to 0.96" in svg
        True
    """
    return drawn(answer.to_json())


def drawn(found: Mapping[str, Any]) -> str:
    """A picture of an answer that is given as its JSON object."""
    parts = [_axis()]
    outer, inner, estimate = found["outer"], found["inner"], found["estimate"]
    told = []
    if outer["lower"] is not None:
        parts.append(_bar("outer", outer["lower"], outer["upper"], 28, 0.28))
        ends = outward(outer["lower"], outer["upper"])
        told.append(f"proved: {ends.joined(' to ')}")
    if inner is not None:
        parts.append(_bar("inner", inner["lower"], inner["upper"], 12, 1.0))
        possible = inward(inner["lower"], inner["upper"])
        told.append(f"certainly possible: {possible.joined(' to ')}")
    if estimate is not None:
        parts.append(_bracket(estimate["lower"], estimate["upper"]))
        told.append(f"estimated: {estimate['lower']:.4g} to {estimate['upper']:.4g}")
    if outer["lower"] is not None:
        parts.append(_ends(outer["lower"], outer["upper"], ends))
    title = escape("; ".join((found["query"], *(told or [found["status"]]))))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="100%" height="{HEIGHT}"'
        f' role="img" aria-label="{title}"><title>{title}</title>{"".join(parts)}</svg>'
    )


def _place(share: float) -> float:
    return EDGE + share * (100 - 2 * EDGE)


def _axis() -> str:
    faint = f'stroke="{INK}" stroke-opacity=".4"'
    line = f'<line x1="{EDGE}%" y1="{LINE}" x2="{100 - EDGE}%" y2="{LINE}" {faint}/>'
    ticks = "".join(
        f'<line x1="{_place(one):g}%" y1="{LINE + 18}" x2="{_place(one):g}%" y2="{LINE + 23}"'
        f" {faint}/>{_text(one, LINE + 40, f'{one:g}', 'middle', 0.75)}"
        for one in TICKS
    )
    return line + ticks


def _text(share: float, height: float, said: str, anchor: str, opacity: float = 1.0) -> str:
    return (
        f'<text x="{_place(share):.3f}%" y="{height:g}" fill="{INK}" fill-opacity="{opacity:g}"'
        f' font-size="13" text-anchor="{anchor}" font-family="system-ui, sans-serif">{said}</text>'
    )


def _ends(lower: float, upper: float, ends: Shown) -> str:
    """The numbers of what is proved, above its ends, or one above the middle."""
    if upper - lower >= APART:
        return _text(lower, 16, ends.lower, "start") + _text(upper, 16, ends.upper, "end")
    said = ends.joined(" – ")
    middle = (lower + upper) / 2
    anchor = "start" if middle < 0.15 else "end" if middle > 0.85 else "middle"
    end = lower if anchor == "start" else upper if anchor == "end" else middle
    return _text(end, 16, said, anchor)


def _bar(kind: str, lower: float, upper: float, height: int, opacity: float) -> str:
    top = LINE - height / 2
    if upper - lower < POINT:  # as wide as can be seen, whatever the width of the page
        place = _place((lower + upper) / 2)
        return (
            f'<line class="{kind}" x1="{place:.4f}%" y1="{top:g}" x2="{place:.4f}%"'
            f' y2="{top + height:g}" stroke="{BLUE}" stroke-opacity="{opacity:g}"'
            f' stroke-width="{height // 4 + 1}"/>'
        )
    return (
        f'<rect class="{kind}" x="{_place(lower):.4f}%" y="{top:g}"'
        f' width="{_place(upper) - _place(lower):.4f}%" height="{height}" rx="3"'
        f' fill="{BLUE}" fill-opacity="{opacity:g}"/>'
    )


def _bracket(lower: float, upper: float) -> str:
    start, end = f"{_place(lower):.4f}%", f"{_place(upper):.4f}%"
    top, foot = LINE - 26, LINE - 17
    sides = ((start, foot, start, top), (start, top, end, top), (end, top, end, foot))
    lines = "".join(
        f'<line x1="{left}" y1="{high}" x2="{right}" y2="{low}"/>'
        for left, high, right, low in sides
    )
    return (
        f'<g class="estimate" stroke="{ORANGE}" stroke-width="2" stroke-dasharray="4 3">{lines}</g>'
    )
