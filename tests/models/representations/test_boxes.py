"""Boxes are sets of points: what they say is what points say."""

from __future__ import annotations

import jax.numpy as jnp
import numpy as np
import pytest

from boxsel.models.arrays import Array
from boxsel.models.representations.boxes import Box, Boxes
from boxsel.models.representations.by_name import representation_of
from tests.models.representations.cases import NAMES, ROLES, SIZES, case
from tests.models.representations.sampling import assert_share, cube


def contains(box: Box, points: Array) -> Array:
    """Whether points, one a row, are in each of many boxes."""
    lower, upper = np.asarray(box.lower)[..., None, :], np.asarray(box.upper)[..., None, :]
    return np.all((lower < points) & (points < upper), axis=-1)


@pytest.mark.parametrize("roles", ["affine", "translation"])
@pytest.mark.parametrize("dim", [1, 2, 5])
def test_existentials_are_where_the_role_leads_into_the_filler(roles: str, dim: int) -> None:
    given = case("boxes", roles, dim, seed=1)
    how, parameters = given.representation, given.parameters
    assert isinstance(how, Boxes)
    points = cube(dim, 2000)
    everywhere = np.broadcast_to(points[:, None, :], (len(points), SIZES.members, dim))
    met = 0
    for role in ROLES:
        image = np.asarray(how.roles.image(parameters, role, everywhere)).swapaxes(0, 1)
        for name in NAMES:
            filler = how.names(parameters, name)
            expected = np.all((filler.lower[:, None] < image) & (image < filler.upper[:, None]), -1)
            some = how.some(parameters, role, filler, name)
            assert np.array_equal(contains(some, points), expected)
            met += expected.sum()
    assert met > 1000


@pytest.mark.parametrize("roles", ["affine", "dual-boxes"])
@pytest.mark.parametrize("dim", [1, 3])
def test_measures_are_volumes(roles: str, dim: int) -> None:
    given = case("boxes", roles, dim)
    points = cube(dim, 20000)
    for region in given.regions():
        inside = contains(region, points)
        for place, measure in np.ndenumerate(given.measure(region)):
            assert_share(inside[place], float(measure))


def test_the_soft_volume_is_a_product_of_soft_lengths() -> None:
    lower, upper = np.array([0.1, 0.5, 0.0]), np.array([0.4, 0.2, 1.0])
    warmth = 0.1
    expected = np.prod(warmth * np.logaddexp(0.0, (upper - lower) / warmth))
    box = Box(jnp.asarray(lower), jnp.asarray(upper))
    found = Boxes(3).log_measure(box, jnp.asarray(warmth))
    assert float(found) == pytest.approx(np.log(expected), rel=1e-6)


def test_the_distance_is_that_of_the_worst_dimension() -> None:
    box = Box(np.array([0.2, 0.2]), np.array([0.4, 0.4]))
    points = np.array([[0.3, 0.3], [0.5, 0.3], [0.1, 0.9]])
    assert Boxes(2).distance(box, points) == pytest.approx([0.0, 0.1, 0.5])


def test_boxes_are_models_if_their_roles_are_functions() -> None:
    found = {
        roles: representation_of("boxes", roles, 2).is_model
        for roles in ("affine", "translation", "dual-boxes")
    }
    assert found == {"affine": True, "translation": True, "dual-boxes": False}
