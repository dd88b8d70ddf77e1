"""What the page says about answers, as plain sentences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from boxsel.logic.rounding import outward


def headline(found: Mapping[str, Any]) -> str:
    """The answer in one sentence.

    Examples:
        >>> outer = {"lower": 0.16, "upper": 0.96, "exact": True}
        >>> headline({"query": "(B | A)", "status": "bounded", "outer": outer})
        'between 0.16 and 0.96'
    """
    lower, upper = found["outer"]["lower"], found["outer"]["upper"]
    if lower is None or upper is None:
        return "no number"
    ends = outward(lower, upper)
    if (ends.lower, ends.upper) == ("0", "1"):
        return "anything between 0 and 1"
    if ends.point is None:
        return f"between {ends.lower} and {ends.upper}"
    return ends.point if ends.about else f"exactly {ends.point}"


def standing(found: Mapping[str, Any]) -> str:
    """How sure the answer is, in a word or two."""
    if found["outer"]["lower"] is None:
        return "inconsistent" if found["status"] == "inconsistent" else "vacuous"
    if found["outer"]["exact"]:
        return "exact"
    return "time was over" if found["status"] == "budget" else "proved"


def note(found: Mapping[str, Any]) -> str:
    """What that word means."""
    return {
        "exact": "Nothing tighter is true: models reach both ends, or come as near as one likes.",
        "proved": "The truth lies in here, and may be narrower.",
        "time was over": "The truth lies in here. More time may narrow it.",
        "vacuous": "Its group is empty in every model, and a share of nobody is no number.",
        "inconsistent": "The statements contradict each other: there is no model at all.",
    }[standing(found)]


def is_point(found: Mapping[str, Any]) -> bool:
    """Whether the answer is one number."""
    outer = found["outer"]
    return outer["lower"] is not None and outward(outer["lower"], outer["upper"]).point is not None


def side_title(side: str, found: Mapping[str, Any]) -> str:
    """What one end of an answer says."""
    outer = found["outer"]
    ends = outward(outer["lower"], outer["upper"])
    lower, upper = (ends.point, ends.point) if ends.point else (ends.lower, ends.upper)
    if side == "both":
        return capitalised(lower) if ends.about else f"Exactly {lower}"
    return f"At least {lower}" if side == "lower" else f"At most {upper}"


def sentence(text: str) -> str:
    """A text that begins with a capital and ends with a full stop."""
    return f"{capitalised(text)}." if text else ""


def capitalised(text: str) -> str:
    """A text that begins with a capital."""
    return f"{text[:1].upper()}{text[1:]}"
