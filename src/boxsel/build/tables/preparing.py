"""What the cells of a table mean before they are counted: missing values, numbers and dates.

A column with more different numbers or dates than can be counted is parted into classes; what says
that nothing is known is taken for missing. Both are said.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from boxsel.build.tables.bins import Bins, Period, Wanted, part_at, quantiles
from boxsel.build.tables.source import Table, plain_cell
from boxsel.build.tables.styles import DATES, NUMBERS, Style
from boxsel.errors import BoxselError
from boxsel.formats.table_columns import MARKERS
from boxsel.machine.database import Database, quoted
from boxsel.wording import listed

MOST_WORDS: Final = 5
"""So many texts among numbers are told, or are values of their own."""


@dataclass(frozen=True)
class Prepared:
    """Which texts are missing values, which columns are parted or left out, and what to say."""

    missing: tuple[str, ...] = ()
    bins: Mapping[str, Bins] = field(default_factory=dict)
    left_out: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Column:
    """What the cells of a column are, besides those without a value.

    `styles` says how many cells have each style of numbers and of dates.
    """

    name: str
    markers: tuple[str, ...]
    rows: int
    different: int
    filled: int
    styles: Mapping[str, int]
    whole: Mapping[str, int]

    def style(self, among: Mapping[str, Style], words: int = 0) -> str | None:
        """The first style that all cells have, but for some words."""
        return next((one for one in among if 0 < self.filled - words == self.styles[one]), None)

    @property
    def is_key(self) -> bool:
        """Whether it numbers the rows: parts of such a column say nothing."""
        return self.rows == self.different == max(self.whole.values())

    @property
    def is_mostly(self) -> bool:
        """Whether most of it is numbers, or dates."""
        return 2 * max(self.styles.values()) > self.filled > 0


def prepare(
    database: Database,
    table: Table,
    columns: Sequence[str],
    *,
    bins: Mapping[str, Wanted],
    missing: Sequence[str] | None,
    max_values: int,
    named: Sequence[str] | None = None,
) -> Prepared:
    """Decide about the columns of a table; without `missing`, usual markers are looked for.

    Columns with too many values, and those without any, are left out unless they are `named`; with
    no names given none is.
    """
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
        if wanted is None and not (column.different > max_values and column.is_mostly):
            continue
        words, strange = _words(database, table, column, taken)
        if wanted is None and (strange or (column.is_key and not words)):
            continue
        chosen = _chosen(table, column, words, strange, wanted or Wanted())
        if wanted is None and chosen.dates:
            wanted = Wanted(period=_period(database, table, column, chosen.style, max_values))
        parted[column.name] = made = _part(
            database, table, column, chosen, wanted or Wanted(), taken
        )
        remarks += chosen.remarks
        if column.name not in bins:
            parts = f"in {len(made.names)} parts: {', '.join(made.names)}"
            by = f"by {made.period}" if made.period else parts
            remarks.append(
                f"{column.name} has {column.different:,} different values, and is taken {by}"
                f" (--bin {column.name}=… chooses others)"
            )
    left = [
        column
        for column in seen
        if named is not None
        and column.name not in (*named, *parted)
        and not 0 < column.different <= max_values
    ]
    if left and len(left) < len(seen):
        said = listed([f"{column.name} ({column.different:,})" for column in left], 20)
        remarks.append(
            f"left out, with more than {max_values:,} different values or none: {said}"
            " (--column names those to use, --max-values allows more)"
        )
        return Prepared(taken, parted, tuple(column.name for column in left), tuple(remarks))
    return Prepared(taken, parted, (), tuple(remarks))


def _look(
    database: Database, table: Table, names: Sequence[str], missing: Sequence[str] | None
) -> list[_Column]:
    """What the cells of the columns are, in one pass."""
    texts = ", ".join(map(quoted, MARKERS if missing is None else missing)) or "''"
    asked = []
    styles = {**NUMBERS, **DATES}
    for name in names:
        cell = plain_cell(table, name)
        filled = f"{cell} NOT IN ({texts})"  # an empty cell is NULL, which is in nothing
        asked += [
            f"list(DISTINCT {cell}) FILTER ({cell} IN ({texts}))",
            "count(*)",
            f"count(DISTINCT {cell}) FILTER ({filled})",
            f"count(*) FILTER ({filled})",
            *(f"count(*) FILTER ({filled} AND {one.fits(cell)})" for one in styles.values()),
            *(
                f"count(*) FILTER ({filled} AND regexp_full_match({cell}, {quoted(one.whole)}))"
                for one in NUMBERS.values()
            ),
        ]
    row = database.row(f"SELECT {', '.join(asked)} FROM {table.relation}")
    width = len(asked) // len(names)
    found = []
    for place, name in enumerate(names):
        markers, *numbers = row[place * width : (place + 1) * width]
        rows, different, filled_, *counts = map(int, numbers)
        styled = dict(zip(styles, counts, strict=False))
        whole = dict(zip(NUMBERS, counts[len(styles) :], strict=True))
        marked = tuple(sorted(markers or ()))
        found.append(_Column(name, marked, rows, different, filled_, styled, whole))
    return found


@dataclass(frozen=True, slots=True)
class _Chosen:
    """How the numbers or dates of a column are written, and the words that are among them."""

    style: Style
    dates: bool
    whole: bool
    words: tuple[str, ...]
    remarks: tuple[str, ...]


def _words(
    database: Database, table: Table, column: _Column, missing: Sequence[str]
) -> tuple[dict[str, int], str | None]:
    """Words among the numbers or dates of a column, with how often; what is neither, if anything.

    `unknown` is a word, `90+` and `<5` are not: they belong to a class, and nobody knows which.
    """
    cell = plain_cell(table, column.name)
    texts = ", ".join(map(quoted, missing)) or "''"
    most = max({**NUMBERS, **DATES}, key=lambda one: column.styles[one])
    style = {**NUMBERS, **DATES}[most]
    rows = database.rows(
        f"SELECT {cell} AS one, count(*) FROM {table.relation} WHERE {cell} NOT IN ({texts})"
        f" AND NOT {style.fits(cell)} GROUP BY one ORDER BY one LIMIT {MOST_WORDS + 1}"
    )
    words = {str(text): int(number) for text, number in rows}
    strange = next((text for text in words if any(map(str.isdigit, text))), None)
    if strange is None and len(words) > MOST_WORDS:
        strange = next(iter(words))
    return words, strange


def _chosen(
    table: Table, column: _Column, words: Mapping[str, int], strange: str | None, wanted: Wanted
) -> _Chosen:
    """The style of a column that is to be parted."""
    other = sum(words.values())
    number, day = column.style(NUMBERS, other), column.style(DATES, other)
    if strange is not None or number is day is None:
        found = f", such as {strange!r}" if strange is not None else ""
        raise table.error(
            f"the column {column.name!r} has cells that are neither numbers nor dates{found}",
            "dates are written 2020-03-31 or 31.3.2020; what means that nothing is known is told"
            " by --missing",
        )
    remarks = []
    if words:
        said = listed([repr(word) for word in words])
        remarks.append(
            f"{said} in {column.name} {'are' if len(words) > 1 else 'is'} no"
            f" {'number' if number else 'date'}, and stay{'s' * (len(words) == 1)} apart"
            " (--missing TEXT takes it for missing)"
        )
    if number is not None:
        # What could be thousands or decimals is decimals, as elsewhere; that is said.
        both = all(0 < column.filled - other == column.styles[one] for one in NUMBERS)
        whole = column.whole[number] == column.filled - other
        if both and not all(column.whole[one] == column.filled - other for one in NUMBERS):
            comma = table.text is not None and table.text.separator != ","
            number = "comma" if comma and column.whole["point"] == column.filled - other else number
            whole = column.whole[number] == column.filled - other
            remarks.append(f"numbers in {column.name} are read with a decimal {number}")
        return _Chosen(NUMBERS[number], False, whole, tuple(words), tuple(remarks))
    assert day is not None
    turned = all(column.filled - other == column.styles[one] for one in ("day", "month"))
    if turned and wanted.period != "year":
        raise table.error(
            f"the dates in {column.name!r} could have the day or the month first",
            f"write them as 2020-03-31, or part them by year (--bin {column.name}=year)",
        )
    return _Chosen(DATES[day], True, False, tuple(words), tuple(remarks))


def _period(
    database: Database, table: Table, column: _Column, style: Style, max_values: int
) -> Period:
    """By year, if there are several and not too many; else by month, which may be too many too."""
    day = style.value(plain_cell(table, column.name))
    (years,) = database.row(f"SELECT count(DISTINCT year({day})) FROM {table.relation}")
    return "year" if 1 < years <= max_values else "month"


def _part(
    database: Database,
    table: Table,
    column: _Column,
    chosen: _Chosen,
    wanted: Wanted,
    missing: Sequence[str],
) -> Bins:
    style, dates, words = chosen.style, chosen.dates, chosen.words
    if wanted.period is not None:
        if not dates:
            raise table.error(f"the column {column.name!r} holds no dates, so it has no years")
        return Bins((), (), style, period=wanted.period, words=words)
    edges: Sequence[str] = wanted.edges
    if edges and ("-" in edges[0][1:]) != dates:
        raise table.error(
            f"the column {column.name!r} holds {'dates' if dates else 'numbers'}, and its edges do"
            " not"
        )
    if not edges:
        edges = quantiles(_ordered(database, table, column.name, missing, style), wanted.parts)
    if not edges:
        raise table.error(f"the column {column.name!r} has only one value: it cannot be parted")
    made = part_at(edges, whole=chosen.whole, dates=dates)
    return replace(made, style=style, words=words)


def _ordered(
    database: Database, table: Table, name: str, missing: Sequence[str], style: Style
) -> list[tuple[str, int]]:
    """The values of a column in their order, and how many rows have each."""
    cell = plain_cell(table, name)
    value = style.value(cell)
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
