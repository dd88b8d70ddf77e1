"""An answer as a picture on a line from 0 to 1; and in notebooks."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import TYPE_CHECKING, Any

from boxsel.answer.typical_share import TypicalShare
from boxsel.logic.rounding import Words, inward, outward
from boxsel.pictures.shares import Ends, draw_answer

if TYPE_CHECKING:
    from boxsel.answer.answer import Answer


def picture(answer: Answer) -> str:
    """A picture of an answer; only the line where there is no interval.

    The pale bar is what is proved, the dark one what is certainly possible. What an ensemble
    estimates is a bracket above, what is typical a ring: they are no bounds.

    Examples:
        >>> from boxsel import examples
        >>> from boxsel.answer.ask import ask
        >>> svg = picture(ask(examples.load("applicant"), "(Admitted | Applicant)"))
        >>> "proved: 0.16 to 0.96" in svg
        True
    """
    return drawn(answer.to_json())


def answer_html(answer: Answer) -> str:
    """A picture, and what the answer says."""
    first, *others = answer.lines
    said = escape("\n".join(others))
    return (
        f'<div style="max-width: 44em"><b>{escape(first)}</b>{picture(answer)}'
        f'<pre style="white-space: pre-wrap">{said}</pre></div>'
    )


def drawn(answer: Mapping[str, Any]) -> str:
    """A picture of an answer that is given as its JSON object."""
    outer, inner, estimate = (ends_of(answer[part]) for part in ("outer", "inner", "estimate"))
    proved = None if outer is None else (outer, outward(*outer))
    told = []
    if proved is not None:
        told.append(f"proved: {proved[1].joined(' to ')}")
    if inner is not None:
        told.append(f"certainly possible: {inward(*inner).joined(' to ')}")
    if estimate is not None:
        told.append(f"estimated: {estimate[0]:.4g} to {estimate[1]:.4g}")
    typical = answer.get("typical")
    if typical is not None:
        told.append(f"typically {TypicalShare(**typical).number(Words())}")
    title = "; ".join((answer["query"], *(told or [answer["status"]])))
    return draw_answer(title, proved, inner, estimate, typical and typical["value"])


def ends_of(interval: Mapping[str, Any] | None) -> Ends | None:
    """The ends of an interval of an answer, if it has both."""
    if interval is None or interval["lower"] is None:
        return None
    return interval["lower"], interval["upper"]
