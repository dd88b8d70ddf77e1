"""Soft lengths: what lets a box feel another one that it does not touch."""

from __future__ import annotations

import jax
import jax.numpy as jnp

from boxsel.models.arrays import Array

_FAR = -36.0
"""Below this, softplus(z) is exp(z) to double precision, and its logarithm is z."""


@jax.custom_jvp
def log_softplus(z: Array) -> Array:
    """log(log(1 + exp(z))), with a value and a gradient everywhere.

    It is about log(z) for large z and about z for z far below zero, where the inner logarithm
    alone would be zero, and the gradient lost.

    Examples:
        >>> [round(float(log_softplus(jnp.float32(z))), 3) for z in (-1e30, -20.0, 0.0, 100.0)]
        [-1.0000000150474662e+30, -20.0, -0.367, 4.605]
    """
    near = jnp.maximum(z, _FAR)
    return jnp.where(z < _FAR, z, jnp.log(jax.nn.softplus(near)))


@log_softplus.defjvp
def _log_softplus_jvp(primals: tuple[Array], tangents: tuple[Array]) -> tuple[Array, Array]:
    (z,), (dz,) = primals, tangents
    near = jnp.maximum(z, _FAR)
    slope = jnp.where(z < _FAR, 1.0, jax.nn.sigmoid(near) / jax.nn.softplus(near))
    return log_softplus(z), slope * dz


def log_soft_length(length: Array, temperature: Array) -> Array:
    """The logarithm of softplus with a temperature: t · log(1 + exp(x / t)).

    It tends to log(max(x, 0)) as the temperature goes to zero.
    """
    return jnp.log(temperature) + log_softplus(length / temperature)
