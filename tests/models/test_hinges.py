"""Hinges on corners, against what they say about boxes on a grid."""

from __future__ import annotations

import jax.numpy as jnp
import numpy as np
import pytest
from numpy.typing import NDArray

from boxsel.models.losses import outside, overlap, slack
from boxsel.models.representations.boxes import Box

COUNT, DIM, GRID = 200, 2, 5
Corners = tuple[NDArray[np.float64], NDArray[np.float64]]


def random_boxes(seed: int) -> Corners:
    ends = np.sort(np.random.default_rng(seed).integers(0, GRID + 1, (2, COUNT, DIM)), axis=0)
    return ends[0] / GRID, ends[1] / GRID


BODY, HEAD = random_boxes(0), random_boxes(1)
INNER, OUTER = (Box(*map(jnp.asarray, corners)) for corners in (BODY, HEAD))
MEET = np.minimum(BODY[1], HEAD[1]) - np.maximum(BODY[0], HEAD[0])
EMPTY = ((BODY[1] <= BODY[0]) | (HEAD[1] <= HEAD[0])).any(axis=-1)


def test_outside_is_what_sticks_out() -> None:
    wanted = np.maximum(HEAD[0] - BODY[0], 0) + np.maximum(BODY[1] - HEAD[1], 0)
    np.testing.assert_allclose(outside(INNER, OUTER), wanted.sum(axis=-1), atol=1e-6)


def test_overlap_is_zero_if_and_only_if_boxes_are_apart() -> None:
    found = np.asarray(overlap(INNER, OUTER))
    meets = (MEET > 1e-6).all(axis=-1)
    np.testing.assert_array_equal(found > 1e-6, meets & ~EMPTY)
    # To move one by that much, along one dimension, is enough and necessary.
    for place in np.flatnonzero(meets & ~EMPTY):
        least = min(
            min(BODY[1][place, i] - HEAD[0][place, i], HEAD[1][place, i] - BODY[0][place, i])
            for i in range(DIM)
        )
        sides = [*(BODY[1] - BODY[0])[place], *(HEAD[1] - HEAD[0])[place]]
        assert found[place] == pytest.approx(min(least, *sides), abs=1e-6)


def test_slack_is_how_far_a_body_is_inside() -> None:
    found = np.asarray(slack(INNER, OUTER))
    room = np.minimum(BODY[0] - HEAD[0], HEAD[1] - BODY[1]).min(axis=-1)
    np.testing.assert_allclose(found, np.maximum(room, 0), atol=1e-6)


def test_a_gap_asks_for_more_but_not_at_the_border_of_the_universe() -> None:
    inner = Box(jnp.array([[0.2, 0.0]]), jnp.array([[0.6, 1.0]]))
    outer = Box(jnp.array([[0.2, 0.0]]), jnp.array([[0.7, 1.0]]))
    assert float(outside(inner, outer)[0]) == 0
    assert float(outside(inner, outer, gap=0.05)[0]) == pytest.approx(0.05)
    beside = Box(jnp.array([[0.6, 0.0]]), jnp.array([[0.9, 1.0]]))
    assert float(overlap(inner, beside)[0]) == 0
    assert float(overlap(inner, beside, gap=0.05)[0]) == pytest.approx(0.05)
