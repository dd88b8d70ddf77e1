"""Rows of tables, read and written without a check of their numbers.

Indexing would put a test for negative numbers and one for the end of the table in front of each.
"""

from __future__ import annotations

from jax import lax

from boxsel.models.arrays import Array

_IN_BOUNDS = lax.GatherScatterMode.PROMISE_IN_BOUNDS


_GATHER = lax.GatherDimensionNumbers(
    offset_dims=(1,), collapsed_slice_dims=(0,), start_index_map=(0,)
)
_SCATTER = lax.ScatterDimensionNumbers(
    update_window_dims=(1,), inserted_window_dims=(0,), scatter_dims_to_operand_dims=(0,)
)


def rows_of(table: Array, rows: Array) -> Array:
    """Some rows of a table of lines, or of a column."""
    if table.ndim == 1:
        return rows_of(table[:, None], rows)[:, 0]
    return lax.gather(table, rows[:, None], _GATHER, (1, table.shape[1]), mode=_IN_BOUNDS)


def added(table: Array, rows: Array, values: Array) -> Array:
    """A table of lines with values added to some; one may come up more than once."""
    return lax.scatter_add(table, rows[:, None], values, _SCATTER, mode=_IN_BOUNDS)


def replaced(table: Array, rows: Array, values: Array) -> Array:
    """A table of lines, or a column, with other values in some rows."""
    if table.ndim == 1:
        return replaced(table[:, None], rows, values[:, None])[:, 0]
    return lax.scatter(table, rows[:, None], values, _SCATTER, mode=_IN_BOUNDS)
