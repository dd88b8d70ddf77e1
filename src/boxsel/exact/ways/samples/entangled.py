"""Products without a step of their own: sums of products that no step changes.

Steps put all other products right, whatever is left of them. A sum of products that the type of no
step has is put right by further types, before. If no type has it at all, it has to be zero by what
products should weigh: then parts of them that hang together by shares are multiples of each other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd
from typing import Final

import numpy as np
from numpy.typing import NDArray

from boxsel.exact.types.gibbs import Floats
from boxsel.exact.types.tables import Bools

MOST_PRODUCTS: Final = 64
"""So many products without a step at the most: it takes longer than steps."""
LARGEST_FACTOR: Final = 1 << 40
"""Factors are no larger, so that sums of them fit into a number of the processor."""
Step = tuple[int, int]
"""A product, and the type that puts it right."""
Factors = NDArray[np.int64]
"""A factor of each product."""


@dataclass(frozen=True)
class Sum:
    """Factors of products, and what types have of their sum."""

    factors: Factors
    having: Factors


@dataclass(frozen=True)
class Rest:
    """Sums that further types put right, the last one first, and sums that nobody has."""

    steps: Sequence[tuple[Sum, int]]
    ties: Sequence[Factors]


def find_rest(having: Bools, weights: Floats, steps: Sequence[Step]) -> Rest | None:
    """What is left to put right beside steps; nothing if that is too much."""
    rest = np.setdiff1d(np.arange(len(having)), [product for product, _ in steps])
    if len(rest) > MOST_PRODUCTS:
        return None
    factors = np.zeros((len(rest), len(having)), np.int64)
    factors[np.arange(len(rest)), rest] = 1
    for product, column in steps:
        factors[:, product] = -factors @ having[:, column]
    further: list[tuple[Sum, int]] = []
    ties = []
    for line in factors:
        for known, column in further:
            line = _clear(line, known, int(line @ having[:, column]), column)
        if np.abs(line).max(initial=0) > LARGEST_FACTOR:
            return None
        sums = line @ having
        column = int(np.argmax(np.where(sums != 0, weights, 0.0)))
        if sums[column] and weights[column]:
            further.append((Sum(line, sums), column))
        else:
            ties.append(line)
    return Rest(further, ties)


def _clear(line: Factors, known: Sum, value: int, column: int) -> Factors:
    """A line less a multiple of a known one, so that a type has nothing of it."""
    if not value:
        return line
    line = line * known.having[column] - known.factors * value
    return line // (gcd(*line.tolist()) or 1)


def tie(
    ties: Sequence[Factors], parts: Sequence[Mapping[int, Fraction]], scales: Sequence[Fraction]
) -> list[Fraction] | None:
    """Scales of parts near given ones with which sums of products are zero; none if there are none.

    Examples:
        >>> parts = [{0: Fraction(1)}, {1: Fraction(1, 2)}]
        >>> tie([np.array([1, -1])], parts, [Fraction(3), Fraction(5)])
        [Fraction(5, 2), Fraction(5, 1)]
    """
    scales = list(scales)
    solved: list[tuple[int, dict[int, Fraction]]] = []
    for factors in ties:
        line = {
            number: sum((int(factors[product]) * own for product, own in part.items()), Fraction(0))
            for number, part in enumerate(parts)
        }
        for place, known in solved:
            times = line[place] / known[place]
            for number, own in known.items():
                line[number] -= times * own
        line = {number: own for number, own in line.items() if own}
        if len(line) == 1:
            return None
        if line:
            place = min(line, key=lambda number: (-abs(line[number] * scales[number]), number))
            solved.append((place, {**dict.fromkeys(range(len(parts)), Fraction(0)), **line}))
    for place, line in reversed(solved):
        others = sum(own * scales[number] for number, own in line.items() if number != place)
        scales[place] = -others / line[place]
    return scales
