"""The loss that we train with: its zeros, its slope, and that it is finite everywhere."""

from __future__ import annotations

from fractions import Fraction

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxsel.models.arrays import Array, Parameters
from boxsel.models.batching import Stratum
from boxsel.models.losses import LEAST_BOUND, log_shares, row_error, row_loss, row_slope, violation
from boxsel.models.representations.boxes import Boxes
from boxsel.models.representations.representation import Sizes

bounds = st.tuples(
    st.sampled_from([0.0, 0.1, 0.25, 0.5, 1.0]), st.sampled_from([0.0, 0.1, 0.25, 0.5, 1.0])
).map(sorted)


ZONE = jnp.float32(0.01)
loss_of, error_of = jax.jit(row_loss), jax.jit(row_error)
slope_of, off_by = jax.jit(row_slope), jax.jit(violation)
loss_and_slope = jax.jit(jax.value_and_grad(row_loss))


@given(bounds, st.floats(1e-5, 1.0))
def test_the_loss_is_zero_where_the_axiom_holds(ends: list[float], share: float) -> None:
    lower, upper = ends
    off = float(off_by(jnp.float32(share), lower, upper))
    log_share = jnp.log(jnp.float32(share))
    error = float(error_of(log_share, lower, upper))
    loss = float(loss_of(log_share, lower, upper, ZONE))
    assert off == pytest.approx(max(lower - share, 0) + max(share - upper, 0), abs=1e-6)
    # At a bound itself, rounding decides.
    if min(abs(share - lower), abs(share - upper)) > 1e-5:
        assert (error == 0) == (loss == 0) == (off == 0)
    assert error >= off - 1e-5
    zone = float(ZONE)
    wanted = error**2 / (2 * zone) if error < zone else error - zone / 2
    assert loss == pytest.approx(wanted, rel=1e-4, abs=1e-9)


@given(bounds)
def test_the_slope_at_the_lower_bound_is_that_of_the_violation(ends: list[float]) -> None:
    lower, upper = ends
    if lower == 0:
        return

    def error(share: Array) -> Array:
        return row_error(jnp.log(share), lower, upper)

    assert float(jax.grad(error)(jnp.float32(lower * 0.999))) == pytest.approx(-1.0, rel=1e-2)


@pytest.mark.parametrize("log_share", [-8.0, -50.0, -1e4, -1e30])
@pytest.mark.parametrize("lower", [1e-2, 0.5, 1.0])
def test_the_slope_does_not_vanish_with_the_share(log_share: float, lower: float) -> None:
    _, slope = loss_and_slope(jnp.float32(log_share), lower, 1.0, ZONE)
    assert float(slope) == pytest.approx(-lower)


@given(bounds, st.floats(-20, 0))
def test_the_slope_in_closed_form(ends: list[float], log_share: float) -> None:
    share = jnp.float32(log_share)
    lower, upper = ends
    found = float(slope_of(share, lower, upper, ZONE))
    if min(abs(log_share - np.log(max(end, 1e-9))) for end in ends) > 1e-4 and log_share < 0:
        wanted = float(loss_and_slope(share, lower, upper, ZONE)[1])
        assert found == pytest.approx(wanted, rel=1e-4, abs=1e-7)


@pytest.mark.parametrize("log_share", [-1e30, -1e4, -1e-7, 0.0])
@pytest.mark.parametrize("lower", [0.0, 1e-12, LEAST_BOUND, 1.0])
@pytest.mark.parametrize("upper", [0.0, 1e-12, 1.0])
@pytest.mark.parametrize("zone", [1.0, 1e-5])
def test_losses_and_slopes_are_finite(
    log_share: float, lower: float, upper: float, zone: float
) -> None:
    share, *rest = (jnp.float32(number) for number in (log_share, lower, upper, zone))
    value, slope = loss_and_slope(share, *rest)
    assert np.isfinite(value)
    assert np.isfinite(slope)
    assert np.isfinite(slope_of(share, *rest))
    assert value >= 0


