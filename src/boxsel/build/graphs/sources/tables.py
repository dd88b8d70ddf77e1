"""Tables that are already there, in Parquet files or a DuckDB database: read where they are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, cast

from boxsel.build.graphs.engine import TABLES, DuckDBEngine, Engine
from boxsel.build.graphs.inputs import Given
from boxsel.build.graphs.sources.relation import Reading, Relation, layout_of, places
from boxsel.errors import BoxselError, ReadError
from boxsel.machine.database import blaming, identifier, quoted
from boxsel.wording import listed

UNREADABLE: Final = "the rows of this file cannot be read: it may be damaged"
_CLOSED: Final = "this DuckDB database cannot be opened"
_ADVICE: Final = "another program may have it open, or a newer DuckDB may have made it"
_TRIPLES: Final = "triples"

_TEXT: Final = frozenset({"VARCHAR", "STRING"})
_SIGNED: Final = frozenset({"TINYINT", "SMALLINT", "INTEGER", "INT", "BIGINT", "HUGEINT"})
_INTEGERS: Final = _SIGNED | {"UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT", "UHUGEINT"}


def read_parquet(reading: Reading) -> list[Relation]:
    """Let the engine see a Parquet file, or a folder of them; it is never copied."""
    path = reading.file if reading.engine.elsewhere else str(reading.path)
    try:
        reading.engine.view_parquet(reading.name, path)
    except ReadError:
        raise
    except BoxselError as error:
        raise reading.error(f"this cannot be read as Parquet: {error}") from None
    return [_viewed(reading, reading.name, reading.given, is_parquet=True)]


def read_database(reading: Reading, table: str | None = None) -> list[Relation]:
    """Let DuckDB see a database's table, or those of its tables that have our names.

    The tables are `triples`, and `types`, `taxonomy`, `facts` and `labels`.
    """
    with blaming(reading.file, _CLOSED, _ADVICE):
        database = attached(reading.local, reading.path, reading.name)
    with blaming(reading.file, UNREADABLE):
        there = {
            name: f"{identifier(database)}.{identifier(schema)}"
            for schema, name in reading.local.rows(
                "SELECT schema_name, name FROM ("
                "SELECT database_name, schema_name, table_name AS name FROM duckdb_tables() "
                "UNION ALL SELECT database_name, schema_name, view_name FROM duckdb_views() "
                f"WHERE NOT internal) WHERE database_name = {quoted(database)} "
                "ORDER BY schema_name <> 'main' DESC"
            )
        }
    relations = []
    for number, (name, given) in enumerate(_chosen(reading, table, set(there))):
        view = f"{reading.name}_{number}"
        with blaming(reading.file, UNREADABLE):
            reading.local.view(view, f"SELECT * FROM {there[name]}.{identifier(name)}")
        relations.append(_viewed(reading, view, given, is_parquet=False))
    return relations


def attached(engine: DuckDBEngine, path: Path, name: str) -> str:
    """The name under which a database is attached, read-only; once if it is given twice."""
    place = quoted(str(path.resolve()))
    known = engine.rows(f"SELECT database_name FROM duckdb_databases() WHERE path = {place}")
    if known:
        return cast(str, known[0][0])
    engine.execute(f"ATTACH {place} AS {name}_database (READ_ONLY)")
    return f"{name}_database"


def _chosen(reading: Reading, table: str | None, there: set[str]) -> list[tuple[str, Given]]:
    """The tables to read, with what each is given as."""
    if table is not None:
        wanted: list[tuple[str, Given]] = [(table, reading.given)]
    elif reading.given == "graph":
        wanted = [(_TRIPLES, "graph"), *((name, cast(Given, name)) for name in TABLES)]
    else:
        wanted = [(reading.given, reading.given), (_TRIPLES, reading.given)]
    chosen = [(name, given) for name, given in wanted if name in there]
    if table is None and reading.given != "graph":
        chosen = chosen[:1]
    if not chosen:
        has = listed([repr(name) for name in sorted(there)], most=12) or "none"
        missing = " or ".join(repr(name) for name, _ in wanted)
        raise reading.error(
            f"there is no table {missing} in this database",
            advice=f"its tables: {has}; FILE:TABLE names one of them",
        )
    return chosen


def rows_of(engine: Engine, sql: str, file: str) -> list[tuple[Any, ...]]:
    """The rows of a query over one file; if it fails the file is to blame."""
    with blaming(file, UNREADABLE):
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


def _viewed(reading: Reading, name: str, given: Given, *, is_parquet: bool) -> Relation:
    """The relation of a table that the engine sees under a name."""
    engine = reading.engine if is_parquet else reading.local
    types = column_types(engine, name, reading.file)
    headings = tuple(types)
    given_as = replace(reading, given=given)
    layout = layout_of(given_as, headings, len(headings))
    columns = tuple(headings[n] for n in places(given_as, layout, headings, len(headings)))
    _check_types(reading, {column: types[column] for column in columns})
    if is_text(types[columns[1]]):
        _check_spelling(reading, engine, name, columns[1])
    return Relation(name, reading.file, given, layout, columns, is_parquet=is_parquet)


def _check_types(reading: Reading, types: Mapping[str, str]) -> None:
    """Refuse columns that cannot name anything."""
    for column, kind in types.items():
        if kind not in _TEXT | _INTEGERS:
            raise reading.error(
                f"the column {column!r} holds {kind}, expected text or whole numbers"
            )


def _check_spelling(reading: Reading, engine: Engine, name: str, column: str) -> None:
    """Names are taken as they are: brackets around them would become a part of them."""
    some = f"SELECT {engine.identifier(column)} AS name FROM {name} LIMIT 1000"
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
