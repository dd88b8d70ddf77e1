"""DuckDB in this process, for whoever counts or reads tables: opened quietly, and told exactly.

What goes wrong in it is an error with a clear message, in the words of whoever uses it.

DuckDB takes the name of a file for a pattern (`t[1].csv` is `t1.csv`), and folders such as
`year=2024` for a column. A file that a user names is one file, with the columns that are in it.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self, TypeVar

from boxsel.errors import BoxselError, Diagnostic, ReadError

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_WILDCARDS: Final = re.compile(r"[*?\[]")

MORE_ROOM: Final = "\n  help: free some space, or let TMPDIR name a folder with more"
"""What to do where there is no room for temporary files."""

LISTEN: Final = 0.5
"""Where waiting itself does not hear signals, they are heard this often, in seconds."""

Setting = str | bool | int | float | list[str]
Result = TypeVar("Result")


class Worker:
    """A thread for a database's work, so that Ctrl-C is heard at once.

    Python hears signals between its own instructions only, and in the main thread only; a database
    may be busy for long without any. So the main thread waits while another calls the database.
    It does one thing at a time; `stop` ends the one that it is doing.

    Examples:
        >>> worker = Worker(stop=lambda: None)
        >>> worker.wait_for(lambda: 2 + 2)
        4
        >>> worker.close()
    """

    def __init__(self, stop: Callable[[], object]) -> None:
        self._stop = stop
        self._thread = ThreadPoolExecutor(1, "boxsel-database")

    def wait_for(self, work: Callable[[], Result]) -> Result:
        """The result of some work, or its error; stop it if the waiting is interrupted."""
        future = self._thread.submit(work)
        try:
            while not future.done():
                wait([future], timeout=LISTEN)
        except BaseException:
            # Again and again: the work may have been about to start.
            while not future.done():
                self._stop()
                wait([future], timeout=LISTEN / 10)
            raise
        return future.result()

    def close(self) -> None:
        """End the thread."""
        self._thread.shutdown()


@dataclass(frozen=True, slots=True)
class Wording:
    """What is said where a database cannot go on; `{}` stands for its own words."""

    stopped: str = "DuckDB stopped: {}"
    full: str = f"the disk is full: {{}}{MORE_ROOM}"
    memory: str | None = None
    busy: str | None = None

    def error(self, error: Exception) -> BoxselError:
        """The message for an error of DuckDB."""
        import duckdb

        said, message = first_line(error), self.stopped
        if is_full(error):
            message = self.full
        elif isinstance(error, duckdb.OutOfMemoryException):
            message = self.memory or message
        elif "Could not set lock" in said:
            message = self.busy or message
        return BoxselError(message.replace("{}", said))


class Database:
    """A database, and its folder: one that is kept, or one that is gone at the end."""

    def __init__(
        self,
        wording: Wording,
        folder: Path | None = None,
        file: str | None = None,
        settings: Mapping[str, Setting] | None = None,
    ) -> None:
        self._temporary = None
        if folder is None:
            self._temporary = tempfile.TemporaryDirectory(prefix="boxsel-")
            folder = Path(self._temporary.name)
        self.folder, self.wording = folder, wording
        with self.told():
            place = ":memory:" if file is None else str(folder / file)
            self.connection = _connection(folder, place, settings or {})
        self._worker = Worker(self.connection.interrupt)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def told(self) -> Iterator[None]:
        """Let DuckDB's errors be messages that say what to do."""
        import duckdb

        try:
            yield
        except duckdb.InterruptException:
            raise KeyboardInterrupt from None
        except duckdb.Error as error:
            raise self.wording.error(error) from None

    def execute(self, sql: str) -> None:
        """Run a statement that gives no rows."""
        with self.told():
            self._worker.wait_for(lambda: self.connection.execute(sql))

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        """The rows of a query whose answer is small; Ctrl-C ends it."""
        with self.told():
            return self._worker.wait_for(lambda: self.connection.execute(sql).fetchall())

    def row(self, sql: str) -> tuple[Any, ...]:
        """The one row of a query."""
        (row,) = self.rows(sql)
        return row

    def arrays(self, sql: str) -> dict[str, Any]:
        """The columns of a query as arrays."""
        with self.told():
            return self._worker.wait_for(lambda: self.connection.execute(sql).fetchnumpy())

    def execute_over(self, arrays: Mapping[str, Any], sql: str) -> None:
        """Run a statement over the columns of `given_arrays`."""
        with self.told():
            self.connection.register("given_arrays", dict(arrays))
            try:
                self.connection.execute(sql)
            finally:
                self.connection.unregister("given_arrays")

    def close(self) -> None:
        """Close the database, and remove it unless its folder is the user's."""
        self._worker.close()
        self.connection.close()
        if self._temporary is not None:
            self._temporary.cleanup()


