"""Linear programmes over weights of types, solved nearly by an interior point method.

The rows are dense, and the last digits are not wanted: so steps are few, and each solves equations
of as many unknowns as there are rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from boxsel.exact.types.gibbs import Floats
from boxsel.exact.ways.samples.forms import FIRST_WEIGHT, Forms
from boxsel.machine.budget import Budget
from boxsel.machine.threads import one_thread

Factor = tuple[Floats, bool]
"""The triangle of a symmetric matrix, and whether it is the lower one."""

MOST_STEPS: Final = 120
IMPOSSIBLE: Final = 0.01
SURE: Final = 0.5
"""So many steps at most; costs that are so much above the highest say that rows cannot be met; and
what is missed is not known better than to this part of it."""
REFINED: Final = 2
"""How often equations are solved for what is left of them: digits are lost where weights differ."""
ROUGH: Final = 0.1
"""As long as costs are no nearer to the least ones, numbers of few digits do."""
STEP_PART: Final = 0.97
"""The part of the way to where a weight would be zero."""


@dataclass(frozen=True)
class Solved:
    """Where costs are nearly least, with multiples of rows and prices of weights that say so.

    Or where multiples say that rows cannot be met.
    """

    point: Floats
    multiples: Floats
    prices: Floats
    is_possible: bool = True


def solve(
    rows: Forms, costs: Floats, most: float, budget: Budget, near: float, met: float
) -> Solved | None:
    """Where costs are so nearly least, and rows so nearly met, or multiples say that none is.

    They say so where costs are above the `most` that they are if rows are met.
    The steps are Mehrotra's: they look ahead before they are taken.
    """
    width = len(rows.start)
    point = np.concatenate([rows.start, np.zeros(len(rows.slack))])
    point[width:] = np.maximum(
        rows.signs * (rows.values - rows.of(point))[rows.slack], FIRST_WEIGHT
    )
    multiples = np.zeros(len(rows.values))
    prices = FIRST_WEIGHT / point
    for _ in range(MOST_STEPS):
        budget.check()
        lacking = rows.values - rows.of(point)
        dear = costs - rows.back(multiples) - prices
        gap, rest = float(point @ prices), float(np.abs(dear).max())
        if np.abs(lacking).max() < met and gap < near and rest < near:
            return Solved(point, multiples, prices)
        costly = float(rows.values @ multiples)
        if costly > most + IMPOSSIBLE and rest < IMPOSSIBLE and gap < SURE * costly:
            return Solved(point, multiples, prices, is_possible=False)
        scales = point / prices
        factor = _factor(rows.squares(scales, is_rough=gap > ROUGH))
        if factor is None and gap > ROUGH:
            factor = _factor(rows.squares(scales))
        if factor is None:
            return None
        now = _Now(rows, factor, lacking, dear, prices, scales)
        ahead, _, dearer = now.step(-point * prices)
        far = _far(point, ahead), _far(prices, dearer)
        after = float((point + far[0] * ahead) @ (prices + far[1] * dearer))
        centre = (after / gap) ** 3 * gap / len(point)
        move, change, dearer = now.step(centre - point * prices - ahead * dearer)
        far = STEP_PART * _far(point, move), STEP_PART * _far(prices, dearer)
        point = point + far[0] * move
        multiples = multiples + far[1] * change
        prices = prices + far[1] * dearer
    return None


def _factor(squares: Floats) -> Factor | None:
    """The factor of a symmetric matrix, if it has one."""
    from scipy.linalg import LinAlgError, cho_factor  # it takes long to load, and few need it

    with one_thread():  # SciPy's own was not there when threads were counted
        try:
            return cho_factor(squares, check_finite=False)
        except LinAlgError:
            return None


def _divide(values: Floats, factor: Factor) -> Floats:
    from scipy.linalg import cho_solve

    with one_thread():
        return np.asarray(cho_solve(factor, values, check_finite=False))


@dataclass(frozen=True)
class _Now:
    """Where the steps have come to: what rows lack, what is too dear, and the squares of forms."""

    rows: Forms
    factor: Factor
    lacking: Floats
    dear: Floats
    prices: Floats
    scales: Floats

    def step(self, products: Floats) -> tuple[Floats, Floats, Floats]:
        """Changes of weights, multiples and prices that change products of the outer two so."""
        fresh = products / self.prices
        change = np.zeros(len(self.lacking))
        for _ in range(REFINED):
            move = fresh - self.scales * (self.dear - self.rows.back(change))
            change += _divide(self.lacking - self.rows.of(move), self.factor)
        dearer = self.dear - self.rows.back(change)
        return fresh - self.scales * dearer, change, dearer


def _far(values: Floats, change: Floats) -> float:
    """How much of a change leaves all values at least zero, and no more than all of it."""
    falls = change < 0
    return min(1.0, float((-values[falls] / change[falls]).min(initial=1.0)))
