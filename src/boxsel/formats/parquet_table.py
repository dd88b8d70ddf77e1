"""Parquet: the table of CSV in columns, for other programs and for very many conditionals.

The bounds are text, as in CSV, so that they stay exact; counts are 64-bit integers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from boxsel.errors import MAX_ERRORS, Diagnostic, InvalidStatementError, ReadError, WriteError
from boxsel.formats.csv_reader import (
    BOUNDS,
    COLUMNS,
    NOTES,
    REQUIRED,
    SAMPLE,
    Mistake,
    RowReader,
    header_problem,
)
from boxsel.formats.csv_table import conditionals_only, refuse_losses, row
from boxsel.formats.kinds import PARQUET, refuse_binary
from boxsel.formats.source import Source
from boxsel.logic.kb import KB
from boxsel.logic.statements import Statement
from boxsel.machine.database import (
    Database,
    Wording,
    blaming,
    parquet_rows,
    quoted,
    write_temporary,
)

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

__all__ = ["conditionals_only", "read", "write"]

LARGEST: Final = 2**63 - 1
NONE: Final = -1
"""Stands for a count that is not there, until the file is written."""

_TEXTS: Final = ("VARCHAR", "ENUM")
_INTEGERS: Final = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT")
_UNSIGNED: Final = ("UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT", "UHUGEINT")
_NUMBERS: Final = (*_INTEGERS, *_UNSIGNED, "DOUBLE", "FLOAT", "DECIMAL")
_EXPECTED: Final[Mapping[str, tuple[str, tuple[str, ...]]]] = {
    **dict.fromkeys((*REQUIRED, *NOTES), ("text", _TEXTS)),
    **dict.fromkeys(BOUNDS, ("text or numbers", (*_TEXTS, *_NUMBERS))),
    **dict.fromkeys(SAMPLE, ("whole numbers", (*_TEXTS, *_NUMBERS))),
}
_CHUNK: Final = 10_000


def read(source: Source) -> KB:
    """The conditionals in a Parquet file; `ReadError` with the row and column of every mistake."""
    if not PARQUET.matches(source.data):
        refuse_binary(source.data, source.file)
    damaged = "this is not a Parquet file, or it is damaged ({})"
    with Database(Wording()) as database:
        path = database.folder / "table.parquet"
        write_temporary(path, source.data)
        query = f"SELECT * FROM {parquet_rows([path])}"
        with blaming(source.file, damaged, path=path), database.told():
            found = database.rows(f"DESCRIBE {query}")
            columns = _columns({name: kind for name, kind, *_ in found}, source.file)
            return _statements(_cells(database.connection.execute(query)), columns, source.file)


def write(kb: KB) -> bytes:
    """The knowledge base as a Parquet file; `WriteError` if it holds more than conditionals.

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
    for column in COLUMNS:
        if column in SAMPLE:
            arrays[column] = np.array([_count(cells.get(column)) for cells in rows], np.int64)
        else:
            arrays[column] = np.array([cells.get(column, "") for cells in rows], object)
    kinds = {column: "BIGINT" if column in SAMPLE else "VARCHAR" for column in COLUMNS}
    chosen = ", ".join(
        f"nullif(CAST({column} AS {kind}), {NONE if kind == 'BIGINT' else repr('')}) AS {column}"
        for column, kind in kinds.items()
    )
    with Database(Wording()) as database:
        path = database.folder / "table.parquet"
        database.execute_over(
            arrays,
            f"COPY (SELECT {chosen} FROM given_arrays) TO {quoted(str(path))}"
            " (FORMAT parquet, COMPRESSION zstd)",
        )
        return path.read_bytes()


def _count(text: str | None) -> int:
    number = NONE if text is None else int(text)
    if number > LARGEST:
        raise WriteError(f"the count {number} is above {LARGEST}: write .csv or .sel instead")
    return number


def _columns(kinds: Mapping[str, str], file: str) -> list[str]:
    """The columns by name; an error if some are missing, unknown or hold something else."""
    columns = [name.strip().lower() for name in kinds]
    problem = next((f"the column '{one}' is missing" for one in REQUIRED if one not in columns), "")
    problem = problem or header_problem(columns) or ""
    for column, kind in zip(columns, kinds.values(), strict=True):
        if not problem and column in _EXPECTED:
            expected, allowed = _EXPECTED[column]
            if kind.partition("(")[0] not in allowed:
                problem = f"the column '{column}' holds {kind}, expected {expected}"
    if problem:
        advice = f"the columns are {', '.join(COLUMNS)}"
        raise ReadError(Diagnostic(problem, file, help=advice))
    return columns


def _statements(rows: Iterable[Sequence[str]], columns: Sequence[str], file: str) -> KB:
    reader = RowReader(columns, decimal_comma=False, guarded=False)
    statements: list[Statement] = []
    mistakes: list[Diagnostic] = []
    for number, cells in enumerate(rows, start=1):
        try:
            statements.append(reader.statement(cells))
        except (Mistake, InvalidStatementError) as error:
            advice = error.advice if isinstance(error, Mistake) else None
            mistakes.append(Diagnostic(f"row {number}: {error}", file, help=advice))
            if len(mistakes) == MAX_ERRORS:
                raise ReadError(*mistakes, more=True) from None
    if mistakes:
        raise ReadError(*mistakes)
    return KB(tuple(statements))


def _cells(cursor: DuckDBPyConnection) -> Iterator[list[str]]:
    """The cells as text; a float is the decimal that it prints as, whatever is NULL is empty."""
    while rows := cursor.fetchmany(_CHUNK):
        for cells in rows:
            yield ["" if cell is None else str(cell) for cell in cells]
