"""The rows of a text with cells between separators; where its header is, and which separator."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from itertools import islice
from typing import Final

from boxsel.errors import Diagnostic, ReadError
from boxsel.formats.table_columns import HEADER_ADVICE, NO_CHOICE, Choice
from boxsel.formats.table_header import STACKED, TITLES, Header, NoHeader, find_header
from boxsel.formats.table_rows import Manner, Row, Tabled, read_rows

DELIMITERS: Final = (",", ";", "\t", "|")
_BLANK: Final = ' \t\r\n,;|"'
"""What lines are made of that hold nothing, whatever separates their cells."""


def read_table(text: str, file: str, choice: Choice = NO_CHOICE) -> Tabled:
    """The knowledge base that a table states; `ReadError` with up to twenty mistakes."""
    delimiter, header = _header(text, file, choice)
    # Semicolons separate cells where commas separate decimals.
    manner = Manner(decimal_comma=delimiter == ";", guarded=True)
    broken: list[Diagnostic] = []
    rows = [row for row in _rows(text, delimiter, file, broken) if row[0] > header.line]
    return read_rows(header.names, header.layout, rows, file, manner, broken)


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


def _header(text: str, file: str, choice: Choice) -> tuple[str, Header]:
    """The header, and the separator that makes columns of it."""
    headers: list[tuple[str, Header]] = []
    problems: list[NoHeader] = []
    for delimiter in DELIMITERS:
        rows = _first_rows(text, delimiter)
        if not rows:
            raise ReadError(Diagnostic("the file is empty", file, help=HEADER_ADVICE))
        header = find_header(rows, choice)
        if isinstance(header, Header):
            headers.append((delimiter, header))
        else:
            problems.append(header)
    if headers:
        return max(headers, key=lambda one: len(one[1].names))
    worst = max(problems, key=lambda one: (one.cells, -one.line))
    raise ReadError(Diagnostic(worst.problem, file, worst.line, help=HEADER_ADVICE))


def _first_rows(text: str, delimiter: str) -> list[Row]:
    """The first rows that hold something; lines, where quotes are wrong."""
    found: list[Row] = []
    rows = csv.reader(
        io.StringIO(text, newline=""), delimiter=delimiter, skipinitialspace=True, strict=True
    )
    try:
        for cells in rows:
            if any(cell.strip(_BLANK) for cell in cells):
                found.append((rows.line_num, cells))
            if len(found) == TITLES + STACKED:
                break
    except csv.Error:
        lines = enumerate(io.StringIO(text, newline=""), start=1)
        said = ((number, line) for number, line in lines if line.strip(_BLANK))
        return [
            (number, _split(line, delimiter)) for number, line in islice(said, TITLES + STACKED)
        ]
    return found


def _split(line: str, delimiter: str) -> list[str]:
    try:
        return next(csv.reader([line], delimiter=delimiter, skipinitialspace=True))
    except csv.Error:
        return []


def _quoting_problem(error: str) -> str:
    if "unexpected end" in error:
        return "a cell starts with a double quote here, and it is never closed"
    if "field limit" in error:
        return f"a cell has more than {csv.field_size_limit():,} characters: a quote may be missing"
    return "there is text after a closing double quote: inside quotes, write a quote twice"
