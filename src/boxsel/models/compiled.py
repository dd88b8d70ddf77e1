"""Shares of very many queries or rows: compiled programs, chunk by chunk, on the device.

Of rows only the mean and the largest error is kept, so that no table of all shares is made.
"""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from boxsel.models.arrays import Array, Parameters, members_in
from boxsel.models.batching import Batching, Stratum
from boxsel.models.concept_shapes import Shape
from boxsel.models.losses import log_shares, violation
from boxsel.models.measuring import Floats, shares
from boxsel.models.representations.free_boxes import FreeBoxes
from boxsel.models.representations.representation import Representation
from boxsel.models.task import Rows


def in_chunks(
    representation: Representation,
    shape: tuple[Shape, Shape],
    parameters: Parameters,
    names: Array,
    roles: Array,
    kept: Array | None = None,
) -> Floats:
    """`measuring.shares` in double precision, for (chunks, queries, places) of rows.

    Of some members `kept`, only the least and the largest, reduced where they are computed.
    """
    with jax.enable_x64(True):
        return np.asarray(_in_chunks(representation, shape, parameters, names, roles, kept))


@partial(jax.jit, static_argnums=(0, 1))
def _in_chunks(
    representation: Representation,
    shape: tuple[Shape, Shape],
    parameters: Parameters,
    names: Array,
    roles: Array,
    kept: Array | None,
) -> Array:
    def chunk(rows: tuple[Array, Array]) -> Array:
        found = shares(representation, parameters, shape, rows[0].T, rows[1].T)
        if kept is None:
            return found
        counted = jnp.where(kept, found, jnp.nan)
        return jnp.stack([jnp.nanmin(counted, axis=1), jnp.nanmax(counted, axis=1)], axis=-1)

    return jax.lax.map(chunk, (names, roles))


AT_ONCE = 4096
"""How many rows are in work at once: one compiled program serves any number of them."""

NUMBERS = 1 << 24
"""How many numbers the regions of these rows may have; fewer rows are in work if they have more."""


class RowErrors(NamedTuple):
    """For each member: the mean and the largest of [l − p]⁺ + [p − u]⁺, and how many rows counted.

    A row whose body is empty in a member does not count there.
    """

    mean: Floats
    largest: Floats
    counted: Floats


def row_errors(representation: Representation, parameters: Parameters, rows: Rows) -> RowErrors:
    """Measure all rows in all members, in hard measures and double precision.

    Examples:
        >>> from boxsel import examples, fit
        >>> model = fit(examples.load("applicant"), members=4, dim=2, epochs=1)
        >>> found = row_errors(model.representation, model.parameters, model.task.rows)
        >>> found.mean.shape, bool((found.mean <= found.largest).all())
        ((4,), True)
    """
    universe = not isinstance(representation, FreeBoxes)
    members = members_in(parameters)
    size = max(1, min(AT_ONCE, NUMBERS // (members * representation.dim)))
    batching = Batching(rows, size, 0, np.float64, whole=True, universe=universe)
    total, counted, largest = np.zeros((3, members))
    with jax.enable_x64(True):
        tables = jax.tree.map(jnp.asarray, parameters)
        found = [_errors(representation, tables, piece) for piece in batching.pieces(size)]
        for summed, number, most in found:
            total += np.asarray(summed)
            counted += np.asarray(number)
            largest = np.maximum(largest, np.asarray(most))
    return RowErrors(total / np.maximum(counted, 1), largest, counted)


@partial(jax.jit, static_argnums=0)
def _errors(
    representation: Representation, parameters: Parameters, rows: Stratum
) -> tuple[Array, Array, Array]:
    share = jnp.exp(log_shares(representation, parameters, rows, None))
    off = violation(share, rows.lower[:, None], rows.upper[:, None])
    # What fills up a piece says nothing, and is not counted.
    known = ~jnp.isnan(off) & (rows.upper <= 1)[:, None]
    off = jnp.where(known, off, 0.0)
    return off.sum(axis=0), known.sum(axis=0), off.max(axis=0)
