"""Soft lengths, from single precision's smallest numbers to its largest."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxsel.models.arrays import bounded, hard_log, largest, namespace, sigmoid
from boxsel.models.softness import log_soft_length, log_softplus

slope = jax.jit(jax.vmap(jax.grad(log_softplus)))
EVERYWHERE = np.array(
    [*np.linspace(-100, 100, 401), *np.geomspace(1, 1e37, 60), *-np.geomspace(1, 1e37, 60)]
)


def reference(z: float) -> float:
    """By the textbook where it can be computed, else by the first term of its series."""
    return float(np.log(np.log1p(np.exp(z)))) if -30 < z < 700 else z if z < 0 else float(np.log(z))


def test_values_in_double_precision() -> None:
    with jax.enable_x64(True):
        found = log_softplus(jnp.asarray(EVERYWHERE))
    np.testing.assert_allclose(found, [reference(z) for z in EVERYWHERE], rtol=1e-11, atol=1e-11)


def test_values_in_single_precision() -> None:
    found = log_softplus(jnp.asarray(EVERYWHERE, jnp.float32))
    assert found.dtype == jnp.float32
    np.testing.assert_allclose(found, [reference(z) for z in EVERYWHERE], rtol=3e-6, atol=3e-6)


def test_slopes_are_positive_and_finite_wherever_there_is_something_to_gain() -> None:
    found = slope(jnp.asarray(EVERYWHERE, jnp.float32))
    assert np.all(np.isfinite(found))
    assert np.all(found > 0)
    assert np.all(found <= 1 + 1e-6)


def test_slopes_are_those_of_finite_differences() -> None:
    with jax.enable_x64(True):
        near = jnp.linspace(-60.0, 60.0, 241) + 0.013
        expected = (log_softplus(near + 1e-5) - log_softplus(near - 1e-5)) / 2e-5
        np.testing.assert_allclose(slope(near), expected, rtol=1e-7, atol=1e-8)


def test_there_is_no_step_where_the_formula_changes() -> None:
    with jax.enable_x64(True):
        around = -36.0 + jnp.array([-1e-9, 1e-9])
        assert float(jnp.diff(log_softplus(around))[0]) == pytest.approx(2e-9, rel=1e-3)


@given(st.floats(-10, 10), st.sampled_from([1e-6, 1e-3, 0.1, 10.0]))
def test_soft_lengths_are_longer_than_hard_ones_by_little(length: float, warmth: float) -> None:
    with jax.enable_x64(True):
        found = float(jnp.exp(log_soft_length(jnp.asarray(length), jnp.asarray(warmth))))
    assert max(length, 0.0) <= found * (1 + 1e-9)
    assert found <= max(length, 0.0) + warmth * np.log(2) + 1e-9


def test_arrays_know_their_module() -> None:
    assert namespace(np.zeros(1)) is np
    assert namespace(jnp.zeros(1)) is jnp


def test_sigmoid_and_logarithm_are_the_same_in_both() -> None:
    numbers = np.array([-1e38, -50.0, 0.0, 3.0, 1e38], np.float32)
    np.testing.assert_allclose(sigmoid(numbers), sigmoid(jnp.asarray(numbers)), rtol=1e-6)
    lengths = np.array([0.0, 1e-30, 1.0])
    with jax.enable_x64(True):
        np.testing.assert_allclose(hard_log(lengths), hard_log(jnp.asarray(lengths)))
    assert hard_log(lengths)[0] == -np.inf


def test_the_largest_numbers_and_their_gradient() -> None:
    numbers = np.array([[1.0, 3.0, 3.0], [-1.0, -2.0, -3.0]], np.float32)
    assert largest(numbers, axis=1).tolist() == [3.0, -1.0]
    assert largest(jnp.asarray(numbers), axis=1).tolist() == [3.0, -1.0]
    gradient = jax.grad(lambda array: largest(array, axis=1).sum())(jnp.asarray(numbers))
    assert gradient.sum(axis=1).tolist() == [1.0, 1.0]


def test_bounded_numbers() -> None:
    assert bounded(np.array([-1e38, -3.0, 2.0, 1e38]), 5.0).tolist() == [-5.0, -3.0, 2.0, 5.0]
