"""Which comparisons a table has, which of them reverse, and what `simpson` says about them."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal

from boxsel.errors import BoxselError, Diagnostic, ReadError
from boxsel.logic.concepts import Concept
from boxsel.logic.html import Told
from boxsel.logic.names import NO_PREFIXES, plain_name
from boxsel.machine.budget import Budget
from boxsel.reversals.layout import as_json, draw, lines, mixture_line, rows, share_text
from boxsel.reversals.of_table import Combination, Comparison, compare
from boxsel.reversals.tabulation import Tabulation, Value
from boxsel.reversals.words import SAID
from boxsel.wording import several


@dataclass(frozen=True)
class TableReversals(Told):
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

    def _lines(self) -> list[str]:
        said = [line for comparison in self.comparisons for line in (*_lines(comparison), "")]
        if self.searched:
            said.append(self._searched())
        return [*said, *(f"note: {remark}" for remark in self.remarks)]

    def to_json(self) -> dict[str, Any]:
        """The answer as a JSON object."""
        return {
            "source": "table",
            "status": self.status,
            "searched": self.searched,
            "looked_at": self.looked_at,
            "undefined": self.undefined,
            "comparisons": [_as_json(comparison) for comparison in self.comparisons],
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
        comparison = self.comparisons[0]
        groups = list(map("=".join, comparison.combination.groups))
        title = f"{'='.join(comparison.combination.outcome)}: {groups[0]} against {groups[1]}"
        draw(file, title, groups, rows(comparison.question, comparison.rates, _spelt))

    def _searched(self) -> str:
        number = len(self.comparisons)
        said = f"looked at {several(self.looked_at, 'comparison')}: "
        answers = [comparison.answer for comparison in self.comparisons]
        kinds = [(kind, answers.count(kind)) for kind in ("full", "partial")]
        found = " and ".join(f"{count} {kind}" for kind, count in kinds if count)
        said += f"{several(number, 'reversal')} ({found})" if number else "no reversal"
        if self.undefined:
            said += f"; in {self.undefined} some stratum has nobody of one group"
        return said if self.complete else f"{said}; the time was over before all were looked at"


def _lines(one: Comparison) -> list[str]:
    said = [one.combination.text, *lines(one.question, one.rates, _spelt)]
    if one.standardised is not None:
        first, second = map(share_text, one.standardised)
        said.append(f"standardised: {first} against {second}")
    said.append(SAID[one.answer])
    if one.answer in ("full", "partial"):
        said += mixture_line(one.question, one.rates, _spelt)
    return [*said, *(f"note: {remark}" for remark in one.remarks)]


def _as_json(comparison: Comparison) -> dict[str, Any]:
    standardised = comparison.standardised
    return {
        "verdict": comparison.answer,
        **as_json(comparison.question, comparison.rates, NO_PREFIXES),
        "standardised": None if standardised is None else [str(rate) for rate in standardised],
        "remarks": list(comparison.remarks),
    }


def _spelt(concept: Concept) -> str:
    return plain_name(concept.text())


@dataclass(frozen=True)
class Named:
    """What is named of a comparison: values, or columns for all their values; or nothing."""

    outcome: str | None = None
    groups: tuple[str, ...] | None = None
    strata: tuple[str, ...] | None = None
    standard: str | None = None

    def is_one(self, table: Tabulation) -> bool:
        """Whether that is one comparison: an outcome, two groups and one set of strata."""
        if self.outcome is None or self.groups is None or self.strata is None:
            return False
        columns = [stratum for stratum in self.strata if stratum in table.columns]
        return self.outcome not in table.columns and len(self.groups) == 2 and len(columns) < 2


def search_table(table: Tabulation, named: Named, budget: Budget) -> TableReversals:
    """The comparison that is named, or all that reverse of those that are not ruled out."""
    start = time.perf_counter()
    searched, complete = not named.is_one(table), True
    comparisons: list[Comparison] = []
    looked_at = undefined = 0
    for combination in combinations_of(table, named):
        if budget.left <= 0:
            complete = False
            break
        comparison = compare(table, combination)
        looked_at += 1
        undefined += comparison.answer == "undefined"
        if not searched or comparison.answer in ("full", "partial"):
            comparisons.append(comparison)
    if not looked_at and complete:
        problem = "there is nothing to compare: outcome, groups and strata are three columns"
        advice = f"the columns that can be compared are {', '.join(table.columns) or 'none'}"
        raise ReadError(Diagnostic(problem, table.file, help=advice))
    order = {"full": 0, "partial": 1}
    comparisons.sort(key=lambda one: order.get(one.answer, 2))
    seconds = time.perf_counter() - start
    return TableReversals(
        tuple(comparisons), looked_at, searched, complete, undefined, table.remarks, seconds
    )


def combinations_of(table: Tabulation, named: Named) -> Iterator[Combination]:
    """All that is named; what is not named is every column and value.

    Of an outcome with two values, which everybody has one of, one is enough: the other reverses
    with it.
    """
    by_value = not all(stratum in table.columns for stratum in named.strata or ())
    fixed = None if named.standard is None else table.value(named.standard)
    for group_column, first, second in _groups(table, named.groups):
        for column, values in _strata(table, named.strata):
            if column == group_column:
                continue
            two = ((group_column, first), (group_column, second))
            there = tuple(
                (column, value)
                for value in values
                if by_value or any(table.number(one, (column, value)) for one in two)
            )
            if not there:
                continue
            for outcome in _outcomes(table, named.outcome):
                if outcome[0] not in (group_column, column):
                    yield Combination(outcome, two, there, fixed)


def _outcomes(table: Tabulation, text: str | None) -> Iterator[Value]:
    if text is not None and text not in table.columns:
        yield table.value(text)
        return
    for column in table.columns if text is None else (text,):
        values = table.values(column)
        if len(values) == 2 and not table.cells.missing[column]:
            values = values[:1]
        if len(values) > 1 or len(table.values(column)) > 1:
            yield from ((column, value) for value in values)


def _groups(table: Tabulation, texts: tuple[str, ...] | None) -> Iterator[tuple[str, str, str]]:
    if texts is not None and not (len(texts) == 1 and texts[0] in table.columns):
        (column, first), (_, second) = _values_of_one_column(table, texts, "groups", 2)
        yield column, first, second
        return
    for column in table.columns if texts is None else texts:
        for first, second in combinations(table.values(column), 2):
            yield column, first, second


def _strata(table: Tabulation, texts: tuple[str, ...] | None) -> Iterator[tuple[str, list[str]]]:
    if texts is not None and not all(text in table.columns for text in texts):
        found = _values_of_one_column(table, texts, "strata", None)
        yield found[0][0], [value for _, value in found]
        return
    for column in table.columns if texts is None else texts:
        yield column, table.values(column)


def _values_of_one_column(
    table: Tabulation, texts: tuple[str, ...], what: str, number: int | None
) -> list[Value]:
    found = [table.value(text) for text in texts]
    if number is not None and len(set(found)) != number:
        raise BoxselError(f"two different {what} are compared, not {len(set(found))}: V1,V2")
    if len({column for column, _ in found}) > 1:
        raise BoxselError(f"the {what} are values of different columns: take them from one column")
    if len(set(found)) < len(found):
        raise BoxselError(f"one of the {what} is named twice")
    return found
