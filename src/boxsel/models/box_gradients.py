"""The gradient of rows for boxes with affine roles, in closed form.

What automatic differentiation of `losses.log_shares` gives, several times as fast: every array has
two axes, rows and members × dimensions, so that compilers vectorise along one long axis; lower
corners are negated, so that an intersection is a minimum and a side is a sum; and softplus, its
logarithm and the slope of that share one exponential.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from boxsel.models.arrays import Array, Parameters, Tables, bounded
from boxsel.models.batching import Strata, Stratum
from boxsel.models.losses import row_loss, row_slope
from boxsel.models.optimizer import added, rows_of
from boxsel.models.roles.affine import STEEPEST


class Corners(NamedTuple):
    """Lower corners, negated, and upper corners; or the gradients by them."""

    lower: Array
    upper: Array


class Preimage(NamedTuple):
    """What the way back through a role needs: 1/d, and the corners before they were cut."""

    shrink: Array
    lower: Array
    upper: Array

    @classmethod
    def of(
        cls, lower: Array, upper: Array, shrink: Array, shift: Array
    ) -> tuple[Corners, Preimage]:
        """The corners of `∃r.A` cut with the universe, from those of A, and the way back."""
        lower, upper = bounded((lower + shift) * shrink), bounded((upper - shift) * shrink)
        cut = Corners(jnp.minimum(lower, 0.0), jnp.minimum(upper, 1.0))
        return cut, cls(shrink, lower, upper)

    def back(self, gradient: Corners) -> tuple[Corners, Array, Array]:
        """A gradient by the corners of `∃r.A` as one by those of A, by log d and by b."""
        lower = through_minimum(gradient.lower, self.lower, 0.0)
        upper = through_minimum(gradient.upper, self.upper, 1.0)
        by_scale = -(lower * self.lower + upper * self.upper)
        gradient = Corners(lower * self.shrink, upper * self.shrink)
        return gradient, by_scale, gradient.lower - gradient.upper


class RowLosses(NamedTuple):
    """For each member, the sum of the losses of rows and the largest of them."""

    total: Array
    largest: Array


def gradients(
    parameters: Parameters, strata: Strata, temperature: Array
) -> tuple[RowLosses, Parameters]:
    """The losses of all rows in each member, and the gradient of their sum by every table."""
    shape = parameters["names"]["position"].shape
    members = shape[1]
    position, extent = (_flat(parameters["names"][key]) for key in ("position", "extent"))
    width, place = jax.nn.sigmoid(extent), jax.nn.sigmoid(position)
    room = 1 - width
    lower = place * room
    boxes = Corners(-lower, lower + width)
    roles = _Roles.of(parameters["roles"])
    work = _Work(
        boxes,
        Corners(jnp.zeros_like(width), jnp.zeros_like(width)),
        roles,
        (jnp.zeros_like(roles.shrink), jnp.zeros_like(roles.shrink)),
        RowLosses(jnp.zeros(members, width.dtype), jnp.zeros(members, width.dtype)),
    )
    for rows in strata:
        work = _stratum(work, rows, temperature, members)
    both = work.by_boxes.upper - work.by_boxes.lower
    by_position = both * room * place * (1 - place)
    by_extent = (work.by_boxes.upper - both * place) * width * room
    by_scale, by_shift = work.by_roles
    by_roles = {"scale": by_scale, "shift": by_shift}
    tables = parameters["roles"]
    found: Parameters = {
        "names": {
            "position": by_position.reshape(shape),
            "extent": by_extent.reshape(shape),
        },
        "roles": {key: by_roles[key].reshape(table.shape) for key, table in tables.items()},
        "individuals": jax.tree.map(jnp.zeros_like, parameters["individuals"]),
    }
    return work.losses, found


class _Roles(NamedTuple):
    shrink: Array
    shift: Array

    @classmethod
    def of(cls, tables: Tables) -> _Roles:
        shift = bounded(_flat(tables["shift"]))
        scale = _flat(tables["scale"]) if "scale" in tables else jnp.zeros_like(shift)
        return cls(jnp.exp(-bounded(scale, STEEPEST)), shift)


class _Work(NamedTuple):
    """Tables of corners and roles, the gradients by them so far, and the losses so far."""

    boxes: Corners
    by_boxes: Corners
    roles: _Roles
    by_roles: tuple[Array, Array]
    losses: RowLosses


def _stratum(work: _Work, rows: Stratum, temperature: Array, members: int) -> _Work:
    """Add the losses and gradients of rows of one shape."""
    one, through_one = _basic(work, rows.body, rows.body_role)
    head, through_head = _basic(work, rows.head, rows.head_role)
    if rows.second is None:
        losses, by_body, by_head = _rows(one, head, rows, temperature, members)
        work = _back(work, rows.body, rows.body_role, through_one, by_body)
    else:
        other, through_other = _basic(work, rows.second, rows.second_role)
        body = meet(one, other)
        losses, by_body, by_head = _rows(body, head, rows, temperature, members)
        by_one, by_other = shared(by_body, one, other)
        work = _back(work, rows.body, rows.body_role, through_one, by_one)
        work = _back(work, rows.second, rows.second_role, through_other, by_other)
    work = _back(work, rows.head, rows.head_role, through_head, by_head)
    total = work.losses.total + losses.sum(axis=0)
    largest = jnp.maximum(work.losses.largest, losses.max(axis=0))
    return work._replace(losses=RowLosses(total, largest))


def _rows(
    body: Corners, head: Corners, rows: Stratum, temperature: Array, members: int
) -> RowGradients:
    """The losses and gradients of rows of one shape."""
    count, size = body.lower.shape

    def added_up(logarithms: Array) -> Array:
        # A product with ones: XLA fuses a sum with what it sums, and its code for that is scalar.
        return lax.dot(
            logarithms.reshape(count * members, -1),
            jnp.ones((size // members, 1), body.lower.dtype),
            precision=lax.Precision.HIGHEST,
        ).reshape(count, members)

    def spread(slope: Array) -> Array:
        slope = (slope / temperature)[..., None]
        return jnp.broadcast_to(slope, (count, members, size // members)).reshape(count, size)

    def deepest(least: Array) -> tuple[Array, Array, Array]:
        apart = rows.apart[:, None, None]
        place = jnp.argmin(least, axis=-1, keepdims=True)
        depth = jnp.take_along_axis(least, place, axis=-1)
        weight = jnp.where(depth > 0, apart, 0.0)
        here = jax.lax.broadcasted_iota(place.dtype, least.shape, 2) == place
        return jnp.where(depth > 0, apart * depth, 0.0)[..., 0], here, weight

    bounds = rows.lower[:, None], rows.upper[:, None]
    found = row_gradients(body, head, bounds, temperature, added_up, spread)
    if rows.apart is not None:
        more = overlap(body, head, (count, members, -1), deepest)
        found = jax.tree.map(operator.add, found, more)
    return found


RowGradients = tuple[Array, Corners, Corners]
"""The losses of rows, and the gradients by the corners of their bodies and heads."""


def row_gradients(
    body: Corners,
    head: Corners,
    bounds: tuple[Array, Array],
    temperature: Array,
    added_up: Callable[[Array], Array],
    spread: Callable[[Array], Array],
) -> RowGradients:
    """`losses.row_loss` of rows: logarithms are added up over dimensions, and slopes spread."""
    joint = meet(body, head)
    per_temperature = 1 / temperature
    whole = side((body.lower + body.upper) * per_temperature)
    part = side((joint.lower + joint.upper) * per_temperature)
    log_share = added_up(log_ratio(part, whole))
    losses = row_loss(log_share, *bounds, temperature)
    slope = spread(row_slope(log_share, *bounds, temperature))
    by_joint, by_whole = slope * part.slope, slope * whole.slope
    by_body, by_head = shared(Corners(by_joint, by_joint), body, head)
    by_body = Corners(by_body.lower - by_whole, by_body.upper - by_whole)
    return losses, by_body, by_head


def overlap(
    body: Corners,
    head: Corners,
    shape: tuple[int, ...],
    deepest: Callable[[Array], tuple[Array, Array, Array | float]],
) -> RowGradients:
    """`losses.overlap` of rows; `shape` has an axis of dimensions.

    `deepest` gives, for the least length in each dimension, the loss, where it is that, and the
    weight of that place.
    """
    # Every length is a sum of two corners; the shortest of all is what matters.
    ends = (
        (body.upper, head.lower),
        (head.upper, body.lower),
        (body.upper, body.lower),
        (head.upper, head.lower),
    )
    lengths = [(one + other).reshape(shape) for one, other in ends]
    least = jnp.minimum(jnp.minimum(*lengths[:2]), jnp.minimum(*lengths[2:]))
    losses, free, weight = deepest(least)
    parts = []
    for length in lengths:
        mine = free & (length == least)
        free = free & ~mine
        parts.append(jnp.where(mine, weight, 0.0).reshape(body.lower.shape))
    by_body = Corners(parts[1] + parts[2], parts[0] + parts[2])
    return losses, by_body, Corners(parts[0] + parts[3], parts[1] + parts[3])


def meet(one: Corners, other: Corners) -> Corners:
    """The corners of an intersection."""
    return Corners(jnp.minimum(one.lower, other.lower), jnp.minimum(one.upper, other.upper))


def shared(gradient: Corners, one: Corners, other: Corners) -> tuple[Corners, Corners]:
    """A gradient by an intersection goes to whichever corner it has; to half each if both."""
    mine = Corners(
        through_minimum(gradient.lower, one.lower, other.lower),
        through_minimum(gradient.upper, one.upper, other.upper),
    )
    return mine, Corners(gradient.lower - mine.lower, gradient.upper - mine.upper)


def through_minimum(gradient: Array, one: Array, other: Array | float) -> Array:
    """What the first of two numbers gets of a gradient by their minimum."""
    return jnp.where(one < other, gradient, jnp.where(one == other, gradient / 2, 0.0))


def _basic(work: _Work, names: Array, roles: Array | None) -> tuple[Corners, Preimage | None]:
    """The corners of names, or of `∃r.A` cut with the universe."""
    lower, upper = rows_of(work.boxes.lower, names), rows_of(work.boxes.upper, names)
    if roles is None:
        return Corners(lower, upper), None
    shrink, shift = rows_of(work.roles.shrink, roles), rows_of(work.roles.shift, roles)
    return Preimage.of(lower, upper, shrink, shift)


def _back(
    work: _Work, names: Array, roles: Array | None, through: Preimage | None, gradient: Corners
) -> _Work:
    """Add the gradient by the corners of basic concepts to those by the tables."""
    if roles is not None and through is not None:
        gradient, *more = through.back(gradient)
        by_roles = zip(work.by_roles, more, strict=True)
        by_scale, by_shift = (added(table, roles, values) for table, values in by_roles)
        work = work._replace(by_roles=(by_scale, by_shift))
    by_tables = zip(work.by_boxes, gradient, strict=True)
    by_boxes = Corners(*(added(table, names, values) for table, values in by_tables))
    return work._replace(by_boxes=by_boxes)


def _ratio_coefficients(degree: int = 9) -> tuple[float, ...]:
    """A polynomial for log(1 + e) / e on [0, 1], lowest coefficient first; its error is 1e-7."""
    nodes = (np.cos(np.pi * (np.arange(4000) + 0.5) / 4000) + 1) / 2
    values = np.log1p(nodes) / nodes
    fitted = np.polynomial.Chebyshev.fit(nodes, values, degree, domain=[0, 1])
    return tuple(fitted.convert(kind=np.polynomial.Polynomial).coef.tolist())


_RATIO = _ratio_coefficients()


class Side(NamedTuple):
    """softplus(z) as exp(far) · near, with near ≥ log 2; and the slope of its logarithm.

    With e = exp(−|z|), near is 1 / (`mass` · slope) and mass is 1 + e, for either sign of z.
    """

    far: Array
    mass: Array
    slope: Array


def side(z: Array) -> Side:
    """The soft length of a side; all of it is finite for every z."""
    e = jnp.exp(-jnp.abs(z))
    if z.dtype == jnp.float32:
        ratio = jnp.full_like(e, _RATIO[-1])
        for coefficient in _RATIO[-2::-1]:
            ratio = ratio * e + coefficient
        near = jnp.where(z < 0, ratio, z + e * ratio)
    else:
        near = jnp.where(z < 0, _log1p_ratio(e), z + jnp.log1p(e))
    return Side(jnp.minimum(z, 0.0), 1 + e, 1 / ((1 + e) * near))


def log_ratio(part: Side, whole: Side) -> Array:
    """The logarithm of the ratio of two soft lengths, with one logarithm for both."""
    near = (whole.mass * whole.slope) / (part.mass * part.slope)
    return (part.far - whole.far) + jnp.log(near)


def _log1p_ratio(e: Array) -> Array:
    tiny = e < 1e-8
    safe = jnp.where(tiny, 1.0, e)
    return jnp.where(tiny, 1.0 - e / 2, jnp.log1p(safe) / safe)


def _flat(table: Array) -> Array:
    return table.reshape(table.shape[0], -1)
