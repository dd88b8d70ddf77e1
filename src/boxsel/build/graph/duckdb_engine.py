"""DuckDB in this process: spills to disk, and stays within a memory limit."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from boxsel.build.graph.engine import Column, Words
from boxsel.build.graph.worker import Worker
from boxsel.errors import BoxselError
from boxsel.machine.database import Setting, connect, first_line, is_full, parquet_rows, quoted

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

SHARE: Final = 0.7
"""The part of the memory that a database may plan with."""

OWN: Final = 200_000_000
"""What the process needs beside: Python, the libraries, a part of a pattern table."""

LEAST: Final = 100_000_000
"""Below this DuckDB cannot work at all."""

BLOCK: Final = 1 << 17
"""How many rows leave DuckDB at a time; a multiple of what it stores together."""


class DuckDBEngine:
    """A DuckDB database: in a folder that is kept, or in one that is gone at the end.

    `memory` is what the whole process may hold, in bytes: what does not fit is on disk.

    Examples:
        >>> engine = DuckDBEngine()
        >>> engine.load("numbers", {"n": "BIGINT"}, [[1, 2, 4]])
        >>> engine.rows("SELECT bit_or(n) FROM numbers")
        [(7,)]
        >>> engine.close()
    """

    name = "duckdb"

    def __init__(
        self, folder: Path | None = None, *, memory: int | None = None, threads: int | None = None
    ) -> None:
        self._temporary = None
        if folder is None:
            self._temporary = tempfile.TemporaryDirectory(prefix="boxsel-")
            folder = Path(self._temporary.name)
        self.folder = folder
        # What users may set in their own databases must not change what is counted here.
        settings: dict[str, Setting] = {"preserve_insertion_order": False}
        if memory is not None:
            settings["memory_limit"] = f"{database_share(memory)}B"
        if threads is not None:
            settings["threads"] = threads
        with told():
            self.connection: DuckDBPyConnection = connect(
                folder, str(folder / "graph.duckdb"), settings
            )
        self._worker = Worker(self.connection.interrupt)
        self._numbers = count()

    def execute(self, sql: str) -> None:
        """Run a statement that gives no rows."""
        with told():
            self._worker.wait_for(lambda: self.connection.execute(sql))

    def rows(self, sql: str) -> list[tuple[object, ...]]:
        """The rows of a query whose answer is small."""
        with told():
            return self._worker.wait_for(lambda: self.connection.execute(sql).fetchall())

    def load(
        self, table: str, columns: Mapping[str, Column], values: Sequence[Sequence[object]]
    ) -> None:
        """Make a small table from values in memory, one sequence for each column."""
        kinds = {"VARCHAR": np.dtype(object), "BIGINT": np.dtype(np.int64)}
        arrays = {
            name: np.array(list(column), dtype=kinds[kind])
            for (name, kind), column in zip(columns.items(), values, strict=True)
        }
        typed = ", ".join(f"CAST({name} AS {kind}) AS {name}" for name, kind in columns.items())
        with told():
            self.connection.register("loaded_values", arrays)
            try:
                self.connection.execute(
                    f"CREATE OR REPLACE TABLE {table} AS SELECT {typed} FROM loaded_values"
                )
            finally:
                self.connection.unregister("loaded_values")

    def materialize(self, table: str, sql: str) -> None:
        """Make a table of a query's rows, unless an interrupted run has made it already."""
        self.execute(f"CREATE TABLE IF NOT EXISTS {table} AS {sql}")

    def view_parquet(self, view: str, paths: Sequence[str], *, partitioned: bool = False) -> None:
        """Give Parquet files a name; if `partitioned` folders named `x=1` are columns."""
        rows = parquet_rows(map(Path, paths), partitioned=partitioned)
        self.execute(f"CREATE OR REPLACE VIEW {view} AS SELECT * FROM {rows}")

    def write_parquet(self, sql: str, folder: Path) -> None:
        """Write a query's rows as a Parquet file into a new folder."""
        folder.mkdir(parents=True)
        self.execute(f"COPY ({sql}) TO {quoted(str(folder / 'rows.parquet'))} (FORMAT parquet)")

    def integers(self, sql: str, chunk: int) -> Iterator[Words]:
        """The rows of a query over integer columns, at most `chunk` at a time."""
        # Rows as arrays come whole or not at all: a table with numbered rows gives them in parts.
        table = f"numbered_{next(self._numbers)}"
        self.execute(f"CREATE TEMP TABLE {table} AS {sql}")
        try:
            ((last,),) = self.rows(f"SELECT coalesce(max(rowid), -1) FROM {table}")
            for start in range(0, int(str(last)) + 1, BLOCK):
                block = self._block(table, start)
                for first in range(0, len(block), chunk):
                    yield block[first : first + chunk]
        finally:
            self.execute(f"DROP TABLE {table}")

    def _block(self, table: str, start: int) -> Words:
        query = f"SELECT * FROM {table} WHERE rowid >= {start} AND rowid < {start + BLOCK}"
        with told():
            arrays = self._worker.wait_for(lambda: self.connection.execute(query).fetchnumpy())
        return np.stack(list(arrays.values()), axis=1).astype(np.int64, copy=False)

    def close(self) -> None:
        """Close the database, and remove it unless its folder is the user's."""
        self._worker.close()
        self.connection.close()
        if self._temporary is not None:
            self._temporary.cleanup()


def database_share(memory: int) -> int:
    """How much of the memory a database may plan with: it holds more than it plans.

    Examples:
        >>> database_share(8_000_000_000)
        5460000000
    """
    return max(LEAST, int(SHARE * (memory - OWN)))


@contextmanager
def told() -> Iterator[None]:
    """Let DuckDB's errors be messages that say what to do."""
    import duckdb

    try:
        yield
    except duckdb.InterruptException:
        raise KeyboardInterrupt from None
    except duckdb.Error as error:
        text = first_line(error)
        if is_full(error):
            raise BoxselError(
                f"the disk is full: {text}\n"
                "  help: free some space, or choose another folder with --work"
            ) from None
        if isinstance(error, duckdb.OutOfMemoryException):
            raise BoxselError(
                f"the memory limit is too small for this graph: {text}\n"
                "  help: give more with --memory, or choose fewer concepts and roles"
            ) from None
        if "Could not set lock" in text:
            raise BoxselError(
                "another process is at work in this folder:"
                " wait for it, or choose another with --work"
            ) from None
        raise BoxselError(f"counting stopped: {text}") from None
