"""Shares of very many queries: a compiled program, chunk by chunk, on the device."""

from __future__ import annotations

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

from boxsel.models.arrays import Array, Parameters
from boxsel.models.concept_shapes import Shape
from boxsel.models.measuring import Floats, shares
from boxsel.models.representations.representation import Representation


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
