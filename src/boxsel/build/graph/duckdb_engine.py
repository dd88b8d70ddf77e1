"""DuckDB in this process: spills to disk, and stays within a memory limit."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from boxsel.build.graph.engine import Column, Words
from boxsel.errors import BoxselError

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


class DuckDBEngine:
    """A DuckDB database: in a folder that is kept, or in one that is gone at the end.

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
        import duckdb

        self._temporary = None
        if folder is None:
            self._temporary = tempfile.TemporaryDirectory(prefix="boxsel-")
            folder = Path(self._temporary.name)
        self.folder = folder
        # What users may set in their own databases must not change what is counted here.
        settings: dict[str, str | bool | int | float | list[str]] = {
            "temp_directory": str(folder / "spill"),
            "preserve_insertion_order": False,
        }
        if memory is not None:
            settings["memory_limit"] = f"{memory}B"
        if threads is not None:
            settings["threads"] = threads
        with _told():
            self.connection: DuckDBPyConnection = duckdb.connect(
                str(folder / "graph.duckdb"), config=settings
            )

    def execute(self, sql: str) -> None:
        """Run a statement that gives no rows."""
        with _told():
            self.connection.execute(sql)

    def rows(self, sql: str) -> list[tuple[object, ...]]:
        """The rows of a query whose answer is small."""
        with _told():
            return self.connection.execute(sql).fetchall()

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
        with _told():
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

    def view_parquet(self, view: str, paths: Sequence[str]) -> None:
        """Give Parquet files a name."""
        listed = ", ".join(quoted(path) for path in paths)
        self.execute(f"CREATE OR REPLACE VIEW {view} AS SELECT * FROM read_parquet([{listed}])")

    def write_parquet(self, sql: str, folder: Path) -> None:
        """Write a query's rows as a Parquet file into a new folder."""
        folder.mkdir(parents=True)
        self.execute(f"COPY ({sql}) TO {quoted(str(folder / 'rows.parquet'))} (FORMAT parquet)")

    def integers(self, sql: str, chunk: int) -> Iterator[Words]:
        """The rows of a query over integer columns, at most `chunk` at a time."""
        with _told():
            cursor = self.connection.cursor().execute(sql)
        while True:
            with _told():
                rows = cursor.fetchmany(chunk)
            if not rows:
                return
            yield np.array(rows, dtype=np.int64)

    def close(self) -> None:
        """Close the database, and remove it unless its folder is the user's."""
        self.connection.close()
        if self._temporary is not None:
            self._temporary.cleanup()


def quoted(text: str) -> str:
    """Text as a literal of SQL.

    Examples:
        >>> print(quoted("Parkinson's"))
        'Parkinson''s'
    """
    return "'" + text.replace("'", "''") + "'"


@contextmanager
def _told() -> Iterator[None]:
    """Let DuckDB's errors be messages that say what to do."""
    import duckdb

    try:
        yield
    except duckdb.InterruptException:
        raise KeyboardInterrupt from None
    except duckdb.OutOfMemoryException as error:
        raise BoxselError(
            f"the memory limit is too small for this graph: {first_line(error)}\n"
            "  help: give more with --memory, or choose fewer concepts and roles"
        ) from None
    except duckdb.Error as error:
        text = first_line(error)
        if "No space left" in str(error) or "disk space" in str(error).lower():
            text += "\n  help: free some space, or choose another folder with --work"
        raise BoxselError(f"counting stopped: {text}") from None


def first_line(error: Exception) -> str:
    """What an error says first; the rest is about the database's inside."""
    return str(error).strip().partition("\n")[0]
