"""Arrays of NumPy and of JAX by one name, and the few functions that their namespaces lack.

Regions are computed by the same code while training (JAX: traced and compiled) and when a single
query is answered (NumPy: no dispatch to pay for).
"""

from __future__ import annotations

from typing import Any

import numpy as np

Array = Any
"""A NumPy or a JAX array."""

Corners = tuple[Array, Array]
"""The lower and the upper corners of boxes."""

Tables = dict[str, Array]
"""Parameter tables by name; their first axis is that of names, roles or individuals."""

Parameters = dict[str, Tables]
"""All tables of an ensemble: of `names`, of `roles` and of `individuals`.

A table has the shape (rows, members, ...): one row number gives a row of every member.
"""

FARTHEST = 1e9
"""Places further away than this are read as this far: squares of it fit into single precision."""


def namespace(array: Array) -> Any:
    """The module whose functions take this array: `numpy` or `jax.numpy`."""
    return array.__array_namespace__()


def members_in(parameters: Parameters) -> int:
    """How many members the tables have."""
    return int(next(iter(parameters["names"].values())).shape[1])


def in_numpy(array: Array) -> bool:
    """Whether an array is NumPy's."""
    return isinstance(array, np.ndarray | np.generic)


def bounded(array: Array, most: float = FARTHEST) -> Array:
    """The array with everything between −most and most, so that nothing made of it overflows."""
    functions = namespace(array)
    return functions.minimum(functions.maximum(array, -most), most)


def without_gradient(array: Array) -> Array:
    """The array as a constant: nothing is differentiated by it."""
    if in_numpy(array):
        return array
    from jax.lax import stop_gradient

    return stop_gradient(array)


def sigmoid(array: Array) -> Array:
    """1 / (1 + exp(−x)), without overflow."""
    if in_numpy(array):
        from scipy.special import expit

        return expit(array)
    from jax.nn import sigmoid

    return sigmoid(array)


def largest(array: Array, axis: int) -> Array:
    """The largest numbers along an axis; the gradient goes to one of them.

    That of `jax.numpy.max` compares the numbers with the result, and is NaN if none is equal: it
    happens when a compiler computes them twice and rounds differently.
    """
    functions = namespace(array)
    if in_numpy(array):
        return functions.max(array, axis=axis)
    place = functions.expand_dims(functions.argmax(array, axis=axis), axis)
    return functions.squeeze(functions.take_along_axis(array, place, axis=axis), axis)


def hard_log(array: Array) -> Array:
    """The logarithm, −∞ where there is nothing."""
    if in_numpy(array):
        with np.errstate(divide="ignore"):
            return np.log(array)
    return namespace(array).log(array)
