"""What `simpson` says about a table: the comparisons that were asked for, or that reverse."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any, Literal

from boxsel.errors import BoxselError
from boxsel.logic.concepts import Concept
from boxsel.logic.names import NO_PREFIXES
from boxsel.reversals.layout import as_json, draw, lines, mixture_line, rows
from boxsel.reversals.of_table import Answer, Comparison
from boxsel.reversals.rates import share_text
from boxsel.wording import several

SAID: dict[Answer, str] = {
    "full": "full reversal: every stratum goes against the total",
    "partial": "partial reversal: the standardised rates go against the total, but not all strata",
    "none": "no reversal: neither every stratum nor the standardised rates go against the total",
    "undefined": "no reversal can be told",
}


@dataclass(frozen=True)
class TableReversals:
    """Comparisons in a table: the one that was named, or of many those that reverse.

    `looked_at` is how many were looked at, and `complete` whether the time was enough for all.
    """

    comparisons: tuple[Comparison, ...]
    looked_at: int
    searched: bool
    complete: bool
    undefined: int
    remarks: tuple[str, ...]
    seconds: float = 0.0

    @property
    def status(self) -> Literal["answered", "budget"]:
        """*Answered*, or *budget* if the time was over before all were looked at."""
        return "answered" if self.complete else "budget"

    @property
    def text(self) -> str:
        """The answer for people."""
        said = [line for one in self.comparisons for line in (*_lines(one), "")]
        if self.searched:
            said.append(self._searched())
        said += (f"note: {remark}" for remark in self.remarks)
        return "".join(f"{line}\n" for line in said)

    def to_json(self) -> dict[str, Any]:
        """The answer as a JSON object."""
        return {
            "source": "table",
            "status": self.status,
            "searched": self.searched,
            "looked_at": self.looked_at,
            "undefined": self.undefined,
            "comparisons": [_as_json(one) for one in self.comparisons],
            "remarks": list(self.remarks),
            "seconds": round(self.seconds, 3),
        }

    def plot(self, file: str | os.PathLike[str]) -> None:
        """Draw the rates of the one comparison, or of the first that reverses, into a file.

        Raises:
            BoxselError: There is no comparison, or matplotlib is not installed.
        """
        if not self.comparisons:
            raise BoxselError("there is nothing to draw: no comparison reverses")
        one = self.comparisons[0]
        groups = list(map("=".join, one.combination.groups))
        title = f"{'='.join(one.combination.outcome)}: {groups[0]} against {groups[1]}"
        draw(file, title, groups, rows(one.question, one.rates, _spelt))

    def _searched(self) -> str:
        number = len(self.comparisons)
        said = f"looked at {several(self.looked_at, 'comparison')}: "
        kinds = [(kind, self._count(kind)) for kind in ("full", "partial")]
        found = " and ".join(f"{count} {kind}" for kind, count in kinds if count)
        said += f"{several(number, 'reversal')} ({found})" if number else "no reversal"
        if self.undefined:
            said += f"; in {self.undefined} some stratum has nobody of one group"
        return said if self.complete else f"{said}; the time was over before all were looked at"

    def _count(self, kind: str) -> int:
        return sum(one.answer == kind for one in self.comparisons)


def _lines(one: Comparison) -> list[str]:
    said = [one.combination.text, *lines(one.question, one.rates, _spelt)]
    if one.standardised is not None:
        first, second = map(share_text, one.standardised)
        said.append(f"standardised: {first} against {second}")
    said.append(SAID[one.answer])
    if one.answer in ("full", "partial"):
        said += mixture_line(one.question, one.rates, _spelt)
    return [*said, *(f"note: {remark}" for remark in one.remarks)]


def _as_json(one: Comparison) -> dict[str, Any]:
    standardised = one.standardised
    return {
        "verdict": one.answer,
        **as_json(one.question, one.rates, NO_PREFIXES),
        "standardised": None if standardised is None else [str(rate) for rate in standardised],
        "remarks": list(one.remarks),
    }


def _spelt(concept: Concept) -> str:
    return concept.text().strip("'")
