"""The paper's measures, beside a slow reading of their definitions in exact numbers."""

from __future__ import annotations

from dataclasses import astuple
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxsel.evaluation.conditionals import Floats
from boxsel.evaluation.metrics import EDGES, TOLERANCE, bands, measured

Interval = tuple[float, float]

hundredths = st.integers(0, 100).map(lambda number: number / 100)
intervals = st.tuples(hundredths, hundredths).map(lambda ends: (min(ends), max(ends)))
cases = st.lists(st.tuples(intervals, intervals), min_size=1, max_size=8)


def arrays(case: list[tuple[Interval, Interval]]) -> tuple[Floats, Floats, Floats]:
    true, predicted = (np.array([pair[side] for pair in case]) for side in (0, 1))
    return true[:, 0], true[:, 1], predicted


def positive(number: Fraction) -> Fraction:
    return max(number, Fraction(0))


@given(cases)
def test_they_are_as_defined(case: list[tuple[Interval, Interval]]) -> None:
    metrics = measured(*arrays(case))
    sound, error, gap, width, guessed = [Fraction(0)] * 5
    for true, predicted in case:
        lower, upper = (Fraction(round(100 * end), 100) for end in true)
        low, high = (Fraction(round(100 * end), 100) for end in predicted)
        sound += lower <= low and high <= upper
        error += positive(lower - low) + positive(high - upper)
        gap += abs(lower - low) + abs(upper - high)
        width += upper - lower
        guessed += high - low
    expected = [float(total / len(case)) for total in (sound, error, gap, width, guessed)]
    assert astuple(metrics)[:2] == (len(case), 0)
    assert astuple(metrics)[2:] == pytest.approx(expected)


@given(cases)
def test_laws(case: list[tuple[Interval, Interval]]) -> None:
    lower, upper, predicted = arrays(case)
    metrics = measured(lower, upper, predicted)
    assert (metrics.soundness == 1) == (metrics.error < TOLERANCE)
    assert metrics.gap >= metrics.error - 1e-12
    assert metrics.gap >= abs(metrics.width - metrics.guessed) - 1e-12
    if metrics.soundness == 1:
        assert metrics.gap == pytest.approx(metrics.width - metrics.guessed)
    swapped = measured(predicted[:, 0], predicted[:, 1], np.stack([lower, upper], axis=1))
    assert swapped.gap == pytest.approx(metrics.gap)
    assert (swapped.width, swapped.guessed) == pytest.approx((metrics.guessed, metrics.width))
    mirrored = measured(1 - upper, 1 - lower, 1 - predicted[:, ::-1])
    assert astuple(mirrored) == pytest.approx(astuple(metrics))


@given(cases, st.data())
def test_what_is_missing_counts_as_everything(
    case: list[tuple[Interval, Interval]], data: st.DataObject
) -> None:
    lower, upper, predicted = arrays(case)
    lost = np.array(data.draw(st.lists(st.booleans(), min_size=len(case), max_size=len(case))))
    filled = np.where(lost[:, None], [0.0, 1.0], predicted)
    predicted[lost, data.draw(st.integers(0, 1))] = np.nan
    metrics, expected = measured(lower, upper, predicted), measured(lower, upper, filled)
    assert metrics.missing == lost.sum()
    assert astuple(metrics)[2:] == astuple(expected)[2:]
    with_gaps, whole = (np.array(bands(lower, upper, one)) for one in (predicted, filled))
    np.testing.assert_array_equal(with_gaps, whole)


def test_everything_has_a_gap_of_what_is_not_in_the_truth() -> None:
    lower, upper = np.array([0.25, 0.0]), np.array([0.5, 1.0])
    metrics = measured(lower, upper, np.array([[0.0, 1.0]] * 2))
    assert metrics.gap == metrics.error == 1 - metrics.width == 0.375
    assert metrics.soundness == 0.5


def test_a_little_beyond_the_truth_is_within_it() -> None:
    lower = upper = np.full(3, 0.5)
    off = np.array([0.9e-6, 1.1e-6, 0.0])
    assert measured(lower, upper, np.stack([lower - off, upper], 1)).soundness == 2 / 3
    assert measured(lower, upper, np.stack([lower, upper + off], 1)).soundness == 2 / 3


def test_means_of_nothing_are_no_numbers() -> None:
    nothing = np.zeros(0)
    metrics = measured(nothing, nothing, np.zeros((0, 2)))
    assert (metrics.items, metrics.missing) == (0, 0)
    assert np.isnan(astuple(metrics)[2:]).all()
    empty = bands(nothing, nothing, np.zeros((0, 2)))
    assert len(empty) == len(EDGES) - 1
    assert all(band.items == 0 and np.isnan(band.gap) for band in empty)
    one = np.ones(1)
    assert measured(one, one, np.ones((1, 2)), np.zeros(1, bool)).items == 0


@given(cases, st.integers(1, 255))
def test_parts_make_the_whole(case: list[tuple[Interval, Interval]], bits: int) -> None:
    lower, upper, predicted = arrays(case)
    which = np.array([bool(bits >> place & 1) for place in range(len(case))])
    parts = [measured(lower, upper, predicted, own) for own in (which, ~which)]
    whole = measured(lower, upper, predicted)
    assert sum(part.items for part in parts) == whole.items
    total = sum(part.gap * part.items for part in parts if part.items)
    assert total == pytest.approx(whole.gap * whole.items)


@given(cases)
def test_bands_divide_the_items_by_width(case: list[tuple[Interval, Interval]]) -> None:
    lower, upper, predicted = arrays(case)
    hundredth = np.round(100 * upper) - np.round(100 * lower)
    found = bands(lower, upper, predicted)
    for band, (least, most) in zip(found, pairwise([-1, 0, 20, 40, 60, 80, 100]), strict=True):
        here = (least < hundredth) & (hundredth <= most)
        own = measured(lower, upper, predicted, here)
        assert band.items == own.items
        assert band[3:] == pytest.approx((own.gap, own.guessed), nan_ok=True)


def test_rounding_moves_no_width_to_another_band() -> None:
    lower, upper = np.triu_indices(101)
    found = bands(lower / 100, upper / 100, np.stack([lower, upper], axis=1) / 100)
    edges = [-1, 0, 20, 40, 60, 80, 100]
    assert [band.items for band in found] == np.histogram(upper - lower - 0.5, edges)[0].tolist()


def test_ends_in_the_wrong_order_are_a_mistake() -> None:
    with pytest.raises(AssertionError, match="wrong order"):
        measured(np.zeros(1), np.ones(1), np.array([[0.6, 0.4]]))
