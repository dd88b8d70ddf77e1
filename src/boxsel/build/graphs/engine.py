"""What runs the SQL: DuckDB in this process, or Spark.

The statements are the same for both (`sql.py`). A graph is four tables, in which rows may repeat:

- `types(entity, class)`: an entity is an instance of a class;
- `taxonomy(sub, sup)`: a class is a subclass of another;
- `facts(subject, role, object)`: a role links two entities;
- `labels(name, label)`: what people call a class or a role.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from itertools import count
from pathlib import Path
from typing import Any, Final, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from boxsel.machine.database import (
    Database,
    Setting,
    Wording,
    blaming,
    identifier,
    parquet_rows,
    quoted,
)

TABLES: Final[Mapping[str, tuple[str, ...]]] = {
    "types": ("entity", "class"),
    "taxonomy": ("sub", "sup"),
    "facts": ("subject", "role", "object"),
    "labels": ("name", "label"),
}
"""The tables of a graph and their columns."""

Column = Literal["VARCHAR", "BIGINT"]
Words = NDArray[np.int64]
"""Rows of integers: [rows, columns]."""

SHARE: Final = 0.7
"""The part of the memory that a database may plan with."""

OWN: Final = 200_000_000
"""What the process needs beside: Python, the libraries, a part of a pattern table."""

LEAST_MEMORY: Final = 100_000_000
"""Below this DuckDB cannot work at all."""

BLOCK: Final = 1 << 17
"""How many rows leave DuckDB at a time; a multiple of what it stores together."""

WORDING: Final = Wording(
    stopped="counting stopped: {}",
    full="the disk is full: {}\n  help: free some space, or choose another folder with --work",
    memory="the memory limit is too small for this graph: {}\n"
    "  help: give more with --memory, or choose fewer concepts and roles",
    busy="another process is at work in this folder: wait for it, or choose another with --work",
)

_DAMAGED: Final = "this is not a Parquet file, or it is damaged or cut short"
_DIFFERENT: Final = "the Parquet files in this folder have different columns"


class Engine(Protocol):
    """A database that counts; whatever it cannot do is a `BoxselError` with a clear message.

    What has a body here is true of engines that keep nothing in this process.
    """

    name: str

    quotation: str
    """The mark around names of columns: the one thing that the dialects spell apart."""

    elsewhere: bool = True
    """Whether it may see files that this process cannot."""

    def execute(self, sql: str) -> None:
        """Run a statement that gives no rows."""
        ...

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        """The rows of a query whose answer is small."""
        ...

    def load(
        self, table: str, columns: Mapping[str, Column], values: Sequence[Sequence[object]]
    ) -> None:
        """Make a small table from values in memory, one sequence for each column."""
        ...

    def materialize(self, table: str, sql: str) -> None:
        """Make a table of a query's rows, unless an interrupted run has made it already."""
        ...

    def view(self, name: str, sql: str) -> None:
        """Give a query a name."""
        ...

    def view_parquet(self, name: str, path: str) -> None:
        """Give a Parquet file, or a folder of them, a name."""
        ...

    def write_parquet(self, sql: str, folder: Path) -> None:
        """Write a query's rows as one or more Parquet files into a new folder."""
        ...

    def integers(self, sql: str, chunk: int) -> Iterator[Words]:
        """The rows of a query over integer columns, at most `chunk` at a time."""
        ...

    def identifier(self, name: str) -> str:
        """A column's name as the engine quotes it."""
        return identifier(name, self.quotation)

    def has_views(self, names: Collection[str]) -> bool:  # noqa: ARG002 - none
        """Whether an earlier run has given these names, and they still hold."""
        return False

    def clear(self) -> None:
        """Forget all tables and names that the engine itself keeps."""
        return

    def reader(self) -> AbstractContextManager[DuckDBEngine]:
        """DuckDB in this process, for files that the engine does not read: itself, if it is one."""
        return DuckDBEngine()

    def close(self) -> None:
        """Give back what the engine holds."""
        ...


class DuckDBEngine(Database, Engine):
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
    quotation = '"'
    elsewhere = False

    def __init__(
        self, folder: Path | None = None, *, memory: int | None = None, threads: int | None = None
    ) -> None:
        # What users may set in their own databases must not change what is counted here.
        settings: dict[str, Setting] = {"preserve_insertion_order": False}
        if memory is not None:
            settings["memory_limit"] = f"{database_share(memory)}B"
        if threads is not None:
            settings["threads"] = threads
        super().__init__(WORDING, folder, "graph.duckdb", settings)
        self._numbers = count()

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
        self.execute_over(
            arrays, f"CREATE OR REPLACE TABLE {table} AS SELECT {typed} FROM given_arrays"
        )

    def materialize(self, table: str, sql: str) -> None:
        """Make a table of a query's rows, unless an interrupted run has made it already."""
        self.execute(f"CREATE TABLE IF NOT EXISTS {table} AS {sql}")

    def view(self, name: str, sql: str) -> None:
        """Give a query a name."""
        # Not a temporary one: only the connection that made it would see it.
        self.execute(f"CREATE OR REPLACE VIEW {name} AS {sql}")

    def view_parquet(self, name: str, path: str) -> None:
        """Give a Parquet file, or a folder of them, a name; folders inside it are columns."""
        files, partitioned = [Path(path)], False
        if files[0].is_dir():
            files = sorted(files[0].rglob("*.parquet"))
            # Folders that others named have no say: only those inside the given one are columns.
            inside = (file.relative_to(path).parent for file in files)
            partitioned = any("=" in part for folder in inside for part in folder.parts)
        for file in files:
            with blaming(str(file), _DAMAGED):
                self.execute(f"SELECT * FROM {parquet_rows([file])} LIMIT 0")
        with blaming(path, _DIFFERENT):
            self.view(name, f"SELECT * FROM {parquet_rows(files, partitioned=partitioned)}")

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
            for start in range(0, last + 1, BLOCK):
                block = self._block(table, start)
                for first in range(0, len(block), chunk):
                    yield block[first : first + chunk]
        finally:
            self.execute(f"DROP TABLE {table}")

    def _block(self, table: str, start: int) -> Words:
        query = f"SELECT * FROM {table} WHERE rowid >= {start} AND rowid < {start + BLOCK}"
        columns = list(self.arrays(query).values())
        return np.stack(columns, axis=1).astype(np.int64, copy=False)

    def has_views(self, names: Collection[str]) -> bool:
        """Whether the database of an earlier run has these views."""
        found = {name for (name,) in self.rows("SELECT view_name FROM duckdb_views()")}
        return found.issuperset(names)

    def clear(self) -> None:
        """Drop all tables and views."""
        for kind, name in self.rows(
            "SELECT CASE WHEN table_type = 'VIEW' THEN 'VIEW' ELSE 'TABLE' END, table_name"
            " FROM information_schema.tables WHERE table_schema = 'main'"
        ):
            self.execute(f"DROP {kind} IF EXISTS {identifier(name)}")

    def reader(self) -> AbstractContextManager[DuckDBEngine]:
        """Itself."""
        return nullcontext(self)


def database_share(memory: int) -> int:
    """How much of the memory a database may plan with: it holds more than it plans.

    Examples:
        >>> database_share(8_000_000_000)
        5460000000
    """
    return max(LEAST_MEMORY, int(SHARE * (memory - OWN)))
