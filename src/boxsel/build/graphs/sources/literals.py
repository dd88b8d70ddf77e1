"""Objects that are text or numbers: which of them are labels, and their plain text, in SQL.

For rows whose terms are spelt as in N-Triples: `<x>`, `_:b`, `"text"@en`, `"5"^^<type>`. YAGO's
tab-separated files spell them so too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from boxsel.build.graphs.engine import DuckDBEngine
from boxsel.build.graphs.inputs import Inputs
from boxsel.build.graphs.names import YAGO_BASE
from boxsel.build.graphs.sources.relation import LANGUAGES, LITERALS, NOT_TEXT
from boxsel.machine.database import quoted

# What `object_sql` gives for rows that `without_literals` removes.
_MARKS: Final = {LITERALS: "\x01", LANGUAGES: "\x02", NOT_TEXT: "\x04"}


def in_list(column: str, values: Iterable[str]) -> str:
    """Whether a column has one of the values, as SQL.

    Examples:
        >>> in_list("role", ["P31", "P279"]), in_list("role", [])
        ("role IN ('P31', 'P279')", 'FALSE')
    """
    listed = ", ".join(_portable(value) for value in values)
    return f"{column} IN ({listed})" if listed else "FALSE"


def _portable(text: str) -> str:
    """Text as a literal of SQL; dialects escape quotes and backslashes in different ways."""
    parts = re.split(r"(['\\\\])", text)
    if len(parts) == 1:
        return quoted(text)
    spelt = (f"chr({ord(part)})" if part in ("'", "\\") else quoted(part) for part in parts)
    return f"concat({', '.join(spelt)})"


def name_sql(column: str) -> str:
    """A name without its brackets and YAGO's base; nothing if it is empty."""
    bare = (
        f"CASE WHEN starts_with({column}, '<') AND ends_with({column}, '>') "
        f"THEN substr({column}, 2, length({column}) - 2) ELSE {column} END"
    )
    return f"nullif({without_base_sql(f'({bare})')}, '')"


def without_base_sql(column: str) -> str:
    """An IRI, or a name of YAGO without its base."""
    return (
        f"CASE WHEN starts_with({column}, '{YAGO_BASE}') "
        f"THEN substr({column}, {len(YAGO_BASE) + 1}) ELSE {column} END"
    )


def object_sql(column: str, predicate: str, inputs: Inputs, name: str | None = None) -> str:
    """The object's name, or the text of a label that is wanted, or a mark why it is neither."""
    tag = f"lower(regexp_extract({column}, '\"@([A-Za-z]+)[A-Za-z0-9-]*$', 1))"
    text = f"regexp_extract({column}, '^\"((?s:.*))\"', 1)"
    # Escapes of quotes and backslashes; the mark keeps an escaped backslash from being read twice.
    for escape, sign in (("\\\\", "\x03"), ('\\"', '"'), ("\x03", "\\")):
        text = f"replace({text}, {quoted(escape)}, {quoted(sign)})"
    label = (
        f"CASE WHEN {in_list(tag, ('', *inputs.languages))} "
        f"THEN nullif({text}, '') ELSE {quoted(_MARKS[LANGUAGES])} END"
    )
    return (
        f"CASE WHEN starts_with({column}, '\"') THEN "
        f"CASE WHEN {in_list(predicate, inputs.label_predicates)} THEN {label} "
        f"ELSE {quoted(_MARKS[LITERALS])} END "
        f"WHEN {in_list(predicate, inputs.label_predicates)} THEN {quoted(_MARKS[NOT_TEXT])} "
        f"ELSE {name or name_sql(column)} END"
    )


def without_literals(engine: DuckDBEngine, table: str) -> dict[str, int]:
    """Remove the marked rows from a table, and count them by the reason."""
    counts = ", ".join(f"count(*) FILTER (object = {quoted(mark)})" for mark in _MARKS.values())
    found = engine.rows(f"SELECT {counts} FROM {table}")[0]
    unused = {reason: n for reason, n in zip(_MARKS, found, strict=True) if n}
    if unused:
        engine.execute(f"DELETE FROM {table} WHERE {in_list('object', _MARKS.values())}")
    return unused
