"""Where a table comes from: a text file, Parquet, a sheet of a workbook, a DataFrame in memory."""

from __future__ import annotations

import csv
import io
import os
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from boxsel.build.built import Rejects
from boxsel.build.delimited import Delimited
from boxsel.build.opening import has_mixed_ends, head, opened, with_equal_ends
from boxsel.errors import BoxselError, Diagnostic, ReadError
from boxsel.examples import locate
from boxsel.formats.csv_reader import DELIMITERS
from boxsel.formats.kinds import LOOK, PARQUET, is_workbook, refuse_binary
from boxsel.formats.source import (
    BZIP2,
    STDIN,
    Source,
    decode,
    decode_table,
    is_windows,
    load,
    marked_encoding,
    unreadable,
)
from boxsel.machine.database import (
    Database,
    Wording,
    blaming,
    identifier,
    parquet_rows,
    write_temporary,
)

if TYPE_CHECKING:
    import pandas

FRAME: Final = "the_frame"
"""The rows of a DataFrame, in the database."""

OPENING: Final = 1 << 20
"""How many bytes are looked at to find the header."""

_UNREADABLE: Final = "the table cannot be read: {}"
_WORDING: Final = Wording(
    stopped=_UNREADABLE,
    memory="there is not enough memory to count this table: {}"
    "\n  help: choose fewer columns with --column",
)
_REASONS: Final = {
    "MISSING COLUMNS": "the row has fewer cells than the header",
    "TOO MANY COLUMNS": "the row has more cells than the header",
    "UNQUOTED VALUE": "a double quote is not closed, or text follows a closed one",
    "INVALID ENCODING": "the row is not UTF-8",
    "LINE SIZE OVER MAXIMUM": "the row has more than two million characters",
}
_BLANK = re.compile(r"(?:[ \t]*\r?\n)*")


@contextmanager
def database(file: str | None) -> Iterator[Database]:
    """A database for the block; its errors are about a file."""
    with blaming(file, _UNREADABLE), Database(_WORDING) as counting:
        yield counting


@dataclass(frozen=True, slots=True)
class Table:
    """Named columns, and the SQL that reads them as text: c0, c1 and so on.

    `text` is the file if it has lines: then rows can be broken, and mistakes have a place.
    `remarks` are about how it was read.
    """

    file: str | None
    columns: tuple[str, ...]
    relation: str
    text: Delimited | None = None
    remarks: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for column in self.columns:
            if column and self.columns.count(column) > 1:
                raise self.error(
                    f"the column {column!r} occurs twice: give every column its own name"
                )

    def error(self, message: str, advice: str | None = None, line: int | None = None) -> ReadError:
        """An error in this table."""
        return ReadError(Diagnostic(message, self.file, line, help=advice))

    def fill(
        self, database: Database, table: str, select: Callable[[str], str], rejects: Rejects
    ) -> None:
        """Make a table of a query over the rows; broken ones are rejected."""
        if self.text is None:
            database.execute(f"CREATE TABLE {table} AS {select(self.relation)}")
        else:
            folder = database.folder
            self.text.load(database, table, select, _REASONS, rejects, folder, _UNREADABLE)


def plain_cell(table: Table, column: str) -> str:
    """The SQL of a cell without the space around it; an empty cell is NULL."""
    place = table.columns.index(column)
    return f"nullif(trim(c{place}, E' \\t\\r\\n'), '')"


def open_table(
    table: str | os.PathLike[str] | pandas.DataFrame,
    database: Database,
    sheet: str | int | None = None,
) -> Table:
    """Find out what a table is, and which columns it has.

    What is not a plain file, or packed with bzip2, is first put into the database's folder. The
    `sheet` of a workbook is its name or number, otherwise the first.
    """
    if not isinstance(table, str | os.PathLike):
        return _frame(table, database)
    file = os.fspath(table)
    path = Path(locate(file))
    # What a pipe has given once it does not give again: it must not even be looked into.
    if file == STDIN or path.is_fifo() or _first_bytes(str(path)).startswith(BZIP2):
        source = load(file)
        file, path = source.file, database.folder / "table"
        write_temporary(path, source.data)
    if is_workbook(_first_bytes(str(path), LOOK)):
        return _sheet(Source(file, path.read_bytes()), sheet, database)
    if sheet is not None:
        raise BoxselError(f"{file} has no sheets: only workbooks have (.xlsx, .ods)")
    if not PARQUET.matches(_first_bytes(str(path))):
        return _text(path, file, database)
    rows = parquet_rows([path])
    columns = [name for name, *_ in database.rows(f"DESCRIBE SELECT * FROM {rows}")]
    return Table(file, tuple(columns), _as_text(columns, rows))