BOXES = Boxes(2)
SIZES = Sizes(names=4, roles=2, individuals=0, members=3)
NAMES = np.array([[1, 0, 2], [1, 2, 3], [3, 0, 1], [2, 0, 3], [0, 0, 1], [1, 2, 0]], np.int32)
ROLES = np.array([[0, 0, 0], [0, 0, 0], [1, 0, 0], [0, 0, 1], [0, 0, 0], [1, 1, 1]], np.int32)
ROWS = Stratum(
    NAMES[:, 0],
    ROLES[:, 0],
    NAMES[:, 1],
    ROLES[:, 1],
    NAMES[:, 2],
    ROLES[:, 2],
    np.array([0.9, 0.2, 1.0, 0.0, 0.0, 1.0]),
    np.array([1.0, 0.3, 1.0, 0.0, 0.1, 1.0]),
)


def total(parameters: Parameters, temperature: float) -> jax.Array:
    shares = log_shares(BOXES, parameters, ROWS, jnp.asarray(temperature))
    lower, upper = ROWS.lower[:, None], ROWS.upper[:, None]
    return jnp.sum(row_loss(shares, lower, upper, temperature))


def test_gradients_are_those_of_finite_differences() -> None:
    with jax.enable_x64(True):
        start = BOXES.initial(np.random.default_rng(5), SIZES)
        flat, tree = jax.tree.flatten(start)
        value = jax.jit(lambda tables: total(tables, 0.1))
        gradient = jax.tree.leaves(jax.jit(jax.grad(lambda tables: total(tables, 0.1)))(start))
        random = np.random.default_rng(6)
        for _ in range(5):
            way = [random.normal(size=table.shape) for table in flat]
            ends = [
                float(
                    value(
                        jax.tree.unflatten(
                            tree, [one + h * step for one, step in zip(flat, way, strict=True)]
                        )
                    )
                )
                for h in (1e-6, -1e-6)
            ]
            found = sum(
                float(np.sum(slope * step)) for slope, step in zip(gradient, way, strict=True)
            )
            assert found == pytest.approx((ends[0] - ends[1]) / 2e-6, rel=1e-5)


@pytest.mark.parametrize("size", [0.0, 20.0, 1e4, 1e30])
@pytest.mark.parametrize("sign", [(1, 1), (1, -1), (-1, 1), (-1, -1)])
def test_boxes_at_the_extremes_have_finite_losses(size: float, sign: tuple[int, int]) -> None:
    start = BOXES.initial(np.random.default_rng(5), SIZES)
    for place, (name, factor) in enumerate(zip(("position", "extent"), sign, strict=True)):
        start["names"][name][1:] = factor * size
        start["names"][name][2] *= (-1) ** place
    tables = jax.tree.map(lambda table: jnp.asarray(table, jnp.float32), start)
    for temperature in (1.0, 1e-3):
        value, slopes = _value_and_slopes(tables, temperature)
        assert np.isfinite(value)
        assert all(np.isfinite(slope).all() for slope in jax.tree.leaves(slopes))


_value_and_slopes = jax.jit(jax.value_and_grad(total))


def test_soft_shares_become_hard_ones() -> None:
    with jax.enable_x64(True):
        start = BOXES.initial(np.random.default_rng(5), SIZES)
        start["roles"]["scale"][1], start["roles"]["shift"][1] = 0.0, 0.0
        tables = jax.tree.map(jnp.asarray, start)
        soft = np.exp(log_shares(BOXES, tables, ROWS, jnp.asarray(1e-4)))
    corners = BOXES.names(start, np.arange(4))
    for row, (one, other, head) in enumerate(NAMES):
        for member in range(SIZES.members):
            lower, upper = corners.lower[:, member], corners.upper[:, member]
            body = np.minimum(upper[one], upper[other]) - np.maximum(lower[one], lower[other])
            low = np.maximum.reduce([lower[one], lower[other], lower[head]])
            both = np.minimum.reduce([upper[one], upper[other], upper[head]]) - low
            if (body > 0.05).all():
                share = Fraction(float(np.prod(np.maximum(both, 0)))) / Fraction(
                    float(np.prod(body))
                )
                assert soft[row, member] == pytest.approx(float(share), abs=1e-2)
