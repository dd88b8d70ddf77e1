"""Points of a space, and how often they fall into something."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]


def cube(dim: int, count: int, seed: int = 0) -> Points:
    """Points of the unit cube."""
    return np.random.default_rng(seed).random((count, dim))


def ball(dim: int, count: int, seed: int = 0) -> Points:
    """Points of the unit ball."""
    random = np.random.default_rng(seed)
    way = random.normal(size=(count, dim))
    way /= np.linalg.norm(way, axis=1, keepdims=True)
    return np.asarray(way * random.random((count, 1)) ** (1 / dim))


def assert_share(inside: NDArray[np.bool_], log_measure: float) -> None:
    """The measure is the part of the points inside, up to four standard errors."""
    expected = np.exp(log_measure)
    error = np.sqrt(expected * (1 - expected) / inside.size)
    assert abs(inside.mean() - expected) <= 4 * error + 2 / inside.size
