"""The gradient of a block of rows in one member, as a kernel computes it.

The same mathematics as `box_gradients`, for arrays of rows × dimensions.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import jax.numpy as jnp
from jax import lax

from boxsel.models.arrays import Array, bounded
from boxsel.models.box_gradients import (
    Corners,
    Preimage,
    log_ratio,
    meet,
    shared,
    side,
    through_minimum,
)
from boxsel.models.losses import row_loss, row_slope


class Shape(NamedTuple):
    """What some row has: roles, a second conjunct, disjointness."""

    body_role: bool
    second: bool
    second_role: bool
    head_role: bool
    apart: bool

    @property
    def slots(self) -> tuple[int, ...]:
        """The columns of names that matter: the head comes last."""
        return (0, 1, 2) if self.second else (0, 2)

    @property
    def role_slots(self) -> tuple[int, ...]:
        """The columns of roles that matter."""
        return tuple(slot for slot in self.slots if self.has_role(slot))

    def has_role(self, slot: int) -> bool:
        """Whether the name in a column may have a role."""
        return (self.body_role, self.second_role, self.head_role)[slot]


Basic = tuple[Corners, Preimage | None]
"""The corners of names, or of `∃r.A` and what the way back through r needs."""


def rows_of(
    shape: Shape,
    corners: Callable[[int], tuple[Array, Array]],
    inverses: Callable[[int], tuple[Array, Array]],
) -> list[Basic]:
    """The basic concepts of rows, from functions that read corners and 1/d and b of a slot."""
    found: list[Basic] = []
    for place, slot in enumerate(shape.slots):
        lower, upper = corners(place)
        if not shape.has_role(slot):
            found.append((Corners(lower, upper), None))
            continue
        shrink, shift = inverses(shape.role_slots.index(slot))
        lower, upper = bounded((lower + shift) * shrink), bounded((upper - shift) * shrink)
        cut = Corners(jnp.minimum(lower, 0.0), jnp.minimum(upper, 1.0))
        found.append((cut, Preimage(shrink, lower, upper)))
    return found


Pairs = list[tuple[Array, Array]]


def row_gradients(
    shape: Shape, rows: list[Basic], lower: Array, upper: Array, temperature: Array
) -> tuple[Array, Pairs, Pairs]:
    """The loss of each row, and the gradients by the corners of its names and by its roles."""
    *bodies, (head, _) = rows
    body = meet(bodies[0][0], bodies[1][0]) if shape.second else bodies[0][0]
    joint = meet(body, head)
    per_temperature = 1 / temperature
    whole = side((body.lower + body.upper) * per_temperature)
    part = side((joint.lower + joint.upper) * per_temperature)
    log_share = jnp.sum(log_ratio(part, whole), axis=-1)
    losses = row_loss(log_share, lower, upper, temperature)
    slope = (row_slope(log_share, lower, upper, temperature) * per_temperature)[:, None]
    by_joint, by_whole = slope * part.slope, slope * whole.slope
    by_body, by_head = shared(Corners(by_joint, by_joint), body, head)
    by_body = Corners(by_body.lower - by_whole, by_body.upper - by_whole)
    if shape.apart:
        depth, more_body, more_head = _overlap(body, head, upper)
        losses = losses + depth
        by_body, by_head = _plus(by_body, more_body), _plus(by_head, more_head)
    by = [by_body, by_head]
    if shape.second:
        by = [*shared(by_body, bodies[0][0], bodies[1][0]), by_head]
    by_names: Pairs = []
    by_roles: Pairs = []
    for (_, through), gradient in zip(rows, by, strict=True):
        if through is not None:
            below = through_minimum(gradient.lower, through.lower, 0.0)
            above = through_minimum(gradient.upper, through.upper, 1.0)
            by_scale = -(below * through.lower + above * through.upper)
            gradient = Corners(below * through.shrink, above * through.shrink)
            by_roles.append((by_scale, gradient.lower - gradient.upper))
        by_names.append((gradient.lower, gradient.upper))
    return losses, by_names, by_roles


def _overlap(body: Corners, head: Corners, upper: Array) -> tuple[Array, Corners, Corners]:
    """`hinges.overlap` of rows whose upper bound is 0, and its gradients by the corners."""
    lengths = (
        body.upper + head.lower,
        head.upper + body.lower,
        body.upper + body.lower,
        head.upper + head.lower,
    )
    least = jnp.minimum(jnp.minimum(*lengths[:2]), jnp.minimum(*lengths[2:]))
    depth = jnp.min(least, axis=-1)
    column = lax.broadcasted_iota(jnp.int32, least.shape, 1)
    place = jnp.min(jnp.where(least == depth[:, None], column, least.shape[1]), axis=-1)
    applies = (upper <= 0) & (depth > 0)
    free = (column == place[:, None]) & applies[:, None]
    parts = []
    for length in lengths:
        mine = free & (length == least)
        free = free & ~mine
        parts.append(jnp.where(mine, 1.0, 0.0))
    return (
        jnp.where(applies, depth, 0.0),
        Corners(parts[1] + parts[2], parts[0] + parts[2]),
        Corners(parts[0] + parts[3], parts[1] + parts[3]),
    )


def _plus(one: Corners, other: Corners) -> Corners:
    return Corners(one.lower + other.lower, one.upper + other.upper)
