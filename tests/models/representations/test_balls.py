"""Balls: volumes of lenses by formula, by quadrature and by counting points."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import betainc

from boxsel.errors import BoxselError
from boxsel.models.arrays import Array
from boxsel.models.representations.balls import Ball, Balls
from boxsel.models.representations.by_name import representation_of
from boxsel.models.representations.lenses import log_cap
from boxsel.models.roles.affine import Affine
from tests.depth import cases
from tests.models.representations.cases import NAMES, ROLES, SIZES, case
from tests.models.representations.sampling import assert_share, ball

parts = st.floats(0.01, 0.99)


def measure(*balls: tuple[list[float], float]) -> float:
    """What balls given by centre and radius have in common, as a part of the unit ball."""
    region = tuple(Ball(np.array(centre), np.float64(radius)) for centre, radius in balls)
    return float(np.exp(Balls(len(balls[0][0])).log_measure(region)))


def inside(balls: list[Ball], points: Array) -> Array:
    """Whether points are in all of some balls."""
    return np.all(
        [np.linalg.norm(points - centre, axis=-1) < radius for centre, radius in balls], axis=0
    )


@given(st.floats(-1, 1), parts, st.floats(-1, 1), parts)
def test_in_one_dimension_balls_are_intervals(
    one: float, its_radius: float, other: float, others_radius: float
) -> None:
    lower = max(one - its_radius, other - others_radius, -1.0)
    upper = min(one + its_radius, other + others_radius, 1.0)
    expected = max(upper - lower, 0.0) / 2
    found = measure(([one], its_radius), ([other], others_radius))
    assert found == pytest.approx(expected, abs=1e-12)


@given(parts, parts, parts)
def test_in_two_dimensions_they_are_circles(one: float, other: float, distance: float) -> None:
    """The textbook's formula; the circles are shrunk so that both lie inside the universe."""
    one, other, distance = one / 2, other / 2, distance / 2
    found = measure(([0.0, 0.0], one), ([0.0, distance], other))
    if distance >= one + other:
        assert found == 0.0
    elif distance <= abs(one - other):
        assert found == pytest.approx(min(one, other) ** 2, rel=1e-12)
    else:
        cosines = [
            (distance**2 + own**2 - its**2) / (2 * distance * own)
            for own, its in ((one, other), (other, one))
        ]
        sectors = one**2 * np.arccos(cosines[0]) + other**2 * np.arccos(cosines[1])
        sides = (one + other - distance, distance + one - other, distance - one + other)
        kite = np.sqrt(np.prod(sides) * (one + other + distance)) / 2
        assert found == pytest.approx((sectors - kite) / np.pi, rel=1e-6, abs=1e-10)


@pytest.mark.parametrize("dim", [1, 2, 3, 8, 32, 64, 200])
def test_caps_are_incomplete_beta_functions(dim: int) -> None:
    heights = np.concatenate([np.geomspace(1e-8, 0.49, 60), np.linspace(0.49, 1 - 1e-9, 60)])
    expected = betainc((dim + 1) / 2, (dim + 1) / 2, heights)
    found = log_cap(np.log(heights), dim)
    some = expected > 1e-290
    np.testing.assert_allclose(found[some], np.log(expected[some]), rtol=1e-10, atol=1e-10)
    assert np.all(np.diff(found) >= 0)


def test_thin_lenses_of_many_dimensions_do_not_underflow() -> None:
    """In single precision the volume would be zero by hundreds of orders of magnitude."""
    thin = np.log(np.geomspace(1e-30, 1e-3, 20))
    expected = log_cap(thin, 32)
    found = log_cap(jnp.asarray(thin, jnp.float32), 32)
    assert expected[0] < -1000
    np.testing.assert_allclose(found, expected, rtol=1e-5)


@pytest.mark.parametrize("dim", [2, 3, 5])
def test_one_and_two_balls_are_measured_exactly(dim: int) -> None:
    points = ball(dim, 40000)
    random = np.random.default_rng(dim)
    for _ in range(12):
        balls = [Ball(random.normal(0, 0.3, dim), random.uniform(0.3, 0.9)) for _ in range(2)]
        small = [Ball(centre / 4, radius) for centre, radius in balls]
        # A ball that the universe cuts is a lens; two balls inside the universe are one too.
        for region in (balls[:1], [Ball(one.centre, one.radius * 0.7) for one in small]):
            log_measure = Balls(dim).log_measure(
                tuple(Ball(centre, np.float64(radius)) for centre, radius in region)
            )
            assert_share(inside(region, points), float(log_measure))


@pytest.mark.parametrize("dim", [2, 4])
def test_more_balls_are_never_measured_too_small(dim: int) -> None:
    points = ball(dim, 20000)
    random = np.random.default_rng(dim)
    errors = []
    for _ in range(40):
        balls = [
            Ball(random.normal(0, 0.12, dim), np.float64(random.uniform(0.5, 0.8)))
            for _ in range(3)
        ]
        share = inside(balls, points).mean()
        found = np.exp(Balls(dim).log_measure(tuple(balls)))
        assert found >= share - 4 * np.sqrt(share / len(points))
        pairs = [np.exp(Balls(dim).log_measure((balls[i], balls[i - 1]))) for i in range(3)]
        assert found == pytest.approx(min(pairs))
        errors.append(found - share)
    assert np.mean(errors) < 0.05


