"""The losses of blocks of rows in populations, and their slopes in closed form.

A block says something about all pairs of some bodies and some heads. What it costs is mostly not
the products of matrices, but all that is done with every pair. So every pair is looked at once:
what a share should become is found with the share itself, and nothing is kept of it but how fast
the loss grows with the measure of the pair. Products with that give the gradient.
"""

from __future__ import annotations

import jax
import jax.numpy as jnp

from boxsel.models.arrays import Array
from boxsel.models.batching import Stratum
from boxsel.models.box_gradients import RowLosses
from boxsel.models.losses import LEAST_BOUND
from boxsel.models.representations.populations import NOTHING, Soft

_Kept = tuple[Array, Array, Array, Array]


def block_losses(soft: Soft, rows: Stratum, zone: Array) -> RowLosses:
    """The sum of the losses of a block in each member, and the largest, which has no slope."""
    bodies = soft.weights * soft.of(rows.body, rows.body_role)
    if rows.second is not None:
        bodies = bodies * soft.of(rows.second, rows.second_role)
    heads = soft.of(rows.head, rows.head_role)
    return RowLosses(*_losses(bodies, heads, rows.lower, rows.upper, zone))


@jax.custom_vjp
def _losses(
    bodies: Array, heads: Array, lower: Array, upper: Array, zone: Array
) -> tuple[Array, Array]:
    """Of bodies and heads [concepts, members, cells], with bounds for each pair."""
    return _forward(bodies, heads, lower, upper, zone)[0]


def _forward(
    bodies: Array, heads: Array, lower: Array, upper: Array, zone: Array
) -> tuple[tuple[Array, Array], _Kept]:
    part = jnp.einsum("bmk,hmk->mbh", bodies, heads) + NOTHING
    whole = (bodies.sum(axis=-1).T + NOTHING)[..., None]
    # As `row_loss` and `row_slope` have it, with every pair's logarithm taken once.
    share = part / whole
    gap = jnp.log(jnp.maximum(lower, LEAST_BOUND)) + jnp.log(whole) - jnp.log(part)
    is_pulled, is_over = (gap > 0) & (lower > LEAST_BOUND), share > upper
    error = jnp.where(is_pulled, lower * gap, 0.0) + jnp.where(is_over, share - upper, 0.0)
    loss = jnp.where(error < zone, error * error / (2 * zone), error - zone / 2)
    slope = jnp.where(is_over, share, 0.0) - jnp.where(is_pulled, lower, 0.0)
    slope = slope * jnp.minimum(error / zone, 1.0)
    of_bodies = -slope.sum(axis=-1) / whole[..., 0]
    found = loss.sum(axis=(1, 2)), loss.max(axis=(1, 2))
    return found, (bodies, heads, slope / part, of_bodies)


def _backward(kept: _Kept, wanted: tuple[Array, Array]) -> tuple[Array | None, ...]:
    bodies, heads, of_pairs, of_bodies = kept
    weight = wanted[0][:, None]
    of_pairs, of_bodies = of_pairs * weight[..., None], of_bodies * weight
    slope = jnp.einsum("mbh,hmk->bmk", of_pairs, heads) + of_bodies.T[..., None]
    return slope, jnp.einsum("mbh,bmk->hmk", of_pairs, bodies), None, None, None


_losses.defvjp(_forward, _backward)
