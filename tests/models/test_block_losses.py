"""Losses of blocks in closed form: those of their rows, and the gradient of these."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from boxsel.models.arrays import Array, Parameters
from boxsel.models.batching import Strata
from boxsel.models.blocks import Blocks
from boxsel.models.objective import Asked, Extras, Knobs, Objective
from boxsel.models.representations.populations import Populations
from tests.depth import cases
from tests.models.test_populations import CELLS, SIZES, random_rows

NOTHING = np.zeros((1, 0), np.int32)
EXTRAS = Extras(
    np.zeros((0, 2), np.int32),
    np.zeros((0, 3), np.int32),
    Asked(NOTHING, NOTHING, np.zeros((1, 2))),
)


@pytest.mark.parametrize("seed", range(cases(6, least=2)))
def test_blocks_have_the_losses_of_their_rows_and_their_slopes(seed: int) -> None:
    random = np.random.default_rng(seed)
    rows, how = random_rows(random, 30), Populations(CELLS)
    objective = Objective(how)
    with jax.enable_x64(True):
        strata: Strata = Blocks(rows, np.float64).strata
        tables = jax.tree.map(jnp.asarray, how.initial(random, SIZES))

        @jax.jit
        def both(parameters: Parameters, knobs: Knobs) -> Any:
            def summed(given: Parameters) -> tuple[Array, Array]:
                each = [objective.losses(given, one, knobs) for one in strata]
                return sum(map(jnp.sum, each), jnp.zeros(())), jnp.concatenate(each)

            found = objective.gradients(parameters, strata, knobs, EXTRAS)
            return found, jax.grad(summed, has_aux=True)(parameters)

        for temperature in (0.05, 1e-4):
            knobs = Knobs(*map(jnp.asarray, (temperature, 0.1, 0.0)))
            (losses, found), (expected, plain) = both(tables, knobs)
            np.testing.assert_allclose(losses.total, plain.sum(axis=0), rtol=1e-9)
            np.testing.assert_allclose(losses.largest, plain.max(axis=0), rtol=1e-9)
            for one, other in zip(jax.tree.leaves(found), jax.tree.leaves(expected), strict=True):
                np.testing.assert_allclose(one, other, rtol=1e-8, atol=1e-10)
