"""Exact weights where shares have one value: by steps, and as rational equations say."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest

from boxsel.exact.types.tables import Bools, table
from boxsel.exact.ways.samples import rounding
from boxsel.exact.ways.samples.entangled import tie
from boxsel.exact.ways.samples.shares import Names, Ratio, Shares
from boxsel.exact.ways.samples.staircase import balance, list_steps
from boxsel.exact.ways.samples.thinning import thin


def _columns(random: np.random.Generator, names: int, count: int) -> Bools:
    columns = random.random((names, count)) < random.uniform(0.2, 0.8, (names, 1))
    return np.unique(np.hstack([columns, np.eye(names, dtype=bool)]), axis=1)


def _whole(random: np.random.Generator, least: int, columns: Bools) -> list[int]:
    return [int(random.integers(least, 50)) for _ in range(columns.shape[1])]


def _shares(columns: Bools, weights: list[int], random: np.random.Generator, count: int) -> Shares:
    """Points about products of one to three names, as they are in some weights."""
    ratios: dict[tuple[int, int], Ratio] = {}
    while len(ratios) < count:
        order = random.permutation(np.arange(len(columns)))
        both: list[int] = order[: random.integers(2, 4)].tolist()
        body = both[1:]
        whole, part = (int(columns[places].all(0) @ np.array(weights)) for places in (body, both))
        masks = [sum(1 << place for place in places) for places in (body, both)]
        if whole:
            share = Fraction(part, whole)
            ratios[masks[0], masks[1]] = Ratio(masks[0], masks[1], share, share)
    return Shares(ratios.values(), Names((1 << len(columns)) - 1))


def _obeys(
    shares: Shares, having: Bools, weights: list[Fraction], points: Sequence[int] | None = None
) -> bool:
    def total(product: int) -> Fraction:
        return sum((w for w, has in zip(weights, having[product], strict=True) if has), Fraction(0))

    chosen = range(len(shares)) if points is None else points
    return all(
        total(shares.boths[n]) == shares.ratios[n].lower * total(shares.bodies[n]) for n in chosen
    )


@pytest.mark.parametrize("seed", range(30))
def test_steps_put_every_share_right_near_the_given_weights(seed: int) -> None:
    random = np.random.default_rng(seed)
    columns = _columns(random, 6, 40)
    exact = _whole(random, 0 if seed % 3 else 1, columns)
    shares = _shares(columns, exact, random, 10)
    having = shares.having(columns)
    near = np.array(exact, float) * (1 + 1e-10 * random.normal(size=len(exact)))
    near = np.maximum(near, 1e-13)
    found = balance(shares, having, near)
    solved = rounding.round_weights(shares, having, near)
    assert solved is not None and _obeys(shares, having, solved)
    if found is None:
        assert not all(exact)  # types that are needed may weigh nothing
        return
    assert min(found) >= 0 and _obeys(shares, having, found)
    scale = sum(found)
    assert np.allclose([float(one / scale) for one in found], near / near.sum(), atol=1e-6)


def test_types_of_what_is_rare_keep_their_weights() -> None:
    """One in a billion is B, of whom C has some room: nobody of B is light beside B."""
    rare, half = Fraction(1, 10**9), Fraction(1, 2)
    ratios = [
        Ratio(0b001, 0b1001, half, half),
        Ratio(0b001, 0b011, rare / 2, rare),
        Ratio(0b010, 0b110, Fraction(1, 10), Fraction(9, 10)),
    ]
    shares = Shares(ratios, Names(0b1111))
    columns = table([0b0001, 0b1001, 0b0011, 0b0111], 4)
    weights = np.array([0.5, 0.5, 4e-10, 3e-10])
    found = balance(shares, shares.having(columns), weights)
    assert found is not None and _obeys(shares, shares.having(columns), found, [0])
    assert [float(one / sum(found)) for one in found] == pytest.approx(weights, rel=1e-3)


def test_where_types_stand_like_a_staircase_weights_stay_short() -> None:
    random = np.random.default_rng(0)
    columns = _columns(random, 12, 400)
    modest = [np.isin(np.arange(12), [one, other]) for one in range(12) for other in range(one)]
    columns = np.unique(np.hstack([columns, np.array(modest).T]), axis=1)
    exact = _whole(random, 1, columns)
    shares = _shares(columns, exact, random, 60)
    having = shares.having(columns)
    near = np.array(exact, float) * (1 + 1e-9 * random.normal(size=len(exact)))
    found = balance(shares, having, near)
    assert found is not None and _obeys(shares, having, found)
    assert max(number.numerator.bit_length() for number in found) < 400


def test_a_share_that_no_weights_have_is_not_met() -> None:
    columns = np.array([[True, True], [True, False]])
    half = Ratio(0b01, 0b11, Fraction(1, 2), Fraction(1, 2))
    third = Ratio(0b10, 0b11, Fraction(1, 3), Fraction(1, 3))
    names = Names(0b11)
    for ratios, is_met in (([half], True), ([half, third], False)):
        shares = Shares(ratios, names)
        found = balance(shares, shares.having(columns), np.array([0.5, 0.5]))
        assert (found is not None) is is_met


def test_parts_that_depend_on_each_other_keep_their_ratios() -> None:
    parts = [{0: Fraction(1), 1: Fraction(1, 3)}, {2: Fraction(1)}, {3: Fraction(1)}]
    lines = [np.array([0, 1, -1, 0]), np.array([1, 0, 0, -2])]
    scales = tie(lines, parts, [Fraction(9), Fraction(4), Fraction(5)])
    assert scales is not None
    assert scales[0] == 3 * scales[1] == 2 * scales[2]
    assert tie([np.array([0, 0, 1, 0])], parts, scales) is None


def test_few_types_weigh_nearly_the_same_in_every_product_and_keep_what_steps_need() -> None:
    random = np.random.default_rng(1)
    columns = _columns(random, 11, 2000)
    exact = np.array(_whole(random, 1, columns), float)
    shares = _shares(columns, _whole(random, 1, columns), random, 12)
    having = shares.having(columns)
    steps = [column for _, column in list_steps(shares, having, exact)]
    places, weights = thin(having, exact, 300, steps)
    assert len(places) < 400 and {*steps} <= {*places.tolist()}
    whole, part = having @ exact, having[:, places] @ weights
    assert np.all(part > 0.7 * whole) and np.all(part < 1.4 * whole)


def test_types_that_are_few_already_stay() -> None:
    weights = np.array([0.5, 0.0, 2.0])
    for count in (2, 0):
        places, kept = thin(np.ones((1, count), bool), weights[:count] + 1.0, 5)
        assert places.tolist() == list(range(count)) and kept.tolist() == [1.5, 1.0][:count]
