"""Training steps for GPUs: two kernels a step, where XLA would launch a dozen.

The first kernel reads rows and writes the gradient of each of their slots. The second adds up, for
each name and each role, the gradients of the slots that it is in, and takes a step of Adam. Every
sum has a fixed order, so equal runs are equal to the last bit.

It does what `training.run` does for boxes with affine roles or translations in single precision,
when all names are updated in each step and there is nothing but rows.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, Final, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from boxsel.models.arrays import Array, Tables
from boxsel.models.batching import NEVER, Batching
from boxsel.models.objective import SMALL_DIMENSION, Knobs, Objective
from boxsel.models.optimizer import FIRST, SECOND, Moments
from boxsel.models.pallas_kernels import (
    Shape,
    inverse,
    name_corners,
    names_step,
    roles_step,
    rows_of,
    slot_gradients,
)
from boxsel.models.representations.boxes import Boxes
from boxsel.models.roles.affine import Affine
from boxsel.models.roles.translation import Translation
from boxsel.models.task import Rows
from boxsel.models.training import Progress, State

DIMENSIONS: Final = (16, 32, 64, 128)
"""Kernels work on blocks whose sides are powers of two."""

ROW_BLOCK: Final = 32
NAME_BLOCK: Final = 8
UNROLL: Final = 4
"""How many steps are launched at once."""

WARPS: Final = 4


class RowTable(NamedTuple):
    """All rows, and after them one that says nothing."""

    names: Array
    roles: Array
    lower: Array
    upper: Array


class OrderedSteps(NamedTuple):
    """The steps of some epochs: which rows each reads (−1 for none), and the knobs."""

    order: Array
    knobs: Knobs


def supports(objective: Objective, dtype: type) -> bool:
    """Whether the kernels can train this, as far as the objective says."""
    how = objective.representation
    return (
        isinstance(how, Boxes)
        and (how.roles == Affine() or isinstance(how.roles, Translation))
        and how.dim in DIMENSIONS
        and how.dim > SMALL_DIMENSION
        and objective.pushed is None
        and not objective.polishing
        and dtype is np.float32
    )


def table_of(rows: Rows) -> RowTable:
    """The rows as the kernels read them."""
    nothing = np.zeros((1, rows.names.shape[1]), np.int32)
    return RowTable(
        np.concatenate([rows.names, nothing]).astype(np.int32),
        np.concatenate([rows.roles, nothing]).astype(np.int32),
        np.append(rows.lower, 0.0).astype(np.float32),
        np.append(rows.upper, NEVER).astype(np.float32),
    )


def shape_of(batching: Batching) -> Shape:
    """Which slots the rows of a batching in one stratum have."""
    (shape,) = batching.shapes
    return Shape(*shape)


class _Lists(NamedTuple):
    """The slots in which each name or role is: `order[start : start + size]`, for every step."""

    order: Array
    start: Array
    size: Array


def _lists(ids: Array, count: int) -> _Lists:
    """The slots of each number; none for 0, for ⊤ and the identity do not move."""
    steps, slots = ids.shape
    if count * slots < 2**31:  # number and slot in one: sorted by radix, several times as fast
        order = jnp.sort(ids * slots + jnp.arange(slots, dtype=jnp.int32), axis=1) % slots
    else:
        order = jnp.argsort(ids, axis=1, stable=True).astype(jnp.int32)
    size = jnp.zeros((steps, count), jnp.int32).at[jnp.arange(steps)[:, None], ids].add(1)
    start = jnp.cumsum(size, axis=1) - size
    return _Lists(order, start, size.at[:, 0].set(0))


@partial(jax.jit, static_argnums=(0, 1))
def run(
    shape: Shape, interpret: bool, table: RowTable, state: State, steps: OrderedSteps
) -> tuple[State, Progress]:
    """Take steps one after the other; `interpret` does so without a GPU, slowly."""
    count, width = steps.order.shape
    order = jnp.pad(steps.order, ((0, 0), (0, -width % ROW_BLOCK)), constant_values=-1)
    names = table.names[order][:, :, np.array(shape.slots)].transpose(0, 2, 1)
    read: tuple[Array, ...] = (names, table.lower[order], table.upper[order])
    name_table, role_table = _stacked(state, "names"), _stacked(state, "roles")
    lists = _lists(names.reshape(count, -1), name_table.shape[2])
    role_lists = None
    if shape.role_slots:
        roles = table.roles[order][:, :, np.array(shape.role_slots)].transpose(0, 2, 1)
        read = (*read, roles)
        role_lists = _lists(roles.reshape(count, -1), role_table.shape[2])
    clock = state.moments["names"].count[0] + 1 + jnp.arange(count)
    pace = jnp.stack(
        [
            steps.knobs.rate,
            1 / (1 - jnp.float32(FIRST) ** clock),
            1 / (1 - jnp.float32(SECOND) ** clock),
        ],
        axis=1,
    )
    work = _Work(shape, interpret, "scale" in state.parameters["roles"], read, lists, role_lists)
    tables, (total, largest) = work.taken(
        _Tables(name_table, name_corners(name_table), role_table, inverse(role_table)),
        steps.knobs.temperature,
        pace,
        state.active.astype(jnp.float32),
    )
    state = _unstacked(state, tables, count)
    return state, Progress(total.sum(axis=1) / (count * width), largest.max(axis=1))


class _Tables(NamedTuple):
    """What steps change, in shapes (members, parts, rows, dimensions).

    For names and for roles: both parameters and their moments, and what is computed of them.
    """

    names: Array
    corners: Array
    roles: Array
    inverses: Array


class _Work(NamedTuple):
    """What steps read."""

    shape: Shape
    interpret: bool
    scaled: bool
    read: tuple[Array, ...]
    lists: _Lists
    role_lists: _Lists | None

    def taken(
        self, tables: _Tables, temperature: Array, pace: Array, active: Array
    ) -> tuple[_Tables, tuple[Array, Array]]:
        """The tables after all steps, and by member and block the sum and the largest of losses."""
        members, _, rows, dim = tables.names.shape
        width = self.read[0].shape[-1]
        blocks, roles = width // ROW_BLOCK, tables.roles.shape[2]
        float32 = partial(jax.ShapeDtypeStruct, dtype=jnp.float32)
        slots, role_slots = len(self.shape.slots), len(self.shape.role_slots)
        outputs = [float32((members, blocks)), float32((members, blocks))]
        outputs += [
            float32((members, 2, some * width, dim)) for some in (slots, role_slots) if some
        ]
        first = self._call(
            partial(_rows_kernel, self.shape), "rows", (members, blocks), tuple(outputs), {}
        )
        lists: tuple[Array, ...] = tuple(self.lists)
        if self.role_lists is not None:
            lists += tuple(self.role_lists)
        changed = [float32(table.shape) for table in tables]
        gradients = 2 if role_slots else 1
        before = 3 + len(lists) + gradients
        second = self._call(
            partial(_tables_kernel, rows // NAME_BLOCK, gradients, self.scaled),
            "tables",
            (members, rows // NAME_BLOCK + (roles - 1 if role_slots else 0)),
            tuple(changed),
            {before + place: place for place in range(len(tables))},
        )

        def step(carry: Any, _: None) -> tuple[Any, None]:
            number, now, losses = carry
            total, largest, *by = first(
                number, temperature, *self.read, now.corners, now.inverses, *losses
            )
            now = _Tables(*second(number, pace, active, *lists, *by, *now))
            return (number + 1, now, (total, largest)), None

        nothing = jnp.zeros((members, blocks), jnp.float32)
        begin = (jnp.zeros(1, jnp.int32), tables, (nothing, nothing))
        count = self.read[0].shape[0]
        unroll = 1 if self.interpret else min(UNROLL, count)
        (_, tables, losses), _ = lax.scan(step, begin, None, count, unroll=unroll)
        return tables, losses

    def _call(
        self,
        kernel: Callable[..., None],
        name: str,
        grid: tuple[int, ...],
        outputs: tuple[Any, ...],
        aliases: dict[int, int],
    ) -> Callable[..., Any]:
        from jax.experimental import pallas

        more: dict[str, Any] = {}
        if not self.interpret:
            from jax.experimental.pallas import triton

            more["compiler_params"] = triton.CompilerParams(num_warps=WARPS, num_stages=2)
        return pallas.pallas_call(
            kernel,
            grid=grid,
            out_shape=outputs,
            input_output_aliases=aliases,
            interpret=self.interpret,
            name=name,
            **more,
        )


def _rows_kernel(shape: Shape, number: Any, temperature: Any, *refs: Any) -> None:
    """The gradients of the slots of one block of rows in one member."""
    from jax.experimental import pallas

    step, member, block = number[0], pallas.program_id(0), pallas.program_id(1)
    names, lower, upper, *refs = refs  # type: ignore[assignment]
    roles = None
    if shape.role_slots:
        roles, *refs = refs  # type: ignore[assignment]
    corners, inverses, total_before, largest_before, total, largest, names_by, *more = refs
    places = block * ROW_BLOCK + jnp.arange(ROW_BLOCK)
    width, column = names.shape[-1], jnp.arange(corners.shape[-1])[None]
    rows = rows_of(
        shape,
        lambda slot: _pair(corners, member, names[step, slot, places], column),
        lambda slot: _pair(inverses, member, roles[step, slot, places], column),  # type: ignore[index]
    )
    losses, by_names, by_roles = slot_gradients(
        shape, rows, lower[step, places], upper[step, places], temperature[step]
    )
    for out, found in ((names_by, by_names), *((one, by_roles) for one in more)):
        for slot, pair in enumerate(found):
            for part, values in enumerate(pair):
                out[member, part, (slot * width + places)[:, None], column] = values
    total[member, block] = total_before[member, block] + jnp.sum(losses)
    largest[member, block] = jnp.maximum(largest_before[member, block], jnp.max(losses))


def _pair(table: Any, member: Any, rows: Array, column: Array) -> tuple[Array, Array]:
    return tuple(table[member, part, rows[:, None], column] for part in range(2))


def _tables_kernel(
    name_blocks: int, gradients: int, scaled: bool, number: Any, pace: Any, active: Any, *refs: Any
) -> None:
    """A step of Adam for one block of names, or for one role, in one member."""
    from jax.experimental import pallas

    step, member, block = number[0], pallas.program_id(0), pallas.program_id(1)
    lists, role_lists = refs[:3], refs[3 : 3 * gradients]
    by = refs[3 * gradients : 4 * gradients]
    names, corners, roles, inverses = refs[4 * gradients + 4 :]
    tempo = tuple(pace[step, place] for place in range(3)), active[member]

    @pallas.when(block < name_blocks)
    def _() -> None:
        names_step(
            step, member, block * NAME_BLOCK, NAME_BLOCK, lists, by[0], tempo, names, corners
        )

    if gradients > 1:

        @pallas.when(block >= name_blocks)
        def _() -> None:
            role = block - name_blocks + 1
            roles_step(step, member, role, role_lists, by[1], tempo, roles, inverses, scaled)


_PAIRS: Final = {"names": ("position", "extent"), "roles": ("scale", "shift")}


def _stacked(state: State, kind: str) -> Array:
    """Both parameters, their first and their second moments; whole blocks of names."""
    moments, some = state.moments[kind], next(iter(state.parameters[kind].values()))
    parts: list[Array] = []
    for tables in (state.parameters[kind], moments.first, moments.second):
        parts += [tables.get(key, jnp.zeros_like(some)) for key in _PAIRS[kind]]
    stacked = jnp.stack(parts).transpose(2, 0, 1, 3)
    more = -stacked.shape[2] % NAME_BLOCK if kind == "names" else 0
    return jnp.pad(stacked, ((0, 0), (0, 0), (0, more), (0, 0)))


def _unstacked(state: State, tables: _Tables, count: int) -> State:
    """The state with tables that were stacked, so many steps later."""
    parameters, moments = dict(state.parameters), dict(state.moments)
    for kind, stacked in (("names", tables.names), ("roles", tables.roles)):
        old = state.parameters[kind]
        rows = len(next(iter(old.values())))
        parts = stacked.transpose(1, 2, 0, 3)[:, :rows]
        contents: list[Tables] = [
            {key: parts[2 * place + _PAIRS[kind].index(key)] for key in old} for place in range(3)
        ]
        parameters[kind] = contents[0]
        moments[kind] = Moments(moments[kind].count + count, contents[1], contents[2])
    individuals = moments["individuals"]
    moments["individuals"] = individuals._replace(count=individuals.count + count)
    return state._replace(parameters=parameters, moments=moments)


@contextmanager
def without_deprecation() -> Iterator[None]:
    """Do not repeat at each compilation that JAX will one day drop what compiles the kernels."""
    with warnings.catch_warnings():
        warnings.filterwarnings(
            "ignore", "The Pallas Triton backend is deprecated", DeprecationWarning
        )
        yield
