"""The knowledge base of a table: what share of those with some values have another one."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, Final

from boxsel.build.built import (
    MOST_PATTERNS,
    Built,
    Effort,
    Keeping,
    Rejected,
    Rejects,
    measured_effort,
    rejected_text,
)
from boxsel.build.tables.bins import read_bins
from boxsel.build.tables.cells import Cells, Reading
from boxsel.build.tables.columns import Chosen, choose, find_counts, named_columns
from boxsel.build.tables.preparing import prepare
from boxsel.build.tables.source import Table, database, open_table
from boxsel.errors import BoxselError
from boxsel.logic.axioms import Axiom, Conditional, Disjointness
from boxsel.logic.concepts import TOP, Name, conjunction
from boxsel.logic.kb import KB
from boxsel.logic.names import bare_iri
from boxsel.logic.population import Pattern, Population
from boxsel.logic.proportions import Count
from boxsel.machine.progress import track
from boxsel.wording import listed

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True, slots=True)
class Column:
    """A column that was used: its values, those of no individual, and who has none of them."""

    name: str
    values: int
    unseen: tuple[str, ...]
    missing: int


@dataclass(frozen=True, slots=True)
class TableReport:
    """How a table became a knowledge base.

    `conditionals` are by the number of columns in their body; `undefined` ones are left out because
    nobody belongs to the body; `dropped` individuals because a value is missing. `count` is the
    column that says how many individuals a row stands for, if it is not one.
    """

    file: str | None
    rows: int
    individuals: int
    dropped: int
    count: str | None
    columns: tuple[Column, ...]
    unnamed: int
    conditionals: Mapping[int, int]
    undefined: int
    rejected: tuple[Rejected, ...]
    remarks: tuple[str, ...]
    keeping: Keeping
    effort: Effort

    @property
    def text(self) -> str:
        """The report for people, in lines."""
        lines = [f"{self.rows:,} rows, {self.individuals:,} individuals"]
        lines.extend(f"note: {remark}" for remark in self.remarks)
        if self.dropped:
            lines.append(f"left out {self.dropped:,} individuals with a missing value")
        lines.extend(rejected_text(self.rejected))
        for column in self.columns:
            lines.append(f"{column.name}: {column.values:,} values{_remarks(column)}")
        if self.unnamed:
            lines.append(f"left out {self.unnamed} columns without a name")
        for size, count in self.conditionals.items():
            body = {0: "given everything", 1: "given one value"}.get(size, f"given {size} values")
            lines.append(f"{count:,} conditionals {body}")
        if self.undefined:
            lines.append(f"left out {self.undefined:,} conditionals whose body is nobody")
        return "\n".join([*lines, *self.keeping.text, self.effort.text])

    def to_json(self) -> dict[str, object]:
        """The report as a JSON object."""
        return {
            "file": self.file,
            "rows": self.rows,
            "individuals": self.individuals,
            "incomplete": self.dropped,
            "count": self.count,
            "columns": [
                {**asdict(column), "unseen": list(column.unseen)} for column in self.columns
            ],
            "unnamed": self.unnamed,
            "conditionals": {str(size): count for size, count in self.conditionals.items()},
            "undefined": self.undefined,
            "rejected": [rejection.to_json() for rejection in self.rejected],
            "remarks": list(self.remarks),
            **self.keeping.to_json(),
            **asdict(self.effort),
        }


def _remarks(column: Column) -> str:
    remarks = []
    if column.missing:
        remarks.append(f"without a value: {column.missing:,}, so no shares of everybody")
    if column.unseen:
        remarks.append(f"left out, as nobody has them: {listed(column.unseen)}")
    return "; " + "; ".join(remarks) if remarks else ""


MAX_CONDITIONALS: Final = 1_000_000
"""More than these are refused: nobody asked for so many on purpose."""


def build_table(
    table: str | os.PathLike[str] | pandas.DataFrame,
    *,
    count: str | None = None,
    individuals: bool = False,
    columns: Sequence[str] | None = None,
    of: Sequence[str] | None = None,
    given: Sequence[str] | None = None,
    depth: int = 2,
    bins: Sequence[str] | Mapping[str, object] = (),
    missing: Sequence[str] | None = None,
    drop_incomplete: bool = False,
    max_values: int = 50,
    sheet: str | int | None = None,
    strict: bool = False,
    data: bool = True,
) -> Built[TableReport]:
    """Count a table into conditionals.

    Each row stands for as many individuals as the column `count` says, or with `individuals` for
    one. With neither, a column that is called like counts and looks like them is taken for them,
    which the report says.
    Heads are the values of the columns `of`, bodies combinations of values of up to `depth` columns
    `given`; both are all columns unless chosen. `bins` part numbers or dates, as in
    `{"age": [18, 65], "visit": "year", "income": "5 parts"}`; a column with more of them than
    `max_values` is parted anyway. An empty cell, or one that is among `missing` (if that is not
    said, usual marks such as NA), holds no value; with `drop_incomplete` only rows with a value in
    each column are used. What is decided here is in the report. A workbook has its `sheet`. The
    patterns of the `data`, who has which values, are kept beside the statements as their model.

    Examples:
        >>> from boxsel import examples
        >>> built = build_table(examples.path("admissions.csv"), depth=1)
        >>> built.kb
        <KB: 66 conditional, 3 disjointness>
        >>> built.kb.data
        <Population: 4,526 members of 24 patterns>
        >>> kb = built.kb
        >>> print(kb.bounds("('Admit=Admitted' | 'Gender=Female')").lower)
        557/1835
    """
    if depth < 0:
        raise BoxselError(f"the depth is the most columns in a body: {depth} is below 0")
    file = os.fspath(table) if isinstance(table, str | os.PathLike) else None
    rejects = Rejects(strict)
    with measured_effort() as effort, database(file) as counting:
        source = open_table(table, counting, sheet)
        variables = (*(columns or ()), *(of or ()), *(given or ()))
        counts = find_counts(
            counting, source, count=count, individuals=individuals, variables=variables
        )
        chosen = choose(source, count=counts.column, columns=columns, of=of, given=given)
        prepared = prepare(
            counting,
            source,
            chosen.used,
            bins=read_bins(bins),
            missing=missing,
            max_values=max_values,
            named=[*named_columns(source, variables), *read_bins(bins)],
        )
        chosen = chosen.without(prepared.left_out)
        reading = Reading(counts.column, prepared.missing, drop_incomplete, prepared.bins)
        cells = Cells(counting, source, chosen.used, reading, rejects)
        _check_values(source, cells, rejects.listed(), max_values)
        concepts = _concepts(source, cells, chosen.used)
        plan = list(_plan(chosen, depth))
        _check_size(cells, plan)
        axioms: list[Axiom] = [
            Disjointness(*concepts[column].values())
            for column in chosen.used
            if len(concepts[column]) > 1
        ]
        stated: dict[int, int] = {}
        undefined = 0
        for body, heads in track(plan, "counting", len(plan)):
            conditionals, missed = _conditionals(cells, concepts, body, heads)
            axioms.extend(conditionals)
            stated[len(body)] = stated.get(len(body), 0) + len(conditionals)
            undefined += missed
        used = tuple(
            Column(name, len(concepts[name]), tuple(cells.unseen(name)), cells.missing[name])
            for name in chosen.used
        )
        keeping = _keep(cells, concepts) if data else Keeping()
        kb = replace(KB.of(*axioms), data=keeping.data)
    unnamed = sum(not column for column in source.columns)
    report = TableReport(
        source.file,
        cells.rows,
        cells.total,
        cells.dropped,
        counts.column,
        used,
        unnamed,
        {size: number for size, number in stated.items() if number},
        undefined,
        rejects.listed(),
        (*source.remarks, *counts.remarks, *prepared.remarks),
        keeping,
        effort,
    )
    return Built(kb, report)


def _keep(cells: Cells, concepts: Mapping[str, Mapping[str, Name]]) -> Keeping:
    """The patterns of a table: who has which values in all columns."""
    found = cells.patterns(MOST_PATTERNS)
    if found is None:
        return Keeping(unkept=f"they make more than {MOST_PATTERNS:,} patterns")
    names = tuple(name for values in concepts.values() for name in values.values())
    places = {name: place for place, name in enumerate(names)}
    patterns = (
        Pattern(
            count,
            tuple(
                places[named[value]]
                for value, named in zip(values, concepts.values(), strict=True)
                if value is not None
            ),
        )
        for values, count in found
    )
    return Keeping(Population(names, (), tuple(patterns)))


Step = tuple[tuple[str, ...], tuple[str, ...]]
"""The columns of a body, and those of the heads for it."""


def _plan(chosen: Chosen, depth: int) -> Iterator[Step]:
    """The shares of everybody for each column, then the bodies from small to large."""
    yield (), chosen.used
    for size in range(1, min(depth, len(chosen.given)) + 1):
        for body in combinations(chosen.given, size):
            heads = tuple(column for column in chosen.of if column not in body)
            if heads:
                yield body, heads


def _conditionals(
    cells: Cells, concepts: dict[str, dict[str, Name]], body: tuple[str, ...], heads: Sequence[str]
) -> tuple[list[Conditional], int]:
    """The conditionals of a step, and how many have an empty body."""
    if not body:
        return [
            Conditional(concepts[column][value], TOP, Count(number, cells.total))
            for column in heads
            if not cells.missing[column]
            for (value,), number in cells.marginal((column,)).items()
        ], 0
    conditionals = []
    bodies = cells.marginal(body)
    for column in heads:
        both = cells.marginal((*body, column))
        for values, total in bodies.items():
            pairs = zip(body, values, strict=True)
            given = conjunction(*(concepts[place][value] for place, value in pairs))
            for value, head in concepts[column].items():
                conditionals.append(
                    Conditional(head, given, Count(both.get((*values, value), 0), total))
                )
    possible = math.prod(len(concepts[column]) for column in body)
    return conditionals, (possible - len(bodies)) * sum(len(concepts[column]) for column in heads)


def _concepts(table: Table, cells: Cells, columns: Sequence[str]) -> dict[str, dict[str, Name]]:
    """The concept of each value, by column; no two may have the same name."""
    found: dict[str, dict[str, Name]] = {}
    owners: dict[str, str] = {}
    for column in columns:
        found[column] = {}
        for value in cells.values(column):
            text = f"{column}={value}"
            owner = owners.setdefault(text, column)
            if owner != column:
                problem = f"the columns {owner!r} and {column!r} both have the concept {text!r}"
                raise table.error(problem, "rename one of the columns")
            found[column][value] = Name(bare_iri(text))
    return found


def _check_values(
    table: Table, cells: Cells, rejected: Sequence[Rejected], max_values: int
) -> None:
    if not cells.total:
        problem, advice = "the table has no rows", None
        if rejected:
            problem = "no row of the table can be used"
            advice = f"{rejected[0].reason}: {listed(rejected[0].examples, most=1)}"
        elif cells.rows:
            problem = "nobody is counted: " + (
                "every row misses a value" if cells.read else "all counts are zero"
            )
        raise table.error(problem, advice)
    for column, number in cells.different().items():
        if number > max_values:
            raise table.error(
                f"the column {column!r} has {number:,} different values, more than {max_values:,}",
                "leave it out by naming the columns to use (--column), put its values into"
                " a few groups (--bin, if they are numbers), or allow more with --max-values",
            )
        if not cells.values(column):
            problem = f"the column {column!r} has no value in any row that counts"
            raise table.error(problem, "leave it out by naming the columns to use (--column)")


def _check_size(cells: Cells, plan: Sequence[Step]) -> None:
    values = {column: len(cells.values(column)) for _, heads in plan for column in heads}
    total = 0
    for body, heads in plan:
        bodies = len(cells.marginal(body)) if body else 1
        total += bodies * sum(values[column] for column in heads)
        if total > MAX_CONDITIONALS:
            raise BoxselError(
                f"this would state more than {MAX_CONDITIONALS:,} conditionals: choose what they"
                " are about with --of and --given, use fewer columns, or a smaller --depth"
            )
