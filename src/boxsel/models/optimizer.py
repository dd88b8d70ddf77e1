"""Adam with a clock for every row: a name that a batch does not touch stays as it is.

A step that touches few names reads and writes them where they are. With one table for each
parameter and each moment that would be six places a name; packed side by side, it is one. Rows are
read and written without a check of their numbers: indexing would put a test for negative numbers
and one for the end of the table in front of each.
"""

from __future__ import annotations

from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import optax
from jax import lax

from boxsel.models.arrays import Array, Tables

FIRST, SECOND = 0.9, 0.99
"""How much of a moment stays in every step."""

ADAM_EPSILON = 1e-8
"""What Adam adds to the root of a second moment."""

LEAST_MOMENT = 1e-30
"""What is added to a second moment.

One so small that it is no normal float may have no square root: XLA's is x · rsqrt(x) on CPU, and
NaN there. This keeps it normal, and is nothing beside Adam's own addend.
"""

_ADAM = optax.scale_by_adam(FIRST, SECOND, eps=ADAM_EPSILON, eps_root=LEAST_MOMENT)


class Moments(NamedTuple):
    """What Adam remembers of a set of tables: how often each row was updated, and its moments."""

    count: Array
    first: Tables
    second: Tables


def no_moments(tables: Tables) -> Moments:
    """The moments before the first step."""
    rows = next(iter(tables.values())).shape[0] if tables else 0
    # NumPy's: to make zeros on a device, a program would have to be compiled for each shape.
    zeros = {name: np.zeros(table.shape, table.dtype) for name, table in tables.items()}
    return Moments(np.zeros(rows, np.int32), zeros, dict(zeros))


def updated(
    tables: Tables, moments: Moments, gradients: Tables, rate: Array, active: Array
) -> tuple[Tables, Moments]:
    """Rows after one step of Adam, each by its own clock.

    `rate` is the learning rate, `active` says which rows and members move.
    """
    state = optax.ScaleByAdamState(moments.count, moments.first, moments.second)
    steps, state = jax.vmap(_ADAM.update)(gradients, state)
    moved = {
        name: table - jnp.where(active[..., None], rate * steps[name], 0.0)
        for name, table in tables.items()
    }
    return moved, Moments(state.count, state.mu, state.nu)


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


Layout = tuple[tuple[str, int], ...]
"""The tables that are packed, each with the length of its last axis."""

Packed = dict[str, Array]
"""Tables and moments by the length of their last axis.

The first third are the tables, the second their first moments, the last their second moments.
"""


class Unpacked(NamedTuple):
    """Tables, and what Adam remembers of them."""

    tables: Tables
    first: Tables
    second: Tables


def layout_of(tables: Tables) -> Layout:
    """How tables will lie side by side."""
    return tuple((name, table.shape[-1]) for name, table in sorted(tables.items()))


def packed(tables: Unpacked) -> Packed:
    """Tables and moments as one array, or as one for each length, with lines for rows."""
    layout = layout_of(tables.tables)
    return {
        str(length): jnp.concatenate(
            [
                some[name].reshape(len(some[name]), -1)
                for some in tables
                for name, own in layout
                if own == length
            ],
            axis=1,
        )
        for length in sorted({length for _, length in layout})
    }


def unpacked(lines: Packed, layout: Layout, members: int) -> Unpacked:
    """The tables and moments that were packed; any rows of them."""
    tables: list[Tables] = [{}, {}, {}]
    for key, array in lines.items():
        names = [name for name, length in layout if str(length) == key]
        size = members * int(key)
        for part in range(3 * len(names)):
            kind, place = divmod(part, len(names))
            values = array[:, part * size : (part + 1) * size]
            tables[kind][names[place]] = values.reshape(len(array), members, -1)
    return Unpacked(*tables)


def by_member(lines: Packed, members: int) -> Packed:
    """Packed tables with an axis of members: (rows, tables, members, length)."""
    return {key: array.reshape(len(array), -1, members, int(key)) for key, array in lines.items()}


def by_line(packed: Packed) -> Packed:
    """Packed tables with lines for rows: only so do compilers move whole rows."""
    return {key: array.reshape(len(array), -1) for key, array in packed.items()}
