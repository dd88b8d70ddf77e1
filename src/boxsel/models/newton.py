"""The last phase of populations: until every share is what it should be, to the last digits.

Where rows say how large everything is, `counted_phase` solves for that. Elsewhere, first what must
hold without exception is made to hold in every cell, by the smallest changes (`hardening`).
Memberships that are 0 or 1 then stay so, and inclusions with them. Then Gauss and Newton: the
shares are smooth functions of the other memberships and of the weights, and there are mostly more
of these than statements. A step solves `(J Jᵀ + λ) y = e` for the rows that do not hold by
conjugate gradients, without ever making J, and moves by `Jᵀ y`; λ grows where that does not help.
All members take their steps at once, in double precision.
"""

from __future__ import annotations

from functools import partial
from typing import Any, Final, NamedTuple, cast

import jax
import jax.numpy as jnp
import numpy as np

from boxsel.machine.threads import one_thread
from boxsel.models.arrays import Array, Parameters
from boxsel.models.batching import Strata
from boxsel.models.chained import chained
from boxsel.models.concluding import NEAR, concluded, made_equal
from boxsel.models.consequences import consequences
from boxsel.models.counted_phase import counted
from boxsel.models.hardening import hardened
from boxsel.models.population_shares import errors_in, strata_of
from boxsel.models.reconciling import reconciled
from boxsel.models.representations.populations import Populations
from boxsel.models.task import Rows

MOST_STEPS: Final = 60
"""At most so many steps of Gauss and Newton; where there is a solution, about ten are enough."""

INNER: Final = 200
"""At most so many steps of conjugate gradients in each."""

WORK: Final = 2e11
"""How many memberships are looked at in all, at most: large knowledge bases have fewer steps."""

FAR: Final = 0.01
"""Who is off by more somewhere should satisfy what follows from rows at least."""

ROUNDS: Final = 2
"""How often numbers are moved together, and then heads alone."""

MOST_FOLLOW: Final = 4_000
"""If more rows follow than this, matrices of them are too large: heads alone must do."""

EXACT: Final = 1e-12
"""Members that are off by less than this, in every row, are done."""

FIRST_DAMPING: Final = 1e-2
FARTHEST: Final = 3.0
"""How far a number may move in a step."""


def satisfying(
    how: Populations, parameters: Parameters, rows: Rows, *, near: bool = True, exactly: bool = True
) -> Parameters:
    """Members that satisfy the rows as well as can be.

    If rows say how large everything is, and `exactly` is wanted, members get exactly that. Gauss
    and Newton are for others, if they are `near`; none gets worse by that. Those that are far from
    some row even then should satisfy at least what follows from all.
    """
    # Members are many and their matrices small: a thread for each, and not several for a product.
    with jax.enable_x64(True), one_thread():
        strata = strata_of(rows)
        moving = {kind: tables for kind, tables in parameters.items() if kind != "individuals"}
        before = _largest(how, moving, strata)
        after = counted(moving, rows) if exactly else None
        if after is None and near:
            crisp = hardened(how, moving, strata, loosely=True)
            effort = _effort(strata, before.shape[0] * how.dim)
            found = _descended(how, effort, jax.tree.map(jnp.asarray, crisp), strata)
            # What is nested may be off by a rounding: it must not be.
            after = hardened(how, jax.tree.map(np.asarray, found), strata)
        if after is not None:
            moving = _chosen(_largest(how, after, strata) < before, after, moving)
        far = np.asarray(_largest(how, moving, strata)) > FAR
        if exactly and far.any():
            moving = _chosen(far, _concluding(how, moving, rows), moving)
        return {**parameters, **moving}


def _chosen(which: Array, new: Parameters, old: Parameters) -> Parameters:
    """Some of the new members, and the others as they were."""

    def chosen(one: Any, other: Any) -> Any:
        return np.where(np.asarray(which)[:, None], np.asarray(one), np.asarray(other))

    return cast(Parameters, jax.tree.map(chosen, new, old))


def _concluding(how: Populations, parameters: Parameters, rows: Rows) -> Parameters:
    """Members that satisfy what follows from rows, as nearly as can be.

    Intervals that follow are not narrowed: what is the case is often at one of their ends, so that
    narrower ones contradict each other. All numbers move together. Where that does not lead to all
    rows, heads one by one get there or give some row up, and it is tried again from there. Each
    member is the best that it was.
    """
    follows = chained(consequences(rows), rows)
    if not len(follows):
        return parameters
    strata = strata_of(follows)
    found = best = hardened(how, made_equal(parameters, rows), strata)
    fewest = _lost(how, best, strata)
    ways = (reconciled, concluded) if len(follows) <= MOST_FOLLOW else (concluded,)
    for way in ways * ROUNDS:
        if not fewest.any():
            break
        found = way(found, follows)
        lost = _lost(how, found, strata)
        best, fewest = _chosen(lost < fewest, found, best), np.minimum(lost, fewest)
    return best


