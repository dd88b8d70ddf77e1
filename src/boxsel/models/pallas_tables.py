"""A step of Adam for names and for roles, as a kernel takes it.

A table has the shape (members, parts, rows, dimensions). The parts are two parameters, their two
first and their two second moments; of what is computed of them, there are two.
"""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
from jax import lax

from boxsel.models.arrays import Array, bounded
from boxsel.models.optimizer import FIRST, LEAST, SECOND, SMALL
from boxsel.models.roles.affine import STEEPEST

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
        spread = jnp.sqrt(second * second_scale + LEAST) + SMALL
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
