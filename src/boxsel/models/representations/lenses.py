"""Volumes of lenses: what two balls of any dimension have in common, in log space.

A lens is made of two caps. A cap takes the part I(y) of its ball, where y is its height as a part
of the diameter and I the regularised incomplete beta function with both parameters (n + 1) / 2.
That is y to the power (n + 1) / 2 times a smooth function, which is interpolated. So the logarithm
is right where I itself would underflow, as it does for thin lenses in 32 dimensions.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from math import isqrt, lgamma
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boxsel.models.arrays import Array, in_numpy, namespace, without_gradient

_TINY = 1e-30


class Lengths(NamedTuple):
    """The logarithms of the two radii and of half the thickness of a lens."""

    small: Array
    large: Array
    half: Array


def log_lens(lengths: Lengths, dim: int) -> Array:
    """The logarithm of a lens's volume, that of the unit ball being 1.

    It is that of the small ball if this is as thick as the lens.

    Examples:
        >>> half, one = np.log(np.float64(0.25)), np.log(np.float64(1.0))
        >>> round(float(np.exp(log_lens(Lengths(one, one, half), dim=1))), 12)
        0.25
    """
    array = namespace(lengths.half)
    depth, ratio = lengths.half - lengths.small, lengths.small - lengths.large
    left, right = -array.expm1(depth), -array.expm1(depth + ratio)
    both = right + array.exp(ratio) * left
    # The plane between the caps lies where the volume is stationary: no gradient comes from it.
    of_large = without_gradient(
        array.maximum(array.exp(ratio) * left / array.where(both > 0, both, 1.0), _TINY)
    )
    heights = array.stack(
        [depth + ratio + array.log(of_large), depth + array.log1p(-of_large)], axis=0
    )
    large, small = log_cap(heights, dim)
    part = small + array.logaddexp(large - dim * ratio - small, 0.0)
    return dim * lengths.small + array.minimum(part, 0.0)


def log_cap(log_height: Array, dim: int) -> Array:
    """The logarithm of the part of a ball that a cap takes, by that of its height.

    The height is that part of the diameter: 1 for the whole ball.
    """
    if in_numpy(log_height):
        return _log_cap(log_height, dim)[0]
    return _differentiable()(log_height, dim)


@cache
def _differentiable() -> Callable[[Array, int], Array]:
    import jax

    def value(log_height: Array, dim: int) -> Array:
        return _log_cap(log_height, dim)[0]

    def tangent(dim: int, primals: tuple[Array], tangents: tuple[Array]) -> tuple[Array, Array]:
        found, slope = _log_cap(primals[0], dim)
        return found, slope * tangents[0]

    differentiable = jax.custom_jvp(value, nondiff_argnums=(1,))
    differentiable.defjvp(tangent)
    return differentiable


def _log_cap(log_height: Array, dim: int) -> tuple[Array, Array]:
    """The logarithm of a cap, and its slope.

    Of a cap that is more than a half, the rest is computed.
    """
    array = namespace(log_height)
    power = (dim + 1) / 2
    height = array.exp(log_height)
    rest = array.maximum(-array.expm1(log_height), _TINY)
    smooth = _chebyshev(4 * array.minimum(height, rest) - 1, _coefficients(dim))
    is_small = height <= 0.5
    log_whole = 2 * lgamma(power) - lgamma(2 * power)
    log_rest = array.log(rest)
    of_rest = array.log1p(-array.exp(array.where(is_small, -1.0, power * log_rest + smooth)))
    found = array.where(is_small, power * log_height + smooth, of_rest)
    above = array.where(is_small, -smooth, power * array.maximum(log_height, -1.0) - of_rest)
    return found, array.exp(above + (power - 1) * log_rest - log_whole)


def _chebyshev(place: Array, coefficients: tuple[float, ...]) -> Array:
    """A sum of Chebyshev polynomials, by Clenshaw's recurrence."""
    first, second = place * 0.0, place * 0.0
    for coefficient in reversed(coefficients[1:]):
        first, second = 2 * place * first - second + coefficient, first
    return place * first - second + coefficients[0]


@cache
def _coefficients(dim: int) -> tuple[float, ...]:
    """log(I(y) / y^((n+1)/2)) on [0, 1/2] as a Chebyshev series: to about twelve digits."""
    terms = 16 + isqrt(dim)
    nodes = np.cos(np.pi * (np.arange(terms) + 0.5) / terms)
    values = _log_smooth((nodes + 1) / 4, dim)
    series = np.polynomial.chebyshev.chebfit(nodes, values, terms - 1)
    return tuple(map(float, series))


def _log_smooth(heights: NDArray[np.float64], dim: int) -> NDArray[np.float64]:
    """The function to interpolate, by Gauss's quadrature over the angle."""
    from scipy.special import logsumexp

    nodes, weights = np.polynomial.legendre.leggauss(64 + 8 * isqrt(dim))
    angle = 2 * np.arcsin(np.sqrt(heights))
    sines = np.sin(np.multiply.outer(angle, (nodes + 1) / 2))
    integral = logsumexp(dim * np.log(sines), b=weights / 2, axis=-1) + np.log(angle)
    power = (dim + 1) / 2
    log_whole = 2 * lgamma(power) - lgamma(2 * power) + dim * np.log(2)
    return np.asarray(integral - log_whole - power * np.log(heights))