def _lost(how: Populations, parameters: Parameters, strata: Strata) -> np.ndarray[Any, Any]:
    """How many rows every member misses."""
    off = np.abs(np.asarray(errors_in(how, parameters, strata)))
    found: np.ndarray[Any, Any] = (off > NEAR).sum(axis=0)
    return found


@partial(jax.jit, static_argnums=0)
def _largest(how: Populations, parameters: Parameters, strata: Strata) -> Array:
    return jnp.abs(errors_in(how, parameters, strata)).max(axis=0)


class _State(NamedTuple):
    """Where the members are: their tables, what is missing, the damping, and the step."""

    parameters: Parameters
    errors: Array
    damping: Array
    step: Array


class _Effort(NamedTuple):
    """How many steps there are, and steps of conjugate gradients in each."""

    steps: int
    inner: int


def _effort(strata: Strata, each: int) -> _Effort:
    pairs = sum(rows.lower.size for rows in strata)
    passes = max(20, int(WORK // (pairs * each)))
    inner = min(INNER, passes)
    return _Effort(max(1, min(MOST_STEPS, passes // inner)), inner)


@partial(jax.jit, static_argnums=(0, 1))
def _descended(
    how: Populations, effort: _Effort, parameters: Parameters, strata: Strata
) -> Parameters:
    def errors(tables: Parameters) -> Array:
        return errors_in(how, tables, strata)

    def unfinished(state: _State) -> Array:
        off = jnp.abs(state.errors).max(axis=0)
        stuck = state.damping > 1e6
        return (state.step < effort.steps) & jnp.any((off > EXACT) & ~stuck)

    def step(state: _State) -> _State:
        now, slope = jax.linearize(errors, state.parameters)
        back = jax.linear_transpose(slope, state.parameters)
        active = now != 0

        def product(vector: Array) -> Array:
            (pulled,) = back(jnp.where(active, vector, 0.0))
            return jnp.where(active, slope(pulled), 0.0)

        scale = _dot(now, product(now)) / jnp.maximum(_dot(now, now), 1e-300)
        damping = state.damping * jnp.maximum(scale, 1e-20)

        def damped(vector: Array) -> Array:
            return product(vector) + damping * vector

        solved = _conjugate_gradients(damped, now, effort.inner)
        (move,) = back(jnp.where(active, solved, 0.0))
        # The errors fall when shares grow, so their slope has the other sign.
        tables = jax.tree.map(
            lambda table, way: table - jnp.clip(way, -FARTHEST, FARTHEST), state.parameters, move
        )
        after = errors(tables)
        better = _dot(after, after) < _dot(now, now)
        kept = jax.tree.map(
            lambda new, old: jnp.where(better[:, None], new, old), tables, state.parameters
        )
        return _State(
            kept,
            jnp.where(better, after, now),
            jnp.where(better, jnp.maximum(state.damping / 10, 1e-12), state.damping * 10),
            state.step + 1,
        )

    start = errors(parameters)
    state = _State(
        parameters, start, jnp.full(start.shape[1], FIRST_DAMPING), jnp.zeros((), jnp.int32)
    )
    return jax.lax.while_loop(unfinished, step, state).parameters


def _dot(one: Array, other: Array) -> Array:
    return jnp.sum(one * other, axis=0)


def _conjugate_gradients(product: Any, wanted: Array, most: int) -> Array:
    """Solve for every member at once; those that are done stay."""

    def unfinished(state: tuple[Array, ...]) -> Array:
        *_, size, step = state
        return (step < most) & jnp.any(size > 1e-20 * goal)

    def step(state: tuple[Array, ...]) -> tuple[Array, ...]:
        found, rest, way, size, number = state
        ahead = product(way)
        curved = _dot(way, ahead)
        length = jnp.where(curved > 0, size / jnp.where(curved > 0, curved, 1.0), 0.0)
        found, rest = found + length * way, rest - length * ahead
        now = _dot(rest, rest)
        return found, rest, rest + now / jnp.maximum(size, 1e-300) * way, now, number + 1

    goal = _dot(wanted, wanted)
    nothing = jnp.zeros_like(wanted)
    state = (nothing, wanted, wanted, goal, jnp.zeros((), jnp.int32))
    return jax.lax.while_loop(unfinished, step, state)[0]
