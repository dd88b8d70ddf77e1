"""Parquet files: seen by the engine where they are, never copied."""

from __future__ import annotations

from typing import Final

from boxsel.build.graph.duckdb_engine import DuckDBEngine, quoted
from boxsel.build.graph.sources.opening import literal_path
from boxsel.build.graph.sources.relation import Reading, Relation, telling
from boxsel.build.graph.sources.viewing import viewed
from boxsel.errors import BoxselError

_DAMAGED: Final = "this is not a Parquet file, or it is damaged or cut short"
_DIFFERENT: Final = "the Parquet files in this folder have different columns"


def read(reading: Reading) -> list[Relation]:
    """Let the engine see a Parquet file, or a folder of them."""
    paths = [reading.file]
    if isinstance(reading.engine, DuckDBEngine):
        found = [reading.path]
        if reading.path.is_dir():
            found = sorted(reading.path.rglob("*.parquet"))
        paths = [literal_path(path) for path in found]
        for path, escaped in zip(found, paths, strict=True):
            with telling(str(path), _DAMAGED):
                reading.engine.execute(f"SELECT * FROM read_parquet({quoted(escaped)}) LIMIT 0")
        listed = ", ".join(quoted(path) for path in paths)
        with reading.telling(_DIFFERENT):
            reading.engine.execute(f"SELECT * FROM read_parquet([{listed}]) LIMIT 0")
    try:
        reading.engine.view_parquet(reading.name, paths)
    except BoxselError as error:
        raise reading.error(f"this cannot be read as Parquet: {error}") from None
    return [viewed(reading, reading.name, reading.given, is_parquet=True)]
