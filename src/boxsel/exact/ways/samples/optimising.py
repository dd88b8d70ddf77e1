"""Weights of given types with which a share is as small, or as large, as they allow, nearly.

Calibrated weights are as equal as possible, and where many shares have one value they are hard to
find far from where the search began. This is the linear programme over the types itself, by an
interior point method: its rows are dense, and the last digits are not wanted.

Without a share that is pushed the same steps end amid all weights that are possible. Types that
have none there never have any, and shares that are at a bound there always are.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

import numpy as np

from boxsel.exact.compile.vocabulary import Mask
from boxsel.exact.types.gibbs import Floats
from boxsel.exact.types.tables import Bools, Ints
from boxsel.exact.ways.samples.forms import Forms, forms_of
from boxsel.exact.ways.samples.interior import Solved, solve
from boxsel.exact.ways.samples.sample import rarest
from boxsel.exact.ways.samples.shares import Shares, digits_of
from boxsel.machine.budget import Budget

NEAR_BEST: Final = 1e-4
ROW_MET: Final = 1e-6
NO_WEIGHT: Final = 1e-9
"""A share so near the best one is good enough, and so are rows; and both where it is told what has
no weight, or no room."""
RESCALED: Final = 3
"""How often weights are looked for where bodies weigh something else than was expected."""
MISSING_COST: Final = 5e9
"""Where a step takes more multiplications, there is no time for all of them."""
WORTH: Final = 1e-3
"""Types that would change the share by less of their weight do not help to get farther."""


@dataclass(frozen=True)
class Helping:
    """What types would help: those for whose products factors add up to more than a number.

    That much for each weight: where types weigh little on average, a little of one helps less. And
    of the types that do not suffice, weights that miss little, and which matter most, in `order`.
    """

    factors: Floats
    beyond: float
    means: Floats
    mean: float
    weights: Floats
    order: Ints

    def gains(self, having: Bools) -> Floats:
        """How much it would help if types weighed what others do."""
        sums = self.factors @ having.astype(np.float64)
        return np.asarray((sums - self.beyond) * rarest(having, self.means, self.mean))


@dataclass(frozen=True)
class Optimised:
    """Weights, the share with them, and how hard each other share pulls against a better one.

    And what types would help to get farther.
    """

    weights: Floats
    share: float
    pulls: Floats
    helping: Helping


def optimise(
    shares: Shares, having: Bools, base: Floats, sign: int, budget: Budget
) -> Optimised | None:
    """Weights with which the last share is nearly the largest, or for -1 the smallest.

    Nothing, where that takes too long, or rows are not met.

    Raises:
        OutOfTimeError: The budget is spent.
    """
    if is_costly(shares, len(base)):
        return None
    rows = forms_of(shares, having, base)
    body, both = (having[some[-1]] for some in (shares.bodies, shares.boths))
    costs = np.concatenate([-sign * both * rows.units, np.zeros(len(rows.slack))])
    met = NO_WEIGHT if shares.points else ROW_MET
    found = solve(rows, costs, max(0.0, -sign), budget, NEAR_BEST, met)
    if found is None or not found.is_possible:
        return None
    weights = rows.units * found.point[: len(base)]
    pulls = np.zeros(len(shares))
    np.add.at(pulls, rows.numbers, np.abs(found.multiples[: len(rows.numbers)]))
    share = float(weights[both].sum() / weights[body].sum())
    factors = rows.factors(shares, found.multiples)
    factors[shares.boths[-1]] += sign
    beyond = float(WORTH - rows.every * found.multiples[-1])
    helping = _helping(rows, found, factors, beyond)
    return Optimised(np.asarray(weights / weights.sum()), share, pulls, helping)


@dataclass(frozen=True)
class Centred:
    """Weights amid all that are possible, and the bounds of the shares that have no room."""

    weights: Floats
    held: Mapping[tuple[Mask, Mask], Fraction]


def centre(shares: Shares, having: Bools, base: Floats, budget: Budget) -> Centred | Helping | None:
    """Weights amid all with which shares are inside their bounds and the last body has members.

    If there are none, it is told which types would help. Nothing, where all that takes too long.

    Raises:
        OutOfTimeError: The budget is spent.
    """
    if is_costly(shares, len(base)):
        return None
    for _ in range(RESCALED):
        rows = forms_of(shares, having, base)
        found = _solve_elastic(rows, budget)
        if found is None:
            return None
        if not found.is_possible:
            beyond = float(-rows.every * found.multiples[-1])
            return _helping(rows, found, rows.factors(shares, found.multiples), beyond)
        width, slacks = len(base), len(rows.slack)
        some = found.point > found.prices  # of each pair one is zero: that of the other is not
        base = found.point[:width] * rows.units
        kept = np.where(some[:width], base, 0.0)
        if _is_met(shares, having, kept):
            tight = rows.slack[~some[width : width + slacks]]
            held = {
                shares.ratios[rows.numbers[row]].masks: rows.bounds[row]
                for row in tight[tight < len(rows.bounds)].tolist()
            }
            return Centred(kept / kept.sum(), held)
        if _is_met(shares, having, base):
            return Centred(base / base.sum(), {})
    return None


def _helping(rows: Forms, found: Solved, factors: Floats, beyond: float) -> Helping:
    """What would help by multiples of rows, and what matters of the types at hand."""
    width = len(rows.units)
    order = np.argsort(-found.point[:width] / found.prices[:width])
    weights = (found.point[:width] + rows.start) / 2 * rows.units  # else bodies may have none
    return Helping(factors, beyond, rows.means, rows.mean, weights / weights.sum(), order)


def _solve_elastic(rows: Forms, budget: Budget) -> Solved | None:
    """Weights with which rows are missed by as little as possible, all together."""
    elastic = rows.elastic()
    costs = np.zeros(len(rows.units) + len(elastic.slack))
    costs[len(rows.units) + len(rows.slack) :] = 1.0
    return solve(elastic, costs, 0.0, budget, NO_WEIGHT, NO_WEIGHT)


def _is_met(shares: Shares, having: Bools, weights: Floats) -> bool:
    """Whether every share is inside its bounds, to digits of them, and the last body has weight."""
    masses = having @ weights
    bodies, boths = masses[shares.bodies], masses[shares.boths]
    off = np.maximum((shares.lower * bodies - boths) / digits_of(shares.lower), 0.0)
    off += np.maximum((boths - shares.upper * bodies) / digits_of(shares.upper), 0.0)
    return bool(bodies[-1] > 0 and (off <= ROW_MET * bodies).all())


def is_costly(shares: Shares, width: int, most: float = MISSING_COST) -> bool:
    """Whether a step for so many types takes more multiplications than there should be."""
    sides = (shares.lower > 0, (shares.upper < 1) & (shares.lower < shares.upper))
    rows = sum(int(np.count_nonzero(side)) for side in sides)
    products = min(len(shares.products), rows)
    return bool(products**2 * width / 2 + rows**3 / 3 > most)
