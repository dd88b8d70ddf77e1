"""Lines of text read by DuckDB, in parallel; those that are no rows are rejected."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final, cast

from boxsel.build.graph.sources.opening import (
    has_mixed_ends,
    packing,
    plain,
    with_equal_ends,
)
from boxsel.build.graph.sources.relation import Reading
from boxsel.build.rejects import EXAMPLES
from boxsel.errors import ReadError
from boxsel.machine.database import file_name, quoted

_UNCLOSED: Final = "a quotation mark is not closed, or stands inside a value"

_REASONS: Final = {
    "MISSING COLUMNS": "there are too few columns",
    "TOO MANY COLUMNS": "there are too many columns",
    "INVALID ENCODING": "the line is not valid UTF-8",
    "LINE SIZE OVER MAXIMUM": "the line is too long",
    "UNQUOTED VALUE": _UNCLOSED,
    "INVALID STATE": _UNCLOSED,
}


_Counted = tuple[str, int, list[tuple[int, str | None]]]


@dataclass(frozen=True)
class Written:
    """How rows of text are written: separator, columns, quotation mark, header, missing cells."""

    separator: str
    width: int
    quote: str = ""
    header: bool = False
    padded: bool = False


def load(reading: Reading, select: Callable[[str], str], written: Written) -> int:
    """Make the table of a query over a file's rows; the number of rejected lines.

    The columns of the rows are `c0`, `c1`, …; an empty cell is NULL.
    """
    path, file, folder, number = reading.path, reading.file, reading.folder, reading.number
    try:
        counted = _load(reading, plain(path, file, folder, number), select, written)
        misread = any(_REASONS.get(kind) == _UNCLOSED for kind, _, _ in counted)
        again = misread and has_mixed_ends(path, file)
    except ReadError:
        again = True
    if again:  # DuckDB takes lines that end in different ways for something else
        alike = with_equal_ends(path, file, folder, number)
        counted = _load(reading, alike, select, written)
    rejected = 0
    for kind, count, first in counted:
        reason = _REASONS.get(kind, "the line cannot be read")
        reject(reading, reason, count, [(line, text or "") for line, text in first])
        rejected += count
    return rejected


def _load(
    reading: Reading, path: Path, select: Callable[[str], str], written: Written
) -> list[_Counted]:
    """Make the table; for each kind of error, how many lines have it, and the first of them."""
    packed = packing(path)
    errors, scans = f"{reading.name}_errors", f"{reading.name}_scans"
    options = {
        "auto_detect": "false",
        "columns": "{" + ", ".join(f"'c{n}': 'VARCHAR'" for n in range(written.width)) + "}",
        "compression": quoted(packed or "none"),
        "delim": quoted(written.separator),
        "quote": quoted(written.quote),
        "escape": quoted(written.quote),
        "header": str(written.header).lower(),
        "hive_partitioning": "false",
        "null_padding": str(written.padded).lower(),
        "store_rejects": "true",
        "rejects_table": quoted(errors),
        "rejects_scan": quoted(scans),
    }
    listed = ", ".join(f"{option}={value}" for option, value in options.items())
    rows = f"read_csv({file_name(path)}, {listed})"
    engine = reading.local
    with reading.telling("this is not a text file of rows"):
        engine.execute(f"DROP TABLE IF EXISTS {errors}")
        engine.execute(f"DROP TABLE IF EXISTS {scans}")
        engine.execute(f"CREATE OR REPLACE TABLE {reading.name} AS {select(rows)}")
        # A line that lacks several columns is there several times.
        counted = engine.rows(
            f"SELECT kind, count(*), arg_min((line, text), line, {EXAMPLES}) FROM (SELECT line, "
            f"any_value(error_type)::VARCHAR AS kind, any_value(csv_line) AS text FROM {errors} "
            "GROUP BY line) GROUP BY kind ORDER BY min(line)"
        )
        engine.execute(f"DROP TABLE {errors}")
        engine.execute(f"DROP TABLE {scans}")
    return cast(list[_Counted], counted)


def reject(reading: Reading, reason: str, count: int, first: list[tuple[int | None, str]]) -> None:
    """Reject so many rows of a file, of which the first are known."""
    for shown, (line, text) in enumerate(first, start=1):
        rest = count - len(first) if shown == len(first) else 0
        reading.rejects.add(reason, reading.file, line, text.strip("\r\n"), count=1 + rest)
    if not first and count:
        reading.rejects.add(reason, reading.file, count=count)
