"""An answer as a picture: outer, inner and estimate on a line from 0 to 1, as SVG."""

from __future__ import annotations

from html import escape
from typing import Final

from boxsel.answer.answer import Answer

WIDTH: Final = 640
HEIGHT: Final = 96
EDGE: Final = 16
LINE: Final = 44
BLUE, ORANGE = "#0072B2", "#D55E00"
# The reader's page may be light or dark, and its own colour of letters is fit for it.
INK: Final = "currentColor"
TICKS: Final = (0.0, 0.25, 0.5, 0.75, 1.0)
LEAST: Final = 3.0
"""A point is drawn as wide as this, or nobody would see it."""


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
    found = answer.to_json()
    parts = [_axis()]
    outer, inner, estimate = found["outer"], found["inner"], found["estimate"]
    told = []
    if outer["lower"] is not None:
        parts.append(_bar("outer", outer["lower"], outer["upper"], 26, BLUE, 0.28))
        told.append(f"proved: {outer['lower']:.6g} to {outer['upper']:.6g}")
    if inner is not None:
        parts.append(_bar("inner", inner["lower"], inner["upper"], 12, BLUE, 1.0))
        told.append(f"certainly possible: {inner['lower']:.6g} to {inner['upper']:.6g}")
    if estimate is not None:
        parts.append(_bracket(estimate["lower"], estimate["upper"]))
        told.append(f"estimated: {estimate['lower']:.4g} to {estimate['upper']:.4g}")
    title = escape("; ".join((found["query"], *(told or [answer.status]))))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="100%"'
        f' role="img" aria-label="{title}"><title>{title}</title>{"".join(parts)}</svg>'
    )


def _place(share: float) -> float:
    return EDGE + share * (WIDTH - 2 * EDGE)


def _axis() -> str:
    line = f'<path d="M{_place(0)} {LINE}H{_place(1)}" stroke="{INK}" stroke-opacity=".45"/>'
    ticks = "".join(
        f'<path d="M{_place(one):g} {LINE + 15}v5" stroke="{INK}" stroke-opacity=".45"/>'
        f'<text x="{_place(one):g}" y="{LINE + 36}" fill="{INK}" font-size="13"'
        f' text-anchor="middle" font-family="sans-serif">{one:g}</text>'
        for one in TICKS
    )
    return line + ticks


def _bar(kind: str, lower: float, upper: float, height: int, colour: str, opacity: float) -> str:
    width = max(LEAST, _place(upper) - _place(lower))
    start = (_place(lower) + _place(upper) - width) / 2
    return (
        f'<rect class="{kind}" x="{start:.2f}" y="{LINE - height / 2:g}" width="{width:.2f}"'
        f' height="{height}" rx="2" fill="{colour}" fill-opacity="{opacity:g}"/>'
    )


def _bracket(lower: float, upper: float) -> str:
    start, end = _place(lower), _place(upper)
    return (
        f'<path class="estimate" d="M{start:.2f} {LINE - 16}v-8H{end:.2f}v8" fill="none"'
        f' stroke="{ORANGE}" stroke-width="2" stroke-dasharray="4 3"/>'
    )
