"""What runs the SQL: DuckDB in this process, or Spark.

The statements are the same for both (`sql.py`). A graph is four tables, in which rows may repeat:

- `types(entity, class)`: an entity is an instance of a class;
- `taxonomy(sub, sup)`: a class is a subclass of another;
- `facts(subject, role, object)`: a role links two entities;
- `labels(name, label)`: what people call a class or a role.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

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

    def execute(self, sql: str) -> None:
        """Run a statement that gives no rows."""
        ...

    def rows(self, sql: str) -> list[tuple[object, ...]]:
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

    def view_parquet(self, view: str, paths: Sequence[str]) -> None:
        """Give Parquet files a name."""
        ...

    def write_parquet(self, sql: str, folder: Path) -> None:
        """Write a query's rows as one or more Parquet files into a new folder."""
        ...

    def integers(self, sql: str, chunk: int) -> Iterator[Words]:
        """The rows of a query over integer columns, at most `chunk` at a time."""
        ...

    def close(self) -> None:
        """Give back what the engine holds."""
        ...
