"""Where the header of a table is: a row, or two or three that are one heading under another.

People put a title above, and merge cells: *Prevalence (%)* over *Estimate*, *Lower* and *Upper*.
Where a row says nothing below what names columns for it, it is read together with the rows below.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from boxsel.formats.table_columns import Choice, Layout, find_layout, holds

TITLES: Final = 20
"""So many rows may stand above the header: titles, and who made the table when."""
STACKED: Final = 3
"""So many rows can be one header."""

_NUMBER = re.compile(r"[<≤>≥~]?\s*[+-]?\d[\d.,\s]*%?(?:\s*[\[(–-].*)?")


@dataclass(frozen=True, slots=True)
class Header:
    """The names of columns, what these hold, and the line of the last row that names them."""

    line: int
    names: list[str]
    layout: Layout


@dataclass(frozen=True, slots=True)
class NoHeader:
    """What is wrong with the row that looks most like a header, and its line."""

    cells: int
    line: int
    problem: str


def find_header(rows: Sequence[tuple[int, Sequence[str]]], choice: Choice) -> Header | NoHeader:
    """The header among the first rows that hold something.

    Examples:
        >>> from boxsel.formats.table_columns import NO_CHOICE
        >>> rows = [["group", "of", "Prevalence (%)", ""], ["", "", "lower", "upper"]]
        >>> find_header([*enumerate(rows, 1)], NO_CHOICE).names
        ['group', 'of', 'lower', 'upper']
    """
    plain = [(line, [" ".join(cell.split()) for cell in row]) for line, row in rows]
    for height in range(1, STACKED + 1):
        for first in range(min(TITLES, len(plain)) - height + 1):
            found = _stacked(plain[first : first + height], choice)
            if found is not None:
                below = plain[first + height : first + STACKED]
                return _extended(plain[first : first + height], below, found, choice)
    tried = [(row, line, find_layout(row, choice)) for line, row in plain[:TITLES]]
    problems = [
        NoHeader(sum(map(bool, row)), line, layout)
        for row, line, layout in tried
        if isinstance(layout, str)
    ]
    # The row that looks most like a header has the most cells; of several, it is the first.
    return max(problems, key=lambda one: (one.cells, -one.line))


def _stacked(rows: Sequence[tuple[int, list[str]]], choice: Choice) -> Header | None:
    """Some rows as one header, if they can be one: titles and data are no part of it."""
    cells = [row for _, row in rows]
    if len(rows) > 1 and (
        sum(map(bool, cells[0])) < 2
        or any(_NUMBER.fullmatch(cell) for row in cells for cell in row)
    ):
        return None
    names = cells[0] if len(rows) == 1 else _names(cells)
    layout = find_layout(names, choice)
    return Header(rows[-1][0], names, layout) if isinstance(layout, Layout) else None


def _extended(
    rows: Sequence[tuple[int, list[str]]],
    below: Sequence[tuple[int, list[str]]],
    found: Header,
    choice: Choice,
) -> Header:
    """The header with the rows below that name columns for which it has no name."""
    for height in range(1, len(below) + 1):
        row = below[height - 1][1]
        nameless = any(
            cell and (place >= len(found.names) or not found.names[place] or _carried(rows, place))
            for place, cell in enumerate(row)
        )
        taller = _stacked([*rows, *below[:height]], choice) if nameless else None
        if taller is None:
            return found
        found = taller
    return found


def _carried(rows: Sequence[tuple[int, list[str]]], place: int) -> bool:
    """Whether the name of a column comes from a cell to the left."""
    return all(place >= len(row) or not row[place] for _, row in rows)


def _names(rows: Sequence[Sequence[str]]) -> list[str]:
    """What stands in each column, from above to below; the lowest alone where that says enough."""
    width = max(map(len, rows))
    full = [[*row, *[""] * (width - len(row))] for row in rows]
    for above, row in enumerate(full[:-1]):
        for place in range(1, width):
            if not row[place] and any(lower[place] for lower in full[above + 1 :]):
                row[place] = row[place - 1]
    parts = [list(dict.fromkeys(filter(None, column))) for column in zip(*full, strict=True)]
    lowest = [column[-1] if column else "" for column in parts]
    return [
        name if holds(name) and lowest.count(name) == 1 else " ".join(column)
        for name, column in zip(lowest, parts, strict=True)
    ]
