"""The loss of a row: how far the share that an embedding gives it is from its bounds.

Volumes know an inclusion only as p = 1, and a soft volume is content with p just below it. But a
small concept may live in just the part that sticks out. So boxes also pay for where their corners
are: *hinges* ask for containment itself, and for a real gap between disjoint boxes.
"""

from __future__ import annotations

import jax.numpy as jnp

from boxsel.models.arrays import Array, Parameters
from boxsel.models.batching import Stratum
from boxsel.models.representations.boxes import Box
from boxsel.models.representations.populations import Populations
from boxsel.models.representations.representation import Region, Representation

LEAST_BOUND = 1e-6
"""Lower bounds below this are as good as zero for the logarithm."""


def log_shares(
    representation: Representation, parameters: Parameters, rows: Stratum, temperature: Array | None
) -> Array:
    """The logarithm of the share of every row in every member; NaN where a body is empty.

    Of a block of bodies and heads, those of all pairs, the heads of the first body first.
    """
    body, head = sides(representation, parameters, rows)
    if isinstance(representation, Populations) and rows.lower.ndim > 1:
        return representation.log_shares_of_all(body, head, temperature)
    return log_share(representation, body, head, temperature)


def log_share(
    representation: Representation, body: Region, head: Region, temperature: Array | None
) -> Array:
    """The logarithm of the share of bodies that belongs to heads; NaN where a body is empty."""
    whole = representation.log_measure(body, temperature)
    return representation.log_measure(representation.meet(body, head), temperature) - whole


def sides(
    representation: Representation, parameters: Parameters, rows: Stratum
) -> tuple[Region, Region]:
    """The regions of the bodies and of the heads."""

    def basic(name: Array, role: Array | None) -> Region:
        names = representation.names(parameters, name)
        return names if role is None else representation.some(parameters, role, names, name)

    body = basic(rows.body, rows.body_role)
    if rows.second is not None:
        body = representation.meet(body, basic(rows.second, rows.second_role))
    return body, basic(rows.head, rows.head_role)


def violation(share: Array, lower: Array, upper: Array) -> Array:
    """[l − p]⁺ + [p − u]⁺: zero if and only if the axiom holds."""
    return jnp.maximum(lower - share, 0.0) + jnp.maximum(share - upper, 0.0)


def row_loss(log_share: Array, lower: Array, upper: Array, zone: Array) -> Array:
    """The loss that we train with: l·[log l − log p]⁺ + [p − u]⁺, quadratic where it is small.

    It is zero where the violation is. Around p = l both have the same slope, but as p goes to zero
    the slope of the violation vanishes with p: in high dimensions, boxes that hardly meet would
    never find each other. The logarithm keeps pulling. Errors below `zone` count less and less, so
    that what nearly holds does not shake the rest; the zone shrinks as training cools.
    """
    error = row_error(log_share, lower, upper)
    return jnp.where(error < zone, error * error / (2 * zone), error - zone / 2)


def row_slope(log_share: Array, lower: Array, upper: Array, zone: Array) -> Array:
    """The derivative of `row_loss` by the logarithm of the share."""
    share = jnp.exp(log_share)
    pulled = (lower > LEAST_BOUND) & (log_share < jnp.log(jnp.maximum(lower, LEAST_BOUND)))
    slope = jnp.where(share > upper, share, 0.0) - jnp.where(pulled, lower, 0.0)
    return slope * jnp.minimum(row_error(log_share, lower, upper) / zone, 1.0)


def row_error(log_share: Array, lower: Array, upper: Array) -> Array:
    """l·[log l − log p]⁺ + [p − u]⁺, with slope 0 where it is 0."""
    share = jnp.exp(log_share)
    gap = jnp.log(jnp.maximum(lower, LEAST_BOUND)) - log_share
    pulled = jnp.where((gap > 0) & (lower > LEAST_BOUND), lower * gap, 0.0)
    return pulled + jnp.where(share > upper, share - upper, 0.0)


GAP = 1e-5
"""How far inside, or apart, boxes should end: more than rounding can undo."""


def outside(body: Box, head: Box, gap: float = 0.0) -> Array:
    """How far a body sticks out of a head, summed over sides; a head may touch the universe."""
    below = _hinge(head.lower - body.lower + jnp.where(head.lower > 0, gap, 0.0))
    above = _hinge(body.upper - head.upper + jnp.where(head.upper < 1, gap, 0.0))
    return jnp.sum(below + above, axis=-1)


def overlap(one: Box, other: Box, gap: float = 0.0) -> Array:
    """How far two boxes must move to be apart, along the dimension where that is least.

    A share of zero says less: as the overlap shrinks, its volume stops pulling long before a
    small concept has no room in it.
    """
    depth = jnp.minimum(one.upper - other.lower, other.upper - one.lower)
    # An empty box is apart from everything.
    side = jnp.minimum(one.upper - one.lower, other.upper - other.lower)
    return _hinge(_least(jnp.minimum(depth, side)) + gap)


def slack(body: Box, head: Box) -> Array:
    """How far a body is inside a head, at the nearest side; 0 unless it is inside.

    The share of such a body is 1 and has no slope, however wrong it is: a bound below 1 needs
    another reason to move.
    """
    room = jnp.minimum(body.lower - head.lower, head.upper - body.upper)
    return _hinge(_least(room))


def _least(lengths: Array) -> Array:
    """The least over dimensions; its gradient goes to one of them, also after compilation."""
    place = jnp.argmin(lengths, axis=-1, keepdims=True)
    return jnp.take_along_axis(lengths, place, axis=-1)[..., 0]


def _hinge(amount: Array) -> Array:
    """[x]⁺ with slope 0 at 0: what is satisfied does not pull."""
    return jnp.where(amount > 0, amount, 0.0)
