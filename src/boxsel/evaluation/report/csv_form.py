"""Tables as CSV: every number in full."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterator

from boxsel.evaluation.report.aggregate import Runs, Spread
from boxsel.evaluation.report.table import Column, Compared, Table, Value


def csv_text(table: Table) -> str:
    """A table as CSV with a header.

    A column of means over seeds has two more, `_std` and `_seeds`; one beside the paper's numbers
    also `_published` and `_better`. What is not known is empty.

    Examples:
        >>> column = Column("gap", "AG", "number", spread=True)
        >>> print(csv_text(Table("t", "T", (column,), ((Spread(0.1, None, 1),),), "one seed")))
        gap,gap_std,gap_seeds
        0.1,,1
        <BLANKLINE>
    """
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow([name for column in table.columns for name in _header(column)])
    for row in table.rows:
        pairs = zip(row, table.columns, strict=True)
        writer.writerow([text for value, column in pairs for text in _cells(value, column)])
    return stream.getvalue()


def _header(column: Column) -> Iterator[str]:
    yield column.key
    if column.spread:
        yield f"{column.key}_std"
        yield f"{column.key}_seeds"
    if column.compared:
        yield f"{column.key}_published"
        yield f"{column.key}_better"


def _cells(value: Value, column: Column) -> Iterator[str]:
    ours = value.ours if isinstance(value, Compared) else value
    if column.spread:
        assert ours is None or isinstance(ours, Spread), column.key
        yield _exact(ours.mean if ours else None)
        yield _exact(ours.deviation if ours else None)
        yield _exact(ours.seeds if ours else None)
    else:
        assert not isinstance(ours, Spread), column.key
        yield _exact(ours)
    if column.compared:
        given = value if isinstance(value, Compared) else Compared(None)
        yield _exact(given.published)
        yield "" if given.better is None else str(given.better).lower()


def _exact(value: str | float | Runs | None) -> str:
    if isinstance(value, Runs):
        return value.text
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    return value if isinstance(value, str) else repr(value)
