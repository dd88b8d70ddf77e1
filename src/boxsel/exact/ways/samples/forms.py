"""The shares of given types as forms of their weights, for linear programmes.

A form is a product of names less a multiple of its body, or the other way round: so hundreds of
forms are sums of fewer products, of which two bounds of a share have the same.
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
DAMPING: Final = 1e-12
"""What is added to squares, relative to them: rows may follow from others."""
SMALLEST_FLOAT: Final = 1e-300
FIRST_WEIGHT: Final = 0.1
"""What types weigh at first at the least, relative to the mean, and what room shares have."""
HALF: Final = 0.5
"""Above it a bound is one from below for those who lack the head: no digits are lost then."""


@dataclass(frozen=True)
class Forms:
    """Forms of weights, some less a number that is not negative, and their values.

    The first are of some shares, by their numbers, and zero at a bound; then there are the body
    that is asked about, and all types. Each is a sum of two `parts`: products of names, or bodies
    without their heads, of types whose weights are in `units`.
    """

    parts: Floats
    places: tuple[Ints, Ints]
    factors: tuple[Floats, Floats]
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

    def pulls(self, shares: Shares, multiples: Floats) -> Floats:
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

    @property
    def width(self) -> int:
        """How many types there are."""
        return int(self.parts.shape[1])

    def of(self, point: Floats) -> Floats:
        """The values of all forms."""
        sums = self.parts @ point[: self.width]
        found = sum(
            factors * sums[places]
            for places, factors in zip(self.places, self.factors, strict=True)
        )
        whole = np.array(found)
        np.add.at(whole, self.slack, self.signs * point[self.width :])
        return whole

    def back(self, multiples: Floats) -> Floats:
        """The sum of multiples of all forms."""
        sums = np.zeros(len(self.parts))
        for places, factors in zip(self.places, self.factors, strict=True):
            sums += np.bincount(places, factors * multiples, len(sums))
        return np.concatenate([sums @ self.parts, self.signs * multiples[self.slack]])

    def squares(self, scales: Floats) -> Floats:
        """The products of forms with each other, scaled."""
        scaled = self.parts * np.sqrt(scales[: self.width])
        squares = scaled @ scaled.T
        (first, second), (one, other) = self.places, self.factors
        lines = one[:, None] * squares[first] + other[:, None] * squares[second]
        matrix = lines[:, first] * one + lines[:, second] * other
        np.add.at(matrix, (self.slack, self.slack), scales[self.width :])
        diagonal = np.diag_indices_from(matrix)
        matrix[diagonal] += DAMPING * matrix[diagonal] + SMALLEST_FLOAT
        return np.asarray(matrix)


def count_parts(shares: Shares) -> int:
    """How many parts forms have, about."""
    says = (shares.lower > 0) | (shares.upper < 1) | (shares.lower == shares.upper)
    return len(np.unique(shares.bodies[says])) + int(np.count_nonzero(says))


def find_forms(shares: Shares, having: Bools, base: Floats) -> Forms:
    """The forms of all shares whose bodies some types have, from weights that types begin with."""
    others = np.asarray(having[shares.bodies].any(1))
    others[-1] = False  # it is asked about
    point = shares.lower == shares.upper
    kinds = (
        (others & point, shares.lower, 1.0),
        (others & ~point & (shares.lower > 0), shares.lower, 1.0),
        (others & ~point & (shares.upper < 1), shares.upper, -1.0),
    )
    body = having[shares.bodies[-1]]
    base = base / float(base[body].sum())
    masses = having @ base
    numbers = np.concatenate([np.flatnonzero(chosen) for chosen, _, _ in kinds])
    bounds = np.concatenate([bounds[chosen] for chosen, bounds, _ in kinds])
    signs = np.concatenate([np.full(int(chosen.sum()), sign) for chosen, _, sign in kinds])
    room = digits_of(bounds) * masses[shares.bodies[numbers]]
    scales = signs / np.maximum(room, SMALLEST_FLOAT)
    lines, places, factors = _find_parts(shares, having, numbers, bounds, scales)
    every = 1 / MOST_GROWTH / float(base.sum())
    ones = np.ones((1, len(base)), bool)
    means, mean = means_of(having, base), float(base.mean())
    units = rarest(having, means, mean)
    last = len(lines) + np.arange(2)
    first_upper = int(sum(chosen.sum() for chosen, _, _ in kinds[:2]))
    at = [
        shares.ratios[number].lower if row < first_upper else shares.ratios[number].upper
        for row, number in enumerate(numbers.tolist())
    ]
    points = int(kinds[0][0].sum())
    slack = np.array([*range(points, len(numbers)), len(numbers) + 1], np.intp)
    slack_signs, values = np.full(len(slack), -1.0), np.zeros(len(numbers) + 2)
    slack_signs[-1], values[-2:] = 1.0, 1.0
    return Forms(
        np.vstack([lines, body[None, :], ones]) * units,
        (np.append(places[0], last), np.append(places[1], last)),
        (np.append(factors[0], [1.0, every]), np.append(factors[1], [0.0, 0.0])),
        numbers,
        at,
        scales,
        slack,
        slack_signs,
        values,
        units,
        np.maximum(base / units, FIRST_WEIGHT),
        every,
        means,
        mean,
    )


def _find_parts(
    shares: Shares, having: Bools, numbers: Ints, bounds: Floats, scales: Floats
) -> tuple[Bools, tuple[Ints, Ints], tuple[Floats, Floats]]:
    """The parts of shares: heads in bodies less so much of the bodies, or what is left of these."""
    lacking = bounds > HALF
    kinds, sides = np.unique(2 * numbers + lacking, return_inverse=True)
    bodies, of = np.unique(shares.bodies[numbers], return_inverse=True)
    heads = having[shares.boths[kinds // 2]]
    heads ^= (kinds % 2).astype(bool)[:, None] & having[shares.bodies[kinds // 2]]
    side = np.where(lacking, -scales, scales)
    body = np.where(lacking, (1 - bounds) * scales, -bounds * scales)
    return np.vstack([heads, having[bodies]]), (sides, len(kinds) + of), (side, body)
