"""The rows of programmes over weights of types: what shares say, as forms.

Each form is a sum of at most two products, times numbers: what has a body, and what of it has the
head, or has not. Products are mostly fewer than forms, since bodies have several heads and shares
two bounds. Then forms are not spelt out: what is dense is only the table of products.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final

import numpy as np

from boxsel.exact.types.gibbs import Floats
from boxsel.exact.types.tables import Bools, Ints
from boxsel.exact.ways.samples.sample import means_of, rarest
from boxsel.exact.ways.samples.shares import Shares, digits_of

MOST_GROWTH: Final = 100.0
"""All types weigh at most so many times what they do at first, where the body weighs the same."""
DAMPING: Final = (1e-12, 1e-6)
MOST_ROUGH: Final = 1e15
"""What is added to squares, relative to them, since rows may follow from others: with many digits,
and with few, which have no room for larger numbers."""
SMALLEST_FLOAT: Final = 1e-300
FIRST_WEIGHT: Final = 0.1
"""What types weigh at first at the least, relative to the mean, and what room shares have."""


@dataclass(frozen=True)
class _Parts:
    """Forms as two products each, by their places in a table, times numbers."""

    places: tuple[Ints, Ints]
    numbers: tuple[Floats, Floats]

    def of(self, sums: Floats) -> Floats:
        """What forms come to, from what products come to, one or a line of them."""
        one, other = (
            (numbers * sums[places].T).T
            for places, numbers in zip(self.places, self.numbers, strict=True)
        )
        return np.asarray(one + other)

    def back(self, multiples: Floats, count: int) -> Floats:
        """The sum of multiples of forms, as numbers for each of so many products."""
        found = np.zeros(count)
        for places, numbers in zip(self.places, self.numbers, strict=True):
            found += np.bincount(places, numbers * multiples, count)
        return found


@dataclass(frozen=True)
class Forms:
    """Forms of weights, some less a number that is not negative, and their values.

    The first are of some shares, by their numbers, and zero at a bound; then there are the body
    that is asked about, and all types. Weights are in `units` of each type.
    """

    products: Floats
    parts: _Parts
    numbers: Ints
    bounds: Sequence[Fraction]
    scales: Floats
    slack: Ints
    signs: Floats
    values: Floats
    units: Floats
    start: Floats
    every: float
    means: Floats
    mean: float

    def factors(self, shares: Shares, multiples: Floats) -> Floats:
        """The sum of multiples of all forms but the last, as factors of products."""
        found = np.zeros(len(shares.products))
        pulls = multiples[: len(self.numbers)] * self.scales
        bounds = np.array([float(bound) for bound in self.bounds])
        np.add.at(found, shares.boths[self.numbers], pulls)
        np.add.at(found, shares.bodies[self.numbers], -pulls * bounds)
        found[shares.bodies[-1]] += multiples[len(self.numbers)]
        return found

    def elastic(self) -> Forms:
        """The same where those of shares may be missed: what they lack, and what is too much."""
        count = len(self.numbers)
        points = np.setdiff1d(np.arange(count), self.slack)
        slack = np.concatenate([self.slack, np.arange(count), points])
        signs = np.concatenate([self.signs, np.ones(count), -np.ones(len(points))])
        return replace(self, slack=slack, signs=signs)

    def of(self, point: Floats) -> Floats:
        """The values of all forms."""
        width = self.products.shape[1]
        found = self.parts.of(self.products @ point[:width])
        np.add.at(found, self.slack, self.signs * point[width:])
        return np.asarray(found)

    def back(self, multiples: Floats) -> Floats:
        """The sum of multiples of all forms."""
        sums = self.parts.back(multiples, len(self.products)) @ self.products
        return np.concatenate([sums, self.signs * multiples[self.slack]])

    def squares(self, scales: Floats, *, is_rough: bool = False) -> Floats:
        """The products of forms with each other, scaled; with few digits, if they are `rough`."""
        width = self.products.shape[1]
        scaled = self.products * np.sqrt(scales[:width])
        is_rough = is_rough and bool(scaled.max() < MOST_ROUGH)
        if is_rough:
            scaled = scaled.astype(np.float32)
        matrix = self.parts.of(self.parts.of((scaled @ scaled.T).astype(np.float64)).T)
        np.add.at(matrix, (self.slack, self.slack), scales[width:])
        diagonal = np.diag_indices_from(matrix)
        matrix[diagonal] += DAMPING[is_rough] * matrix[diagonal] + SMALLEST_FLOAT
        return np.asarray(matrix)


def forms_of(shares: Shares, having: Bools, base: Floats) -> Forms:
    """The rows of what shares say about types, in units that a base suggests."""
    others = np.asarray(having[shares.bodies].any(1))
    others[-1] = False  # it is asked about
    point = shares.lower == shares.upper
    kinds = (
        (others & point, shares.lower, 1.0),
        (others & ~point & (shares.lower > 0), shares.lower, 1.0),
        (others & ~point & (shares.upper < 1), shares.upper, -1.0),
    )
    base = base / float(base[having[shares.bodies[-1]]].sum())
    masses = having @ base
    chosen = [np.flatnonzero(some) for some, _, _ in kinds]
    of = np.concatenate(chosen)
    bounds = np.concatenate(
        [bounds[some] for (_, bounds, _), some in zip(kinds, chosen, strict=True)]
    )
    signs = np.repeat([sign for _, _, sign in kinds], [len(some) for some in chosen])
    scales = signs / np.maximum(digits_of(bounds) * masses[shares.bodies[of]], SMALLEST_FLOAT)
    every = 1 / MOST_GROWTH / float(base.sum())
    table, parts = _parts_of(shares, having, of, bounds, scales, every)
    means, mean = means_of(having, base), float(base.mean())
    units = rarest(having, means, mean)
    least = len(of) - len(chosen[-1])
    at = [
        shares.ratios[number].lower if row < least else shares.ratios[number].upper
        for row, number in enumerate(of.tolist())
    ]
    slack = np.array([*range(len(chosen[0]), len(of)), len(of) + 1], np.intp)
    signs, values = np.full(len(slack), -1.0), np.zeros(len(of) + 2)
    signs[-1], values[-2:] = 1.0, 1.0
    start = np.maximum(base / units, FIRST_WEIGHT)
    products = table * units
    return Forms(
        products, parts, of, at, scales, slack, signs, values, units, start, every, means, mean
    )


def _parts_of(
    shares: Shares, having: Bools, of: Ints, bounds: Floats, scales: Floats, every: float
) -> tuple[Floats, _Parts]:
    """Forms of some shares at bounds, scaled, of the last body, and of all types; their products.

    Where a share is more than a half, its body is beside what has not the head: else digits would
    be lost. Where forms are fewer than products, they are the products.
    """
    count, bodies = len(having), shares.bodies[of]
    most = bounds > 0.5
    rests = np.unique(of[most])
    lacking = having[shares.bodies[rests]] & ~having[shares.boths[rests]]
    everybody = np.ones((1, having.shape[1]), bool)
    heads = np.where(most, count + np.searchsorted(rests, of), shares.boths[of])
    asked, all_of_them = int(shares.bodies[-1]), count + len(rests)
    places = np.append(bodies, [asked, all_of_them]), np.append(heads, [asked, all_of_them])
    numbers = (
        np.append(scales * (most - bounds), [1.0, every]),
        np.append(np.where(most, -scales, scales), [0.0, 0.0]),
    )
    used, found = np.unique(np.concatenate(places), return_inverse=True)
    table = np.vstack([having, lacking, everybody])[used].astype(np.float64)
    parts = _Parts((found[: len(of) + 2], found[len(of) + 2 :]), numbers)
    if len(used) <= len(of):
        return table, parts
    alone: Ints = np.arange(len(of) + 2)
    return parts.of(table), _Parts((alone, alone), (np.ones(len(alone)), np.zeros(len(alone))))
