"""The database that counts: DuckDB in this process, with its temporary files out of the way."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from boxsel.build.graph.worker import Worker
from boxsel.errors import BoxselError, Diagnostic, ReadError
from boxsel.machine.database import MORE_ROOM, connect, first_line, is_full

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


class Database:
    """A database, and a folder for files that are gone with it."""

    def __init__(self, connection: DuckDBPyConnection, folder: Path) -> None:
        self.folder = folder
        self._connection = connection
        self._worker = Worker(connection.interrupt)

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        """The rows that a statement gives, if any; Ctrl-C ends it."""
        return self._worker.wait_for(lambda: self._connection.execute(sql).fetchall())

    def row(self, sql: str) -> tuple[Any, ...]:
        """The one row of a query."""
        (row,) = self.rows(sql)
        return row

    def register(self, name: str, arrays: Mapping[str, Any]) -> None:
        """Give arrays in memory the name of a table."""
        self._connection.register(name, dict(arrays))

    def close(self) -> None:
        """Give back what the database holds."""
        self._worker.close()
        self._connection.close()


@contextmanager
def database(file: str | None) -> Iterator[Database]:
    """A database for the block; its errors are about a file."""
    import duckdb

    with tempfile.TemporaryDirectory(prefix="boxsel-") as folder:
        opened = Database(connect(Path(folder)), Path(folder))
        try:
            yield opened
        except duckdb.Error as error:
            said = first_line(error)
            if is_full(error):
                raise BoxselError(f"the disk is full: {said}{MORE_ROOM}") from None
            if isinstance(error, duckdb.OutOfMemoryException):
                advice = "choose fewer columns with --column"
                problem = f"there is not enough memory to count this table: {said}"
                raise BoxselError(f"{problem}\n  help: {advice}") from None
            problem = f"the table cannot be read: {said}"
            raise ReadError(Diagnostic(problem, file=file)) from None
        finally:
            opened.close()


def identifier(name: str) -> str:
    """A name as an identifier of SQL.

    Examples:
        >>> print(identifier('a "good" name'))
        "a ""good"" name"
    """
    return '"' + name.replace('"', '""') + '"'
