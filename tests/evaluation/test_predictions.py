"""Predictions: what is read from them, and that they come back from arrays as they were."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxsel.evaluation.cells import COUNTS, Prediction, counts_for
from tests.evaluation.tiny import random_prediction


@given(st.integers(1, 200))
def test_numbers_of_members_rise_up_to_all(members: int) -> None:
    counts = counts_for(members)
    assert list(counts) == sorted(set(counts))
    assert counts[-1] == members
    assert set(counts[:-1]) == {count for count in COUNTS if count < members}


@given(st.integers(0, 9), st.integers(1, 70), st.integers(0, 999))
def test_arrays_there_and_back(queries: int, members: int, seed: int) -> None:
    given = random_prediction(queries, members, seed)
    again = Prediction.from_arrays(given.arrays())
    assert again.counts == given.counts
    assert again.effort == given.effort
    assert again.reason == ""
    for name in ("ends", "kept_ends", "asked"):
        np.testing.assert_array_equal(getattr(again, name), getattr(given, name))
    for place, count in enumerate(given.counts):
        np.testing.assert_array_equal(again.interval(count), given.ends[place])
    np.testing.assert_array_equal(again.interval("kept"), given.kept_ends)


@given(st.floats(0, 1), st.floats(0, 1))
def test_files_lose_less_than_any_tolerance(one: float, other: float) -> None:
    ends = np.array([sorted((one, other)), [np.nan, np.nan]])
    again = Prediction.from_arrays(Prediction.of(ends).arrays()).interval(0)
    np.testing.assert_allclose(again, ends, rtol=0, atol=1e-7)
    assert 0 <= again[0, 0] <= again[0, 1] <= 1


def test_a_number_of_members_that_was_not_kept_is_no_reading() -> None:
    with pytest.raises(ValueError, match="not in"):
        random_prediction(3, 12, 0).interval(11)


def test_baselines_have_one_reading_and_failures_no_interval() -> None:
    ends = np.array([[0.0, 1.0], [0.25, 0.5]])
    np.testing.assert_array_equal(Prediction.of(ends).interval(0), ends)
    np.testing.assert_array_equal(Prediction.of(ends).interval("kept"), ends)
    failed = Prediction.from_arrays(Prediction.failed(2, (10, 12), "no memory").arrays())
    assert failed.reason == "no memory"
    assert failed.asked.all()
    for reading in (10, 12):
        assert np.isnan(failed.interval(reading)).all()
    assert np.isnan(failed.interval("kept")).all()
