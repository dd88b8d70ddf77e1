"""From a table to conditionals, with the line and the column of every mistake."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from boxsel.errors import MAX_ERRORS, Diagnostic, InvalidStatementError, ReadError
from boxsel.logic.axioms import Conditional
from boxsel.logic.concepts import Concept
from boxsel.logic.kb import KB
from boxsel.logic.proportions import Count, Interval, Proportion, exact
from boxsel.logic.statements import NO_NOTE, Note, Statement
from boxsel.syntax.common_lines import ShapeReader
from boxsel.syntax.nametable import NameTable
from boxsel.syntax.parser import parse_concept

REQUIRED: Final = ("head", "body")
BOUNDS: Final = ("lower", "upper")
SAMPLE: Final = ("count", "total")
NOTES: Final = ("source", "label", "comment")
USUAL: Final = (*REQUIRED, *BOUNDS, *SAMPLE, "source")
COLUMNS: Final = (*USUAL, "label", "comment")
DELIMITERS: Final = (",", ";", "\t")

FORMULA_START: Final = "=+-@＝＋－＠"
"""How a text starts that spreadsheets take for a formula; the last four are wide forms."""

_GUARDED = re.compile(rf"'+[{re.escape(FORMULA_START)}]")
_WHOLE = re.compile(r"([0-9]{1,300})(?:\.0*)?")  # programs write 7.0 where a column has gaps
_DECIMAL_COMMA = re.compile(r"([+-]?[0-9]*),([0-9]+%?)")
_HEADER_ADVICE = f"the first line names the columns, such as {','.join(USUAL)}"


class Mistake(Exception):  # noqa: N818 - it never leaves a reader: it becomes a diagnostic
    """Something wrong in a row, in one column if that is known."""

    def __init__(self, message: str, column: str | None = None, advice: str | None = None) -> None:
        super().__init__(f"column '{column}': {message}" if column else message)
        self.advice = advice


@dataclass(frozen=True, slots=True)
class _Header:
    """The line of the header, the delimiter, and the column of each cell (`""`: none)."""

    line: int
    delimiter: str
    columns: Sequence[str]


def read_table(text: str, file: str) -> KB:
    """The knowledge base that a table states; `ReadError` with up to twenty mistakes."""
    statements: list[Statement] = []
    mistakes: list[Diagnostic] = []
    header = _header(text, file)
    # Where the comma separates cells it cannot be told from a decimal comma.
    reader = RowReader(header.columns, decimal_comma=header.delimiter != ",", guarded=True)
    rows = csv.reader(
        io.StringIO(text, newline=""),
        delimiter=header.delimiter,
        skipinitialspace=True,
        strict=True,
    )
    while True:
        line = rows.line_num + 1
        try:
            row = next(rows)
            if line > header.line and any(map(str.strip, row)):
                statements.append(reader.statement(row))
        except StopIteration:
            break
        except (Mistake, InvalidStatementError) as error:
            advice = error.advice if isinstance(error, Mistake) else None
            mistakes.append(Diagnostic(str(error), file, line, help=advice))
            if len(mistakes) == MAX_ERRORS:
                raise ReadError(*mistakes, more=True) from None
        except csv.Error as error:
            mistakes.append(Diagnostic(_quoting_problem(str(error)), file, line))
            break  # where the next row starts is anyone's guess
    if mistakes:
        raise ReadError(*mistakes)
    return KB(tuple(statements))


class RowReader:
    """Reads the rows of one table: text cells, `""` if there is nothing.

    In a `guarded` table an apostrophe keeps spreadsheets from running notes.
    """

    def __init__(self, columns: Sequence[str], *, decimal_comma: bool, guarded: bool) -> None:
        self._columns = columns
        self._decimal_comma = decimal_comma
        self._guarded = guarded
        self._names = NameTable()
        self._shapes = ShapeReader(self._names)

    def statement(self, row: Sequence[str]) -> Statement:
        """The conditional that a row states; a row that is refused names nothing."""
        before = self._names.mark()
        try:
            cells = self._cells(row)
            head, body = (self._concept(column, cells[column]) for column in REQUIRED)
            return Statement(Conditional(head, body, self._proportion(cells)), self._note(cells))
        except (Mistake, InvalidStatementError):
            self._names.back(before)
            raise

    def _cells(self, row: Sequence[str]) -> Mapping[str, str]:
        cells = dict.fromkeys(COLUMNS, "")
        for index, cell in enumerate(map(str.strip, row)):
            column = self._columns[index] if index < len(self._columns) else ""
            if column:
                cells[column] = cell
            elif cell:
                raise Mistake(
                    f"the cell {cell!r:.60} stands under no column",
                    advice="put a cell that holds the separator in double quotes",
                )
        return cells

    def _concept(self, column: str, text: str) -> Concept:
        if not text:
            raise Mistake("the cell is empty", column, "write owl:Thing for everything")
        try:
            return self._shapes.concept(text) or parse_concept(text, self._names)
        except ReadError as error:
            raise _concept_mistake(error.diagnostics[0], column, text) from None

    def _proportion(self, cells: Mapping[str, str]) -> Proportion:
        bounds, sample = (any(cells[column] for column in pair) for pair in (BOUNDS, SAMPLE))
        if bounds == sample:
            choice = "both bounds and a count" if bounds else "neither bounds nor a count"
            raise Mistake(
                f"the row states {choice}", None, "fill lower and upper, or count and total"
            )
        if bounds:
            return Interval(*(self._number(column, cells[column]) for column in BOUNDS))
        return Count(*(_whole(column, cells[column]) for column in SAMPLE))

    def _number(self, column: str, text: str) -> Fraction:
        if not text:
            advice = "for a point, write the same number in lower and upper"
            raise Mistake("the cell is empty", column, advice)
        if text.endswith("%"):
            text = f"{text[:-1].rstrip()}%"
        comma = _DECIMAL_COMMA.fullmatch(text) if self._decimal_comma else None
        try:
            return exact(f"{comma[1]}.{comma[2]}" if comma else text)
        except InvalidStatementError as error:
            raise Mistake(str(error), column) from None

    def _note(self, cells: Mapping[str, str]) -> Note:
        if not any(cells[column] for column in NOTES):
            return NO_NOTE
        texts = {column: cells[column] for column in NOTES}
        if self._guarded:
            texts = {column: _unguarded(text) for column, text in texts.items()}
        return Note(**texts)


def _whole(column: str, text: str) -> int:
    match = _WHOLE.fullmatch(text)
    if match is None:
        found = f"found {text!r:.40}" if text else "the cell is empty"
        raise Mistake(f"expected a whole number, {found}", column)
    return int(match[1])


def _unguarded(text: str) -> str:
    """Text without the apostrophe that keeps spreadsheets from running it."""
    return text[1:] if _GUARDED.match(text) else text


def _concept_mistake(problem: Diagnostic, column: str, text: str) -> Mistake:
    place = f" (character {problem.column} of {text!r:.80})" if len(text) > 1 else ""
    advice = problem.help
    if advice is not None and "Prefix:" in advice:
        advice = "a table declares no prefixes: write the IRI in full, as <http://example.org/A>"
    return Mistake(problem.message + place, column, advice)


def _header(text: str, file: str) -> _Header:
    """The first line that is not blank; the delimiter is the one that makes columns of it."""
    lines = enumerate(io.StringIO(text, newline=""), start=1)
    number, line = next(((n, one) for n, one in lines if one.strip(' \t\r\n,;"')), (0, ""))
    if not number:
        raise ReadError(Diagnostic("the file is empty", file, help=_HEADER_ADVICE))
    for delimiter in DELIMITERS:
        columns = _split(line, delimiter)
        if set(REQUIRED) <= set(columns):
            problem = header_problem(columns)
            if problem:
                raise ReadError(Diagnostic(problem, file, number, help=_HEADER_ADVICE))
            return _Header(number, delimiter, columns)
    problem = f"expected a header with the columns head and body, found {line.strip()!r:.80}"
    raise ReadError(Diagnostic(problem, file, number, help=_HEADER_ADVICE))


def _split(line: str, delimiter: str) -> list[str]:
    try:
        cells = next(csv.reader([line], delimiter=delimiter, skipinitialspace=True))
    except csv.Error:
        return []
    return [cell.strip().lower() for cell in cells]


def header_problem(columns: Sequence[str]) -> str | None:
    """What is wrong with the names of a table's columns, if anything."""
    named = [column for column in columns if column]
    for column in named:
        if column not in COLUMNS:
            return f"there is no column {column!r:.60}: the columns are {', '.join(COLUMNS)}"
        if named.count(column) > 1:
            return f"the column '{column}' occurs twice"
    for pair in (BOUNDS, SAMPLE):
        missing = set(pair) - set(named)
        if len(missing) == 1:
            return f"the column '{missing.pop()}' is missing: {' and '.join(pair)} belong together"
    if not set(named) & {*BOUNDS, *SAMPLE}:
        return "the columns lower and upper, or count and total, are missing"
    return None


def _quoting_problem(error: str) -> str:
    if "unexpected end" in error:
        return "a cell starts with a double quote here, and it is never closed"
    if "field limit" in error:
        return f"a cell has more than {csv.field_size_limit():,} characters: a quote may be missing"
    return "there is text after a closing double quote: inside quotes, write a quote twice"
