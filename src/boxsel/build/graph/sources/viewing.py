"""Tables that are already there, in Parquet files or a database: their columns and types."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from boxsel.build.graph.duckdb_engine import DuckDBEngine
from boxsel.build.graph.engine import Engine
from boxsel.build.graph.inputs import Given
from boxsel.build.graph.sources.columns import layout_of, places
from boxsel.build.graph.sources.relation import Reading, Relation, telling

UNREADABLE: Final = "the rows of this file cannot be read: it may be damaged"

_TEXT: Final = frozenset({"VARCHAR", "STRING"})
_SIGNED: Final = frozenset({"TINYINT", "SMALLINT", "INTEGER", "INT", "BIGINT", "HUGEINT"})
_INTEGERS: Final = _SIGNED | {"UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT", "UHUGEINT"}


def rows_of(engine: Engine, sql: str, file: str) -> list[tuple[object, ...]]:
    """The rows of a query over one file; if it fails the file is to blame."""
    if isinstance(engine, DuckDBEngine):
        with telling(file, UNREADABLE):
            return engine.rows(sql)
    return engine.rows(sql)


def column_types(engine: Engine, name: str, file: str) -> dict[str, str]:
    """The columns of a table with their SQL types."""
    described = rows_of(engine, f"DESCRIBE {name}", file)
    return {str(column): str(kind).upper() for column, kind, *_ in described}


def is_text(kind: str) -> bool:
    """Whether an SQL type is text.

    Examples:
        >>> is_text("VARCHAR"), is_text("string"), is_text("BIGINT")
        (True, True, False)
    """
    return kind.upper() in _TEXT


def identifier(name: str, engine: Engine) -> str:
    """A column's name as the engine quotes it: the one thing that the dialects spell apart."""
    mark = '"' if engine.name == "duckdb" else "`"
    return mark + name.replace(mark, mark * 2) + mark


def viewed(reading: Reading, name: str, given: Given, *, is_parquet: bool) -> Relation:
    """The relation of a table that the engine sees under a name."""
    engine = reading.engine if is_parquet else reading.local
    types = column_types(engine, name, reading.file)
    headings = tuple(types)
    given_as = replace(reading, given=given)
    layout = layout_of(given_as, headings, len(headings))
    columns = tuple(headings[n] for n in places(given_as, layout, headings, len(headings)))
    check_types(reading, {column: types[column] for column in columns})
    if is_text(types[columns[1]]):
        _check_spelling(reading, engine, name, columns[1])
    return Relation(name, reading.file, given, layout, columns, is_parquet=is_parquet)


def check_types(reading: Reading, types: Mapping[str, str]) -> None:
    """Refuse columns that cannot name anything."""
    for column, kind in types.items():
        if kind not in _TEXT | _INTEGERS:
            raise reading.error(
                f"the column {column!r} holds {kind}, expected text or whole numbers"
            )


def _check_spelling(reading: Reading, engine: Engine, name: str, column: str) -> None:
    """Names are taken as they are: brackets around them would become a part of them."""
    some = f"SELECT {identifier(column, engine)} AS name FROM {name} LIMIT 1000"
    bracketed = rows_of(
        engine,
        f"SELECT name FROM ({some}) AS sample_rows WHERE name LIKE '<%>' LIMIT 1",
        reading.file,
    )
    if bracketed:
        raise reading.error(
            f"the names in the column {column!r} are in angle brackets: {bracketed[0][0]}",
            advice="write them without brackets, or give the rows as a text file",
        )
