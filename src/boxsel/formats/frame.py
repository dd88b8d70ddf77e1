"""DataFrames: the table of CSV in memory, of pandas or polars."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from boxsel.errors import WrongKindError
from boxsel.formats.csv_table import refuse_losses, row, written_columns
from boxsel.formats.table_columns import BOUNDS, NO_CHOICE, SAMPLE, Choice, expect_layout
from boxsel.formats.table_rows import Manner, Tabled, read_rows
from boxsel.formats.workbook import cell_text
from boxsel.logic.kb import KB
from boxsel.logic.proportions import exact
from boxsel.machine.extras import needing

if TYPE_CHECKING:
    import pandas

NAME = "the DataFrame"


def is_frame(value: object) -> bool:
    """Whether a value is a table in memory: it has columns, and gives its rows."""
    return hasattr(value, "columns") and (
        hasattr(value, "itertuples") or hasattr(value, "iter_rows")
    )


def read_frame(frame: Any, choice: Choice = NO_CHOICE) -> Tabled:
    """What a DataFrame states; `ReadError` with the row and column of every mistake.

    Rows count from 1, whatever the index.
    """
    if not is_frame(frame):
        kind = type(frame).__name__
        raise WrongKindError(f"a knowledge base is read from files and DataFrames, not from {kind}")
    header = [str(column) for column in frame.columns]
    layout = expect_layout(header, choice, NAME)
    given = (
        frame.itertuples(index=False, name=None)
        if hasattr(frame, "itertuples")
        else frame.iter_rows()
    )
    # What is missing is not equal to itself, whichever library says so; pandas' NA will not say.
    rows = (
        (line, ["" if _is_missing(cell) else cell_text(_plain(cell)) for cell in row])
        for line, row in enumerate(given, start=1)
    )
    return read_rows(header, layout, rows, NAME, Manner(place="row {}: "))


def to_frame(kb: KB) -> pandas.DataFrame:
    """The statements of a knowledge base as a pandas DataFrame; `WriteError` if it holds more.

    Counts are whole numbers, bounds fractions, so that reading gives the same knowledge base.
    """
    with needing("pandas", "dev", "DataFrames"):
        import pandas as pd
    refuse_losses(kb)
    columns = written_columns(kb)
    cells = [row(statement) for statement in kb]
    read: dict[str, Callable[[str], Any]] = {
        **dict.fromkeys(BOUNDS, exact),
        **dict.fromkeys(SAMPLE, int),
    }
    given = {
        column: [_cell(cell.get(column, ""), read.get(column, str)) for cell in cells]
        for column in columns
    }
    frame = pd.DataFrame(given, dtype=object)
    return frame.astype(dict.fromkeys(SAMPLE, "Int64"))


def _cell(text: str, read: Callable[[str], Any]) -> Any:
    return read(text) if text else None


def _is_missing(cell: Any) -> bool:
    if cell is None or type(cell).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(cell, float) and cell != cell


def _plain(cell: Any) -> Any:
    """A number of NumPy as one of Python."""
    return cell.item() if hasattr(cell, "item") and not hasattr(cell, "__len__") else cell
