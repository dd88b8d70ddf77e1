"""Spark: the same statements on many machines, or on the cores of one."""

from __future__ import annotations

import os
import re
import shutil
import signal
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Final

from boxsel.build.graphs.engine import Column, Engine, Words, database_share
from boxsel.errors import BoxselError
from boxsel.machine.database import Worker, is_full, parquet_rows

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SETTINGS: Final[dict[str, bool | float | int | str | None]] = {
    "spark.ui.enabled": False,
    "spark.ui.showConsoleProgress": False,
}
"""No web page, and no bars on the terminal."""

LEAST_HEAP: Final = 600_000_000
"""Below this Spark refuses to start."""

_WILDCARDS: Final = re.compile(r"[*?\[\]{}\\]")
"""What Spark would take for a pattern in the name of a file."""

WHOLE_TABLE: Final = "SELECT * FROM "
"""A query for all of a table needs no copy: the table is Parquet files already."""


class SparkEngine(Engine):
    """A Spark session whose tables are Parquet files in a folder.

    On a cluster the folder is one that all machines share. `master` is where Spark runs, such as
    `local[2]` or `spark://host:7077`; without it Spark's own settings say. `memory` is what the
    processes on this machine may hold, in bytes; those of a cluster have settings of their own.
    """

    name = "spark"
    quotation = "`"

    def __init__(self, master: str | None, folder: Path, *, memory: int | None = None) -> None:
        self.folder = folder
        self._numbers = count()
        self._tables: set[str] = set()
        folder.mkdir(parents=True, exist_ok=True)
        with _own_interrupts():
            self.session: SparkSession = _session(master, folder, memory)
        self._worker = Worker(self.session.sparkContext.cancelAllJobs)

    def execute(self, sql: str) -> None:
        """Run a statement that gives no rows."""
        self.rows(sql)

    def rows(self, sql: str) -> list[tuple[object, ...]]:
        """The rows of a query whose answer is small."""
        with _told():
            rows = self._worker.wait_for(lambda: self.session.sql(sql).collect())
        return [tuple(row) for row in rows]

    def load(
        self, table: str, columns: Mapping[str, Column], values: Sequence[Sequence[object]]
    ) -> None:
        """Make a small table from values in memory, one sequence for each column."""
        from pyspark.sql.types import LongType, StringType, StructField, StructType

        kinds = {"VARCHAR": StringType(), "BIGINT": LongType()}
        schema = StructType([StructField(name, kinds[kind]) for name, kind in columns.items()])
        rows = list(zip(*values, strict=True))
        with _told():
            self.session.createDataFrame(rows, schema).createOrReplaceTempView(table)

    def materialize(self, table: str, sql: str) -> None:
        """Make a table of a query's rows, unless an interrupted run has made it already."""
        folder = self.folder / table
        # Spark writes this file last: without it the folder is what an interrupted run left.
        if not (folder / "_SUCCESS").exists():
            shutil.rmtree(folder, ignore_errors=True)
            self.write_parquet(sql, folder)
        self.view_parquet(table, str(folder))
        self._tables.add(table)

    def view(self, name: str, sql: str) -> None:
        """Give a query a name; without a catalogue, Spark has none but temporary ones."""
        self.execute(f"CREATE OR REPLACE TEMPORARY VIEW {name} AS {sql}")

    def view_parquet(self, name: str, path: str) -> None:
        """Give a Parquet file, or a folder of them, a name."""
        with _told():
            literal = _WILDCARDS.sub(r"\\\g<0>", path)
            self.session.read.parquet(literal).createOrReplaceTempView(name)

    def write_parquet(self, sql: str, folder: Path) -> None:
        """Write a query's rows as Parquet files into a new folder."""
        with _told():
            self._worker.wait_for(lambda: self.session.sql(sql).write.parquet(str(folder)))

    def integers(self, sql: str, chunk: int) -> Iterator[Words]:
        """The rows of a query over integer columns, at most `chunk` at a time."""
        table = sql.removeprefix(WHOLE_TABLE)
        written = table in self._tables
        folder = self.folder / (table if written else f"rows_{next(self._numbers)}")
        if not written:
            shutil.rmtree(folder, ignore_errors=True)
            self.write_parquet(sql, folder)
        try:
            with self.reader() as reader:
                rows = parquet_rows(sorted(folder.glob("*.parquet")))
                yield from reader.integers(f"SELECT * FROM {rows}", chunk)
        finally:
            if not written:
                shutil.rmtree(folder, ignore_errors=True)

    def close(self) -> None:
        """End the session."""
        self._worker.close()
        self.session.stop()


def _session(master: str | None, folder: Path, memory: int | None) -> SparkSession:
    try:
        from pyspark.sql import SparkSession
    except ImportError:
        raise BoxselError(
            "Spark is not installed\n  help: pip install 'boxsel[spark]'; it needs Java 17 too"
        ) from None
    if "JAVA_HOME" not in os.environ and shutil.which("java") is None:
        raise BoxselError(
            "Spark needs Java, and there is none\n"
            "  help: install Java 17 or later, or set JAVA_HOME to the folder that holds it"
        )
    builder = SparkSession.builder.appName("boxsel").config(map=SETTINGS)
    if master is not None:
        builder = builder.master(master)
    if memory is not None:
        heap = max(LEAST_HEAP, database_share(memory))
        builder = builder.config("spark.driver.memory", f"{heap // 2**20}m")
    log = folder / "spark.log"
    try:
        with _errors_into(log):
            return builder.getOrCreate()
    except Exception as error:
        raise BoxselError(
            f"Spark did not start: {_sentence(error)}\n  help: what it said is in {log}"
        ) from None


@contextmanager
def _errors_into(log: Path) -> Iterator[None]:
    """Let a process that starts inside the block write its messages into a file."""
    sys.stderr.flush()
    before = os.dup(2)
    with log.open("ab") as file:
        os.dup2(file.fileno(), 2)
    try:
        yield
    finally:
        os.dup2(before, 2)
        os.close(before)


@contextmanager
def _own_interrupts() -> Iterator[None]:
    """Keep what Ctrl-C does: Spark's session would change it."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.getsignal(signal.SIGINT)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def _told() -> Iterator[None]:
    """Let Spark's errors be messages that say what to do."""
    try:
        yield
    except Exception as error:
        if is_full(error):
            raise BoxselError(
                "the disk is full\n  help: free some space, or choose another folder with --work"
            ) from None
        if "OutOfMemoryError" in str(error):
            raise BoxselError(
                f"Spark's memory is too small for this graph: {_sentence(error)}\n"
                "  help: give more with --memory, or in the settings of the cluster"
            ) from None
        raise BoxselError(f"Spark stopped: {_sentence(error)}") from None


def _sentence(error: Exception) -> str:
    """What an error says, without the calls that led to it."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    causes = [line for line in lines if line.startswith("Caused by: ")]
    return causes[-1].removeprefix("Caused by: ") if causes else lines[0] if lines else repr(error)
