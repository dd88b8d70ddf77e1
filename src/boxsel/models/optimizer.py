"""Adam with a clock for every row: a name that a batch does not touch stays as it is."""

from __future__ import annotations

from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import optax

from boxsel.models.arrays import Array, Tables

FIRST, SECOND = 0.9, 0.99
"""How much of a moment stays in every step."""

SMALL = 1e-8
"""What Adam adds to the root of a second moment."""

LEAST = 1e-30
"""What is added to a second moment.

One so small that it is no normal float may have no square root: XLA's is x · rsqrt(x) on CPU, and
NaN there. This keeps it normal, and is nothing beside Adam's own addend.
"""

_ADAM = optax.scale_by_adam(FIRST, SECOND, eps=SMALL, eps_root=LEAST)


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
