"""A picture of rates: both groups in total and in each stratum, as SVG."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from boxsel.logic.rounding import outward
from boxsel.pictures.shares import Rate, RateRow, draw_rates
from boxsel.reversals.rates import PLACES, count_text


def rates_picture(comparison: Mapping[str, Any]) -> str:
    """Rates as marks between 0 and 1; larger where more of the group is, wide where not known.

    Examples:
        >>> rate = {"lower": 0.2, "upper": 0.2, "count": None}
        >>> found = {"groups": ["Woman", "Man"], "total": [rate, rate], "strata": []}
        >>> "total: Woman 0.2, Man 0.2" in rates_picture(found)
        True
    """
    first, second = map(plain, comparison["groups"])
    given = [("total", comparison["total"], (None, None))]
    given += [(plain(one["stratum"]), one["rates"], one["mixture"]) for one in comparison["strata"]]
    rows, told = [], []
    for label, (one, other), (part, rest) in given:
        rows.append(RateRow(label, (_rate(one, part), _rate(other, rest))))
        told.append(f"{label}: {first} {interval(one)}, {second} {interval(other)}")
    return draw_rates(rows, "; ".join(told))


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


def columns(comparison: Mapping[str, Any]) -> Sequence[str]:
    """The heads of the table below the picture, after that of the rows."""
    first, second = (plain(one) for one in comparison["groups"])
    return (first, second, f"part of {first}", f"part of {second}")


def _rate(rate: Mapping[str, Any], part: Mapping[str, Any] | None) -> Rate | None:
    """A rate, and the middle of what part of the group is there: all of it in total."""
    if rate["lower"] is None:
        return None
    if part is None:
        return Rate((rate["lower"], rate["upper"]))
    share = 0.0 if part["lower"] is None else (part["lower"] + part["upper"]) / 2
    return Rate((rate["lower"], rate["upper"]), share)
