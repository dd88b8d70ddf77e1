"""Tables as text: cells separated by commas, semicolons or tabs, every value as it is written."""

from __future__ import annotations

import csv
import gzip
import io
import re
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Final

from boxsel.build.csv_rows import numbered_rows
from boxsel.build.graph.sources.opening import has_mixed_ends, with_equal_ends
from boxsel.build.rejects import EXAMPLES, Rejects
from boxsel.build.table.database import Database
from boxsel.errors import Diagnostic, ReadError
from boxsel.formats.csv_reader import DELIMITERS
from boxsel.formats.kinds import refuse_binary
from boxsel.formats.source import decode
from boxsel.machine.database import file_name, quoted

OPENING: Final = 1 << 20
"""How many bytes are looked at to find the header."""

_UNCLOSED: Final = "UNQUOTED VALUE"
_REASONS: Final = {
    "MISSING COLUMNS": "the row has fewer cells than the header",
    "TOO MANY COLUMNS": "the row has more cells than the header",
    _UNCLOSED: "a double quote is not closed, or text follows a closed one",
    "INVALID ENCODING": "the row is not UTF-8",
    "LINE SIZE OVER MAXIMUM": "the row has more than two million characters",
}
_BLANK = re.compile(r"(?:[ \t]*\r?\n)*")


@dataclass(frozen=True, slots=True)
class Delimited:
    """A text file with a header; `packed` if it is compressed with gzip.

    `blank` lines precede the header.
    """

    path: Path
    file: str
    packed: bool
    delimiter: str
    columns: tuple[str, ...]
    blank: int

    @classmethod
    def open(cls, path: Path, file: str, *, packed: bool) -> Delimited:
        """Find the header and the separator; an error if there is none."""
        data = _opening(path, file, packed=packed)
        refuse_binary(data, file)
        text = data.decode("utf-8-sig", errors="replace")
        blank = _BLANK.match(text)
        start = blank.end() if blank else 0
        if set(text[start:].partition("\n")[0]) & {"\N{REPLACEMENT CHARACTER}", "\0"}:
            decode(data, file)  # a broken header is an error; broken rows can be left out
        if not text[start:].strip():
            advice = "the first line names the columns, such as Admit,Gender,Dept,Freq"
            raise ReadError(Diagnostic("the table is empty", file, help=advice))
        line = text.count("\n", 0, start) + 1
        found = {one: _header(text[start:], one) for one in DELIMITERS}
        delimiter = max(DELIMITERS, key=lambda one: len(found[one]))
        if not found[delimiter]:
            raise ReadError(Diagnostic("the header has a double quote too many", file, line))
        return cls(path, file, packed, delimiter, tuple(found[delimiter]), line - 1)

    def with_equal_ends(self, folder: Path) -> Delimited | None:
        """The same rows in a copy of which all lines end alike; `None` if they do so already."""
        if not has_mixed_ends(self.path, self.file):
            return None
        return replace(self, path=with_equal_ends(self.path, self.file, folder, 0), packed=False)

    def has_open_quotes(self, database: Database) -> bool:
        """Whether the last reading found a quote that is not closed."""
        return bool(
            database.rows(f"SELECT 1 FROM reject_errors WHERE error_type = '{_UNCLOSED}' LIMIT 1")
        )

    def relation(self, *, rejecting: bool) -> str:
        """What SQL reads: columns c0, c1, … of text. Broken rows are recorded, or passed over."""
        kinds = ", ".join(f"'c{place}': 'VARCHAR'" for place in range(len(self.columns)))
        broken = "store_rejects = true" if rejecting else "ignore_errors = true"
        return (
            f"read_csv({file_name(self.path)}, auto_detect = false, hive_partitioning = false,"
            f" header = true, columns = {{{kinds}}}, delim = {quoted(self.delimiter)},"
            f" quote = '\"', escape = '\"', skip = {self.blank}, null_padding = false, {broken},"
            f" compression = '{'gzip' if self.packed else 'none'}')"
        )

    def collect(self, database: Database, rejects: Rejects) -> None:
        """Hand over the broken rows of the last reading."""
        broken = (
            "SELECT line_byte_position AS place, any_value(error_type)::VARCHAR AS kind,"
            " any_value(error_message) AS said, any_value(csv_line) AS row"
            " FROM reject_errors GROUP BY place"
        )
        for kind, said, total in database.rows(
            f"SELECT kind, any_value(said), count(*) FROM ({broken}) GROUP BY kind ORDER BY 3 DESC"
        ):
            reason = _REASONS.get(kind, said.lower())
            shown = database.rows(
                f"SELECT place, row FROM ({broken}) WHERE kind = {quoted(kind)}"
                f" ORDER BY place LIMIT {EXAMPLES}"
            )
            lines = self._lines([place for place, _ in shown])
            for number, ((_, row), line) in enumerate(zip(shown, lines, strict=True)):
                rest = total - len(shown) if number == 0 else 0
                rejects.add(reason, self.file, line, row.rstrip("\r\n"), count=1 + rest)

    def first_line(self, column: str, accepted: re.Pattern[str]) -> tuple[int, str] | None:
        """The line of the first row whose cell in a column is not as it should be, and the cell."""
        place = self.columns.index(column)
        with self._stream() as stream:
            text = io.TextIOWrapper(stream, "utf-8-sig", errors="replace", newline="")
            for _ in range(self.blank):
                text.readline()
            found = numbered_rows(text, self.delimiter, first=self.blank + 1)
            for line, row in islice(found, 1, None):
                if len(row) == len(self.columns) and not accepted.fullmatch(row[place].strip()):
                    return line, row[place].strip()
        return None

    def _lines(self, offsets: Sequence[int]) -> Iterator[int]:
        """The lines at some offsets in ascending order: rows may have several lines."""
        line, read = 1, 0
        with self._stream() as stream:
            for offset in offsets:
                while read < offset:
                    chunk = stream.read(min(offset - read, OPENING))
                    if not chunk:
                        break
                    line, read = line + chunk.count(b"\n"), read + len(chunk)
                yield line

    def _stream(self) -> io.BufferedReader | gzip.GzipFile:
        return gzip.open(self.path) if self.packed else self.path.open("rb")


def _opening(path: Path, file: str, *, packed: bool) -> bytes:
    """The start of a file, up to the end of a line."""
    try:
        with gzip.open(path) if packed else path.open("rb") as stream:
            data: bytes = stream.read(OPENING)
    except (OSError, EOFError, ValueError, zlib.error) as error:
        problem = f"the compressed data is damaged or cut short ({error})"
        raise ReadError(Diagnostic(problem, file)) from None
    return data if len(data) < OPENING else data[: data.rfind(b"\n") + 1]


def _header(text: str, delimiter: str) -> list[str]:
    try:
        cells = next(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True))
    except csv.Error:
        return []
    return [cell.strip() for cell in cells]
