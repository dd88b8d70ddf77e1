"""Workbooks of Excel and LibreOffice (`.xlsx`, `.xlsm`, `.xls`, `.ods`): a sheet is a table."""

from __future__ import annotations

import io
from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

from boxsel.errors import Diagnostic, ReadError
from boxsel.formats.cell_formats import percent_cells
from boxsel.formats.kinds import kind_of
from boxsel.formats.source import Source
from boxsel.formats.table_columns import HEADER_ADVICE, NO_CHOICE, Choice
from boxsel.formats.table_header import STACKED, TITLES, Header, NoHeader, find_header
from boxsel.formats.table_rows import Manner, Row, Tabled, read_rows
from boxsel.logic.kb import KB
from boxsel.wording import listed


def read(source: Source) -> KB:
    """What the first sheet of a workbook states."""
    return tabled(source).kb


def tabled(source: Source, choice: Choice = NO_CHOICE) -> Tabled:
    """What a sheet of a workbook states; `ReadError` with the row and column of every mistake.

    Unless a sheet is chosen, it is the first that names the columns of statements: a cover, or
    notes, may come before it.
    """
    first, rows, others = _sheet(source, choice.sheet)
    name, header = first, _header(rows, choice)
    for other in others if choice.sheet is None else ():
        if isinstance(header, Header):
            break
        said = _sheet(source, other)[1]
        later = _header(said, choice)
        if isinstance(later, Header):
            name, rows, header = other, said, later
    if not isinstance(header, Header):
        raise _no_table(source.file, name, header, others if choice.sheet is None else ())
    below = [row for row in rows if row[0] > header.line]
    found = read_rows(header.names, header.layout, below, source.file, Manner())
    unread = [one for one in (first, *others) if one != name] if choice.sheet is None else []
    remarks = (f"only the sheet {name!r} is read, not {listed(unread)}",) if unread else ()
    return Tabled(found.kb, (*remarks, *found.remarks))


def _sheet(source: Source, sheet: str | int | None) -> tuple[str, list[Row], list[str]]:
    """The name of a sheet, its rows that hold something, and the names of the others."""
    name, rows, others = sheet_rows(source, sheet, as_shown=True)
    return name, [(line, row) for line, row in rows if any(cell.strip() for cell in row)], others


def _header(said: Sequence[Row], choice: Choice) -> Header | NoHeader | None:
    return find_header(said[: TITLES + STACKED], choice) if said else None


def _no_table(file: str, name: str, header: NoHeader | None, others: Sequence[str]) -> ReadError:
    """The error for a workbook without a table of statements, or for a sheet that has none."""
    if header is None:
        advice = f"the other sheets are {listed(others, 20)}: --sheet" if others else HEADER_ADVICE
        return ReadError(Diagnostic(f"the sheet {name!r} is empty", file, help=advice))
    problem = header.problem
    if others:
        problem += f" in the sheet {name!r} (nor in the others: {listed(others)}; choose: --sheet)"
    return ReadError(Diagnostic(problem, file, header.line, help=HEADER_ADVICE))


def sheet_rows(
    source: Source, sheet: str | int | None, *, as_shown: bool = False
) -> tuple[str, list[Row], list[str]]:
    """The name of a sheet, its rows as texts with their numbers, and the names of the others.

    A sheet is said by its name or its number, from 1; without either it is the first. What the
    workbook shows as a percentage is one `as_shown`, else the number behind it.
    """
    from python_calamine import CalamineError, CalamineWorkbook, PasswordError

    kind = kind_of(source.data)
    seems = "no workbook of Excel or LibreOffice" if kind is None else kind.name
    try:
        book = CalamineWorkbook.from_filelike(io.BytesIO(source.data))
        names: list[str] = list(book.sheet_names)
        name = _chosen(names, sheet, source.file)
        sheet_read = book.get_sheet_by_name(name)
        table = sheet_read.to_python(skip_empty_area=False)
        merged = sheet_read.merged_cell_ranges or ()
    except PasswordError:
        advice = "save it without a password"
        raise ReadError(Diagnostic("the workbook is locked", source.file, help=advice)) from None
    except (CalamineError, OSError) as error:
        problem = f"this seems to be {seems}, and cannot be read: {error}"
        raise ReadError(Diagnostic(problem, source.file)) from None
    for (top, left), (bottom, right) in merged:
        if left == right:  # what stands beside several rows is said of each
            for line in range(top + 1, min(bottom + 1, len(table))):
                table[line][left] = table[top][left]
    size = len(table), max(map(len, table), default=0)
    for line, place in percent_cells(source.data, name, size) if as_shown else ():
        if line < size[0] and place < len(table[line]) and isinstance(table[line][place], float):
            table[line][place] = f"{Decimal(repr(table[line][place])).scaleb(2).normalize():f}%"
    rows: list[Row] = [
        (line, [cell_text(cell) for cell in row]) for line, row in enumerate(table, 1)
    ]
    return name, rows, [other for other in names if other != name]


def cell_text(cell: Any) -> str:
    """A cell as the text that somebody would type for it.

    Examples:
        >>> cell_text(30.0), cell_text(0.3), cell_text(True), cell_text(date(2020, 3, 1))
        ('30', '0.3', 'TRUE', '2020-03-01')
    """
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return str(cell).upper()
    if isinstance(cell, float):
        return str(int(cell)) if cell.is_integer() and abs(cell) < 1e15 else repr(cell)
    if isinstance(cell, datetime) and cell.time() == time():
        return cell.date().isoformat()
    if isinstance(cell, date | time):
        return cell.isoformat()
    return str(cell) if not isinstance(cell, timedelta) else str(cell.total_seconds())


def _chosen(names: Sequence[str], sheet: str | int | None, file: str) -> str:
    if sheet is None and names:
        return names[0]
    if sheet in names:
        return str(sheet)
    if isinstance(sheet, int) and 1 <= sheet <= len(names):
        return names[sheet - 1]
    alike = [name for name in names if name.casefold() == str(sheet).casefold()]
    if len(alike) == 1:
        return alike[0]
    problem = f"there is no sheet {sheet!r}" if names else "the workbook has no sheets"
    advice = f"the sheets are {listed(names, 20)}" if names else None
    raise ReadError(Diagnostic(problem, file, help=advice))
