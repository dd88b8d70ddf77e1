"""Rows of delimited text: read into a table by DuckDB, in parallel; broken rows are rejected."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from boxsel.build.built import EXAMPLES, Rejects
from boxsel.build.opening import has_mixed_ends, opened, packing, plain, text_lines, with_equal_ends
from boxsel.errors import ReadError
from boxsel.formats.source import Source
from boxsel.machine.database import Database, blaming, file_name, quoted

UNCLOSED: Final = ("UNQUOTED VALUE", "INVALID STATE")
"""What DuckDB calls rows with a quotation mark that is not closed, or stands inside a value."""

Place = tuple[int | None, str]
"""The line of a row, if it is known, and the row's text."""


@dataclass(frozen=True, slots=True)
class Delimited:
    """A text file, and how its rows are written.

    `skipped` lines come before the first row, which may be a `header`. With `padded` cells may be
    missing at the end of a row.
    """

    path: Path
    file: str
    separator: str
    width: int
    quote: str = ""
    header: bool = False
    padded: bool = False
    skipped: int = 0

    def load(
        self,
        database: Database,
        table: str,
        select: Callable[[str], str],
        reasons: Mapping[str, str],
        rejects: Rejects,
        folder: Path,
        problem: str = "this is not a text file of rows",
    ) -> int:
        """Make the table of a query over the rows; the number of rejected ones.

        The columns of the rows are `c0`, `c1`, …; an empty cell is NULL. `reasons` says why rows
        are broken, by DuckDB's words for it; `problem` is what is wrong with a file without rows.
        Copies that DuckDB needs are in the folder.
        """
        read = replace(self, path=plain(self.path, self.file, folder, table))
        try:
            broken = read._load(database, table, select, problem)
            misread = any(kind in UNCLOSED for kind, *_ in broken)
            again = misread and has_mixed_ends(self.path, self.file)
        except ReadError:
            again = True
        if again:  # DuckDB takes lines that end in different ways for something else
            copied = with_equal_ends(self.path, self.file, folder, table)
            read = replace(self, path=copied)
            broken = read._load(database, table, select, problem)
        rejected = 0
        for kind, said, count, first in broken:
            lines = read._lines([place for place, _ in first])
            rows = zip(lines, (text or "" for _, text in first), strict=True)
            reject(rejects, self.file, reasons.get(kind, said.lower()), count, list(rows))
            rejected += count
        return rejected

    def _load(
        self, database: Database, table: str, select: Callable[[str], str], problem: str
    ) -> list[tuple[str, str, int, list[tuple[int, str | None]]]]:
        """Make the table; each kind of error, how many rows have it, and the first of them."""
        errors, scans = f"{table}_errors", f"{table}_scans"
        with blaming(self.file, problem):
            database.execute(f"DROP TABLE IF EXISTS {errors}")
            database.execute(f"DROP TABLE IF EXISTS {scans}")
            rows = self.relation(rejects_table=quoted(errors), rejects_scan=quoted(scans))
            database.execute(f"CREATE OR REPLACE TABLE {table} AS {select(rows)}")
            # A row that lacks several columns is there several times.
            broken = database.rows(
                f"SELECT kind, any_value(said), count(*), arg_min((place, text), place, {EXAMPLES})"
                " FROM (SELECT line_byte_position AS place, any_value(error_type)::VARCHAR AS kind,"
                " any_value(error_message) AS said, any_value(csv_line) AS text"
                f" FROM {errors} GROUP BY place) GROUP BY kind ORDER BY min(place)"
            )
            database.execute(f"DROP TABLE {errors}")
            database.execute(f"DROP TABLE {scans}")
        return broken

    def relation(self, **options: str) -> str:
        """The SQL that reads the rows; broken ones are in tables of the options, or passed over."""
        columns = ", ".join(f"'c{place}': 'VARCHAR'" for place in range(self.width))
        options |= {
            "auto_detect": "false",
            "columns": f"{{{columns}}}",
            "compression": quoted(packing(self.path) or "none"),
            "delim": quoted(self.separator),
            "quote": quoted(self.quote),
            "escape": quoted(self.quote),
            "header": str(self.header).lower(),
            "hive_partitioning": "false",
            "null_padding": str(self.padded).lower(),
            "skip": str(self.skipped),
            "store_rejects" if options else "ignore_errors": "true",
        }
        listed = ", ".join(f"{option}={value}" for option, value in options.items())
        return f"read_csv({file_name(self.path)}, {listed})"

    def _lines(self, offsets: Sequence[int]) -> Iterator[int]:
        """The lines at some offsets in ascending order: rows may have several lines."""
        line, read = 1, 0
        with opened(self.path, self.file) as stream:
            for offset in offsets:
                while read < offset:
                    chunk = stream.read(min(offset - read, 1 << 20))
                    if not chunk:
                        break
                    line, read = line + chunk.count(b"\n"), read + len(chunk)
                yield line

    def rows(self) -> Iterator[tuple[int, list[str]]]:
        """The rows as Python reads them, each with the line where it starts, the header too."""
        lines = text_lines(self.path, self.file)
        if not self.quote:
            return ((n, line.split(self.separator)) for n, line in enumerate(lines, start=1))
        return numbered_rows((line + "\n" for line in lines), self.separator)


def numbered_rows(lines: Iterable[str], delimiter: str) -> Iterator[tuple[int, list[str]]]:
    r"""Rows of quoted text, each with the line where it starts.

    Rows that Python's reader refuses, those with a very long cell, are passed over.

    Examples:
        >>> list(numbered_rows(["a,b\n", '"two\n', 'lines",c\n', "d\n"], ","))
        [(1, ['a', 'b']), (2, ['two\nlines', 'c']), (4, ['d'])]
    """
    rows = csv.reader(lines, delimiter=delimiter)
    while True:
        line = rows.line_num + 1
        try:
            row = next(rows)
        except StopIteration:
            return
        except csv.Error:
            continue
        yield line, row


def numbered_lines(source: Source) -> Iterator[tuple[int, str]]:
    """The lines of a text that are not blank, with their numbers."""
    for number, line in enumerate(source.text.split("\n"), start=1):
        if line.strip():
            yield number, line.rstrip("\r")


def reject(rejects: Rejects, file: str, reason: str, count: int, first: Sequence[Place]) -> None:
    """Reject so many rows of a file, of which the first are known."""
    for shown, (line, text) in enumerate(first, start=1):
        rest = count - len(first) if shown == len(first) else 0
        rejects.add(reason, file, line, text.strip("\r\n"), count=1 + rest)
    if not first and count:
        rejects.add(reason, file, count=count)
