"""The door: reversals in a knowledge base or in a table, and what is said about the former."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, overload

from boxsel.errors import BoxselError
from boxsel.formats.registry import read
from boxsel.logic.concepts import Concept
from boxsel.logic.expecting import expect, expect_several
from boxsel.logic.html import Told
from boxsel.logic.kb import KB
from boxsel.logic.names import Prefixes
from boxsel.machine.budget import Budget, Limit
from boxsel.reversals.layout import as_json, draw, lines, mixture_line, rows
from boxsel.reversals.of_kb import Analysis, Status, analyse
from boxsel.reversals.question import ask
from boxsel.reversals.table_reversals import TableReversals
from boxsel.reversals.verdicts import Verdict

if TYPE_CHECKING:
    import pandas

    from boxsel.reversals.tabulation import TableOptions


@dataclass(frozen=True)
class KBReversal(Told):
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
        return next((verdict for verdict in self.analysis.verdicts if verdict.kind == "full"), None)

    @property
    def partial(self) -> Verdict | None:
        """The verdict about partial reversal: standardised rates go against the total."""
        return next(
            (verdict for verdict in self.analysis.verdicts if verdict.kind == "partial"), None
        )

    def to_json(self) -> dict[str, Any]:
        """The answer as a JSON object."""
        analysis = self.analysis
        compared = (
            as_json(analysis.question, analysis.rates, self.prefixes) if analysis.rates else None
        )
        return {
            "source": "kb",
            "status": analysis.status,
            "question": analysis.question.text(self.prefixes),
            "comparison": compared,
            "full": None if self.full is None else self.full.to_json(self.prefixes),
            "partial": None if self.partial is None else self.partial.to_json(self.prefixes),
            "empty": [concept.text(self.prefixes) for concept in analysis.empty],
            "remarks": list(analysis.remarks),
            "seconds": round(analysis.seconds, 3),
        }

    def plot(self, file: str | os.PathLike[str]) -> None:
        """Draw the rates into a file: .png, .svg or .pdf.

        Raises:
            BoxselError: There are no rates, or matplotlib is not installed.
        """
        analysis = self.analysis
        if not analysis.rates:
            raise BoxselError("there are no rates to draw: the knowledge base has no model")
        groups = [self._spelt(group) for group in analysis.question.groups]
        title = f"{self._spelt(analysis.question.outcome)}: {groups[0]} against {groups[1]}"
        draw(file, title, groups, rows(analysis.question, analysis.rates, self._spelt))

    def _spelt(self, concept: Concept) -> str:
        return concept.text(self.prefixes)

    def _lines(self) -> list[str]:
        analysis = self.analysis
        title = analysis.question.text(self.prefixes)
        if analysis.status == "inconsistent":
            return [f"{title}: there is no model at all"]
        said = [title, *lines(analysis.question, analysis.rates, self._spelt)]
        if analysis.status == "vacuous":
            empty = " and ".join(map(self._spelt, analysis.empty))
            return [*said, f"vacuous: {empty} is empty in every model, so nothing is compared"]
        for verdict in analysis.verdicts:
            said += verdict.lines(analysis.question, self.prefixes)
        if any(one.answer in ("entailed", "possible") for one in analysis.verdicts):
            said += mixture_line(analysis.question, analysis.rates, self._spelt)
        return [*said, *(f"note: {remark}" for remark in analysis.remarks)]


DEFAULT_SECONDS: Final = 10.0
"""The time for one question, unless another is given."""

Said = Concept | str
Source = KB | str | os.PathLike[str]


@overload
def simpson(
    source: KB,
    outcome: Said | None = ...,
    groups: Sequence[Said] | None = ...,
    strata: Sequence[Said] | None = ...,
    *,
    standard: Said | None = ...,
    budget: Limit = ...,
    table: None = ...,
) -> KBReversal: ...
@overload
def simpson(
    source: Source | pandas.DataFrame,
    outcome: Said | None = ...,
    groups: Sequence[Said] | None = ...,
    strata: Sequence[Said] | None = ...,
    *,
    standard: Said | None = ...,
    budget: Limit = ...,
    table: TableOptions | None = ...,
) -> KBReversal | TableReversals: ...


def simpson(
    source: Source | pandas.DataFrame,
    outcome: Said | None = None,
    groups: Sequence[Said] | None = None,
    strata: Sequence[Said] | None = None,
    *,
    standard: Said | None = None,
    budget: Limit = DEFAULT_SECONDS,
    table: TableOptions | None = None,
) -> KBReversal | TableReversals:
    """Whether the comparison of two groups turns round when it is made by stratum.

    In a knowledge base outcome, groups and strata are concepts, and the verdicts are proved for all
    models. In a table (a file or a DataFrame) they are values, or columns; whatever is not named is
    searched. `standard` is whose mixture standardises rates: both groups together, unless named.
    Without a budget a search can go on for ever, where rates come as near as one likes to a tie.
    `table` says how a table is read, and that a file is one.

    Examples:
        >>> from boxsel import examples
        >>> kb = examples.load("berkeley")
        >>> found = simpson(kb, "Admitted", ("Woman", "Man"), ("DeptA", "DeptB"))
        >>> found.full.answer, found.partial.answer
        ('entailed', 'entailed')
        >>> found = simpson(examples.path("kidney_stones.csv"))
        >>> [one.answer for one in found.comparisons], found.looked_at
        (['full', 'full'], 6)

    Raises:
        BoxselError: Something is not named, or is not there, or the table cannot be read.
    """
    limit = Budget.of(budget)
    groups = None if groups is None else expect_several("groups", groups)
    strata = None if strata is None else expect_several("strata", strata)
    if isinstance(source, str | os.PathLike) and table is None:
        from boxsel.reversals.tabulation import is_data

        source = source if is_data(source) else read(source)
    if isinstance(source, KB):
        if table is not None:
            raise BoxselError("a knowledge base is not read as a table: leave out how")
        return _of_kb(source, outcome, groups, strata, standard, limit)
    return _of_table(source, outcome, groups, strata, standard, limit, table)


def _of_kb(
    kb: KB,
    outcome: Said | None,
    groups: Sequence[Said] | None,
    strata: Sequence[Said] | None,
    standard: Said | None,
    budget: Budget,
) -> KBReversal:
    if outcome is None or groups is None or strata is None:
        raise BoxselError(
            "in a knowledge base the outcome, two groups and the strata have to be named:"
            " --outcome O --groups G1,G2 --strata S1,S2"
        )
    question = ask(kb, outcome, groups, strata, standard)
    return KBReversal(analyse(kb, question, budget), kb.prefixes)


def _of_table(
    source: str | os.PathLike[str] | pandas.DataFrame,
    outcome: Said | None,
    groups: Sequence[Said] | None,
    strata: Sequence[Said] | None,
    standard: Said | None,
    budget: Budget,
    options: TableOptions | None,
) -> TableReversals:
    from boxsel.reversals.table_reversals import Named, search_table
    from boxsel.reversals.tabulation import TableOptions, tabulated

    named = Named(
        None if outcome is None else _value(outcome),
        None if groups is None else tuple(map(_value, groups)),
        None if strata is None else tuple(map(_value, strata)),
        None if standard is None else _value(standard),
    )
    with tabulated(source, options or TableOptions()) as counted:
        return search_table(counted, named, budget)


def _value(said: Said) -> str:
    expect(str, "a table has values, such as 'Column=value'", said)
    assert isinstance(said, str)
    return said
