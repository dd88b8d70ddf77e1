"""Many queries in a table: a pandas `DataFrame` in, the same with answers out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from boxsel.errors import BoxselError, Diagnostic, ReadError
from boxsel.logic.statements import Query
from boxsel.models.measuring import ends

if TYPE_CHECKING:
    from boxsel.models.model import Model


def answered_table(model: Model, table: Any) -> Any:
    """A table of queries with the columns of their estimates.

    Raises:
        BoxselError: It has no columns `head` and `body`, or `query`; or it is no pandas table.
        ReadError: A query is not about the names of the knowledge base.
    """
    if not hasattr(table, "assign"):
        raise BoxselError("this kind of table is not known: give a pandas DataFrame")
    found = model.values(_queries(model, table))
    lower, upper = ends(found[:, model.kept]).T
    all_lower, all_upper = ends(found).T
    return table.assign(
        lower=lower,
        upper=upper,
        all_lower=all_lower,
        all_upper=all_upper,
        undefined=np.isnan(found[:, model.kept]).sum(axis=1),
    )


def _queries(model: Model, table: Any) -> list[Query]:
    from boxsel.syntax.parser import parse_query
    from boxsel.syntax.queries import KBNames

    columns = set(table.columns)
    if "query" in columns:
        texts = [str(text) for text in table["query"]]
    elif {"head", "body"} <= columns:
        pairs = zip(table["head"], table["body"], strict=True)
        texts = [f"({head} | {body})" for head, body in pairs]
    else:
        raise BoxselError("the table needs the columns head and body, or query")
    names = KBNames(model.kb)
    known: dict[str, Query] = {}
    for place, text in enumerate(texts):
        if text not in known:
            try:
                known[text] = parse_query(text, names)
            except ReadError as error:
                at = Diagnostic(f"row {place} of the table: {text}")
                raise ReadError(at, *error.diagnostics) from None
    return [known[text] for text in texts]
