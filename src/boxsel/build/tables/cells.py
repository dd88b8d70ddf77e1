"""How many rows of a table have each combination of values.

A concept `'Column=value'` is the set of individuals for which the table records that value. Whoever
has no value in a column belongs to none of its concepts, but is there all the same: it counts
wherever it belongs to a body.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from boxsel.build.built import Rejects
from boxsel.build.delimited import Delimited
from boxsel.build.tables.bins import Bins
from boxsel.build.tables.source import Table, plain_cell
from boxsel.machine.database import Database, quoted

Values = tuple[str, ...]
Marginal = Mapping[Values, int]
"""How many individuals have each combination of values in some columns; only those that occur."""

_WHOLE: Final = r"[0-9]{1,18}(?:\.0*)?"  # programs write 7.0 where a column has gaps


@dataclass(frozen=True, slots=True)
class Reading:
    """How a table is to be read: its counts, what is missing, which columns are in classes."""

    count: str | None = None
    missing: tuple[str, ...] = ()
    drop_incomplete: bool = False
    bins: Mapping[str, Bins] = field(default_factory=dict)


class Cells:
    """The cells of a table over some of its columns, in a database."""

    def __init__(
        self,
        database: Database,
        table: Table,
        columns: Sequence[str],
        reading: Reading,
        rejects: Rejects,
    ) -> None:
        self._database = database
        self._places = {column: place for place, column in enumerate(columns)}
        table.fill(database, "cells", _grouped(database, table, columns, reading), rejects)
        self.rows, self.read = self._sums()
        if reading.drop_incomplete:
            gaps = " OR ".join(f"v{place} IS NULL" for place in range(len(columns)))
            database.rows(f"DELETE FROM cells WHERE {gaps}")
        _, self.total = self._sums()
        self.missing = {
            column: self._sums(f"WHERE v{place} IS NULL")[1]
            for column, place in self._places.items()
        }
        self._marginals: dict[Values, Marginal] = {}

    @property
    def dropped(self) -> int:
        """How many individuals were left out because a value is missing."""
        return self.read - self.total

    def different(self) -> dict[str, int]:
        """How many different values each column has."""
        asked = ", ".join(f"count(DISTINCT v{place})" for place in self._places.values())
        row = self._database.row(f"SELECT {asked} FROM cells")
        return dict(zip(self._places, row, strict=True))

    def marginal(self, columns: Sequence[str]) -> Marginal:
        """The individuals by their values in some columns; those without one are not among them."""
        key = tuple(sorted(columns, key=self._places.__getitem__))
        if key not in self._marginals:
            chosen = [f"v{self._places[column]}" for column in key]
            rows = self._database.rows(
                f"SELECT {', '.join(chosen)}, sum(individuals) FROM cells"
                f" WHERE {' AND '.join(f'{column} IS NOT NULL' for column in chosen)}"
                f" GROUP BY ALL HAVING sum(individuals) > 0 ORDER BY ALL"
            )
            self._marginals[key] = {tuple(values): int(count) for *values, count in rows}
        marginal = self._marginals[key]
        if key == tuple(columns):
            return marginal
        order = [key.index(column) for column in columns]
        return {
            tuple(values[place] for place in order): count for values, count in marginal.items()
        }

    def patterns(self, most: int) -> list[tuple[tuple[str | None, ...], int]] | None:
        """The individuals by all their values, the most frequent first; none if too many differ."""
        values = ", ".join(f"v{place}" for place in self._places.values())
        rows = self._database.rows(
            f"SELECT {values}, sum(individuals) AS n FROM cells GROUP BY {values}"
            f" HAVING sum(individuals) > 0 ORDER BY n DESC, {values} LIMIT {most + 1}"
        )
        if len(rows) > most:
            return None
        return [(tuple(own), int(count)) for *own, count in rows]

    def values(self, column: str) -> list[str]:
        """The values of a column that at least one individual has."""
        return [value for (value,) in self.marginal((column,))]

    def unseen(self, column: str) -> list[str]:
        """The values of a column that only occur with a count of zero."""
        place = f"v{self._places[column]}"
        rows = self._database.rows(
            f"SELECT {place} FROM cells WHERE {place} IS NOT NULL"
            f" GROUP BY ALL HAVING sum(individuals) = 0 ORDER BY ALL"
        )
        return [value for (value,) in rows]

    def _sums(self, condition: str = "") -> tuple[int, int]:
        """Rows and individuals."""
        rows, individuals = self._database.row(
            f"SELECT coalesce(sum(seen), 0), coalesce(sum(individuals), 0) FROM cells {condition}"
        )
        return int(rows), int(individuals)


def _grouped(
    database: Database, table: Table, columns: Sequence[str], reading: Reading
) -> Callable[[str], str]:
    """The query that groups rows into cells; refuses counts that are none."""
    number = "1"
    if reading.count is not None:
        _check_counts(database, table, reading.count)
        cell = plain_cell(table, reading.count)
        number = f"CAST(regexp_extract({cell}, '^[0-9]+') AS BIGINT)"
    texts = [_text(table, column, reading) for column in columns]
    chosen = ", ".join(f"{text} AS v{place}" for place, text in enumerate(texts))
    return lambda rows: (
        f"SELECT {chosen}, count(*) AS seen, sum({number}) AS individuals FROM {rows} GROUP BY ALL"
    )


def _text(table: Table, column: str, reading: Reading) -> str:
    cell = plain_cell(table, column)
    shown = cell
    if column in reading.bins:
        shown = reading.bins[column].sql(cell)
    if not reading.missing:
        return shown
    texts = ", ".join(map(quoted, reading.missing))
    return f"CASE WHEN {cell} IN ({texts}) THEN NULL ELSE {shown} END"


def _check_counts(database: Database, table: Table, column: str) -> None:
    """Refuse a table of which a count is no count: all its proportions would be in doubt."""
    cell = plain_cell(table, column)
    bad = database.rows(
        f"SELECT {cell} FROM {table.relation} WHERE {cell} IS NULL"
        f" OR NOT regexp_full_match({cell}, {quoted(_WHOLE)}) LIMIT 1"
    )
    if not bad:
        return
    line, found = None, bad[0][0] or ""
    if table.text is not None:
        line, found = _first_bad(table, table.text, column) or (None, found)
    raise table.error(
        f"column {column!r}: {_problem(found)}",
        "a count is how many individuals a row stands for: 0, 1, 2, …; if each row is one"
        " individual, say so (--individuals)",
        line,
    )


def _first_bad(table: Table, text: Delimited, column: str) -> tuple[int, str] | None:
    """The line of the first row whose count is none, and what stands there."""
    place, whole = table.columns.index(column), re.compile(_WHOLE)
    for line, row in text.rows():
        if line > text.skipped + 1 and len(row) == text.width:
            cell = row[place].strip()
            if not whole.fullmatch(cell):
                return line, cell
    return None


def _problem(found: str) -> str:
    if not found:
        return "the count is missing"
    shown = f"{found[:40]!r}"
    if re.fullmatch(r"-[0-9.]+", found):
        return f"a count cannot be negative, found {shown}"
    if re.fullmatch(r"[0-9]{19,}", found):
        return f"the count {shown} is too large"
    if re.fullmatch(r"[0-9]*[.,][0-9]+", found):
        return f"a count is a whole number, found {shown}"
    return f"a count is a whole number, and {shown} is none"
