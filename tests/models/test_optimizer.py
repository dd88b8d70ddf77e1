"""Adam with a clock for every row, against Optax's own."""

from __future__ import annotations

from itertools import combinations

import jax
import jax.numpy as jnp
import numpy as np
import optax

from boxsel.models.arrays import Tables
from boxsel.models.optimizer import no_moments, updated

ROWS, MEMBERS, DIM, STEPS = 4, 3, 2, 6
RATE = jnp.float32(0.1)
ADAM = optax.adam(0.1, b2=0.99)
step_of = jax.jit(updated)


def random_tables(seed: int) -> Tables:
    random = np.random.default_rng(seed)
    return {
        "position": random.normal(size=(ROWS, MEMBERS, DIM)).astype(np.float32),
        "extent": random.normal(size=(ROWS, MEMBERS, 1)).astype(np.float32),
    }


def active(rows: int) -> np.ndarray:
    return np.ones((rows, MEMBERS), bool)


@jax.jit
def optax_step(tables: Tables, state: optax.OptState, gradient: Tables) -> object:
    steps, state = ADAM.update(gradient, state)
    return optax.apply_updates(tables, steps), state


def by_optax(tables: Tables, gradients: list[Tables]) -> Tables:
    state = ADAM.init(tables)
    for gradient in gradients:
        tables, state = optax_step(tables, state, gradient)
    return tables


def assert_close(found: Tables, wanted: Tables) -> None:
    for name in wanted:
        np.testing.assert_allclose(found[name], wanted[name], rtol=1e-5, atol=1e-6)


def test_rows_that_are_always_touched_move_as_by_adam() -> None:
    start, gradients = random_tables(0), [random_tables(1 + step) for step in range(STEPS)]
    content, moments = start, no_moments(start)
    for gradient in gradients:
        content, moments = step_of(content, moments, gradient, RATE, active(ROWS))
    assert_close(content, by_optax(start, gradients))
    assert moments.count.tolist() == [STEPS] * ROWS


def test_a_row_moves_as_if_only_its_own_steps_existed() -> None:
    start, gradients = random_tables(0), [random_tables(1 + step) for step in range(STEPS)]
    # Each row has another number of steps: 5, 4, 2 and 1.
    pairs = list(combinations(range(ROWS), 2))
    hit = [list(pairs[place]) for place in (0, 1, 0, 0, 2, 3)]
    content = start
    moments = jax.tree.map(np.array, no_moments(start))
    for rows, gradient in zip(hit, gradients, strict=True):

        def part(tables: Tables, rows: list[int] = rows) -> Tables:
            return {name: table[rows] for name, table in tables.items()}

        some = moments._replace(
            count=moments.count[rows], first=part(moments.first), second=part(moments.second)
        )
        moved, some = step_of(part(content), some, part(gradient), RATE, active(len(rows)))
        content = {name: table.copy() for name, table in content.items()}
        for whole, new in (
            (content, moved),
            (moments.first, some.first),
            (moments.second, some.second),
        ):
            for name, table in whole.items():
                table[rows] = new[name]
        moments.count[rows] = some.count
    for row in range(ROWS):
        own = [
            {name: table[row] for name, table in gradient.items()}
            for rows, gradient in zip(hit, gradients, strict=True)
            if row in rows
        ]
        alone = by_optax({name: table[row] for name, table in start.items()}, own)
        assert_close({name: table[row] for name, table in content.items()}, alone)
    assert moments.count.tolist() == [5, 4, 2, 1]


def test_what_is_not_active_stays_where_it_is() -> None:
    start = random_tables(0)
    moves = active(ROWS)
    moves[0] = False
    moves[:, 1] = False
    found, _ = step_of(start, no_moments(start), random_tables(1), RATE, moves)
    for name, table in start.items():
        moved = (np.asarray(found[name]) != table).any(axis=-1)
        np.testing.assert_array_equal(moved, moves)


def test_no_gradient_is_no_step() -> None:
    start = random_tables(0)
    nothing = {name: np.zeros_like(table) for name, table in start.items()}
    found, _ = step_of(start, no_moments(start), nothing, RATE, active(ROWS))
    assert_close(found, start)
