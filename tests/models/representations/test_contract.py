"""What every representation must do, with every map of roles.

A new one is tested by being registered.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import cache
from math import prod
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from boxsel.models.arrays import Array, Parameters
from boxsel.models.representations.balls import Balls
from boxsel.models.representations.populations import Populations
from boxsel.models.representations.representation import Sizes
from tests.depth import some
from tests.models.representations.cases import NAMES, PAIRS, ROLES, SIZES, Case, case, in_jax

DIMS = (1, 2, 5)
# Programs that run once: compiling takes longer than running.
QUICKLY = {"xla_backend_optimization_level": 0, "xla_llvm_disable_expensive_passes": True}
MEMBERS = SIZES.members


# Every pair in every dimension; in a quick run in one of them.
MIXED = [
    (*pair, DIMS[(place + shift) % len(DIMS)])
    for place, pair in enumerate(PAIRS)
    for shift in range(len(DIMS))
]


@pytest.fixture(params=some(MIXED, len(PAIRS)), ids=str)
def given(request: pytest.FixtureRequest) -> Case:
    return case(*request.param)


@pytest.fixture(params=some([(*pair, 2) for pair in PAIRS], 3), ids=str)
def in_double(request: pytest.FixtureRequest) -> Case:
    return case(*request.param)


@pytest.fixture(params=some([(*pair, (1, 5)[i % 2]) for i, pair in enumerate(PAIRS)], 3), ids=str)
def in_single(request: pytest.FixtureRequest) -> Case:
    return case(*request.param)


def test_something_is_tested() -> None:
    assert {("boxes", "affine"), ("balls", "translation"), ("boxes", "dual-boxes")} <= set(PAIRS)


def test_leading_axes_are_free(given: Case) -> None:
    how, parameters = given.representation, given.parameters
    for rows in (1, NAMES, NAMES.reshape(2, 3)):
        shape = (*np.shape(rows), MEMBERS)
        named = how.names(parameters, rows)
        assert given.measure(named).shape == shape
        assert given.measure(how.some(parameters, np.minimum(rows, 3), named, rows)).shape == shape
        assert given.measure(how.meet(named, named)).shape == shape
        points = how.points(parameters, np.minimum(rows, 2))
        assert points.shape == (*shape, how.dim)
        assert how.distance(named, points).shape == shape
        assert how.link_distance(parameters, np.minimum(rows, 3), points, points).shape == shape


def test_a_row_does_not_depend_on_the_others(given: Case) -> None:
    together = given.measure(given.some(np.array([1, 2, 3]), np.array([4, 0, 5])))
    for place, (role, name) in enumerate([(1, 4), (2, 0), (3, 5)]):
        assert np.array_equal(given.measure(given.some(role, name)), together[place])


def test_everything_is_the_largest(given: Case) -> None:
    assert np.array_equal(given.measure(given.named)[0], np.zeros(MEMBERS))
    for region in given.regions():
        assert np.all(given.measure(region) <= 1e-12)


def test_meet_is_that_of_sets(given: Case) -> None:
    how = given.representation
    top = how.names(given.parameters, np.zeros_like(ROLES))
    for one in given.regions():
        alone = given.measure(one)
        assert_same(given.measure(how.meet(one, one)), alone)
        assert_same(given.measure(how.meet(one, top)), alone)
        for other in given.regions():
            both = given.measure(how.meet(one, other))
            assert_same(both, given.measure(how.meet(other, one)))
            assert np.all(both <= np.minimum(alone, given.measure(other)) + 1e-9)
            assert_same(given.measure(how.meet(how.meet(one, other), one)), both)


def test_meets_may_be_nested_in_any_way(given: Case) -> None:
    meet = given.representation.meet
    one, other, third, *_ = given.regions()[1:]
    left, right = meet(meet(one, other), third), meet(one, meet(other, third))
    assert_same(given.measure(left), given.measure(right))


def test_some_regions_meet_and_others_do_not(given: Case) -> None:
    """The laws above are not about empty regions only."""
    rows, columns = np.meshgrid(NAMES[1:], NAMES[1:])
    how, parameters = given.representation, given.parameters
    both = how.meet(how.names(parameters, rows), how.names(parameters, columns))
    measures = given.measure(both)[~np.eye(5, dtype=bool)]
    assert np.isfinite(measures).mean() > 0.05
    assert (measures == -np.inf).mean() > 0.02


def test_no_role_is_the_identity(given: Case) -> None:
    how = given.representation
    same = given.some(np.zeros_like(NAMES), NAMES)
    assert_same(given.measure(same), given.measure(given.named))
    for row in NAMES:
        other = given.some(np.full_like(NAMES, 2), np.full_like(NAMES, row))
        expected = given.measure(how.meet(given.named, other))
        assert_same(given.measure(how.meet(same, other)), expected)


def test_existentials_lie_inside_the_universe(given: Case) -> None:
    """Roles that lead far away, or stretch much, leave nothing or little: never more than all."""
    how = given.representation
    for factor in (0.0, 1.0, -3.0, 40.0):
        tables = {key: factor * table for key, table in given.parameters["roles"].items()}
        moved = Case(how, {**given.parameters, "roles": tables})
        for name in (0, 1):
            region = moved.some(ROLES, np.full_like(ROLES, name))
            assert np.all(moved.measure(region) <= 1e-12)
            top = how.names(moved.parameters, np.zeros_like(ROLES))
            assert_same(moved.measure(how.meet(region, top)), moved.measure(region))


def test_existentials_grow_with_their_fillers(given: Case) -> None:
    how, parameters = given.representation, given.parameters
    if not how.complex_fillers:
        pytest.skip("fillers are names only")
    wide = how.names(parameters, ROLES)
    narrow = how.meet(wide, how.names(parameters, ROLES + 1))
    one, other = (how.some(parameters, ROLES, filler, None) for filler in (narrow, wide))
    assert_same(given.measure(how.meet(one, other)), given.measure(one))
    assert np.all(given.measure(one) <= given.measure(other) + 1e-9)


def test_fillers_may_be_given_without_their_names(given: Case) -> None:
    how, parameters = given.representation, given.parameters
    if not how.complex_fillers:
        pytest.skip("fillers are names only")
    filler = how.names(parameters, ROLES)
    anonymous = how.some(parameters, ROLES, filler, None)
    assert_same(given.measure(anonymous), given.measure(given.some(ROLES, ROLES)))


def test_points_and_distances(given: Case) -> None:
    how, parameters = given.representation, given.parameters
    points = how.points(parameters, ROLES - 1)
    top = how.names(parameters, np.zeros_like(ROLES))
    assert np.all(how.distance(top, points) == 0)
    for region in given.regions():
        assert np.all(how.distance(region, points) >= 0)
        both = np.maximum(how.distance(region, points), how.distance(given.regions()[1], points))
        meet = how.meet(region, given.regions()[1])
        np.testing.assert_allclose(how.distance(meet, points), both)
    assert np.any(how.distance(given.regions()[1], points) > 0)
    assert np.all(how.distance(given.regions()[1], points) <= 1)


def test_links_lead_somewhere_or_are_ignored(given: Case) -> None:
    how, parameters = given.representation, given.parameters
    points = how.points(parameters, ROLES - 1)
    away = how.link_distance(parameters, ROLES, points, points[::-1])
    if not how.links:
        assert np.all(away == 0)
        return
    assert np.all(away > 0)
    itself = how.link_distance(parameters, np.zeros_like(ROLES), points, points)
    assert np.all(itself == 0)


def test_the_tail_share_is_a_share(given: Case) -> None:
    filler = given.representation.names(given.parameters, ROLES)
    found = given.representation.log_tail_share(given.parameters, ROLES, filler, ROLES + 1)
    if found is not None:
        assert found.shape == (len(ROLES), MEMBERS)
        assert np.all(found <= 0)
        assert np.any(found < 0)


def test_parameters_are_as_many_as_the_formula_says(given: Case) -> None:
    how = given.representation
    names, roles = SIZES.names - 1, SIZES.roles - 1
    counted = sum(
        prod(table[1:, 0].shape)
        for kind in ("names", "roles")
        for table in given.parameters[kind].values()
    )
    of_names = {Balls.kind: how.dim + 1, Populations.kind: how.dim}.get(how.kind, 2 * how.dim)
    assert counted == of_names * names + how.roles.size(roles, names, how.dim)


def test_initial_parameters_depend_on_the_seed_alone(given: Case) -> None:
    how = given.representation
    one, again, other = (how.initial(np.random.default_rng(seed), SIZES) for seed in (1, 1, 2))
    for kind, tables in one.items():
        for key, table in tables.items():
            assert table.dtype == np.float64
            assert np.array_equal(table, again[kind][key])
            first = 1 if kind in ("names", "roles") else 0
            assert not np.any(table[first:] == other[kind][key][first:])
            members = table[first:].swapaxes(0, 1).reshape(MEMBERS, -1)
            assert len(np.unique(members[:, 0])) == MEMBERS
            if first:
                assert np.all(table[0] == table[0, 0, 0])


def test_tables_may_be_empty(given: Case) -> None:
    how = given.representation
    parameters = how.initial(np.random.default_rng(0), Sizes(1, 1, 0, 2))
    assert np.array_equal(how.log_measure(how.names(parameters, 0)), np.zeros(2))


def test_numpy_and_jax_agree(in_double: Case) -> None:
    """Hard measures, shares of nested concepts, and distances."""
    how = in_double.representation

    def everything(parameters: Parameters) -> list[Array]:
        here = Case(how, parameters)
        points = how.points(parameters, ROLES - 1)
        return [
            here.measure(here.many()),
            how.distance(here.regions()[-1], points),
            how.link_distance(parameters, ROLES, points, points[::-1]),
        ]

    with jax.enable_x64(True):
        compiled = jax.jit(everything, compiler_options=QUICKLY)(in_jax(in_double.parameters))
        for one, other in zip(everything(in_double.parameters), compiled, strict=True):
            assert_same(one, other)
            assert other.dtype == np.float64


def test_cooled_down_the_soft_measure_is_the_hard_one(in_double: Case) -> None:
    hard = in_double.measure(in_double.many())
    some = np.isfinite(hard)
    assert some.any()
    with jax.enable_x64(True):
        program, parameters = _soft(in_double), in_jax(in_double.parameters)
        off = []
        for temperature in (1e-2, 1e-4, 1e-6):
            soft, _ = program(parameters, jnp.asarray(temperature))
            off.append(np.max(np.abs(soft - hard)[some]))
        assert off[0] > off[1] >= off[2]
        assert off[2] < 1e-3
        assert np.all(soft[~some] < -10)


def test_gradients_are_those_of_finite_differences(in_double: Case) -> None:
    random = np.random.default_rng(3)
    step = 1e-6
    with jax.enable_x64(True):
        program, start = _soft(in_double), in_jax(in_double.parameters)
        warm = jnp.asarray(0.1)
        _, gradient = program(start, warm)
        for kind in ("names", "roles"):
            for key, table in start[kind].items():
                direction = jnp.asarray(random.normal(size=table.shape)).at[0].set(0.0)
                ends = [
                    program({**start, kind: {**start[kind], key: table + way * direction}}, warm)
                    for way in (step, -step)
                ]
                slope = jnp.sum(ends[0][0] - ends[1][0]) / (2 * step)
                along = jnp.sum(gradient[kind][key] * direction)
                np.testing.assert_allclose(along, slope, rtol=1e-5, atol=1e-5)
                assert abs(slope) > 1e-3 or key.startswith("tail")


EXTREMES = np.array([0.0, 1.0, -1.0, 30.0, -30.0, 1e4, -1e4, 1e38, -1e38, 1e-38], np.float32)


def test_the_soft_measure_and_its_gradient_are_finite_everywhere(in_single: Case) -> None:
    program = _soft(in_single)
    random = np.random.default_rng(0)
    for few in (3, 5, 7, len(EXTREMES)):
        for temperature in (1e-6, 1e-3, 0.1, 10.0) * 3:
            parameters = {
                kind: {key: _extreme(random, table, few) for key, table in tables.items()}
                for kind, tables in in_single.parameters.items()
            }
            found, gradient = program(in_jax(parameters), jnp.float32(temperature))
            assert found.dtype == jnp.float32
            for leaf in jax.tree.leaves((found, gradient)):
                assert np.all(np.isfinite(leaf))


def test_the_hard_measure_is_never_undefined(given: Case) -> None:
    """Without a warning, too: those are errors here."""
    random = np.random.default_rng(0)
    for few in (3, 5, 7, len(EXTREMES)) * 3:
        parameters = {
            kind: {key: _extreme(random, table, few) for key, table in tables.items()}
            for kind, tables in given.parameters.items()
        }
        found = given.representation.log_measure(Case(given.representation, parameters).many())
        assert np.all(found <= 1e-5)


def _extreme(random: np.random.Generator, table: Array, few: int) -> Array:
    found = random.choice(EXTREMES[:few], table.shape)
    found[0] = table[0]
    return found


@pytest.mark.parametrize("temperature", [0.001, 0.3])
def test_disjoint_and_nested_regions_have_a_gradient(in_single: Case, temperature: float) -> None:
    """Whatever the others are, every name and role can do something about it."""
    _, gradient = _soft(in_single)(in_jax(in_single.parameters), jnp.float32(temperature))
    for kind in ("names", "roles"):
        numbers = np.concatenate(list(gradient[kind].values()), axis=-1)
        assert np.all(np.any(numbers[1:] != 0, axis=-1))


Program = Callable[[Parameters, Array], tuple[Array, Parameters]]


@cache
def _program(given_how: Hashable) -> Program:
    how: Any = given_how

    def total(parameters: Parameters, temperature: Array) -> tuple[Array, Array]:
        here = Case(how, parameters)
        found = here.measure(here.many(), temperature)
        points = how.points(parameters, ROLES - 1)
        far = how.distance(how.names(parameters, ROLES), points)
        far += how.link_distance(parameters, ROLES, points, points[::-1])
        return jnp.sum(found) + 0.0 * jnp.sum(far), found

    def swapped(parameters: Parameters, temperature: Array) -> tuple[Array, Parameters]:
        gradient, found = jax.grad(total, has_aux=True)(parameters, temperature)
        return found, gradient

    return jax.jit(swapped, compiler_options=QUICKLY)


def _soft(given: Case) -> Program:
    """The soft measures of many regions, and the gradient of their sum: compiled once."""
    assert isinstance(given.representation, Hashable)
    return _program(given.representation)


def assert_same(one: Array, other: Array) -> None:
    np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-9)
