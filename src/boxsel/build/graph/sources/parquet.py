"""Parquet files: seen by the engine where they are, never copied."""

from __future__ import annotations

from typing import Final

from boxsel.build.graph.duckdb_engine import DuckDBEngine
from boxsel.build.graph.sources.relation import Reading, Relation, telling
from boxsel.build.graph.sources.viewing import viewed
from boxsel.errors import BoxselError, ReadError
from boxsel.machine.database import parquet_rows

_DAMAGED: Final = "this is not a Parquet file, or it is damaged or cut short"
_DIFFERENT: Final = "the Parquet files in this folder have different columns"


def read(reading: Reading) -> list[Relation]:
    """Let the engine see a Parquet file, or a folder of them."""
    engine = reading.engine
    try:
        if isinstance(engine, DuckDBEngine):
            _view(reading, engine)
        else:
            engine.view_parquet(reading.name, [reading.file])
    except BoxselError as error:
        if isinstance(error, ReadError):
            raise
        raise reading.error(f"this cannot be read as Parquet: {error}") from None
    return [viewed(reading, reading.name, reading.given, is_parquet=True)]


def _view(reading: Reading, engine: DuckDBEngine) -> None:
    """Let DuckDB see the files, each of which must be one."""
    found, partitioned = [reading.path], False
    if reading.path.is_dir():
        found = sorted(reading.path.rglob("*.parquet"))
        # Folders that others named have no say: only those inside the given one are columns.
        inside = (path.relative_to(reading.path).parent for path in found)
        partitioned = any("=" in part for path in inside for part in path.parts)
    for path in found:
        with telling(str(path), _DAMAGED):
            engine.execute(f"SELECT * FROM {parquet_rows([path])} LIMIT 0")
    with reading.telling(_DIFFERENT):
        engine.view_parquet(reading.name, [str(path) for path in found], partitioned=partitioned)
