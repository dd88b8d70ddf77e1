"""Training: one compiled program for all members and a whole epoch of steps."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import Final, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from boxsel.models.arrays import Array, Parameters
from boxsel.models.batching import Strata
from boxsel.models.losses import log_shares, violation
from boxsel.models.objective import Extras, Knobs, Objective
from boxsel.models.optimizer import (
    Layout,
    Moments,
    Packed,
    Unpacked,
    by_line,
    by_member,
    no_moments,
    packed,
    replaced,
    rows_of,
    unpacked,
    updated,
)
from boxsel.models.representations.representation import Representation

CPU_OPTIONS: Final = {"xla_cpu_prefer_vector_width": "512"}
"""Vectors as wide as there are; compilers prefer half of that."""


class State(NamedTuple):
    """All that changes while training: the tables, Adam's moments, and who still moves.

    When steps touch few names, these are `packed`, and there are none among the parameters.
    """

    parameters: Parameters
    moments: dict[str, Moments]
    active: Array
    packed: Packed | None = None


class Steps(NamedTuple):
    """What the steps of an epoch read; every array's first axis is that of steps.

    `touched` has the rows of names that a step updates; with none, it updates all.
    """

    strata: Strata
    touched: Array | None
    knobs: Knobs


class Progress(NamedTuple):
    """What an epoch says about each member: its mean loss, and the largest loss of a row."""

    mean: Array
    largest: Array


def start(parameters: Parameters, members: int, sparse: bool = False) -> State:
    """The state before the first step."""
    moments = {kind: no_moments(tables) for kind, tables in parameters.items()}
    state = State(parameters, moments, np.ones(members, bool))
    if not sparse:
        return state
    names = moments["names"]
    return State(
        {**parameters, "names": {}},
        {**moments, "names": Moments(names.count, {}, {})},
        state.active,
        by_member(packed(Unpacked(parameters["names"], names.first, names.second)), members),
    )


def parameters_of(state: State, layout: Layout) -> Parameters:
    """The parameters of a state, packed or not."""
    if state.packed is None:
        return state.parameters
    names = unpacked(by_line(state.packed), layout, len(state.active)).tables
    return {**state.parameters, "names": names}


Program = Callable[[Objective, Layout, State, Steps, Extras], tuple[State, Progress]]


@cache
def program_for(platform: str) -> Program:
    """`run`, compiled for a kind of device."""
    options = CPU_OPTIONS if platform == "cpu" and _is_known(CPU_OPTIONS) else None
    return jax.jit(run, static_argnums=(0, 1), compiler_options=options)


def _is_known(options: dict[str, str]) -> bool:
    """Whether this version of XLA has these options."""
    try:
        jax.jit(lambda number: number + 1, compiler_options=options)(np.float32(0))
    except jax.errors.JaxRuntimeError:
        return False
    return True


def run(
    objective: Objective, layout: Layout, state: State, steps: Steps, extras: Extras
) -> tuple[State, Progress]:
    """Take the steps of an epoch, one after the other."""
    take = partial(_step, objective, layout, extras)
    if state.packed is not None:
        state = state._replace(packed=by_line(state.packed))
    state, (means, largest) = jax.lax.scan(take, state, steps)
    if state.packed is not None:
        state = state._replace(packed=by_member(state.packed, len(state.active)))
    return state, Progress(means.mean(axis=0), largest.max(axis=0))


@partial(jax.jit, static_argnums=0)
def largest_violations(
    representation: Representation, parameters: Parameters, strata: Strata
) -> Array:
    """The largest violation of each member over batches of rows, in hard measures."""

    def look(so_far: Array, batch: Strata) -> tuple[Array, None]:
        for rows in batch:
            share = jnp.exp(log_shares(representation, parameters, rows, None))
            off = violation(share, rows.lower.reshape(-1, 1), rows.upper.reshape(-1, 1))
            so_far = jnp.maximum(so_far, jnp.where(jnp.isnan(off), 0.0, off).max(axis=0))
        return so_far, None

    some = next(iter(parameters["names"].values()))
    return jax.lax.scan(look, jnp.zeros(some.shape[1], some.dtype), strata)[0]


def _step(
    objective: Objective, layout: Layout, extras: Extras, state: State, step: Steps
) -> tuple[State, tuple[Array, Array]]:
    tables, moments = dict(state.parameters), dict(state.moments)
    touched, whole = step.touched, state.packed
    if touched is not None and whole is not None:
        lines = {key: rows_of(one, touched) for key, one in whole.items()}
        some = unpacked(lines, layout, len(state.active))
        tables["names"] = some.tables
        count = rows_of(state.moments["names"].count, touched)
        moments["names"] = Moments(count, some.first, some.second)
    losses, gradients = objective.gradients(tables, step.strata, step.knobs, extras)
    for kind, table in tables.items():
        if table:
            rows = jnp.arange(moments[kind].count.shape[0])
            if touched is not None and kind == "names":
                rows = touched
            fixed = (rows == 0) & (kind in ("names", "roles"))
            moves = state.active & ~fixed[:, None]
            tables[kind], moments[kind] = updated(
                table, moments[kind], gradients[kind], step.knobs.rate, moves
            )
    if touched is not None and whole is not None:
        # Row 0 fills up, and is the same in both: so it does not matter which copy is written.
        now = moments["names"]
        some = Unpacked(tables["names"], now.first, now.second)
        whole = {key: replaced(whole[key], touched, values) for key, values in packed(some).items()}
        count = replaced(state.moments["names"].count, touched, now.count)
        tables["names"], moments["names"] = {}, Moments(count, {}, {})
    rows_in_step = sum(rows.lower.size for rows in (*step.strata, *extras.rows))
    return State(tables, moments, state.active, whole), (
        losses.total / rows_in_step,
        losses.largest,
    )
