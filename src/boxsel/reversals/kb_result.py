"""What `simpson` says about a knowledge base: rates, remarks and proved verdicts."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

from boxsel.errors import BoxselError
from boxsel.logic.concepts import Concept
from boxsel.logic.names import Prefixes
from boxsel.reversals.layout import as_json, draw, lines, mixture_line, rows
from boxsel.reversals.of_kb import Analysis, Status
from boxsel.reversals.verdicts import Verdict


@dataclass(frozen=True)
class KBReversal:
    """Whether two groups compare differently in total and by stratum, in models.

    `full` and `partial` are verdicts about all models in which both groups have members; there are
    none if there is no such model.
    """

    analysis: Analysis
    prefixes: Prefixes

    @property
    def status(self) -> Status:
        """*Answered*, *vacuous* (a group is always empty), *inconsistent*, or *budget*."""
        return self.analysis.status

    @property
    def full(self) -> Verdict | None:
        """The verdict about full reversal: every stratum goes against the total."""
        return next((one for one in self.analysis.verdicts if one.kind == "full"), None)

    @property
    def partial(self) -> Verdict | None:
        """The verdict about partial reversal: standardised rates go against the total."""
        return next((one for one in self.analysis.verdicts if one.kind == "partial"), None)

    @property
    def text(self) -> str:
        """The answer for people."""
        return "".join(f"{line}\n" for line in self._lines())

    def to_json(self) -> dict[str, Any]:
        """The answer as a JSON object."""
        found = self.analysis
        compared = as_json(found.question, found.rates, self.prefixes) if found.rates else None
        return {
            "source": "kb",
            "status": found.status,
            "question": found.question.text(self.prefixes),
            "comparison": compared,
            "full": None if self.full is None else self.full.to_json(self.prefixes),
            "partial": None if self.partial is None else self.partial.to_json(self.prefixes),
            "empty": [one.text(self.prefixes) for one in found.empty],
            "remarks": list(found.remarks),
            "seconds": round(found.seconds, 3),
        }

    def plot(self, file: str | os.PathLike[str]) -> None:
        """Draw the rates into a file: .png, .svg or .pdf.

        Raises:
            BoxselError: There are no rates, or matplotlib is not installed.
        """
        found = self.analysis
        if not found.rates:
            raise BoxselError("there are no rates to draw: the knowledge base has no model")
        groups = [self._spelt(one) for one in found.question.groups]
        title = f"{self._spelt(found.question.outcome)}: {groups[0]} against {groups[1]}"
        draw(file, title, groups, rows(found.question, found.rates, self._spelt))

    def _spelt(self, concept: Concept) -> str:
        return concept.text(self.prefixes)

    def _lines(self) -> list[str]:
        found = self.analysis
        title = found.question.text(self.prefixes)
        if found.status == "inconsistent":
            return [f"{title}: there is no model at all"]
        said = [title, *lines(found.question, found.rates, self._spelt)]
        if found.status == "vacuous":
            empty = " and ".join(map(self._spelt, found.empty))
            return [*said, f"vacuous: {empty} is empty in every model, so nothing is compared"]
        for one in found.verdicts:
            said += one.lines(found.question, self.prefixes)
        if any(one.answer in ("entailed", "possible") for one in found.verdicts):
            said += mixture_line(found.question, found.rates, self._spelt)
        return [*said, *(f"note: {remark}" for remark in found.remarks)]
