"""Which columns a knowledge base is about, and which one says how many a row stands for.

A row of a contingency table is a cell: one combination of values, and how many have it. So a column
is taken for counts if its name says so, its cells are numbers, and the rows differ in the other
columns; but not if one of these is a key beside others that are none, as in a table of individuals
with their names. Whatever comes of a column with such a name is said.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final

from boxsel.build.tables.source import Table, plain_cell
from boxsel.errors import BoxselError
from boxsel.machine.database import Database, quoted
from boxsel.wording import listed

NAMES: Final = frozenset(
    ("freq", "frequency", "frequencies", "count", "counts", "count(*)", "count_star()", "n")
)
"""What programs and people call counts. Not weights: these are kilograms as often."""

_NUMBER: Final = r"-?[0-9]*[.,]?[0-9]+(?:\.0*)?"


@dataclass(frozen=True, slots=True)
class Chosen:
    """The columns that are used, and of these the ones that heads and bodies are about."""

    used: tuple[str, ...]
    of: tuple[str, ...]
    given: tuple[str, ...]

    def without(self, names: Collection[str]) -> Chosen:
        """The same but for some columns."""
        return Chosen(
            *(
                tuple(column for column in columns if column not in names)
                for columns in (self.used, self.of, self.given)
            )
        )


def choose(
    table: Table,
    *,
    count: str | None,
    columns: Sequence[str] | None,
    of: Sequence[str] | None,
    given: Sequence[str] | None,
) -> Chosen:
    """The columns that are meant.

    Without `columns`, those of `of` and `given` if both are said, else all that have a name.
    """
    heads = None if of is None else _resolved(table, of, count)
    bodies = None if given is None else _resolved(table, given, count)
    named = [column for column in table.columns if column and column != count]
    if columns is not None:
        named = _resolved(table, columns, count)
        for column in (*(heads or ()), *(bodies or ())):
            if column not in named:
                raise BoxselError(f"the column {column!r} is not among the columns to be used")
    elif heads is not None and bodies is not None:
        named = [column for column in named if column in heads or column in bodies]
    if not named:
        raise table.error("there is no column to be used, besides that of the counts")
    used = tuple(column for column in table.columns if column in named)
    return Chosen(
        used,
        tuple(column for column in used if heads is None or column in heads),
        tuple(column for column in used if bodies is None or column in bodies),
    )


def named_columns(table: Table, texts: Sequence[str]) -> list[str]:
    """The columns that somebody named, as the command line has them."""
    return _split_names(texts, table.columns)


def _split_names(texts: Sequence[str], columns: Sequence[str]) -> list[str]:
    """Columns as the command line has them: `A,B` is two, unless a column has that very name.

    Examples:
        >>> _split_names(["Sex,Age", "Height, cm"], ["Sex", "Age", "Height, cm"])
        ['Sex', 'Age', 'Height, cm']
    """
    return [
        name.strip()
        for text in texts
        for name in ([text] if text in columns else text.split(","))
        if name.strip()
    ]


def _resolved(table: Table, names: Sequence[str], count: str | None) -> list[str]:
    """The columns that are named; an error where there is none, or where it holds the counts."""
    named = _split_names(names, table.columns)
    for name in named:
        if name == count:
            raise BoxselError(f"the column {name!r} holds the counts: it has no concepts")
        if name not in table.columns:
            known = [column for column in table.columns if column]
            near = get_close_matches(name, known, 1, 0.5)
            like = [column for column in known if column.lower() == name.lower()] or near
            advice = f"did you mean {like[0]!r}? " if like else ""
            there = f"{advice}the columns are {listed(known, most=20)}"
            raise table.error(f"there is no column {name!r}", there)
    return named


@dataclass(frozen=True, slots=True)
class Counts:
    """The column of counts; none if each row is one individual. A guess comes with a remark."""

    column: str | None = None
    remarks: tuple[str, ...] = ()


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
        named = _resolved(table, [count], None)
        if len(named) != 1:
            raise BoxselError(f"the counts are in one column: {count!r} names {len(named)}")
        return Counts(named[0])
    taken = _split_names(variables, table.columns)
    likely = [
        column
        for column in table.columns
        if column.strip().lower() in NAMES and column not in taken
    ]
    if len(likely) > 1:
        remark = f"counts could be in {listed(likely)}, name one (--count)"
        return Counts(None, (f"each row is taken for one individual: {remark}",))
    return _likely(database, table, likely[0]) if likely else Counts()


def _likely(database: Database, table: Table, column: str) -> Counts:
    """Whether a column that is called like counts holds some, by its cells and the others."""
    others = {one: plain_cell(table, one) for one in table.columns if one and one != column}
    if not others:
        return Counts()
    relation, cell = table.relation, plain_cell(table, column)
    rows, numbers = database.row(
        f"SELECT count(*), count(*) FILTER (regexp_full_match({cell}, {quoted(_NUMBER)}))"
        f" FROM {relation}"
    )
    if 2 * numbers <= rows:
        return Counts()  # it is a variable: how often somebody smokes, yes and no
    cells = ", ".join(others.values())
    if database.rows(f"SELECT 1 FROM {relation} GROUP BY {cells} HAVING count(*) > 1 LIMIT 1"):
        return _refused(column, "several rows are alike but for it")
    asked = ", ".join(f"count(DISTINCT {other})" for other in others.values())
    different = dict(zip(others, database.row(f"SELECT {asked} FROM {relation}"), strict=True))
    keys = [one for one, number in different.items() if number == rows]
    if keys and any(1 < number < rows for number in different.values()):
        return _refused(column, f"{keys[0]!r} is different in each row")
    remark = f"counts are taken from the column {column!r}, unless each row is said to be one"
    return Counts(column, (f"{remark} individual (--individuals)",))


def _refused(column: str, reason: str) -> Counts:
    remark = f"the column {column!r} is called like counts, but {reason}"
    advice = f"if it holds them, say so (--count {column})"
    return Counts(None, (f"each row is taken for one individual: {remark}; {advice}",))
