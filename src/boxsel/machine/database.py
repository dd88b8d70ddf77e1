"""DuckDB in this process, for whoever counts or reads tables: opened quietly, and told exactly.

DuckDB takes the name of a file for a pattern (`t[1].csv` is `t1.csv`), and folders such as
`year=2024` for a column. A file that a user names is one file, with the columns that are in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

from boxsel.errors import BoxselError

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_WILDCARDS: Final = re.compile(r"[*?\[]")

MORE_ROOM: Final = "\n  help: free some space, or let TMPDIR name a folder with more"
"""What to do where there is no room for temporary files."""

Setting = str | bool | int | float | list[str]


def connect(
    folder: Path, file: str = ":memory:", settings: Mapping[str, Setting] | None = None
) -> DuckDBPyConnection:
    """A database in memory or in a file, which spills into a folder and prints nothing."""
    import duckdb

    chosen: dict[str, Setting] = {"temp_directory": str(folder / "spill"), **(settings or {})}
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
