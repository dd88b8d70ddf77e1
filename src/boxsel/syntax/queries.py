"""Reading queries about a knowledge base: its prefixes, its names and their labels are known."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

from boxsel.errors import MAX_ERRORS, Diagnostic, InvalidStatementError, ReadError
from boxsel.logic.concepts import Concept
from boxsel.logic.kb import KB
from boxsel.logic.statements import Query
from boxsel.syntax.kbnames import KBNames
from boxsel.syntax.parser import parse_concept, parse_query


def query_about(kb: KB, text: str, kb_file: str | None = None) -> Query:
    """The query `(D | C)` that a text asks about a knowledge base.

    Advice about names is for the file that the knowledge base was read from, if there is one.

    Examples:
        >>> from boxsel import examples
        >>> print(query_about(examples.load("clinic"), "(Smoker | Patient)"))
        (<http://example.org/clinic#Smoker> | <http://example.org/clinic#Patient>)
    """
    return parse_query(text, KBNames(kb, kb_file))


def concept_about(kb: KB, text: str, kb_file: str | None = None) -> Concept:
    """The concept that a text describes in the names of a knowledge base."""
    return parse_concept(text, KBNames(kb, kb_file))


def queries_about(
    kb: KB, text: str, file: str | None = None, kb_file: str | None = None
) -> tuple[Query, ...]:
    r"""The queries of a file: one per line, or the columns `head` and `body` of a CSV table.

    Examples:
        >>> from boxsel import examples
        >>> kb = examples.load("applicant")
        >>> for query in queries_about(kb, "head,body\nAdmitted,DeptA"):
        ...     print(query)
        (Admitted | DeptA)
    """
    names = KBNames(kb, kb_file)
    queries: list[Query] = []
    mistakes: list[Diagnostic] = []
    for number, read in _queries(text):
        try:
            queries.append(read(names))
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


def query_in_cells(head: str, body: str, names: KBNames) -> Query:
    """The query whose head and body stand in cells of a table; a mistake names its column.

    Examples:
        >>> from boxsel import examples
        >>> print(query_in_cells("Admitted", "DeptA", KBNames(examples.load("applicant"))))
        (Admitted | DeptA)
    """
    asked = _cell("head", head, names), _cell("body", body, names)
    try:
        return Query(*asked)
    except InvalidStatementError as error:
        raise ReadError(Diagnostic(str(error))) from None


def _cell(column: str, text: str, names: KBNames) -> Concept:
    if not text.strip():
        advice = "write owl:Thing for everything"
        raise ReadError(Diagnostic(f"column '{column}': the cell is empty", help=advice))
    try:
        return parse_concept(text, names)
    except ReadError as error:
        raise ReadError(*(_in_cell(one, column) for one in error.diagnostics)) from None


def _in_cell(one: Diagnostic, column: str) -> Diagnostic:
    return replace(one, message=f"column '{column}': {one.message}", column=None, caret=one.column)


def _queries(text: str) -> Iterator[tuple[int, Callable[[KBNames], Query]]]:
    """The line of each query of a file, and how it is read."""
    lines = text.splitlines()
    header = next((line for line in lines if line.strip()), "")
    columns = [cell.strip().casefold() for cell in next(csv.reader([header]), [])]
    if "head" in columns and "body" in columns:
        head, body = columns.index("head"), columns.index("body")
        table = csv.reader(lines)
        for cells in table:
            if [cell.strip().casefold() for cell in cells] == columns or not any(cells):
                continue
            cells += [""] * (len(columns) - len(cells))
            yield table.line_num, partial(query_in_cells, cells[head], cells[body])
        return
    for number, line in enumerate(lines, start=1):
        if line.strip() and not line.lstrip().startswith("#"):
            yield number, partial(parse_query, line)
