"""Training as one would first write it in JAX: the reference that ours is measured against.

`vmap` over members, `scan` over steps, automatic differentiation, Optax's Adam on whole tables, and
a role for every slot, where most are the identity. The loss is ours.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import optax

from boxsel.models.arrays import Parameters
from boxsel.models.batching import Batching
from boxsel.models.losses import row_loss
from boxsel.models.objective import Knobs

Array = Any
Tables = dict[str, Array]
_ADAM = optax.scale_by_adam(b2=0.99)


class Batch(NamedTuple):
    """Rows: names and roles of their three slots, and bounds."""

    names: Array
    roles: Array
    lower: Array
    upper: Array


def batches(batching: Batching, epochs: range) -> Batch:
    """The batches of some epochs, in one stratum."""
    (rows,) = batching.batches(epochs)
    nothing = np.zeros_like(rows.body)

    def columns(*found: Array | None) -> Array:
        return np.stack([nothing if one is None else one for one in found], axis=1)

    return Batch(
        columns(rows.body, rows.second, rows.head),
        columns(rows.body_role, rows.second_role, rows.head_role),
        rows.lower,
        rows.upper,
    )


def member_tables(parameters: Parameters) -> Tables:
    """The tables of names and roles with the axis of members first."""
    tables = {**parameters["names"], **parameters["roles"]}
    return {
        name: jnp.asarray(np.moveaxis(table, 1, 0), jnp.float32) for name, table in tables.items()
    }


@jax.jit
def train(tables: Tables, steps: Batch, knobs: Knobs) -> tuple[Tables, Array]:
    """The tables after some steps, and the losses by member and step."""

    def one(start: Tables) -> tuple[Tables, Array]:
        def step(carry: Any, now: tuple[Batch, Knobs]) -> tuple[Any, Array]:
            tables, state = carry
            loss, gradient = jax.value_and_grad(_loss)(tables, now[0], now[1].temperature)
            moves, state = _ADAM.update(gradient, state)
            moved = jax.tree.map(lambda table, move: table - now[1].rate * move, tables, moves)
            return (moved, state), loss

        (tables, _), losses = jax.lax.scan(step, (start, _ADAM.init(start)), (steps, knobs))
        return tables, losses

    return jax.vmap(one)(tables)


def _loss(tables: Tables, batch: Batch, temperature: Array) -> Array:
    one, other, head = (_box(tables, batch.names[slot], batch.roles[slot]) for slot in range(3))
    body = jnp.maximum(one[0], other[0]), jnp.minimum(one[1], other[1])
    both = jnp.maximum(body[0], head[0]), jnp.minimum(body[1], head[1])
    log_share = _log_volume(*both, temperature) - _log_volume(*body, temperature)
    return jnp.sum(row_loss(log_share, batch.lower, batch.upper, temperature))


def _box(tables: Tables, names: Array, roles: Array) -> tuple[Array, Array]:
    width = jax.nn.sigmoid(tables["extent"][names])
    lower = jax.nn.sigmoid(tables["position"][names]) * (1 - width)
    top, identity = (names == 0)[:, None], (roles == 0)[:, None]
    lower, upper = jnp.where(top, 0.0, lower), jnp.where(top, 1.0, lower + width)
    scale, shift = jnp.exp(tables["scale"][roles]), tables["shift"][roles]
    moved = jnp.maximum((lower - shift) / scale, 0.0), jnp.minimum((upper - shift) / scale, 1.0)
    return jnp.where(identity, lower, moved[0]), jnp.where(identity, upper, moved[1])


def _log_volume(lower: Array, upper: Array, temperature: Array) -> Array:
    length = (upper - lower) / temperature
    soft = jnp.log(jnp.maximum(jax.nn.softplus(length), 1e-30))
    return jnp.sum(jnp.where(length < -15, length, soft), axis=-1)
