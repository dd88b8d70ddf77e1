"""Queries in a table: a pandas `DataFrame` with the columns `head` and `body`, or `query`."""

from __future__ import annotations

from typing import Any

from boxsel.errors import BoxselError, Diagnostic, ReadError
from boxsel.logic.kb import KB
from boxsel.logic.statements import Query
from boxsel.syntax.parser import parse_query
from boxsel.syntax.queries import KBNames


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
        texts = [str(text) for text in table["query"]]
    elif {"head", "body"} <= columns:
        pairs = zip(table["head"], table["body"], strict=True)
        texts = [f"({head} | {body})" for head, body in pairs]
    else:
        raise BoxselError("the table needs the columns head and body, or query")
    names = KBNames(kb)
    known: dict[str, Query] = {}
    for place, text in enumerate(texts):
        if text not in known:
            try:
                known[text] = parse_query(text, names)
            except ReadError as error:
                at = Diagnostic(f"row {place} of the table: {text}")
                raise ReadError(at, *error.diagnostics) from None
    return [known[text] for text in texts]
