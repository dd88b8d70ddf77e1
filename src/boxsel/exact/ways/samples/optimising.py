"""Weights of given types with which a share is as small, or as large, as they allow, nearly.

Calibrated weights are as equal as possible, and where many shares have one value they are hard to
find far from where the search began. This is the linear programme over the types itself, by an
interior point method: its rows are dense, and the last digits are not wanted.

Without a share that is pushed the same steps end amid all weights that are possible. Types that
have none there never have any, and shares that are at a bound there always are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final

import numpy as np

from boxsel.exact.compile.vocabulary import Mask
from boxsel.exact.types.gibbs import Floats
from boxsel.exact.types.tables import Bools, Ints
from boxsel.exact.ways.samples.raking import rake
from boxsel.exact.ways.samples.sample import means_of, rarest
from boxsel.exact.ways.samples.shares import Shares, digits_of
from boxsel.machine.budget import Budget
from boxsel.machine.threads import one_thread

Factor = tuple[Floats, bool]
"""The triangle of a symmetric matrix, and whether it is the lower one."""

MOST_STEPS: Final = 120
NEAR_BEST: Final = 1e-4
ROW_MET: Final = 1e-6
NO_WEIGHT: Final = 1e-9
"""So many steps at most; a share so near the best one is good enough, and so are rows; and both
where it is told what has no weight, or no room."""
MOST_GROWTH: Final = 100.0
"""All types weigh at most so many times what they do at first, where the body weighs the same."""
DAMPING: Final = 1e-12
"""What is added to squares, relative to them: rows may follow from others."""
SMALLEST_FLOAT: Final = 1e-300
FIRST_WEIGHT: Final = 0.1
"""What types weigh at first at the least, relative to the mean, and what room shares have."""
IMPOSSIBLE: Final = 0.01
SURE: Final = 0.5
"""Costs that are so much above the highest say that rows cannot be met; and what is missed is not
known better than to this part of it."""
RESCALED: Final = 3
"""How often weights are looked for where bodies weigh something else than was expected."""
REFINED: Final = 2
"""How often equations are solved for what is left of them: digits are lost where weights differ."""
STEP_PART: Final = 0.97
"""The part of the way to where a weight would be zero."""
MISSING_COST: Final = 1e10
"""Where a step takes more products, there is no time for all of them."""
WORTH: Final = 1e-3
"""Types that would change the share by less of their weight do not help to get farther."""


@dataclass(frozen=True)
class Helping:
    """What types would help: those for whose products factors add up to more than a number.

    That much for each weight: where types weigh little on average, a little of one helps less.
    """

    factors: Floats
    beyond: float
    means: Floats
    mean: float

    def gains(self, having: Bools) -> Floats:
        """How much it would help if types weighed what others do."""
        return np.asarray(
            (self.factors @ having - self.beyond) * rarest(having, self.means, self.mean)
        )


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
    rows = _rows(shares, having, base)
    body, both = (having[some[-1]] for some in (shares.bodies, shares.boths))
    costs = np.concatenate([-sign * both * rows.units, np.zeros(len(rows.slack))])
    met = NO_WEIGHT if shares.points else ROW_MET
    found = _solve(rows, costs, max(0.0, -sign), budget, NEAR_BEST, met)
    if found is None or not found.is_possible:
        return None
    weights = rows.units * found.point[: len(base)]
    pulls = np.zeros(len(shares))
    np.add.at(pulls, rows.numbers, np.abs(found.multiples[: len(rows.numbers)]))
    share = float(weights[both].sum() / weights[body].sum())
    factors = rows.factors(shares, found.multiples)
    factors[shares.boths[-1]] += sign
    beyond = float(WORTH - rows.every * found.multiples[-1])
    helping = Helping(factors, beyond, rows.means, rows.mean)
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
    base, _ = rake(shares, having, base, budget)
    for _ in range(RESCALED):
        rows = _rows(shares, having, base)
        found = _solve_elastic(rows, budget)
        if found is None:
            return None
        if not found.is_possible:
            beyond = float(-rows.every * found.multiples[-1])
            return Helping(rows.factors(shares, found.multiples), beyond, rows.means, rows.mean)
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


def _solve_elastic(rows: _Rows, budget: Budget) -> _Solved | None:
    """Weights with which rows are missed by as little as possible, all together."""
    elastic = rows.elastic()
    costs = np.zeros(rows.forms.shape[1] + len(elastic.slack))
    costs[rows.forms.shape[1] + len(rows.slack) :] = 1.0
    return _solve(elastic, costs, 0.0, budget, NO_WEIGHT, NO_WEIGHT)


def _is_met(shares: Shares, having: Bools, weights: Floats) -> bool:
    """Whether every share is inside its bounds, to digits of them, and the last body has weight."""
    masses = having @ weights
    bodies, boths = masses[shares.bodies], masses[shares.boths]
    off = np.maximum((shares.lower * bodies - boths) / digits_of(shares.lower), 0.0)
    off += np.maximum((boths - shares.upper * bodies) / digits_of(shares.upper), 0.0)
    return bool(bodies[-1] > 0 and (off <= ROW_MET * bodies).all())


def is_costly(shares: Shares, width: int, most: float = MISSING_COST) -> bool:
    """Whether a step for so many types takes more products than there should be."""
    lower = (shares.lower > 0) | (shares.lower == shares.upper)
    upper = (shares.upper < 1) & (shares.lower < shares.upper)
    count = np.count_nonzero(lower) + np.count_nonzero(upper)
    return bool(count**2 * width > most)


@dataclass(frozen=True)
class _Rows:
    """Forms of weights, some less a number that is not negative, and their values.

    The first are of some shares, by their numbers, and zero at a bound; then there are the body
    that is asked about, and all types.
    """

    forms: Floats
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

    def elastic(self) -> _Rows:
        """The same where those of shares may be missed: what they lack, and what is too much."""
        count = len(self.numbers)
        points = np.setdiff1d(np.arange(count), self.slack)
        slack = np.concatenate([self.slack, np.arange(count), points])
        signs = np.concatenate([self.signs, np.ones(count), -np.ones(len(points))])
        return replace(self, slack=slack, signs=signs)

    def of(self, point: Floats) -> Floats:
        """The values of all forms."""
        width = self.forms.shape[1]
        found = self.forms @ point[:width]
        np.add.at(found, self.slack, self.signs * point[width:])
        return np.asarray(found)

    def back(self, multiples: Floats) -> Floats:
        """The sum of multiples of all forms."""
        return np.concatenate([multiples @ self.forms, self.signs * multiples[self.slack]])

    def squares(self, scales: Floats) -> Floats:
        """The products of forms with each other, scaled."""
        width = self.forms.shape[1]
        scaled = self.forms * np.sqrt(scales[:width])
        matrix = scaled @ scaled.T
        np.add.at(matrix, (self.slack, self.slack), scales[width:])
        diagonal = np.diag_indices_from(matrix)
        matrix[diagonal] += DAMPING * matrix[diagonal] + SMALLEST_FLOAT
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
    base = base / float(base[body].sum())
    forms, numbers, scales = [], [], []
    for chosen, bounds, sign in kinds:
        some = np.flatnonzero(chosen)
        bodies = having[shares.bodies[some]]
        room = digits_of(bounds[some]) * (bodies @ base)
        scale = sign / np.maximum(room, SMALLEST_FLOAT)
        forms.append((having[shares.boths[some]] - bounds[some, None] * bodies) * scale[:, None])
        numbers.append(some)
        scales.append(scale)
    every = 1 / MOST_GROWTH / float(base.sum())
    forms += [body[None, :].astype(np.float64), np.full((1, len(base)), every)]
    means, mean = means_of(having, base), float(base.mean())
    units = rarest(having, means, mean)
    whole, of = np.vstack(forms) * units, np.concatenate(numbers)
    least = len(of) - len(numbers[-1])
    at = [
        shares.ratios[number].lower if row < least else shares.ratios[number].upper
        for row, number in enumerate(of.tolist())
    ]
    slack = np.array([*range(len(numbers[0]), len(of)), len(of) + 1], np.intp)
    signs, values = np.full(len(slack), -1.0), np.zeros(len(whole))
    signs[-1], values[-2:] = 1.0, 1.0
    start = np.maximum(base / units, FIRST_WEIGHT)
    return _Rows(
        whole,
        of,
        at,
        np.concatenate(scales),
        slack,
        signs,
        values,
        units,
        start,
        every,
        means,
        mean,
    )


@dataclass(frozen=True)
class _Solved:
    """Where costs are nearly least, with multiples of rows and prices of weights that say so.

    Or where multiples say that rows cannot be met.
    """

    point: Floats
    multiples: Floats
    prices: Floats
    is_possible: bool = True


def _solve(
    rows: _Rows, costs: Floats, most: float, budget: Budget, near: float, met: float
) -> _Solved | None:
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
    prices = 1.0 / point * point.mean()
    for _ in range(MOST_STEPS):
        budget.check()
        lacking = rows.values - rows.of(point)
        dear = costs - rows.back(multiples) - prices
        gap, rest = float(point @ prices), float(np.abs(dear).max())
        if np.abs(lacking).max() < met and gap < near and rest < near:
            return _Solved(point, multiples, prices)
        costly = float(rows.values @ multiples)
        if costly > most + IMPOSSIBLE and rest < IMPOSSIBLE and gap < SURE * costly:
            return _Solved(point, multiples, prices, is_possible=False)
        scales = point / prices
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

    rows: _Rows
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
