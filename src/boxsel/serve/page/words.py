"""What the page says about answers, as plain sentences."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from boxsel.errors import BoxselError
from boxsel.logic.rounding import outward
from boxsel.serve.limits import MIB
from boxsel.serve.problems import ProblemError

_CLAUSE: Final = re.compile(r"(?<=[.;:,]) ")
_COMMAND: Final = re.compile(r"(?<![\w-])--[a-z]|\bboxsel [a-z]|`")

LIMITS: Final[Mapping[str, str]] = {
    "out-of-time": "There was no answer within {limit:g} seconds. With fewer statements there may"
    " be one.",
    "out-of-memory": "This needs more than the {mebibytes:,.6g} MiB of memory that there are."
    " Fewer statements need less.",
    "too-many-statements": "These are more than {limit:,} statements, which are all that this"
    " server takes. Keep those that the question is about.",
    "request-too-large": "This is larger than {mebibytes:,.6g} MiB, which is all that this server"
    " takes. Open a part of it.",
    "answer-too-large": "What comes out is larger than {mebibytes:,.6g} MiB, which is all that this"
    " server sends. Ask about less.",
    "worker-died": "The work broke off, perhaps for want of memory. Try again, or with fewer"
    " statements.",
    "no-workers": "The server cannot start what does the work. Its log says why.",
    "busy": "The server has much to do. Try again in a moment.",
}
"""What programs are told about their requests is told in other words to people who made none."""
_PASSING: Final = frozenset({"out-of-time", "worker-died", "no-workers", "busy"})


@dataclass(frozen=True)
class Complaint:
    """What is wrong, in one line; `details` if there is more; and its place in a question."""

    said: str
    details: str = ""
    place: tuple[int, int] | None = None


def complaint(error: BoxselError) -> Complaint:
    """What the page says about an error: no words of the command line.

    Examples:
        >>> complaint(ProblemError("invalid-input", "no strata: name one, such as --strata S1"))
        Complaint(said='No strata: name one.', details='', place=None)
    """
    problem = error if isinstance(error, ProblemError) else None
    if problem is not None and problem.kind in LIMITS:
        limit = problem.members.get("limit", 0)
        return Complaint(LIMITS[problem.kind].format(limit=limit, mebibytes=limit / MIB))
    errors = problem.members.get("errors") if problem is not None else None
    if not errors:
        first, _, rest = str(error).partition("\n")
        return Complaint(sentence(without_commands(first)), without_commands(rest.strip()))
    first_error = errors[0]
    said = sentence(without_commands(first_error["message"]))
    if advice := without_commands(first_error.get("help") or ""):
        said += f" {sentence(advice)}"
    if first_error.get("line") is None and first_error.get("column"):
        start = first_error["column"] - 1
        return Complaint(said, place=(start, start + first_error["length"]))
    if len(errors) > 1 or first_error.get("line") is not None:
        listed = [_placed(one, sentence(without_commands(one["message"]))) for one in errors]
        return Complaint(_placed(first_error, said), "\n".join(listed))
    return Complaint(said)


def is_passing(error: BoxselError) -> bool:
    """Whether the server may well do later what it could not do now."""
    return isinstance(error, ProblemError) and error.kind in _PASSING


def without_commands(text: str) -> str:
    """A text without what only makes sense on the command line.

    Examples:
        >>> without_commands("Write .sel instead, or leave it out with --lossy")
        'Write .sel instead'
    """
    if not _COMMAND.search(text):
        return text
    kept = [clause for clause in _CLAUSE.split(text) if not _COMMAND.search(clause)]
    return " ".join(kept).rstrip(".;:, ")


def _placed(error: Mapping[str, Any], said: str) -> str:
    return said if error.get("line") is None else f"Line {error['line']}: {said}"


def in_words(query: str) -> str:
    """What a question asks, as far as it is complete.

    Examples:
        >>> in_words("(Admitted | Woman and DeptA)")
        'What share of Woman and DeptA is Admitted?'
    """
    inside = query.strip()
    if not (inside.startswith("(") and inside.endswith(")")):
        return ""
    head, bar, body = inside[1:-1].partition(" | ")
    if not bar or not head.strip() or not body.strip() or "|" in body:
        return ""
    return f"What share of {body.strip()} is {head.strip()}?"


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


def nudges_said(answers: Mapping[str, Mapping[str, Any]], now: Mapping[str, Any]) -> str:
    """What a step of a slider would do, each way, as it really is; nothing if the time was over.

    Examples:
        >>> now = {"status": "bounded", "outer": {"lower": 0.2, "upper": 0.2}}
        >>> nobody = {"status": "vacuous", "outer": {"lower": None, "upper": None}}
        >>> nudges_said({"+0.01": nobody}, now)
        '+0.01: no number'
    """
    current = headline(now)
    said = {
        way: headline(content) for way, content in answers.items() if content["status"] != "budget"
    }
    moving = [f"{way}: {text}" for way, text in said.items() if text != current]
    if moving or len(said) < len(answers):
        return "; ".join(moving)
    return "One step does not move the answer."


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
    ending = "" if text.endswith((".", "?", "!", "…")) else "."
    return f"{capitalised(text)}{ending}" if text else ""


def capitalised(text: str) -> str:
    """A text that begins with a capital."""
    return f"{text[:1].upper()}{text[1:]}"