def _sheet(source: Source, sheet: str | int | None, database: Database) -> Table:
    """A sheet of a workbook, as text; what is above its first full row is a title."""
    from boxsel.formats.workbook import sheet_rows

    name, rows, _ = sheet_rows(source, sheet)
    cells = [row for _, row in rows]
    width = max((sum(map(bool, row)) for row in cells), default=0)
    start = next((place for place, row in enumerate(cells) if sum(map(bool, row)) == width), 0)
    path = database.folder / "sheet.csv"
    with path.open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows(row for row in cells[start:] if any(row))
    return replace(_text(path, source.file, database), file=f"{source.file} ({name})")


def _text(path: Path, file: str, database: Database) -> Table:
    """A text file: its first line that is not blank is the header, which tells the separator."""
    path, remark = _in_utf8(path, file, database)
    data = head(path, file, OPENING)
    refuse_binary(data, file)
    if len(data) == OPENING:
        data = data[: data.rfind(b"\n") + 1]
    text = data.decode("utf-8-sig", errors="replace")
    blank = _BLANK.match(text)
    start = blank.end() if blank else 0
    if set(text[start:].partition("\n")[0]) & {"\N{REPLACEMENT CHARACTER}", "\0"}:
        decode(data, file)  # a broken header is an error; broken rows can be left out
    if not text[start:].strip():
        advice = "the first line names the columns, such as Admit,Gender,Dept,Freq"
        raise ReadError(Diagnostic("the table is empty", file, help=advice))
    above = text.count("\n", 0, start)
    headers = {delimiter: _header(text[start:], delimiter) for delimiter in DELIMITERS}
    separator = max(DELIMITERS, key=lambda delimiter: len(headers[delimiter]))
    columns = tuple(headers[separator])
    if not columns:
        raise ReadError(Diagnostic("the header has a double quote too many", file, above + 1))
    if has_mixed_ends(path, file):  # DuckDB takes them for something else
        path = with_equal_ends(path, file, database.folder, "table")
    rows = Delimited(path, file, separator, len(columns), '"', header=True, skipped=above)
    return Table(file, columns, rows.relation(), rows, (remark,) if remark else ())


def _in_utf8(path: Path, file: str, database: Database) -> tuple[Path, str | None]:
    """The file, or what it says in UTF-8, and what should be said about that.

    UTF-16 is told by its first bytes; what Excel saves on Windows, by having no UTF-8 beyond ASCII.
    Where only some of a file is broken, these are broken rows.
    """
    with opened(path, file) as stream:
        while (part := stream.read(OPENING)) and part.isascii():
            pass
    if marked_encoding(part) is None and not (part and is_windows(part)):
        return path, None
    data = load(path).data
    text, remark = decode_table(data, file)
    if remark is None and marked_encoding(data) is None:
        return path, None
    written = database.folder / "recoded"
    write_temporary(written, text.encode())
    return written, remark


def _header(text: str, delimiter: str) -> list[str]:
    try:
        cells = next(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True))
    except csv.Error:
        return []
    return [cell.strip() for cell in cells]


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
    database.execute_over(
        arrays, f"CREATE TABLE {FRAME} AS SELECT * FROM {_as_text(list(arrays), 'given_arrays')}"
    )
    return Table(None, tuple(columns), FRAME)


def _as_text(columns: Sequence[str], relation: str) -> str:
    texts = ", ".join(
        f"CAST({identifier(column)} AS VARCHAR) AS c{place}" for place, column in enumerate(columns)
    )
    return f"(SELECT {texts} FROM {relation})"


def _first_bytes(file: str, number: int = 5) -> bytes:
    try:
        with Path(file).open("rb") as stream:
            return stream.read(number)
    except (OSError, ValueError) as error:
        raise unreadable(file, error) from None
