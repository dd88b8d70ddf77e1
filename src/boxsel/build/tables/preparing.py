"""What the cells of a table mean before they are counted: missing values, numbers and dates.

A column with more different numbers or dates than can be counted is parted into classes; what says
that nothing is known is taken for missing. Both are said.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from boxsel.build.tables.bins import (
    Bins,
    Period,
    Wanted,
    number_sql,
    part_at,
    quantiles,
)
from boxsel.build.tables.source import Table, plain_cell
from boxsel.errors import BoxselError
from boxsel.formats.table_columns import MARKERS
from boxsel.machine.database import Database, quoted
from boxsel.wording import listed

_NUMBER: Final = r"[+-]?(?:[0-9]+(?:[.,][0-9]*)?|[.,][0-9]+)(?:[eE][+-]?[0-9]+)?"
_WHOLE: Final = r"[+-]?[0-9]+(?:[.,]0*)?"
_DATE: Final = r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[ T].*)?"


@dataclass(frozen=True)
class Prepared:
    """Which texts are missing values, which columns are parted, and what to say about both."""

    missing: tuple[str, ...] = ()
    bins: Mapping[str, Bins] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Column:
    """What the cells of a column are, besides those without a value."""

    name: str
    markers: tuple[str, ...]
    rows: int
    different: int
    filled: int
    numbers: int
    whole: int
    dates: int
    years: int

    @property
    def is_number(self) -> bool:
        return 0 < self.filled == self.numbers

    @property
    def is_date(self) -> bool:
        return 0 < self.filled == self.dates

    @property
    def is_key(self) -> bool:
        """Whether it numbers the rows: parts of such a column say nothing."""
        return self.rows == self.different == self.whole


def prepare(
    database: Database,
    table: Table,
    columns: Sequence[str],
    *,
    bins: Mapping[str, Wanted],
    missing: Sequence[str] | None,
    max_values: int,
) -> Prepared:
    """Decide about the columns of a table; without `missing`, usual markers are looked for."""
    for name in bins:
        if name not in columns:
            used = listed(list(columns), 20)
            raise BoxselError(f"--bin {name}=…: there is no such column; those used are {used}")
    seen = _look(database, table, columns, missing)
    taken = tuple(missing) if missing is not None else MARKERS
    remarks, parted = [], dict[str, Bins]()
    if missing is None:
        found = {f"{marker!r} in {one.name}": None for one in seen for marker in one.markers}
        if found:
            said = listed(list(found), 10)
            remarks.append(f"taken for missing values: {said} (--missing TEXT decides otherwise)")
    for column in seen:
        wanted = bins.get(column.name)
        if wanted is not None:
            parted[column.name] = _part(database, table, column, wanted, taken)
        elif column.different > max_values and (
            column.is_date or (column.is_number and not column.is_key)
        ):
            chosen = Wanted(period=_period(column, max_values)) if column.is_date else Wanted()
            parted[column.name] = made = _part(database, table, column, chosen, taken)
            how = made.period or f"in {len(made.names)} parts: {', '.join(made.names)}"
            by = f"by {how}" if made.period else how
            remarks.append(
                f"{column.name} has {column.different:,} different values, and is taken {by}"
                f" (--bin {column.name}=… chooses others)"
            )
    return Prepared(taken, parted, tuple(remarks))


def _look(
    database: Database, table: Table, names: Sequence[str], missing: Sequence[str] | None
) -> list[_Column]:
    """What the cells of the columns are, in one pass."""
    texts = ", ".join(map(quoted, MARKERS if missing is None else missing)) or "''"
    asked = []
    for name in names:
        cell = plain_cell(table, name)
        filled = f"{cell} NOT IN ({texts})"  # an empty cell is NULL, which is in nothing
        day = f"TRY_CAST({cell} AS DATE)"
        number, whole, date = (
            f"({filled} AND regexp_full_match({cell}, {quoted(pattern)}))"
            for pattern in (_NUMBER, _WHOLE, _DATE)
        )
        asked += [
            "count(*)",
            f"count(DISTINCT {cell}) FILTER ({filled})",
            f"count(*) FILTER ({filled})",
            f"count(*) FILTER {number}",
            f"count(*) FILTER {whole}",
            f"count(*) FILTER ({date} AND {day} IS NOT NULL)",
            f"count(DISTINCT year({day})) FILTER ({filled})",
            f"list(DISTINCT {cell}) FILTER ({cell} IN ({texts}))",
        ]
    row = database.row(f"SELECT {', '.join(asked)} FROM {table.relation}")
    width = len(asked) // len(names)
    parts = (row[place : place + width] for place in range(0, len(row), width))
    return [
        _Column(name, tuple(sorted(found or ())), *map(int, numbers))
        for name, (*numbers, found) in zip(names, parts, strict=True)
    ]


def _period(column: _Column, max_values: int) -> Period:
    """By year, if there are several and not too many; else by month, which may be too many too."""
    return "year" if 1 < column.years <= max_values else "month"


def _part(
    database: Database, table: Table, column: _Column, wanted: Wanted, missing: Sequence[str]
) -> Bins:
    dates = column.is_date and not column.is_number
    if not column.is_number and not column.is_date:
        raise table.error(
            f"the column {column.name!r} has cells that are neither numbers nor dates",
            "dates are written 2020-03-31; what means that nothing is known is told by --missing",
        )
    if wanted.period is not None:
        if not dates:
            raise table.error(f"the column {column.name!r} holds no dates, so it has no years")
        return Bins((), (), period=wanted.period)
    edges: Sequence[str] = wanted.edges
    if edges and ("-" in edges[0][1:]) != dates:
        raise table.error(
            f"the column {column.name!r} holds {'dates' if dates else 'numbers'}, and its edges do"
            " not"
        )
    if not edges:
        edges = quantiles(_ordered(database, table, column.name, missing, dates), wanted.parts)
    if not edges:
        raise table.error(f"the column {column.name!r} has only one value: it cannot be parted")
    return part_at(edges, whole=column.numbers == column.whole, dates=dates)


def _ordered(
    database: Database, table: Table, name: str, missing: Sequence[str], dates: bool
) -> list[tuple[str, int]]:
    """The values of a column in their order, and how many rows have each."""
    cell = plain_cell(table, name)
    number = number_sql(cell, decimal_comma=decimal_comma(table))
    value = f"TRY_CAST({cell} AS DATE)" if dates else number
    texts = ", ".join(map(quoted, missing)) or "''"
    rows = database.rows(
        f"SELECT {value} AS value, count(*) FROM {table.relation}"
        f" WHERE {cell} NOT IN ({texts}) AND {value} IS NOT NULL GROUP BY value ORDER BY value"
    )
    return [(_text(value), int(count)) for value, count in rows]


def _text(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.0f}" if value.is_integer() else repr(value)
    return str(value)


def decimal_comma(table: Table) -> bool:
    """Whether a comma in a cell is a decimal one: it separates no cells."""
    return table.text is not None and table.text.separator != ","
