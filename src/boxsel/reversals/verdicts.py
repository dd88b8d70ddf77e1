"""Verdicts about reversals: entailed, excluded, possible, or undecided, each with its evidence."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from boxsel.logic.names import Prefixes
from boxsel.logic.statements import Query
from boxsel.reversals.layout import share_text
from boxsel.reversals.question import FIRST, GROUPS, SECOND, Question
from boxsel.reversals.search import Found, Population
from boxsel.reversals.standard import Weighing
from boxsel.reversals.words import AGAINST

Kind = Literal["full", "partial"]
Answer = Literal["entailed", "excluded", "possible", "undecided"]


@dataclass(frozen=True)
class Shown:
    """A population in which the groups are not empty, and its rates."""

    question: Question
    population: Population

    @property
    def shares(self) -> dict[Query, Fraction | None]:
        """The rates and the mixture; none where a body is empty."""
        queries = (*self.question.rates, *self.question.mixture)
        return {query: self.population.share(query) for query in queries}

    @property
    def standardised(self) -> tuple[Fraction, Fraction] | None:
        """The standardised rates, if every stratum has both groups."""
        weighing = Weighing(self.question)
        queries = (*self.question.rates, *weighing.queries)
        found = {query: self.population.share(query) for query in queries}
        shares = {query: share for query, share in found.items() if share is not None}
        return weighing.rates(shares) if len(shares) == len(found) else None

    def lines(self, prefixes: Prefixes) -> list[str]:
        """The rates for people."""
        shares, question = self.shares, self.question
        pairs = [("in total", tuple(shares[question.total(group)] for group in GROUPS))]
        for stratum in question.strata:
            rates = tuple(shares[question.rate(group, stratum)] for group in GROUPS)
            pairs.append((f"in {stratum.text(prefixes)}", rates))
        if self.standardised is not None:
            pairs.append(("standardised", self.standardised))
        return [f"{where}: {_said(two[0])} against {_said(two[1])}" for where, two in pairs]

    def to_json(self, prefixes: Prefixes) -> dict[str, Any]:
        """The population, its rates and its mixture as a JSON object."""
        return {
            "shares": [
                {"query": query.text(prefixes), "share": None if share is None else str(share)}
                for query, share in self.shares.items()
            ],
            "standardised": None
            if self.standardised is None
            else [str(share) for share in self.standardised],
            "model": self.population.to_json(prefixes, self.question.pool),
        }


@dataclass(frozen=True)
class Verdict:
    """Whether the comparison turns round, over all models in which both groups have members.

    *Entailed*: in every model. *Excluded*: in none. *Possible*: in the one that is shown.
    *Undecided*: the time was over. `above` are the groups that can be the one with the lower rate
    in total; `other` is a model that does not reverse, `open_end` that nobody knows of one.
    """

    kind: Kind
    answer: Answer
    above: tuple[int, ...] = ()
    reversing: Shown | None = None
    other: Shown | None = None
    open_end: bool = False

    def lines(self, question: Question, prefixes: Prefixes) -> list[str]:
        """The verdict for people."""
        what = AGAINST[self.kind]
        said = {
            "entailed": f"in every model {what}",
            "excluded": f"there is no model in which {what}",
            "possible": f"there is a model in which {what}",
            "undecided": "the time was over before a model was found, or excluded, in which"
            f" {what}",
        }[self.answer]
        lines = [f"{self.kind} reversal: {self.answer}; {said}"]
        if self.answer == "entailed" and len(self.above) == 1:
            own, other = (question.groups[side] for side in (self.above[0], 1 - self.above[0]))
            way = "in each stratum" if self.kind == "full" else "when standardised"
            lines.append(
                f"  {own.text(prefixes)} is below {other.text(prefixes)} in total, and above {way}"
            )
        if self.reversing is not None and self.answer != "entailed":
            lines.append("  a model that reverses:")
            lines += (f"    {line}" for line in self.reversing.lines(prefixes))
        if self.other is not None:
            lines.append("  a model that does not:")
            lines += (f"    {line}" for line in self.other.lines(prefixes))
        if self.open_end:
            lines.append("  whether every model does is not known: the time was over")
        return lines

    def to_json(self, prefixes: Prefixes) -> dict[str, Any]:
        """The verdict as a JSON object."""
        return {
            "verdict": self.answer,
            "below_in_total": [side + 1 for side in self.above],
            "reversing": None if self.reversing is None else self.reversing.to_json(prefixes),
            "not_reversing": None if self.other is None else self.other.to_json(prefixes),
        }


def verdict(
    kind: Kind, question: Question, reversing: tuple[Found, Found], other: Found
) -> Verdict:
    """What searches for models that reverse, in both ways, and for one that does not come to.

    Both groups can have members: so if no model fails to reverse, one does.
    """
    above = tuple(side for side in (FIRST, SECOND) if not reversing[side].refuted)
    shown = next((result.population for result in reversing if result.population is not None), None)
    example = None if shown is None else Shown(question, shown)
    against = None if other.population is None else Shown(question, other.population)
    answer: Answer = "undecided"
    if not above:
        answer = "excluded"
    elif other.refuted:
        answer = "entailed"
    elif example is not None:
        answer = "possible"
    open_end = answer == "possible" and against is None
    return Verdict(kind, answer, above, example, against, open_end)


def _said(share: Fraction | None) -> str:
    return "nobody" if share is None else share_text(share)
