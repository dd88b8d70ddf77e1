"""What runs the SQL: DuckDB in this process, or Spark.

The statements are the same for both (`sql.py`). A graph is four tables, in which rows may repeat:

- `types(entity, class)`: an entity is an instance of a class;
- `taxonomy(sub, sup)`: a class is a subclass of another;
- `facts(subject, role, object)`: a role links two entities;
- `labels(name, label)`: what people call a class or a role.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from boxsel.build.graph.duckdb_engine import DuckDBEngine

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


class Engine(Protocol):
    """A database that counts; whatever it cannot do is a `BoxselError` with a clear message."""

    name: str

    elsewhere: bool
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
        """A column's name as the engine quotes it: the one thing that the dialects spell apart."""
        ...

    def has_views(self, names: Collection[str]) -> bool:
        """Whether an earlier run has given these names, and they still hold."""
        ...

    def clear(self) -> None:
        """Forget all tables and names that the engine itself keeps."""
        ...

    def reader(self) -> AbstractContextManager[DuckDBEngine]:
        """DuckDB in this process, for files that the engine does not read: itself, if it is one."""
        ...

    def close(self) -> None:
        """Give back what the engine holds."""
        ...