@contextmanager
def blaming(
    file: str | None, message: str, advice: str | None = None, *, path: Path | None = None
) -> Iterator[None]:
    """Let whatever a database finds wrong with a file be one clear message.

    `{}` stands for its own words, in which a `path` is called by the file's name. That memory or
    disk ran out, or somebody interrupted, is not the file's fault.
    """
    import duckdb

    try:
        yield
    except BoxselError as error:
        cause = error.__context__
        ours = (duckdb.OutOfMemoryException, duckdb.ParserException, duckdb.BinderException)
        if not isinstance(cause, duckdb.Error) or isinstance(cause, ours) or is_full(cause):
            raise
        said = first_line(cause).replace(str(path), str(file))
        raise ReadError(Diagnostic(message.replace("{}", said), file=file, help=advice)) from None


def _connection(folder: Path, file: str, settings: Mapping[str, Setting]) -> DuckDBPyConnection:
    """A database in memory or in a file, which spills into a folder and prints nothing."""
    import duckdb

    chosen: dict[str, Setting] = {"temp_directory": str(folder / "spill"), **settings}
    connection = duckdb.connect(file, config=chosen)
    # Its own bar would be drawn on standard output, which is for answers. In a notebook without
    # ipywidgets it is off already, and DuckDB refuses to be told so.
    # All rows are fetched: while some are left, DuckDB registers no table.
    shown = connection.execute("SELECT current_setting('enable_progress_bar')").fetchall()
    if shown != [(False,)]:
        connection.execute("SET enable_progress_bar = false")
    return connection


def quoted(text: str) -> str:
    """Text as a literal of SQL.

    Examples:
        >>> print(quoted("Parkinson's"))
        'Parkinson''s'
    """
    return "'" + text.replace("'", "''") + "'"


def identifier(name: str, mark: str = '"') -> str:
    """A name as an identifier of SQL, in the quotation marks of a dialect.

    Examples:
        >>> print(identifier('a "good" name'))
        "a ""good"" name"
    """
    return mark + name.replace(mark, mark * 2) + mark


def file_name(path: Path) -> str:
    """A file's name as a literal of SQL, in which DuckDB sees no wildcards.

    Examples:
        >>> print(file_name(Path("graph[1].tsv")))
        'graph[[]1].tsv'
    """
    return quoted(_WILDCARDS.sub(r"[\g<0>]", str(path)))


def parquet_rows(paths: Iterable[Path], *, partitioned: bool = False) -> str:
    """The SQL for the rows of Parquet files; if `partitioned` folders named `x=1` are columns.

    Examples:
        >>> print(parquet_rows([Path("t.parquet")]))
        read_parquet(['t.parquet'], hive_partitioning = false)
    """
    listed = ", ".join(file_name(path) for path in paths)
    return f"read_parquet([{listed}], hive_partitioning = {str(partitioned).lower()})"


def parquet_of(arrays: Mapping[str, Any], chosen: Mapping[str, str]) -> bytes:
    """A Parquet file of some arrays: each column by its name, with the SQL of its cells."""
    columns = ", ".join(f"{sql} AS {identifier(name)}" for name, sql in chosen.items())
    with Database(Wording()) as database:
        path = database.folder / "table.parquet"
        database.execute_over(
            arrays,
            f"COPY (SELECT {columns} FROM given_arrays) TO {quoted(str(path))}"
            " (FORMAT parquet, COMPRESSION zstd)",
        )
        return path.read_bytes()


def write_temporary(path: Path, data: bytes) -> None:
    """Write a file that only a database is to read."""
    try:
        path.write_bytes(data)
    except OSError as error:
        raise BoxselError(
            f"{path}: cannot be written: {error.strerror or error}{MORE_ROOM}"
        ) from None


def is_full(error: BaseException) -> bool:
    """Whether an error says that there is no room left on the disk."""
    # DuckDB stops spilling before the disk is full, and calls that a lack of memory.
    return "No space left" in str(error) or "disk space" in str(error).lower()


def first_line(error: Exception) -> str:
    """What an error says first; the rest is about the database's inside."""
    return str(error).strip().partition("\n")[0]
