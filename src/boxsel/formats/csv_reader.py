"""The rows of a text with cells between separators; where its header is, and which separator."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from typing import Final

from boxsel.errors import Diagnostic, ReadError
from boxsel.formats.table_columns import HEADER_ADVICE, NO_CHOICE, Choice, Layout, find_layout
from boxsel.formats.table_rows import Manner, Row, Tabled, read_rows

DELIMITERS: Final = (",", ";", "\t", "|")
TITLES: Final = 20
"""So many lines may stand above the header: titles, and who made the table when."""


def read_table(text: str, file: str, choice: Choice = NO_CHOICE) -> Tabled:
    """The knowledge base that a table states; `ReadError` with up to twenty mistakes."""
    line, delimiter, header, layout = _header(text, file, choice)
    # Semicolons separate cells where commas separate decimals.
    manner = Manner(decimal_comma=delimiter == ";", guarded=True)
    broken: list[Diagnostic] = []
    rows = [row for row in _rows(text, delimiter, file, broken) if row[0] > line]
    return read_rows(header, layout, rows, file, manner, broken)


def _rows(text: str, delimiter: str, file: str, broken: list[Diagnostic]) -> Iterator[Row]:
    """The rows with their lines, up to one with wrong quotes: what follows is anyone's guess."""
    rows = csv.reader(
        io.StringIO(text, newline=""), delimiter=delimiter, skipinitialspace=True, strict=True
    )
    while True:
        line = rows.line_num + 1
        try:
            yield line, next(rows)
        except StopIteration:
            return
        except csv.Error as error:
            broken.append(Diagnostic(_quoting_problem(str(error)), file, line))
            return


def _header(text: str, file: str, choice: Choice) -> tuple[int, str, list[str], Layout]:
    """The first line that names columns; the delimiter is the one that makes columns of it."""
    lines = enumerate(io.StringIO(text, newline=""), start=1)
    said = [(number, line) for number, line in lines if line.strip(' \t\r\n,;|"')][:TITLES]
    if not said:
        raise ReadError(Diagnostic("the file is empty", file, help=HEADER_ADVICE))
    problems: list[tuple[int, int, str]] = []
    for number, line in said:
        for delimiter in DELIMITERS:
            header = _split(line, delimiter)
            layout = find_layout(header, choice)
            if isinstance(layout, Layout):
                return number, delimiter, header, layout
            problems.append((len(header), number, layout))
    # The line that looks most like a header has the most cells; of several, it is the first.
    _, number, problem = max(problems, key=lambda one: (one[0], -one[1]))
    raise ReadError(Diagnostic(problem, file, number, help=HEADER_ADVICE))


def _split(line: str, delimiter: str) -> list[str]:
    try:
        cells = next(csv.reader([line], delimiter=delimiter, skipinitialspace=True))
    except csv.Error:
        return []
    return [cell.strip() for cell in cells]


def _quoting_problem(error: str) -> str:
    if "unexpected end" in error:
        return "a cell starts with a double quote here, and it is never closed"
    if "field limit" in error:
        return f"a cell has more than {csv.field_size_limit():,} characters: a quote may be missing"
    return "there is text after a closing double quote: inside quotes, write a quote twice"
