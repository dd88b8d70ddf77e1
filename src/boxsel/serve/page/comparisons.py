"""Comparisons of two groups: the table they are made in, their rates, and what they came to."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from boxsel.formats.source import decode_table
from boxsel.logic.names import plain_name
from boxsel.logic.rounding import outward
from boxsel.pictures.shares import Rate, RateRow, draw_rates
from boxsel.reversals.words import AGAINST, PLACES, SAID, count_text
from boxsel.serve.page.completion import Option
from boxsel.serve.page.markup import Labels
from boxsel.serve.page.words import sentence
from boxsel.wording import several


def rates_picture(comparison: Mapping[str, Any]) -> str:
    """Rates as marks between 0 and 1; larger where more of the group is, wide where not known.

    Examples:
        >>> rate = {"lower": 0.2, "upper": 0.2, "count": None}
        >>> found = {"groups": ["Woman", "Man"], "total": [rate, rate], "strata": []}
        >>> "total: Woman 0.2, Man 0.2" in rates_picture(found)
        True
    """
    first, second = map(plain, comparison["groups"])
    rows, told = [], []
    for label, (one, other), (part, rest) in rates_by_row(comparison):
        rows.append(RateRow(shortened(label), (_rate(one, part), _rate(other, rest))))
        told.append(f"{label}: {first} {interval(one)}, {second} {interval(other)}")
    return draw_rates(rows, "; ".join(told))


def rates_by_row(comparison: Mapping[str, Any]) -> Iterator[tuple[str, Any, Any]]:
    """In total and in each stratum: its name, the rates of both groups, and their mixtures."""
    yield "total", comparison["total"], (None, None)
    for stratum in comparison["strata"]:
        yield plain(stratum["stratum"]), stratum["rates"], stratum["mixture"]


def interval(rate: Mapping[str, Any]) -> str:
    """A rate for people."""
    if rate["lower"] is None:
        return "nobody"
    if rate["count"] is not None:
        return count_text(*rate["count"])
    return outward(rate["lower"], rate["upper"], PLACES).joined(" – ")


LONGEST_NAME: Final = 36
"""Letters of a name that a picture has room for."""


def shortened(name: str) -> str:
    """A name as far as a picture has room for it.

    Examples:
        >>> shortened("DeptA"), len(shortened("Dept" * 100))
        ('DeptA', 36)
    """
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"


# One name, and not two with something between them.
_QUOTED: Final = re.compile(r"'(?:[^'\\]|\\.)*'", re.DOTALL)


def plain(name: str) -> str:
    r"""A name without its quotes.

    Examples:
        >>> plain("'Outcome=Failure'"), plain("Woman and 'Type 1'")
        ('Outcome=Failure', "Woman and 'Type 1'")
        >>> plain(r"'Stage=\'late\''")
        "Stage='late'"
    """
    return plain_name(name) if _QUOTED.fullmatch(name) else name


def shown_names(names: Iterable[Option]) -> dict[str, str]:
    """Names by what they are shown as: their labels, unless two have the same.

    Examples:
        >>> shown_names([Option("EX:2", "Seizure"), Option("'Type 1'"), Option("EX:1", "Fever")])
        {'Fever': 'EX:1', 'Seizure': 'EX:2', 'Type 1': "'Type 1'"}
        >>> shown_names([Option("EX:1", "Fever"), Option("Fever")])
        {'Fever (EX:1)': 'EX:1', 'Fever (Fever)': 'Fever'}
    """
    called = [(name.label or plain(name.name), name.name) for name in names]
    often = Counter(shown for shown, _ in called)
    told = ((f"{one} ({name})" if often[one] > 1 else one, name) for one, name in called)
    return dict(sorted(told, key=lambda one: one[0].casefold()))


def labelled(comparison: Mapping[str, Any], labels: Labels) -> Mapping[str, Any]:
    """A comparison with labels instead of identifiers."""
    strata = comparison["strata"]
    return {
        **comparison,
        "outcome": labels.plain(comparison["outcome"]),
        "groups": [labels.plain(group) for group in comparison["groups"]],
        "strata": [{**stratum, "stratum": labels.plain(stratum["stratum"])} for stratum in strata],
    }


def columns(comparison: Mapping[str, Any]) -> Sequence[str]:
    """The heads of the table below the picture, after that of the rows."""
    first, second = (plain(group) for group in comparison["groups"])
    return (first, second, f"part of {first}", f"part of {second}")


def _rate(rate: Mapping[str, Any], part: Mapping[str, Any] | None) -> Rate | None:
    """A rate, and the middle of what part of the group is there: all of it in total."""
    if rate["lower"] is None:
        return None
    if part is None:
        return Rate((rate["lower"], rate["upper"]))
    share = 0.0 if part["lower"] is None else (part["lower"] + part["upper"]) / 2
    return Rate((rate["lower"], rate["upper"]), share)


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
    first, second = (plain(group) for group in comparison["groups"])
    return f"{plain(comparison['outcome'])}: {first} against {second}"


def searched(found: Mapping[str, Any]) -> str:
    """How many comparisons of a table were looked at, and how many turn round."""
    number = len(found["comparisons"])
    said = several(number, "reversal") if number else "no reversal"
    over = "" if found["status"] == "answered" else "; the time was over before all were looked at"
    return f"{several(found['looked_at'], 'comparison')}, {said}{over}."


@dataclass(frozen=True)
class DataTable:
    r"""The text of a table, by the name of its file.

    Examples:
        >>> DataTable.of("counts.txt", b"a\tb\n1\t2").format
        'tsv'
    """

    name: str
    text: str
    format: Literal["csv", "tsv"]

    @classmethod
    def of(cls, name: str, data: bytes) -> DataTable:
        """The table in a file.

        Raises:
            ReadError: It is not text.
        """
        text, _ = decode_table(data, name)
        return cls(name, text, "tsv" if "\t" in text.partition("\n")[0] else "csv")
