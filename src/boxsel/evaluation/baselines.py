"""Baselines: predictions that need no model, for others to be better than."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

import numpy as np

from boxsel.errors import BoxselError
from boxsel.evaluation.conditionals import Floats
from boxsel.evaluation.splits.split import Split

Baseline = Callable[[Split, int], Floats]
"""Predicts intervals for the queries of a split, of shape [queries, 2]; chance has a seed."""


def fixed(split: Split, seed: int) -> Floats:  # noqa: ARG001 - every baseline is given one
    """[0, 1] for each query: what is known without any premise."""
    found: Floats = np.tile([0.0, 1.0], (len(split.queries), 1))
    return found


def random(split: Split, seed: int) -> Floats:
    """Two uniform numbers for each query, in order."""
    found: Floats = np.random.default_rng(seed).random((len(split.queries), 2))
    return np.sort(found, axis=1)


def kde(split: Split, seed: int) -> Floats:
    """An interval for each query, drawn from the density of the learning set's intervals.

    The intervals [l, u] of the learning set are taken for samples of a density, estimated with
    Gaussian kernels. Scott's rule gives the bandwidths: σ₁·m^(−1/6) for l and σ₂·m^(−1/6) for u,
    where m is the number of intervals and σ their standard deviation. The paper writes these as the
    entries of H, whose place in its kernel is that of a covariance; we read them as standard
    deviations, as Scott's rule has them. H is diagonal: the noise of l and that of u are
    independent. Nothing keeps such a sample within [0, 1] or its ends in order: we clip it, and
    then order it. The counted conditionals are points, l = u. Those that are undefined have none.

    Raises:
        BoxselError: There is no interval to learn from.
    """
    shares = split.learning.take(split.learning.defined).share
    if not len(shares):
        raise BoxselError(f"{split.ontology.name}, {split.variant}: no conditional is defined")
    intervals = np.stack([shares, shares], axis=1)
    found = drawn(intervals, len(split.queries), np.random.default_rng(seed))
    return np.sort(found.clip(0, 1), axis=1)


def drawn(intervals: Floats, number: int, chance: np.random.Generator) -> Floats:
    """Samples of the density: an interval of those given, and noise for each of its ends."""
    chosen = intervals[chance.integers(len(intervals), size=number)]
    found: Floats = chosen + bandwidths(intervals) * chance.standard_normal((number, 2))
    return found


def bandwidths(intervals: Floats) -> Floats:
    """The standard deviations of a kernel in both directions; none for a single interval."""
    size = len(intervals)
    spread = intervals.std(axis=0, ddof=1) if size > 1 else np.zeros(2)
    found: Floats = spread * float(size) ** (-1 / 6)
    return found


BASELINES: Final[Mapping[str, Baseline]] = MappingProxyType(
    {"fixed": fixed, "random": random, "kde": kde}
)
"""Every baseline by its name."""
