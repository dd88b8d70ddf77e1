"""The shares of rows in populations, with a slope even where they are 0."""

from __future__ import annotations

from functools import partial
from typing import Final, cast

import jax
import jax.numpy as jnp
import numpy as np

from boxsel.models.arrays import Array, Parameters
from boxsel.models.batching import Batching, Strata, Stratum
from boxsel.models.blocks import Blocks
from boxsel.models.losses import sides
from boxsel.models.representations.populations import Populations
from boxsel.models.task import Rows


def strata_of(rows: Rows) -> Strata:
    """All rows in one batch, as blocks if they fit into some."""
    blocks = Blocks(rows, np.float64)
    if blocks.are_dense:
        return blocks.strata
    batches = Batching(rows, max(1, len(rows)), 0, np.float64, whole=True).batches(range(1))
    return cast(Strata, jax.tree.map(lambda array: array[0], batches))


EMPTY: Final = 1e-100
"""A body of less than this is empty: the square of its inverse would be no number."""


def _measures(how: Populations, parameters: Parameters, rows: Stratum) -> tuple[Array, Array]:
    """The measures of bodies with heads, and of bodies: a line for each row."""
    body, head = sides(how, parameters, rows)
    if rows.lower.ndim > 1:
        return how.measures_of_all(body, head)
    both = how.measure(how.meet(body, head))
    return both, how.measure(body)


def _bounds(rows: Stratum) -> tuple[Array, Array]:
    return rows.lower.reshape(-1, 1), rows.upper.reshape(-1, 1)


@partial(jax.jit, static_argnums=0)
def shares_in(how: Populations, parameters: Parameters, rows: Stratum) -> Array:
    """The shares of rows in hard measures, a line each; NaN where a body is empty."""
    part, whole = _measures(how, parameters, rows)
    some = whole > EMPTY
    return jnp.where(some, part / jnp.where(some, whole, 1.0), jnp.nan)


def errors_in(how: Populations, parameters: Parameters, strata: Strata) -> Array:
    """By how much the share of every row should grow."""
    return jnp.concatenate(
        [missing(shares_in(how, parameters, rows), *_bounds(rows)) for rows in strata]
    )


def missing(share: Array, lower: Array, upper: Array) -> Array:
    """By how much shares should grow: [l − p]⁺ − [p − u]⁺; nothing where a body is empty."""
    error = jnp.maximum(lower - share, 0.0) - jnp.maximum(share - upper, 0.0)
    return jnp.where(jnp.isnan(share), 0.0, error)
