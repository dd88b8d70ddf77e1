"""Where a table comes from: a text file, a Parquet file, or a DataFrame in memory."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from boxsel.build.table.database import Database, identifier
from boxsel.build.table.delimited import Delimited
from boxsel.errors import BoxselError, Diagnostic, ReadError
from boxsel.formats.kinds import PARQUET
from boxsel.formats.source import BZIP2, GZIP, STDIN, load, unreadable
from boxsel.machine.database import parquet_rows, write_temporary

if TYPE_CHECKING:
    import pandas

FRAME: Final = "the_frame"


@dataclass(frozen=True, slots=True)
class Table:
    """Named columns, and the SQL that reads them as text: c0, c1 and so on.

    `text` is the file if it has lines: then rows can be broken, and mistakes have a place.
    """

    file: str | None
    columns: tuple[str, ...]
    relation: str
    text: Delimited | None = None

    def __post_init__(self) -> None:
        for column in self.columns:
            if column and self.columns.count(column) > 1:
                problem = f"the column {column!r} occurs twice: give every column its own name"
                raise ReadError(Diagnostic(problem, self.file))

    @property
    def readable(self) -> str:
        """The SQL that reads the rows for a look: broken ones are passed over, and not recorded."""
        return self.relation if self.text is None else self.text.relation(rejecting=False)


def plain_cell(table: Table, column: str) -> str:
    """The SQL of a cell without the space around it; an empty cell is NULL."""
    place = table.columns.index(column)
    return f"nullif(trim(c{place}, E' \\t\\r\\n'), '')"


def open_table(table: str | os.PathLike[str] | pandas.DataFrame, database: Database) -> Table:
    """Find out what a table is, and which columns it has.

    What is not a plain file, or packed with bzip2, is first put into the database's folder.
    """
    if not isinstance(table, str | os.PathLike):
        return _frame(table, database)
    file = os.fspath(table)
    path = Path(file)
    # What a pipe has given once it does not give again: it must not even be looked into.
    if file == STDIN or path.is_fifo() or _first_bytes(file).startswith(BZIP2):
        source = load(file)
        file, path = source.file, database.folder / "table"
        write_temporary(path, source.data)
    start = _first_bytes(str(path))
    if PARQUET.matches(start):
        return _parquet(path, file, database)
    return table_of(Delimited.open(path, file, packed=start.startswith(GZIP)))


def table_of(text: Delimited) -> Table:
    """The table that a text file holds."""
    return Table(text.file, text.columns, text.relation(rejecting=True), text)


def _parquet(path: Path, file: str, database: Database) -> Table:
    reading = parquet_rows([path])
    columns = [row[0] for row in database.rows(f"DESCRIBE SELECT * FROM {reading}")]
    return Table(file, tuple(columns), _as_text(columns, reading))


def _frame(frame: pandas.DataFrame, database: Database) -> Table:
    """A DataFrame; each different value is turned into text once."""
    import numpy as np

    if not hasattr(frame, "iloc") or not hasattr(frame, "columns"):
        kind = type(frame).__name__
        raise BoxselError(f"a table is a file or a pandas DataFrame, not {kind}")
    columns = [str(column) for column in frame.columns]
    arrays = {}
    for place in range(len(columns)):
        codes, different = frame.iloc[:, place].factorize()
        texts = np.array([*(str(value) for value in different), None], dtype=object)
        arrays[f"c{place}"] = texts[codes]  # what is missing has the code -1: the last text
    if not arrays:
        raise ReadError(Diagnostic("the table is empty: it has no columns"))
    database.register(FRAME, arrays)
    return Table(None, tuple(columns), _as_text(list(arrays), FRAME))


def _as_text(columns: Sequence[str], relation: str) -> str:
    texts = ", ".join(
        f"CAST({identifier(column)} AS VARCHAR) AS c{place}" for place, column in enumerate(columns)
    )
    return f"(SELECT {texts} FROM {relation})"


def _first_bytes(file: str) -> bytes:
    try:
        with Path(file).open("rb") as stream:
            return stream.read(5)
    except (OSError, ValueError) as error:
        raise unreadable(file, error) from None
