"""A picture of rates: both groups in total and in each stratum, as SVG."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from math import sqrt
from typing import Any, Final

from boxsel.logic.rounding import outward
from boxsel.reversals.rates import PLACES, count_text

ROW: Final = 56
FOOT: Final = 32
EDGE: Final = 4.0
TICKS: Final = (0.0, 0.25, 0.5, 0.75, 1.0)
CLASSES: Final = ("group-first", "group-second")
LEAST, MORE = 5.0, 7.0
"""The radius of a mark, and how much larger it is if the whole group is there."""


def rates_picture(comparison: Mapping[str, Any]) -> str:
    """Rates as marks between 0 and 1; larger where more of the group is, wide where not known.

    Examples:
        >>> rate = {"lower": 0.2, "upper": 0.2, "count": None}
        >>> found = {"groups": ["Woman", "Man"], "total": [rate, rate], "strata": []}
        >>> "total: Woman 0.2, Man 0.2" in rates_picture(found)
        True
    """
    groups = [plain(one) for one in comparison["groups"]]
    rows = [("total", comparison["total"], None)]
    rows += [(plain(one["stratum"]), one["rates"], one["mixture"]) for one in comparison["strata"]]
    height = ROW * len(rows)
    parts = [_grid(height)]
    told = []
    for place, (label, rates, mixture) in enumerate(rows):
        top = place * ROW
        parts.append(
            f'<text x="{EDGE}%" y="{top + 16}" class="row-label" fill="currentColor"'
            f' font-size="13">{escape(label)}</text>'
        )
        for group, rate in enumerate(rates):
            share = 1.0 if mixture is None else _middle(mixture[group])
            parts.append(_mark(top + 28 + 14 * group, rate, share or 0.0, CLASSES[group]))
        said = (f"{name} {interval(rate)}" for name, rate in zip(groups, rates, strict=True))
        told.append(f"{label}: {', '.join(said)}")
    title = escape("; ".join(told))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="100%" height="{height + FOOT}" role="img"'
        f' aria-label="{title}"><title>{title}</title>{"".join(parts)}</svg>'
    )


def interval(rate: Mapping[str, Any]) -> str:
    """A rate for people."""
    if rate["lower"] is None:
        return "nobody"
    if rate["count"] is not None:
        return count_text(*rate["count"])
    return outward(rate["lower"], rate["upper"], PLACES).joined(" – ")


def plain(name: str) -> str:
    """A name without its quotes.

    Examples:
        >>> plain("'Outcome=Failure'"), plain("Woman and 'Type 1'")
        ('Outcome=Failure', "Woman and 'Type 1'")
    """
    inside = name[1:-1]
    return inside if name[:1] == name[-1:] == "'" and "'" not in inside else name


def _middle(rate: Mapping[str, Any]) -> float | None:
    if rate["lower"] is None:
        return None
    return float(rate["lower"] + rate["upper"]) / 2


def _place(share: float) -> str:
    return f"{EDGE + share * (100 - 2 * EDGE):.3f}%"


def _grid(height: int) -> str:
    return "".join(
        f'<line x1="{_place(one)}" y1="20" x2="{_place(one)}" y2="{height + 4}"'
        ' stroke="currentColor" stroke-opacity=".15"/>'
        f'<text x="{_place(one)}" y="{height + 22}" fill="currentColor" fill-opacity=".75"'
        f' font-size="13" text-anchor="middle">{one:g}</text>'
        for one in TICKS
    )


def _mark(height: float, rate: Mapping[str, Any], share: float, group: str) -> str:
    middle = _middle(rate)
    if middle is None:
        return ""
    radius = LEAST + MORE * sqrt(share) / 2
    wide = (
        f'<line x1="{_place(rate["lower"])}" y1="{height}" x2="{_place(rate["upper"])}"'
        f' y2="{height}" class="{group} rate-range"/>'
    )
    dot = f'<circle cx="{_place(middle)}" cy="{height}" r="{radius:.2f}" class="{group}"/>'
    return wide if rate["upper"] - rate["lower"] > 1e-6 else dot


def columns(comparison: Mapping[str, Any]) -> Sequence[str]:
    """The heads of the table below the picture, after that of the rows."""
    first, second = (plain(one) for one in comparison["groups"])
    return (first, second, f"part of {first}", f"part of {second}")
