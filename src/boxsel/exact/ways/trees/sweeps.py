"""Distributions along a tree of bags: a factor for each type of a bag, and sweeps up and down.

A whole type weighs the product of the factors of what it is in each bag. A sweep up adds up, for
each pattern that a bag shares with the one above, all that is below; a sweep down then gives every
type of a bag its weight among all whole types. Factors are logarithms: nothing is too small.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from boxsel.exact.ways.trees.bags import Bags, Places
from boxsel.exact.ways.trees.levels import (
    Floats,
    Shared,
    add_logarithms,
    add_up,
    group_by_depth,
    number_types,
)

Visit = Callable[[int, Floats], None]
"""What is done at a depth, to numbers of all types, before they are passed on."""


@dataclass(frozen=True)
class Weighting:
    """What each type of a bag weighs, and which part it is of its pattern.

    `patterns` are the weights of what is shared, by depth; `height` is the logarithm of the weight
    of everything before it was made 1: minus infinity, if there is no whole type.
    """

    height: float
    parts: Floats
    weights: Floats
    patterns: Sequence[Floats]


class Sweeps:
    """Sweeps along a tree; `first` are the numbers of the bags' first types."""

    def __init__(self, bags: Bags) -> None:
        self.depths = group_by_depth(bags)
        self.first: Places = number_types(bags)
        self.levels = [Shared.of(bags, places, self.first) for places in self.depths[1:]]
        self._root = slice(0, int(self.first[1]))

    def weigh(self, factors: Floats) -> Weighting:
        """The weights that follow from the logarithms of factors."""
        height, parts = self.rise(factors)
        return Weighting(height, parts, *self.sink(parts))

    def rise(self, factors: Floats, visit: Visit | None = None) -> tuple[float, Floats]:
        """From the leaves to the root: the height of everything, and the parts of patterns."""
        heights, parts = factors.copy(), np.zeros(len(factors))
        for depth, level in reversed([*enumerate(self.levels, 1)]):
            (types, patterns), (above, shared) = level.below, level.above
            if visit is not None:
                visit(depth, heights)
            sums = add_logarithms(patterns, heights[types], level.count)
            parts[types] = _divide(heights[types], sums[patterns])
            np.add.at(heights, above, sums[shared])
        if visit is not None:
            visit(0, heights)
        top = heights[self._root]
        everything = add_logarithms(np.zeros(len(top), np.intp), top, 1)
        parts[self._root] = _divide(top, everything)
        return float(everything[0]), parts

    def sink(self, parts: Floats, visit: Visit | None = None) -> tuple[Floats, list[Floats]]:
        """From the root to the leaves: the weights of types, and of the patterns by depth."""
        weights, weighed = parts.copy(), []
        if visit is not None:
            visit(0, weights)
        for depth, level in enumerate(self.levels, 1):
            (types, patterns), (above, shared) = level.below, level.above
            weighed.append(add_up(shared, weights[above], level.count))
            weights[types] *= weighed[-1][patterns]
            if visit is not None:
                visit(depth, weights)
        return weights, weighed

    def expect(self, weighting: Weighting, values: Floats) -> Floats:
        """How much more the values of a whole type sum to, on average, if it is this in a bag."""
        parts, found, passed = weighting.parts, values.copy(), []
        for level in reversed(self.levels):
            (types, patterns), (above, shared) = level.below, level.above
            passed.append(add_up(patterns, parts[types] * found[types], level.count))
            np.add.at(found, above, passed[-1][shared])
        found[self._root] -= parts[self._root] @ found[self._root]
        for level, weighed, below in zip(
            self.levels, weighting.patterns, reversed(passed), strict=True
        ):
            (types, patterns), (above, shared) = level.below, level.above
            sums = add_up(shared, weighting.weights[above] * found[above], level.count)
            means = np.divide(sums, weighed, out=np.zeros(level.count), where=weighed > 0)
            found[types] += (means - below)[patterns]
        return found


def _divide(heights: Floats, sums: Floats) -> Floats:
    """Which part of a sum each is; nothing, of nothing."""
    parts: Floats = np.exp(heights - np.where(np.isneginf(sums), 0.0, sums))
    return parts
