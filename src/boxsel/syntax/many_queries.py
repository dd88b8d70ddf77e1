"""Many queries: a list, a pandas table, or the text of a file.

Tables have the same columns everywhere: `query`, or `head` and `body`. Capitals do not matter, and
other columns are left alone.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

from boxsel.errors import (
    MAX_ERRORS,
    BoxselError,
    Diagnostic,
    InvalidStatementError,
    ReadError,
    WrongKindError,
)
from boxsel.logic.concepts import Concept
from boxsel.logic.expecting import expect_several
from boxsel.logic.kb import KB, Queries
from boxsel.logic.statements import Query
from boxsel.syntax.queries import Reader

Cells = tuple[Any, ...]
"""What one query is made of: itself, or its head and its body."""

COLUMNS: Final = (("query",), ("head", "body"))
"""The columns that a table of queries may have; the first ones count if it has all."""


def is_table(value: object) -> bool:
    """Whether something has columns."""
    return hasattr(value, "columns")


def queries_about(kb: KB, queries: Queries) -> tuple[Query, ...]:
    """The queries of a list, as texts or as values, or those in the rows of a pandas table.

    Raises:
        BoxselError: It is a table without the columns, or not one of pandas.
        ReadError: A query is not about the names of the knowledge base; it says which one.
        WrongKindError: It is one query only, or something else.

    Examples:
        >>> from boxsel import examples
        >>> kb = examples.load("applicant")
        >>> print(*queries_about(kb, ["(Admitted | DeptA)", kb.query("DeptA | DeptA")]))
        (Admitted | DeptA) (DeptA | DeptA)
    """
    rows: Iterable[Cells]
    if is_table(queries):
        where, rows = "row {} of the table", _rows(queries)
    else:
        where = "query {} of the list"
        rows = ((query,) for query in expect_several("queries", queries))
    reader = Reader(kb)
    found = []
    for place, cells in enumerate(rows):
        try:
            found.append(_query(reader, cells))
        except ReadError as error:
            at = where.format(place)
            raise ReadError(
                *(replace(query, message=f"{at}: {query.message}") for query in error.diagnostics)
            ) from None
        except WrongKindError as error:
            raise WrongKindError(f"{where.format(place)}: {error}") from None
    return tuple(found)


def queries_in_text(reader: Reader, text: str, file: str | None = None) -> tuple[Query, ...]:
    r"""The queries of a file: one per line, or a CSV table.

    Examples:
        >>> from boxsel import examples
        >>> reader = Reader(examples.load("applicant"))
        >>> for query in queries_in_text(reader, "head,body\nAdmitted,DeptA"):
        ...     print(query)
        (Admitted | DeptA)
    """
    queries: list[Query] = []
    mistakes: list[Diagnostic] = []
    for number, cells in _lines(text):
        try:
            queries.append(_query(reader, cells))
        except ReadError as error:
            mistakes.extend(error.at(file, number))
            if len(mistakes) >= MAX_ERRORS:
                raise ReadError(*mistakes, more=True) from None
    if mistakes:
        raise ReadError(*mistakes)
    if not queries:
        advice = "write one query per line, such as (D | C)"
        raise ReadError(Diagnostic("there are no queries", file, help=advice))
    return tuple(queries)


def _query(reader: Reader, cells: Cells) -> Query:
    if len(cells) == 1:
        return reader.query(cells[0])
    head, body = (
        _concept(reader, column, cell) for column, cell in zip(COLUMNS[1], cells, strict=True)
    )
    try:
        return Query(head, body)
    except InvalidStatementError as error:
        raise ReadError(Diagnostic(str(error))) from None


def _concept(reader: Reader, column: str, cell: Any) -> Concept:
    """The concept in a cell; a mistake names its column."""
    if isinstance(cell, str) and not cell.strip():
        advice = "write owl:Thing for everything"
        raise ReadError(Diagnostic(f"column '{column}': the cell is empty", help=advice))
    try:
        return reader.concept(cell)
    except ReadError as error:
        raise ReadError(
            *(_in_cell(diagnostic, column) for diagnostic in error.diagnostics)
        ) from None


def _in_cell(one: Diagnostic, column: str) -> Diagnostic:
    return replace(one, message=f"column '{column}': {one.message}", column=None, caret=one.column)


def _rows(table: Any) -> Iterator[Cells]:
    """What the rows of a pandas table ask."""
    if not hasattr(table, "assign"):
        raise BoxselError("this kind of table is not known: give a pandas DataFrame")
    places = _places([str(name) for name in table.columns])
    if places is None:
        raise BoxselError("the table needs the columns head and body, or query")
    return zip(*(table.iloc[:, place] for place in places), strict=True)


def _lines(text: str) -> Iterator[tuple[int, Cells]]:
    """What the lines of a file ask, with their numbers."""
    lines = text.splitlines()
    header = next((line for line in lines if line.strip()), "")
    # A query has a bar: names in quotes may hold commas, and words that are titles of columns.
    titles = [] if "|" in header else next(csv.reader([header]), [])
    places = _places(titles)
    if places is None:
        for number, line in enumerate(lines, start=1):
            if line.strip() and not line.lstrip().startswith("#"):
                yield number, (line,)
        return
    table = csv.reader(lines)
    for cells in table:
        if cells != titles and any(cells):
            cells += [""] * (len(titles) - len(cells))
            yield table.line_num, tuple(cells[place] for place in places)


def _places(titles: Sequence[str]) -> tuple[int, ...] | None:
    """Where the columns of a table of queries stand, if it is one."""
    plain = [title.strip().casefold() for title in titles]
    for wanted in COLUMNS:
        if all(heading in plain for heading in wanted):
            return tuple(plain.index(heading) for heading in wanted)
    return None
