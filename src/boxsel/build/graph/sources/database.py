"""A DuckDB database: its tables are read where they are."""

from __future__ import annotations

from pathlib import Path
from typing import Final, cast

from boxsel.build.graph.duckdb_engine import DuckDBEngine
from boxsel.build.graph.engine import TABLES
from boxsel.build.graph.inputs import Given
from boxsel.build.graph.sources.relation import Reading, Relation
from boxsel.build.graph.sources.viewing import UNREADABLE, viewed
from boxsel.machine.database import quoted
from boxsel.wording import listed

_TRIPLES: Final = "triples"
_CLOSED: Final = "this DuckDB database cannot be opened"
_ADVICE: Final = "another program may have it open, or a newer DuckDB may have made it"


def read(reading: Reading, table: str | None = None) -> list[Relation]:
    """Let DuckDB see a database's table, or those of its tables that have our names.

    The tables are `triples`, and `types`, `taxonomy`, `facts` and `labels`.
    """
    with reading.telling(_CLOSED, _ADVICE):
        database = attached(reading.local, reading.path, reading.name)
    with reading.telling(UNREADABLE):
        there = {
            str(name): f'"{database}"."{str(schema).replace(chr(34), chr(34) * 2)}"'
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
        spelt = name.replace('"', '""')
        with reading.telling(UNREADABLE):
            reading.local.execute(
                f'CREATE OR REPLACE VIEW {view} AS SELECT * FROM {there[name]}."{spelt}"'
            )
        relations.append(viewed(reading, view, given, is_parquet=False))
    return relations


def attached(engine: DuckDBEngine, path: Path, name: str) -> str:
    """The name under which a database is attached, read-only; once if it is given twice."""
    place = quoted(str(path.resolve()))
    known = engine.rows(f"SELECT database_name FROM duckdb_databases() WHERE path = {place}")
    if known:
        return str(known[0][0])
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
