"""The gradient in closed form, against automatic differentiation."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from numpy.typing import NDArray

from boxsel.models.arrays import Parameters
from boxsel.models.batching import Strata, Stratum
from boxsel.models.box_gradients import RowLosses, gradients
from boxsel.models.objective import SMALL_DIMENSION, Knobs, Objective
from boxsel.models.representations.boxes import Boxes
from boxsel.models.representations.representation import RoleMap, Sizes
from boxsel.models.roles.affine import Affine
from boxsel.models.roles.translation import Translation

Column = NDArray[Any]
DIM = SMALL_DIMENSION + 1
SIZES = Sizes(names=5, roles=3, individuals=1, members=3)
COUNT = 6


def random_strata(seed: int) -> Strata:
    """Two strata: one with all slots, one with neither roles nor a second conjunct."""
    random = np.random.default_rng(seed)

    def names() -> Column:
        return random.integers(0, SIZES.names, COUNT).astype(np.int32)

    def roles() -> Column:
        return random.integers(0, SIZES.roles, COUNT).astype(np.int32)

    def ends() -> tuple[Column, Column]:
        some = np.sort(random.choice([0.0, 0.2, 0.5, 0.9, 1.0], (2, COUNT)), axis=0)
        return some[0], some[1]

    lower, upper = ends()
    lower[:3] = upper[:3] = 0.0  # disjoint
    apart = (upper <= 0).astype(float)
    return (
        Stratum(names(), roles(), names(), roles(), names(), roles(), lower, upper, apart),
        Stratum(names(), None, None, None, names(), None, *ends()),
    )


def automatic(
    boxes: Boxes, parameters: Parameters, strata: Strata, temperature: jax.Array
) -> tuple[RowLosses, Parameters]:
    objective = Objective(boxes)
    knobs = Knobs(temperature, temperature, temperature)

    def total(tables: Parameters) -> tuple[jax.Array, jax.Array]:
        each = jnp.concatenate([objective.losses(tables, rows, knobs) for rows in strata])
        return each.sum(), each

    found, each = jax.grad(total, has_aux=True)(parameters)
    return RowLosses(each.sum(axis=0), each.max(axis=0)), found


closed = jax.jit(gradients)
by_machine = jax.jit(automatic, static_argnums=0)


@pytest.mark.parametrize("roles", [Affine(), Translation()])
def test_the_closed_form_is_the_gradient(roles: RoleMap) -> None:
    boxes = Boxes(DIM, roles)
    for seed in range(4):
        start = boxes.initial(np.random.default_rng(seed), SIZES)
        for table in start["names"].values():
            table[1, :, 0] = table[2, :, 0]  # corners that coincide
        for temperature in (1.0, 1e-2):
            with jax.enable_x64(True):
                tables = jax.tree.map(jnp.asarray, start)
                strata, warmth = random_strata(seed), jnp.asarray(temperature)
                losses, found = closed(tables, strata, warmth)
                wanted_losses, wanted = by_machine(boxes, tables, strata, warmth)
            for one, other in zip(losses, wanted_losses, strict=True):
                np.testing.assert_allclose(one, other, rtol=1e-8, atol=1e-12)
            assert found.keys() == wanted.keys()
            for kind, expected in wanted.items():
                for name, table in expected.items():
                    # Row 0 is ⊤ and the identity: nobody reads its gradient.
                    rows = slice(kind != "individuals", None)
                    np.testing.assert_allclose(
                        found[kind][name][rows], table[rows], rtol=1e-7, atol=1e-10
                    )


@pytest.mark.parametrize("size", [0.0, 20.0, 1e4, 1e30])
def test_single_precision_is_finite_at_the_extremes(size: float) -> None:
    boxes = Boxes(DIM, Affine())
    start = boxes.initial(np.random.default_rng(0), SIZES)
    signs = np.random.default_rng(1).choice([-1, 1], (2, SIZES.names - 1, SIZES.members, DIM))
    start["names"]["position"][1:], start["names"]["extent"][1:] = signs * size
    start["roles"]["shift"][1:] = np.sign(start["roles"]["shift"][1:]) * min(size, 1e30)
    tables = jax.tree.map(lambda table: jnp.asarray(table, jnp.float32), start)
    for temperature in (1.0, 1e-3):
        strata = tuple(
            rows._replace(lower=rows.lower.astype("f4"), upper=rows.upper.astype("f4"))
            for rows in random_strata(2)
        )
        losses, found = closed(tables, strata, jnp.float32(temperature))
        for array in jax.tree.leaves((losses, found)):
            assert np.isfinite(array).all()


def test_single_precision_agrees_with_double() -> None:
    boxes = Boxes(DIM, Affine())
    start = boxes.initial(np.random.default_rng(3), SIZES)
    strata = random_strata(3)
    with jax.enable_x64(True):
        _, exact = closed(jax.tree.map(jnp.asarray, start), strata, jnp.asarray(0.1))
    single = tuple(
        rows._replace(lower=rows.lower.astype("f4"), upper=rows.upper.astype("f4"))
        for rows in strata
    )
    tables = jax.tree.map(lambda table: jnp.asarray(table, jnp.float32), start)
    _, found = closed(tables, single, jnp.float32(0.1))
    for kind in ("names", "roles"):
        for name, table in exact[kind].items():
            np.testing.assert_allclose(found[kind][name][1:], table[1:], rtol=1e-3, atol=1e-4)