def test_a_ball_that_contains_another_changes_nothing() -> None:
    one, other = ([0.1, 0.2], 0.3), ([0.3, 0.1], 0.3)
    around_one = ([0.1, 0.1], 0.45)
    assert measure(one, other, around_one) == measure(one, other)


def test_two_disjoint_balls_leave_nothing() -> None:
    everything = ([0.0, 0.0], 1.0)
    assert measure(([0.5, 0.0], 0.3), everything, ([-0.5, 0.0], 0.3)) == 0.0


@pytest.mark.parametrize("roles", ["affine", "translation"])
@pytest.mark.parametrize("dim", [1, 3])
def test_existentials_are_where_the_role_leads_into_the_filler(roles: str, dim: int) -> None:
    given_case = case("balls", roles, dim, seed=1)
    how, parameters = given_case.representation, given_case.parameters
    assert isinstance(how, Balls)
    points = ball(dim, 2000)
    everywhere = np.broadcast_to(points[:, None, :], (len(points), SIZES.members, dim))
    met = 0
    for role in ROLES:
        image = how.roles.image(parameters, role, everywhere)
        for name in NAMES:
            filler = how.names(parameters, name)
            expected = inside(list(filler), image)
            assert np.array_equal(
                inside(list(how.some(parameters, role, filler, name)), everywhere), expected
            )
            assert np.array_equal(
                inside(list(how.some(parameters, role, filler, None)), everywhere), expected
            )
            met += expected.sum()
    assert met > 1000


def test_nested_existentials_do_not_lead_through_the_outside() -> None:
    """`∃r.∃s.⊤` is where r stays inside the universe, and s then does."""
    given_case = case("balls", "translation", 2)
    how, parameters = given_case.representation, given_case.parameters
    assert isinstance(how, Balls)
    points = ball(2, 3000)
    everywhere = np.broadcast_to(points[:, None, :], (len(points), SIZES.members, 2))
    once = how.roles.image(parameters, 1, everywhere)
    twice = how.roles.image(parameters, 2, once)
    universe = list(how.names(parameters, 0))
    expected = inside(universe, once) & inside(universe, twice)
    inner = how.some(parameters, 2, how.names(parameters, 0), 0)
    found = how.some(parameters, 1, inner, None)
    assert np.array_equal(inside(list(found), everywhere), expected)
    assert np.any(inside(universe, twice) & ~inside(universe, once))


@settings(max_examples=cases(20))
@given(st.integers(0, 1000))
def test_names_and_points_lie_inside_the_universe(seed: int) -> None:
    found = case("balls", "affine", 3, seed)
    found.parameters["names"]["position"] *= 100.0
    found.parameters["individuals"]["place"] *= 1e30
    ((centre, radius),) = found.named
    assert np.all(np.linalg.norm(centre, axis=-1) + radius <= 1 + 1e-12)
    points = found.representation.points(found.parameters, np.arange(3))
    assert np.all(np.linalg.norm(points, axis=-1) <= 1 + 1e-12)


@pytest.mark.parametrize("dim", [1, 32])
def test_disjoint_balls_pull_each_other(dim: int) -> None:
    """Moving one towards the other makes the soft measure larger, at any distance."""
    centre = np.zeros((2, dim), np.float32)
    centre[:, 0] = 0.7, -0.7

    def soft(centres: Array, radii: Array) -> Array:
        balls = tuple(Ball(centres[place], radii[place]) for place in range(2))
        return Balls(dim).log_measure(balls, jnp.float32(0.01))

    slopes = jax.jit(jax.grad(soft, argnums=(0, 1)))
    by_centre, by_radius = slopes(jnp.asarray(centre), jnp.asarray([0.2, 0.1], jnp.float32))
    assert by_centre[0, 0] < -1
    assert by_centre[1, 0] > 1
    assert np.all(by_radius > 1)


def test_balls_in_almost_the_same_place_have_the_right_gradient() -> None:
    """The lens loses a disc times the distance: its slope is that of their volumes, to the sign."""
    dim, radius = 3, 0.5
    disc, whole = np.pi * radius**2, 4 / 3 * np.pi * radius**3

    def soft(centre: Array) -> Array:
        same = jnp.float32(radius)
        balls = (Ball(jnp.zeros(dim, jnp.float32), same), Ball(centre, same))
        return Balls(dim).log_measure(balls, jnp.float32(1e-4))

    slope = jax.jit(jax.grad(soft))
    for distance in (1e-2, 1e-4, 1e-6):
        found = slope(jnp.asarray([distance, 0.0, 0.0], jnp.float32))
        assert found[0] == pytest.approx(-disc / whole, rel=0.03)


def test_the_distance_is_a_part_of_the_diameter() -> None:
    region = (Ball(np.array([0.5, 0.0]), np.float64(0.25)), Ball(np.zeros(2), np.float64(0.5)))
    points = np.array([[0.4, 0.0], [-0.5, 0.0], [0.0, 1.0]])
    expected = [0.0, 0.375, max(np.sqrt(1.25) - 0.25, 0.5) / 2]
    assert Balls(2).distance(region, points) == pytest.approx(expected)


def test_balls_need_roles_that_keep_balls() -> None:
    assert representation_of("balls", "affine", 2) == Balls(2, Affine(uniform=True))
    with pytest.raises(BoxselError, match="balls do not go with dual-boxes"):
        representation_of("balls", "dual-boxes", 2)
    with pytest.raises(BoxselError, match="does not take balls to balls"):
        Balls(2, Affine())
