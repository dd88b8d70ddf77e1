"""What every baseline must do, and what each of them does."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import gaussian_kde, kstest

from boxsel.errors import BoxselError
from boxsel.evaluation.methods import BASELINES, bandwidths, drawn, kde
from boxsel.evaluation.splits.split import Split
from boxsel.evaluation.splits.variants import splits_of
from tests.evaluation.truth_populations import counted


def some_split(variant: str = "strict") -> Split:
    return splits_of(counted(5, entities=60, concepts=6), variant, 0)[0]


@pytest.mark.parametrize("name", BASELINES)
@pytest.mark.parametrize("variant", ["strict", "paper", "thin-10"])
class TestContract:
    def test_it_gives_an_interval_for_each_query(self, name: str, variant: str) -> None:
        split = some_split(variant)
        found = BASELINES[name](split, 0)
        assert found.shape == (len(split.queries), 2)
        assert found.dtype == np.float64
        assert ((found[:, 0] >= 0) & (found[:, 0] <= found[:, 1]) & (found[:, 1] <= 1)).all()

    def test_it_depends_on_the_seed_alone(self, name: str, variant: str) -> None:
        split = some_split(variant)
        assert (BASELINES[name](split, 7) == BASELINES[name](split, 7)).all()
        if name != "fixed":
            assert (BASELINES[name](split, 7) != BASELINES[name](split, 8)).any()

    def test_it_never_sees_the_answers(self, name: str, variant: str) -> None:
        split = some_split(variant)
        queries = split.queries
        secret = replace(split, queries=replace(queries, count=queries.total - queries.count))
        assert (BASELINES[name](split, 3) == BASELINES[name](secret, 3)).all()


def test_fixed_is_everything() -> None:
    assert (BASELINES["fixed"](some_split(), 0) == [0, 1]).all()


def test_random_numbers_are_uniform_before_they_are_ordered() -> None:
    split = some_split()
    found = np.concatenate([BASELINES["random"](split, seed) for seed in range(200)])
    assert kstest(found.ravel(), "uniform").pvalue > 1e-3
    # The smaller of two uniform numbers has the mean 1/3, and they are 1/3 apart.
    assert found.mean(axis=0) == pytest.approx([1 / 3, 2 / 3], abs=0.02)


def test_bandwidths_are_those_of_scotts_rule() -> None:
    random = np.random.default_rng(0)
    lower = random.random(500)
    intervals = np.stack([lower, lower + (1 - lower) * random.random(500)], axis=1)
    known = gaussian_kde(intervals.T, bw_method="scott")
    assert bandwidths(intervals) ** 2 == pytest.approx(np.diagonal(known.covariance))


def test_samples_have_the_moments_of_the_density() -> None:
    random = np.random.default_rng(1)
    intervals = random.random((40, 2)) * (1, 3)
    found = drawn(intervals, 200_000, random)
    known = gaussian_kde(intervals.T).resample(200_000, seed=2).T
    assert found.mean(axis=0) == pytest.approx(known.mean(axis=0), abs=0.02)
    assert found.std(axis=0) == pytest.approx(known.std(axis=0), rel=0.02)
    # The kernel adds no correlation: only the intervals themselves have one.
    assert np.cov(found.T)[0, 1] == pytest.approx(np.cov(intervals.T, ddof=0)[0, 1], abs=0.02)


def test_both_ends_of_a_sample_are_near_the_same_point() -> None:
    split = some_split()
    shares = split.learning.take(split.learning.defined).share
    narrow = bandwidths(np.stack([shares, shares], axis=1)).max()
    found = np.concatenate([kde(split, seed) for seed in range(100)])
    assert (found[:, 1] - found[:, 0]).mean() < 2 * narrow
    assert found.mean() == pytest.approx(shares.mean(), abs=0.05)


def test_one_interval_has_no_bandwidth_and_none_is_an_error() -> None:
    split = some_split()
    one = replace(split, learning=split.learning.take(np.array([0])))
    assert (kde(one, 0) == split.learning.share[0]).all()
    none = replace(split, learning=split.learning.take(np.array([], np.int64)))
    with pytest.raises(BoxselError, match="no conditional is defined"):
        kde(none, 0)
