"""How good predicted intervals are: the paper's three measures, and the widths beside them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np

from boxsel.evaluation.conditionals import Floats, Truths

TOLERANCE: Final = 1e-6
"""By how much a predicted interval may leave the true one and still count as within it."""

EDGES: Final = (0.0, TOLERANCE, 0.2, 0.4, 0.6, 0.8, 1.0)
"""The bands of true widths: the first has the points, the others begin after the one before."""


@dataclass(frozen=True, slots=True)
class Metrics:
    """Means over some predicted intervals; without any they are NaN.

    - `soundness` (SA): the part of them that lie within the true interval;
    - `error` (SE): by how much they extend beyond it, both ends together;
    - `gap` (AG): how far their ends are from the true ones, both together;
    - `width`, `guessed`: how wide the true intervals are, and the predicted ones.

    `missing` had no prediction: they count as [0, 1], which is what is known without one.
    """

    items: int
    missing: int
    soundness: float
    error: float
    gap: float
    width: float
    guessed: float


class WidthBand(NamedTuple):
    """The items whose true intervals are wider than `least`, and at most as wide as `most`."""

    least: float
    most: float
    items: int
    gap: float
    guessed: float


def measured(
    lower: Floats, upper: Floats, predicted: Floats, which: Truths | None = None
) -> Metrics:
    """Compare predicted intervals, of shape [items, 2], with true ones.

    A prediction with a NaN is missing. `which` chooses some of the items, such as those of one
    shape.

    Examples:
        >>> truth = np.array([0.1, 0.4]), np.array([0.9, 0.4])
        >>> found = measured(*truth, np.array([[0.2, 0.8], [0.3, 0.4]]))
        >>> found.soundness, round(found.error, 6), round(found.gap, 6)
        (0.5, 0.05, 0.15)
    """
    if which is not None:
        lower, upper, predicted = lower[which], upper[which], predicted[which]
    least, most, missing = _filled(lower, upper, predicted)
    within = (least >= lower - TOLERANCE) & (most <= upper + TOLERANCE)
    beyond = np.maximum(lower - least, 0) + np.maximum(most - upper, 0)
    return Metrics(
        items=len(lower),
        missing=int(missing.sum()),
        soundness=_mean(within),
        error=_mean(beyond),
        gap=_mean(_gap(lower, upper, least, most)),
        width=_mean(upper - lower),
        guessed=_mean(most - least),
    )


def bands(
    lower: Floats, upper: Floats, predicted: Floats, edges: Sequence[float] = EDGES
) -> tuple[WidthBand, ...]:
    """How close predictions are by the width of the true interval; empty bands have NaN means.

    Examples:
        >>> truth = np.array([0.1, 0.4]), np.array([0.9, 0.4])
        >>> found = bands(*truth, np.array([[0.2, 0.8], [0.3, 0.4]]))
        >>> [(band.most, band.items, round(band.gap, 6)) for band in found if band.items]
        [(1e-06, 1, 0.1), (0.8, 1, 0.2)]
    """
    least, most, _ = _filled(lower, upper, predicted)
    gap, guessed = _gap(lower, upper, least, most), most - least
    # Every width is in some band, whatever rounding did to it: only the inner edges divide.
    band = np.searchsorted(np.array(edges[1:-1]) + _ROUNDING, upper - lower, side="left")
    return tuple(
        WidthBand(first, last, int(here.sum()), _mean(gap[here]), _mean(guessed[here]))
        for number, (first, last) in enumerate(pairwise(edges))
        for here in (band == number,)
    )


_ROUNDING: Final = 1e-12
"""0.8 − 0.2 is a little more than 0.6."""


def _filled(lower: Floats, upper: Floats, predicted: Floats) -> tuple[Floats, Floats, Truths]:
    """Both ends of the predictions, with [0, 1] where one is missing, and where that is."""
    assert predicted.shape == (*lower.shape, 2)
    assert upper.shape == lower.shape
    missing: Truths = np.isnan(predicted[:, 0]) | np.isnan(predicted[:, 1])
    least: Floats = np.where(missing, 0.0, predicted[:, 0])
    most: Floats = np.where(missing, 1.0, predicted[:, 1])
    assert (least <= most).all(), "a predicted interval has its ends in the wrong order"
    return least, most, missing


def _gap(lower: Floats, upper: Floats, least: Floats, most: Floats) -> Floats:
    gap: Floats = np.abs(lower - least) + np.abs(upper - most)
    return gap


def _mean(numbers: Floats | Truths) -> float:
    """The mean; NaN of nothing."""
    return float(numbers.mean()) if len(numbers) else float("nan")
