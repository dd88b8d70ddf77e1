"""Queries in a table: a pandas `DataFrame` with the columns `head` and `body`, or `query`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from boxsel.errors import BoxselError, Diagnostic, ReadError
from boxsel.logic.kb import KB
from boxsel.logic.statements import Query
from boxsel.syntax.kbnames import KBNames
from boxsel.syntax.parser import parse_query
from boxsel.syntax.queries import query_in_cells


def is_table(value: object) -> bool:
    """Whether something has columns."""
    return hasattr(value, "columns")


def queries_in_table(kb: KB, table: Any) -> list[Query]:
    """The query of each row of a table, in the names of a knowledge base.

    Raises:
        BoxselError: It has no columns `head` and `body`, or `query`; or it is no pandas table.
        ReadError: A query is not about the names of the knowledge base.
    """
    if not hasattr(table, "assign"):
        raise BoxselError("this kind of table is not known: give a pandas DataFrame")
    columns = set(table.columns)
    if "query" in columns:
        chosen: tuple[str, ...] = ("query",)
        read: Callable[..., Query] = parse_query
    elif {"head", "body"} <= columns:
        chosen, read = ("head", "body"), query_in_cells
    else:
        raise BoxselError("the table needs the columns head and body, or query")
    names = KBNames(kb)
    known: dict[tuple[str, ...], Query] = {}
    queries = []
    for place, row in enumerate(zip(*(table[name] for name in chosen), strict=True)):
        texts = tuple(map(str, row))
        if texts not in known:
            try:
                known[texts] = read(*texts, names)
            except ReadError as error:
                raise ReadError(*(_in_row(one, place) for one in error.diagnostics)) from None
        queries.append(known[texts])
    return queries


def _in_row(one: Diagnostic, place: int) -> Diagnostic:
    return replace(one, message=f"row {place} of the table: {one.message}")
