"""What a comparison of two groups came to, in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from boxsel.reversals.table_result import SAID
from boxsel.reversals.verdicts import AGAINST
from boxsel.serve.page.rates_picture import plain
from boxsel.serve.page.words import sentence
from boxsel.wording import several

_ANSWERS: Final = {
    "entailed": "In every model {}.",
    "excluded": "In no model {}.",
    "possible": "There is a model in which {}; not every one need be so.",
    "undecided": "The time was over before it was known whether there is a model in which {}.",
}


def verdicts(found: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """The verdicts about a knowledge base: a title, an answer, and a sentence.

    Examples:
        >>> found = {"full": {"verdict": "excluded"}, "partial": None}
        >>> list(verdicts(found))
        [('Full reversal', 'excluded', 'In no model every stratum goes against the total.')]
    """
    for kind, title in (("full", "Full reversal"), ("partial", "Partial reversal")):
        if found[kind] is not None:
            answer = found[kind]["verdict"]
            yield title, answer, _ANSWERS[answer].format(AGAINST[kind])


def no_verdict(found: Mapping[str, Any]) -> str:
    """Why there is nothing to compare, if that is so."""
    if found["status"] == "inconsistent":
        return "There is nothing to compare: the knowledge base has no model at all."
    if found["status"] == "vacuous":
        return f"There is nothing to compare: {' and '.join(found['empty'])} is always empty."
    return ""


def table_verdict(comparison: Mapping[str, Any]) -> str:
    """The verdict about a comparison in a table."""
    return sentence(SAID[comparison["verdict"]])


def title(comparison: Mapping[str, Any]) -> str:
    """What is compared."""
    first, second = (plain(one) for one in comparison["groups"])
    return f"{plain(comparison['outcome'])}: {first} against {second}"


def searched(found: Mapping[str, Any]) -> str:
    """How many comparisons of a table were looked at, and how many turn round."""
    number = len(found["comparisons"])
    said = several(number, "reversal") if number else "no reversal"
    over = "" if found["status"] == "answered" else "; the time was over before all were looked at"
    return f"{several(found['looked_at'], 'comparison')}, {said}{over}."
