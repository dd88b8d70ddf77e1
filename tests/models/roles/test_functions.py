"""Roles that are functions of the space."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxsel.models.arrays import Parameters
from boxsel.models.representations.representation import Sizes
from boxsel.models.roles.affine import Affine
from boxsel.models.roles.translation import Translation

MAPS: list[Affine | Translation] = [Affine(), Affine(uniform=True), Translation()]


def parameters_of(role_map: Affine | Translation, seed: int = 0) -> Parameters:
    tables, more = role_map.initial(np.random.default_rng(seed), Sizes(3, 4, 0, 2), 5)
    assert more == {}
    return {"names": {}, "roles": tables, "individuals": {}}


@pytest.mark.parametrize("role_map", MAPS, ids=str)
@given(seed=st.integers(0, 100))
def test_the_inverse_image_undoes_the_image(role_map: Affine | Translation, seed: int) -> None:
    parameters = parameters_of(role_map, seed)
    random = np.random.default_rng(seed)
    lower = random.normal(size=(4, 2, 5))
    upper = lower + random.random((4, 2, 5))
    rows = np.arange(4)
    images = [role_map.image(parameters, rows, corner) for corner in (lower, upper)]
    found = role_map.inverse_image(parameters, rows, (images[0], images[1]), None)
    np.testing.assert_allclose(found, (lower, upper), atol=1e-12)
    scale, shift = role_map.scale_and_shift(parameters, rows)
    np.testing.assert_allclose(lower * scale + shift, images[0], atol=1e-12)


@pytest.mark.parametrize("role_map", MAPS, ids=str)
def test_row_zero_is_the_identity(role_map: Affine | Translation) -> None:
    corners = np.random.default_rng(0).normal(size=(2, 1, 2, 5))
    found = role_map.inverse_image(
        parameters_of(role_map), np.zeros(1, int), (corners[0], corners[1]), None
    )
    assert np.array_equal(found, corners)


def test_maps_with_the_shift_are_not_those_without() -> None:
    """`(m − b) / d`, not `m / d`."""
    parameters: Parameters = {
        "roles": {"scale": np.log([[[2.0]]]), "shift": np.array([[[0.3]]])},
    }
    lower, upper = Affine().inverse_image(
        parameters, 0, (np.array([[0.5]]), np.array([[0.9]])), None
    )
    assert (lower.item(), upper.item()) == pytest.approx((0.1, 0.3))


def test_numbers_of_parameters() -> None:
    assert [role_map.size(6, 127, 32) for role_map in MAPS] == [2 * 32 * 6, 33 * 6, 32 * 6]


def test_a_uniform_map_scales_all_dimensions_alike() -> None:
    assert Affine().uniformly() == Affine(uniform=True)
    assert Translation().uniformly() == Translation()
    scale, shift = Affine(uniform=True).scale_and_shift(parameters_of(Affine(uniform=True)), 2)
    assert scale.shape == (2, 1)
    assert shift.shape == (2, 5)


@pytest.mark.parametrize("role_map", MAPS, ids=str)
@pytest.mark.parametrize("far", [1e38, -1e38])
def test_absurd_numbers_do_not_overflow(role_map: Affine | Translation, far: float) -> None:
    parameters = parameters_of(role_map)
    tables = {
        key: np.full_like(table, far, np.float32) for key, table in parameters["roles"].items()
    }
    corners = np.zeros((2, 2, 5), np.float32)
    found = role_map.inverse_image({"roles": tables}, 1, (corners[0], corners[1]), None)
    for _ in range(6):
        found = role_map.inverse_image({"roles": tables}, 1, found, None)
    assert np.all(np.isfinite(found))


@pytest.mark.parametrize("role_map", MAPS, ids=str)
def test_functions_have_no_tails(role_map: Affine | Translation) -> None:
    corners = np.zeros((2, 2, 5))
    assert role_map.tails(parameters_of(role_map), 1, (corners[0], corners[1]), 1) is None
