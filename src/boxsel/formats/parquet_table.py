"""Parquet: the table of CSV in columns, for other programs and for very many conditionals.

The bounds are text, as in CSV, so that they stay exact; counts are 64-bit integers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from boxsel.errors import Diagnostic, ReadError, WriteError
from boxsel.formats.csv_table import refuse_losses, row, tabular
from boxsel.formats.kinds import PARQUET, refuse_binary
from boxsel.formats.source import Source
from boxsel.formats.table_columns import (
    BOUNDS,
    HEADER_ADVICE,
    NO_CHOICE,
    NOTES,
    REQUIRED,
    SAMPLE,
    SHARES,
    WRITTEN,
    Choice,
    Layout,
    expect_layout,
)
from boxsel.formats.table_rows import Manner, Tabled, read_rows
from boxsel.logic.kb import KB
from boxsel.machine.database import (
    Database,
    Wording,
    blaming,
    parquet_of,
    parquet_rows,
    write_temporary,
)

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

__all__ = ["read", "tabled", "tabular", "write"]

LARGEST_COUNT: Final = 2**63 - 1
NONE: Final = -1
"""Stands for a count that is not there, until the file is written."""

_TEXTS: Final = ("VARCHAR", "ENUM")
_INTEGERS: Final = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT")
_UNSIGNED: Final = ("UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT", "UHUGEINT")
_NUMBERS: Final = (*_INTEGERS, *_UNSIGNED, "DOUBLE", "FLOAT", "DECIMAL")
_EXPECTED: Final[Mapping[str, tuple[str, tuple[str, ...]]]] = {
    **dict.fromkeys(("kind", *REQUIRED, *NOTES), ("text", _TEXTS)),
    **dict.fromkeys((*BOUNDS, *SHARES), ("text or numbers", (*_TEXTS, *_NUMBERS))),
    **dict.fromkeys(SAMPLE, ("whole numbers", (*_TEXTS, *_NUMBERS))),
}
_CHUNK: Final = 10_000


def read(source: Source) -> KB:
    """What a Parquet file states; `ReadError` with the row and column of every mistake."""
    return tabled(source).kb


def tabled(source: Source, choice: Choice = NO_CHOICE) -> Tabled:
    """The same, with what should be said about how the table was read."""
    if not PARQUET.matches(source.data):
        refuse_binary(source.data, source.file)
    damaged = "this is not a Parquet file, or it is damaged ({})"
    with Database(Wording()) as database:
        path = database.folder / "table.parquet"
        write_temporary(path, source.data)
        query = f"SELECT * FROM {parquet_rows([path])}"
        with blaming(source.file, damaged, path=path), database.told():
            kinds = {name: kind for name, kind, *_ in database.rows(f"DESCRIBE {query}")}
            layout = expect_layout(list(kinds), choice, source.file)
            _check_kinds(layout, kinds, source.file)
            rows = enumerate(_cells(database.connection.execute(query)), start=1)
            return read_rows(list(kinds), layout, rows, source.file, Manner(place="row {}: "))


def write(kb: KB) -> bytes:
    """The knowledge base as a Parquet file; `WriteError` if it holds more than a table can.

    Examples:
        >>> from boxsel.logic.axioms import conditional
        >>> from boxsel.logic.concepts import names
        >>> Relapse, Treated = names("Relapse Treated")
        >>> data = write(KB.of(conditional(Relapse, given=Treated, count=(7, 12))))
        >>> print(next(iter(read(Source("kb.parquet", data)))))
        (Relapse | Treated)[7 of 12]
    """
    import numpy as np

    refuse_losses(kb)
    rows = [row(statement) for statement in kb]
    arrays: dict[str, Any] = {}
    for column in WRITTEN:
        if column in SAMPLE:
            arrays[column] = np.array([_count(cells.get(column)) for cells in rows], np.int64)
        else:
            arrays[column] = np.array([cells.get(column, "") for cells in rows], object)
    cells = {
        column: f"nullif(CAST({column} AS BIGINT), {NONE})"
        if column in SAMPLE
        else f"nullif(CAST({column} AS VARCHAR), '')"
        for column in WRITTEN
    }
    return parquet_of(arrays, cells)


def _count(text: str | None) -> int:
    number = NONE if text is None else int(text)
    if number > LARGEST_COUNT:
        raise WriteError(f"the count {number} is above {LARGEST_COUNT}: write .csv or .sel instead")
    return number


def _check_kinds(layout: Layout, kinds: Mapping[str, str], file: str) -> None:
    """Refuse columns that hold something else than their names say."""
    for column, (name, kind) in zip(layout.columns, kinds.items(), strict=True):
        if column:
            expected, allowed = _EXPECTED[column]
            if kind.partition("(")[0] not in allowed:
                problem = f"the column '{name}' holds {kind}, expected {expected}"
                raise ReadError(Diagnostic(problem, file, help=HEADER_ADVICE))


def _cells(cursor: DuckDBPyConnection) -> Iterator[list[str]]:
    """The cells as text; a float is the decimal that it prints as, whatever is NULL is empty."""
    while rows := cursor.fetchmany(_CHUNK):
        for cells in rows:
            yield ["" if cell is None else str(cell) for cell in cells]
