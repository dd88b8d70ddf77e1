"""Which column says how many individuals a row stands for.

A row of a contingency table is a cell: one combination of values, and how many have it. So a column
is taken for counts if its name says so, its cells are numbers, and the rows differ in the other
columns; but not if one of these is a key beside others that are none, as in a table of individuals
with their names. Whatever comes of a column with such a name is said.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from boxsel.build.table.choosing import resolved, split_names
from boxsel.build.table.database import Database
from boxsel.build.table.source import Table, plain_cell, table_of
from boxsel.errors import BoxselError
from boxsel.machine.database import quoted
from boxsel.wording import listed

NAMES: Final = frozenset(
    ("freq", "frequency", "frequencies", "count", "counts", "count(*)", "count_star()", "n")
)
"""What programs and people call counts. Not weights: these are kilograms as often."""

_NUMBER: Final = r"-?[0-9]*[.,]?[0-9]+(?:\.0*)?"


@dataclass(frozen=True, slots=True)
class Counts:
    """The column of counts; none if each row is one individual. A guess comes with a remark."""

    column: str | None = None
    remark: str | None = None

    @property
    def remarks(self) -> tuple[str, ...]:
        """What there is to say about the choice."""
        return () if self.remark is None else (self.remark,)


def find_counts(
    database: Database,
    table: Table,
    *,
    count: str | None,
    individuals: bool,
    variables: Sequence[str] = (),
) -> Counts:
    """The column of counts: the one that is named, none for individuals, else the likely one.

    What is named among the `variables` is no column of counts.
    """
    if count is not None and individuals:
        raise BoxselError(
            "a row stands for one individual, or for as many as a column says: choose"
        )
    if individuals:
        return Counts()
    if count is not None:
        named = resolved(table, [count], None)
        if len(named) != 1:
            raise BoxselError(f"the counts are in one column: {count!r} names {len(named)}")
        return Counts(named[0])
    taken = split_names(variables, table.columns) or ()
    likely = [one for one in table.columns if one.strip().lower() in NAMES and one not in taken]
    if len(likely) > 1:
        return Counts(
            remark=f"each row is taken for one individual: counts could be in {listed(likely)},"
            " name one (--count)"
        )
    return _judged(database, table, likely[0]) if likely else Counts()


def _judged(database: Database, table: Table, column: str) -> Counts:
    import duckdb

    try:
        return _likely(database, table, column)
    except duckdb.InvalidInputException:
        # DuckDB takes lines that end in different ways for something else.
        alike = None if table.text is None else table.text.with_equal_ends(database.folder)
        if alike is None:
            raise
        return _likely(database, table_of(alike), column)


def _likely(database: Database, table: Table, column: str) -> Counts:
    """Whether a column that is called like counts holds some, by its cells and the others."""
    others = {one: plain_cell(table, one) for one in table.columns if one and one != column}
    if not others:
        return Counts()
    relation, cell = table.readable, plain_cell(table, column)
    rows, numbers = database.row(
        f"SELECT count(*), count(*) FILTER (regexp_full_match({cell}, {quoted(_NUMBER)}))"
        f" FROM {relation}"
    )
    if 2 * numbers <= rows:
        return Counts()  # it is a variable: how often somebody smokes, yes and no
    cells = ", ".join(others.values())
    if database.rows(f"SELECT 1 FROM {relation} GROUP BY {cells} HAVING count(*) > 1 LIMIT 1"):
        return _refused(column, "several rows are alike but for it")
    asked = ", ".join(f"count(DISTINCT {one})" for one in others.values())
    different = dict(zip(others, database.row(f"SELECT {asked} FROM {relation}"), strict=True))
    keys = [one for one, number in different.items() if number == rows]
    if keys and any(1 < number < rows for number in different.values()):
        return _refused(column, f"{keys[0]!r} is different in each row")
    return Counts(
        column,
        f"counts are taken from the column {column!r}, unless each row is said to be one individual"
        " (--individuals)",
    )


def _refused(column: str, reason: str) -> Counts:
    return Counts(
        remark=f"each row is taken for one individual: the column {column!r} is called like counts,"
        f" but {reason}; if it holds them, say so (--count {column})"
    )
