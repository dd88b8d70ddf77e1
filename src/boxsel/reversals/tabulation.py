"""A table for comparisons: its columns, their values, and how many have which values."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING

from boxsel.build.built import Rejects
from boxsel.build.tables.bins import read_bins
from boxsel.build.tables.cells import Cells, Reading
from boxsel.build.tables.columns import choose, find_counts
from boxsel.build.tables.preparing import prepare
from boxsel.build.tables.source import database, open_table
from boxsel.errors import Diagnostic, ReadError
from boxsel.examples import locate
from boxsel.formats.registry import format_of_path
from boxsel.formats.source import STDIN
from boxsel.formats.table_columns import REQUIRED, Layout, find_layout
from boxsel.logic.concepts import Name
from boxsel.logic.names import bare_iri
from boxsel.wording import listed, several

if TYPE_CHECKING:
    import pandas

Value = tuple[str, str]
"""A column and one of its values."""


@dataclass(frozen=True)
class TableOptions:
    """How a table is read: its column of counts, or that each row is one individual.

    With neither, a column that is called like counts and looks like them is taken for them. `bins`
    part numbers and dates (`age=0,18,65`); those with more than `max_values` are parted anyway.
    """

    count: str | None = None
    individuals: bool = False
    missing: tuple[str, ...] | None = None
    max_values: int = 20
    strict: bool = False
    bins: tuple[str, ...] = ()
    sheet: str | int | None = None


@dataclass(frozen=True)
class Tabulation:
    """The cells of a table; `columns` are those with few enough values to be compared.

    `named` are all that have a name, and `count` is the one that says how many individuals a row
    stands for, if it is not one.
    """

    file: str | None
    cells: Cells
    named: tuple[str, ...]
    count: str | None
    columns: tuple[str, ...]
    remarks: tuple[str, ...]

    def values(self, column: str) -> list[str]:
        """The values of a column that somebody has."""
        return self.cells.values(column)

    def number(self, *values: Value) -> int:
        """How many individuals have some values, each of another column."""
        columns = tuple(column for column, _ in values)
        return self.cells.marginal(columns).get(tuple(value for _, value in values), 0)

    def value(self, text: str) -> Value:
        """The value that a text means: `Column=value`, or a value of one column only."""
        pairs = [(column, value) for column in self.columns for value in self.values(column)]
        named = [pair for pair in pairs if "=".join(pair) == text]
        found = named or [pair for pair in pairs if pair[1] == text]
        if len(found) == 1:
            return found[0]
        if found:
            meant = listed(["=".join(pair) for pair in found])
            raise ReadError(
                Diagnostic(f"{text!r} is a value of several columns", self.file, help=meant)
            )
        known = {spelt: spelt for pair in pairs for spelt in (pair[1], "=".join(pair), pair[0])}
        close = get_close_matches(text, known, 1, 0.5)
        advice = f"did you mean {close[0]!r}?" if close else "write Column=value"
        problem = f"there is no value {text!r} in a column that can be compared"
        raise ReadError(Diagnostic(problem, self.file, help=advice))


def is_data(file: str | os.PathLike[str]) -> bool:
    """Whether a file is a table of data, and not a knowledge base.

    A table whose columns are a share and what it is a share of is a knowledge base. What comes from
    a pipe is not looked into: it is taken for a knowledge base.
    """
    path = locate(os.fspath(file))
    known = format_of_path(path)
    if path == STDIN or known is None or not known.table:
        return False
    with database(path) as counting:
        columns = open_table(path, counting).columns
    named = {column.strip().lower() for column in columns}
    return not set(REQUIRED) <= named and not isinstance(find_layout(columns), Layout)


def concept_of(value: Value) -> Name:
    """The concept of a value, named as `boxsel build table` does."""
    return Name(bare_iri("=".join(value)))


@contextmanager
def tabulated(
    table: str | os.PathLike[str] | pandas.DataFrame, options: TableOptions
) -> Iterator[Tabulation]:
    """Count a table; the counts can be asked for within the block."""
    file = os.fspath(table) if isinstance(table, str | os.PathLike) else None
    rejects = Rejects(options.strict)
    with database(file) as counting:
        source = open_table(table, counting, options.sheet)
        counts = find_counts(counting, source, count=options.count, individuals=options.individuals)
        remarks = [*source.remarks, *counts.remarks]
        chosen = choose(source, count=counts.column, columns=None, of=None, given=None)
        prepared = prepare(
            counting,
            source,
            chosen.used,
            bins=read_bins(options.bins),
            missing=options.missing,
            max_values=options.max_values,
        )
        remarks += prepared.remarks
        reading = Reading(counts.column, prepared.missing, bins=prepared.bins)
        cells = Cells(counting, source, chosen.used, reading, rejects)
        if not cells.total:
            raise ReadError(Diagnostic("nobody is counted in this table", source.file))
        different = cells.different()
        many = [column for column in chosen.used if different[column] > options.max_values]
        columns = tuple(
            column for column in chosen.used if column not in many and cells.values(column)
        )
        if many:
            remarks.append(f"left out, with more than {options.max_values} values: {listed(many)}")
        if rejects.total:
            remarks.append(f"left out {several(rejects.total, 'row')} that cannot be read")
        named = tuple(filter(None, source.columns))
        counted = Tabulation(source.file, cells, named, counts.column, columns, tuple(remarks))
        _check_spelling(counted)
        yield counted


def _check_spelling(table: Tabulation) -> None:
    """Refuse two values that are one concept: the column `a=b` may hold c, and `a` may hold b=c."""
    pairs = [(column, value) for column in table.columns for value in table.values(column)]
    times = Counter("=".join(pair) for pair in pairs)
    twice = next((spelt for spelt, number in times.items() if number > 1), None)
    if twice is not None:
        problem = f"values of two columns are both spelt {twice!r}: rename one of the columns"
        raise ReadError(Diagnostic(problem, table.file))
