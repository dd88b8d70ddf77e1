"""What the kernels for GPUs compute: gradients of rows, and a step of Adam for names and roles.

The gradient of a block of rows in one member is that of `box_gradients`, for arrays of rows ×
dimensions. A table has the shape (members, parts, rows, dimensions). The parts are two
parameters, their two first and their two second moments; of what is computed, there are two.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from jax import lax

from boxsel.models.arrays import Array, bounded
from boxsel.models.box_gradients import Corners, Preimage, meet, overlap, row_gradients, shared
from boxsel.models.optimizer import ADAM_EPSILON, FIRST, LEAST_MOMENT, SECOND
from boxsel.models.roles.affine import STEEPEST


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
    basics: list[Basic] = []
    for place, slot in enumerate(shape.slots):
        lower, upper = corners(place)
        if not shape.has_role(slot):
            basics.append((Corners(lower, upper), None))
            continue
        basics.append(Preimage.of(lower, upper, *inverses(shape.role_slots.index(slot))))
    return basics


Pairs = list[tuple[Array, Array]]


def slot_gradients(
    shape: Shape, rows: list[Basic], lower: Array, upper: Array, temperature: Array
) -> tuple[Array, Pairs, Pairs]:
    """The loss of each row, and the gradients by the corners of its names and by its roles."""
    *bodies, (head, _) = rows
    body = meet(bodies[0][0], bodies[1][0]) if shape.second else bodies[0][0]
    per_temperature = 1 / temperature
    found = row_gradients(
        body,
        head,
        (lower, upper),
        temperature,
        lambda logarithms: jnp.sum(logarithms, axis=-1),
        lambda slope: (slope * per_temperature)[:, None],
    )

    def deepest(least: Array) -> tuple[Array, Array, float]:
        depth = jnp.min(least, axis=-1)
        column = lax.broadcasted_iota(jnp.int32, least.shape, 1)
        place = jnp.min(jnp.where(least == depth[:, None], column, least.shape[1]), axis=-1)
        applies = (upper <= 0) & (depth > 0)
        here = (column == place[:, None]) & applies[:, None]
        return jnp.where(applies, depth, 0.0), here, 1.0

    if shape.apart:
        more = overlap(body, head, body.lower.shape, deepest)
        found = jax.tree.map(operator.add, found, more)
    losses, by_body, by_head = found
    by = [by_body, by_head]
    if shape.second:
        by = [*shared(by_body, bodies[0][0], bodies[1][0]), by_head]
    by_names: Pairs = []
    by_roles: Pairs = []
    for (_, through), gradient in zip(rows, by, strict=True):
        if through is not None:
            gradient, by_scale, by_shift = through.back(gradient)
            by_roles.append((by_scale, by_shift))
        by_names.append((gradient.lower, gradient.upper))
    return losses, by_names, by_roles


Tempo = tuple[tuple[Array, Array, Array], Array]
"""The rate, the corrections of both moments, and whether the member moves."""

SLOTS_AT_ONCE = 8
ROLE_SLOTS_AT_ONCE = 64


def name_corners(table: Array) -> Array:
    """The corners of all names, lower ones negated."""
    return jnp.stack(_corners(table[:, 0], table[:, 1]), axis=1)


def inverse(table: Array) -> Array:
    """1/d and b of all roles."""
    return jnp.stack(_inverse(table[:, 0], table[:, 1]), axis=1)


def names_step(
    step: Any,
    member: Any,
    first: Any,
    count: int,
    lists: tuple[Any, ...],
    by: Any,
    tempo: Tempo,
    table: Any,
    corners: Any,
) -> None:
    """Add up the gradients of a block of names, and update them and their corners."""
    order, start, size = lists
    names, column = first + jnp.arange(count), jnp.arange(table.shape[-1])
    begin, many = start[step, names], size[step, names]

    def more(turn: Any, so_far: tuple[Array, Array]) -> tuple[Array, Array]:
        places = turn * SLOTS_AT_ONCE + jnp.arange(SLOTS_AT_ONCE)
        real = places[None] < many[:, None]
        slots = order[step, jnp.where(real, begin[:, None] + places[None], 0)]

        def added(part: int) -> Array:
            values = by[member, part, slots[..., None], column[None, None]]
            return so_far[part] + jnp.sum(jnp.where(real[..., None], values, 0.0), axis=1)

        return added(0), added(1)

    nothing = jnp.zeros((count, table.shape[-1]), jnp.float32)
    turns = (jnp.max(many) + SLOTS_AT_ONCE - 1) // SLOTS_AT_ONCE
    by_lower, by_upper = lax.fori_loop(0, turns, more, (nothing, nothing))
    place = (names[:, None], column[None])
    position, extent = table[(member, 0, *place)], table[(member, 1, *place)]
    width, where = _sigmoid(extent), _sigmoid(position)
    room, both = 1 - width, by_upper - by_lower
    gradients = both * room * where * (1 - where), (by_upper - both * where) * width * room
    moves = (names > 0)[:, None]
    found = _updated(table, member, place, (position, extent), gradients, tempo, moves)
    for part, values in enumerate(_corners(*found)):
        corners[(member, part, *place)] = values


def roles_step(
    step: Any,
    member: Any,
    role: Any,
    lists: tuple[Any, ...],
    by: Any,
    tempo: Tempo,
    table: Any,
    inverses: Any,
    scaled: bool,
) -> None:
    """Add up the gradients of one role, and update it; only its shift unless it is `scaled`."""
    order, start, size = lists
    column = jnp.arange(table.shape[-1])
    begin, many = start[step, role], size[step, role]

    def more(turn: Any, so_far: tuple[Array, Array]) -> tuple[Array, Array]:
        places = turn * ROLE_SLOTS_AT_ONCE + jnp.arange(ROLE_SLOTS_AT_ONCE)
        real = places < many
        slots = order[step, jnp.where(real, begin + places, 0)]

        def added(part: int) -> Array:
            values = by[member, part, slots[:, None], column[None]]
            return so_far[part] + jnp.sum(jnp.where(real[:, None], values, 0.0), axis=0)

        return added(0), added(1)

    nothing = jnp.zeros((table.shape[-1],), jnp.float32)
    turns = (many + ROLE_SLOTS_AT_ONCE - 1) // ROLE_SLOTS_AT_ONCE
    by_scale, by_shift = lax.fori_loop(0, turns, more, (nothing, nothing))
    if not scaled:
        by_scale = nothing
    place = (role, column)
    old = table[(member, 0, *place)], table[(member, 1, *place)]
    found = _updated(table, member, place, old, (by_scale, by_shift), tempo, True)
    for part, values in enumerate(_inverse(*found)):
        inverses[(member, part, *place)] = values


def _updated(
    table: Any,
    member: Any,
    place: tuple[Any, ...],
    old: tuple[Array, Array],
    gradients: tuple[Array, Array],
    tempo: Tempo,
    moves: Array | bool,
) -> tuple[Array, Array]:
    """Write two parameters and their moments after a step of Adam; gives the parameters."""
    (rate, first_scale, second_scale), active = tempo
    found = []
    for part, gradient in enumerate(gradients):
        first = FIRST * table[(member, 2 + part, *place)] + (1 - FIRST) * gradient
        second = SECOND * table[(member, 4 + part, *place)] + (1 - SECOND) * gradient * gradient
        spread = jnp.sqrt(second * second_scale + LEAST_MOMENT) + ADAM_EPSILON
        moved = old[part] - jnp.where(
            (active > 0) & moves, rate * (first * first_scale / spread), 0
        )
        table[(member, part, *place)] = moved
        table[(member, 2 + part, *place)] = first
        table[(member, 4 + part, *place)] = second
        found.append(moved)
    return found[0], found[1]


def _corners(position: Array, extent: Array) -> tuple[Array, Array]:
    width = _sigmoid(extent)
    lower = _sigmoid(position) * (1 - width)
    return -lower, lower + width


def _inverse(scale: Array, shift: Array) -> tuple[Array, Array]:
    return jnp.exp(-bounded(scale, STEEPEST)), bounded(shift)


def _sigmoid(number: Array) -> Array:
    return 1 / (1 + jnp.exp(-number))
