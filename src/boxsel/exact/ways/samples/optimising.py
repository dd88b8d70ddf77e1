"""Weights of given types with which a share is as small, or as large, as they allow, nearly.

Calibrated weights are as equal as possible, and where many shares have one value they are hard to
find far from where the search began. This is the linear programme over the types itself, by an
interior point method: its rows are dense, and the last digits are not wanted.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from scipy.linalg import LinAlgError, cho_factor, cho_solve

from boxsel.exact.types.gibbs import Floats, Ints
from boxsel.exact.types.tables import Bools
from boxsel.exact.ways.samples.shares import Shares
from boxsel.machine.budget import Budget

STEPS: Final = 60
NEAR: Final = 1e-4
MET: Final = 1e-6
"""So many steps at most; a share so near the best one is good enough, and so are rows."""
MOST: Final = 100.0
"""All types weigh at most so many times what they do at first, where the body weighs the same."""
DAMPING: Final = 1e-12
"""What is added to squares, relative to them: rows may follow from others."""
TINY: Final = 1e-300
LEAST: Final = 1e-2
"""What types weigh at first at the least, relative to the mean, and what room shares have."""
SHORT: Final = 0.9
"""The part of the way to where a weight would be zero."""
COSTLY: Final = 1e10
"""Where a step takes more products, there is no time for all of them."""


@dataclass(frozen=True)
class Optimised:
    """Weights, the share with them, and how hard each other share pulls against a better one."""

    weights: Floats
    share: float
    pulls: Floats


def optimise(
    shares: Shares, having: Bools, base: Floats, sign: int, budget: Budget
) -> Optimised | None:
    """Weights with which the last share is nearly the largest, or for -1 the smallest.

    Nothing, where that takes too long, or rows are not met.

    Raises:
        OutOfTimeError: The budget is spent.
    """
    point = shares.lower == shares.upper
    count = np.count_nonzero(point | (shares.lower > 0)) + np.count_nonzero(
        ~point & (shares.upper < 1)
    )
    if count**2 * len(base) > COSTLY:
        return None
    rows = _rows(shares, having, base)
    body, both = (having[some[-1]] for some in (shares.bodies, shares.boths))
    costs = np.concatenate([-sign * both.astype(np.float64), np.zeros(len(rows.slack))])
    try:
        found = _solve(rows, costs, base / float(base[body].sum()), budget)
    except LinAlgError:
        return None
    if found is None:
        return None
    weights, multiples = found[0][: len(base)], found[1]
    pulls = np.zeros(len(shares))
    np.add.at(pulls, rows.numbers, np.abs(multiples[: len(rows.numbers)]))
    share = float(weights[both].sum() / weights[body].sum())
    return Optimised(np.asarray(weights / weights.sum()), share, pulls)


@dataclass(frozen=True)
class _Rows:
    """Forms of weights, some less a number that is not negative, and their values.

    The first are of some shares, then there are the body that is asked about, and all types.
    """

    forms: Floats
    numbers: Ints
    slack: Ints
    signs: Floats
    values: Floats

    def of(self, point: Floats) -> Floats:
        """The values of all forms."""
        width = self.forms.shape[1]
        found = self.forms @ point[:width]
        found[self.slack] += self.signs * point[width:]
        return np.asarray(found)

    def back(self, multiples: Floats) -> Floats:
        """The sum of multiples of all forms."""
        return np.concatenate([multiples @ self.forms, self.signs * multiples[self.slack]])

    def squares(self, scales: Floats) -> Floats:
        """The products of forms with each other, scaled."""
        width = self.forms.shape[1]
        scaled = self.forms * np.sqrt(scales[:width])
        matrix = scaled @ scaled.T
        matrix[self.slack, self.slack] += scales[width:]
        diagonal = np.diag_indices_from(matrix)
        matrix[diagonal] += DAMPING * matrix[diagonal] + TINY
        return np.asarray(matrix)


def _rows(shares: Shares, having: Bools, base: Floats) -> _Rows:
    others = np.asarray(having[shares.bodies].any(1))
    others[-1] = False  # it is asked about
    point = shares.lower == shares.upper
    kinds = (
        (others & point, shares.lower, 1.0),
        (others & ~point & (shares.lower > 0), shares.lower, 1.0),
        (others & ~point & (shares.upper < 1), shares.upper, -1.0),
    )
    body = having[shares.bodies[-1]]
    mass = float(base[body].sum())
    forms, numbers = [], []
    for chosen, bounds, sign in kinds:
        some = np.flatnonzero(chosen)
        bodies = having[shares.bodies[some]]
        form = sign * (having[shares.boths[some]] - bounds[some, None] * bodies)
        forms.append(form * (mass / np.maximum(bodies @ base, TINY))[:, None])
        numbers.append(some)
    forms += [body[None, :].astype(np.float64), np.full((1, len(base)), mass / MOST)]
    whole, of = np.vstack(forms), np.concatenate(numbers)
    slack = np.array([*range(len(numbers[0]), len(of)), len(of) + 1], np.intp)
    signs, values = np.full(len(slack), -1.0), np.zeros(len(whole))
    signs[-1], values[-2:] = 1.0, 1.0
    return _Rows(whole, of, slack, signs, values)


def _solve(
    rows: _Rows, costs: Floats, start: Floats, budget: Budget
) -> tuple[Floats, Floats] | None:
    """Where costs are nearly least, and multiples of rows that say so.

    The steps are Mehrotra's: they look ahead before they are taken.
    """
    width, slacks = len(start), len(rows.slack)
    point = np.concatenate([np.maximum(start, LEAST * start.mean()), np.zeros(slacks)])
    point[width:] = np.maximum(rows.signs * (rows.values - rows.of(point))[rows.slack], LEAST)
    multiples = np.zeros(len(rows.values))
    prices = 1.0 / point * point.mean()
    for _ in range(STEPS):
        budget.check()
        lacking = rows.values - rows.of(point)
        dear = costs - rows.back(multiples) - prices
        gap = float(point @ prices)
        met = np.abs(lacking).max() < MET
        if met and gap < NEAR and np.abs(dear).max() < NEAR:
            return point, multiples
        scales = point / prices
        factor = cho_factor(rows.squares(scales), check_finite=False)
        now = _Now(rows, factor, lacking, dear, prices, scales)
        ahead, _, dearer = now.step(-point * prices)
        far = _far(point, ahead), _far(prices, dearer)
        after = float((point + far[0] * ahead) @ (prices + far[1] * dearer))
        centre = (after / gap) ** 3 * gap / len(point)
        move, change, dearer = now.step(centre - point * prices - ahead * dearer)
        far = SHORT * _far(point, move), SHORT * _far(prices, dearer)
        point = point + far[0] * move
        multiples = multiples + far[1] * change
        prices = prices + far[1] * dearer
    return None


@dataclass(frozen=True)
class _Now:
    """Where the steps have come to: what rows lack, what is too dear, and the squares of forms."""

    rows: _Rows
    factor: tuple[Floats, bool]
    lacking: Floats
    dear: Floats
    prices: Floats
    scales: Floats

    def step(self, products: Floats) -> tuple[Floats, Floats, Floats]:
        """Changes of weights, multiples and prices that change products of the outer two so."""
        fresh = products / self.prices
        wanted = self.lacking - self.rows.of(fresh - self.scales * self.dear)
        change = cho_solve(self.factor, wanted, check_finite=False)
        dearer = self.dear - self.rows.back(change)
        return fresh - self.scales * dearer, change, dearer


def _far(values: Floats, change: Floats) -> float:
    """How much of a change leaves all values at least zero, and no more than all of it."""
    falls = change < 0
    return min(1.0, float((-values[falls] / change[falls]).min(initial=1.0)))
