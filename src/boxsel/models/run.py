"""A training run: epoch after epoch, on one device or several, until all members are done."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from typing import Any, cast

import jax
import numpy as np
from numpy.typing import NDArray

from boxsel.models import pallas_steps
from boxsel.models.arrays import Parameters
from boxsel.models.batching import SPARSE_FACTOR, Batching, touched
from boxsel.models.blocks import Blocks
from boxsel.models.devices import is_memory_full
from boxsel.models.existentials import with_existentials
from boxsel.models.groups import (
    even_sizes,
    joined,
    members_of,
    place_of,
    placed,
    platform,
    side_by_side,
    sizes_for_cache,
    spans,
    split,
)
from boxsel.models.objective import Asked, Extras, Knobs, Objective
from boxsel.models.optimizer import Layout, layout_of
from boxsel.models.pallas_steps import OrderedSteps
from boxsel.models.pallas_steps import run as _by_kernel
from boxsel.models.representations.free_boxes import FreeBoxes
from boxsel.models.representations.populations import Populations
from boxsel.models.settings import Schedule
from boxsel.models.task import Ints, Task
from boxsel.models.training import (
    Progress,
    State,
    Steps,
    largest_violations,
    parameters_of,
    program_for,
    start,
)

Floats = NDArray[np.float64]

NEARLY = 0.05
"""Members whose rows all have smaller losses may have come to rest: that is worth a look."""

REST = 10_000
"""A member comes to rest when its violation is this much smaller than the tolerance."""

STEPS_AT_ONCE = 100
"""A call of the compiled program takes at least this many steps, whole epochs of them."""


@dataclass(frozen=True, eq=False)
class Run:
    """How far a training run is.

    The members are in `groups`. `epoch` epochs are done; `history` has the mean loss of each member
    after each advance, `largest` the largest loss of a row in each member in the last one. A run is
    a value: `advanced` gives the next one, and equal runs advance equally.
    """

    plan: Plan
    groups: tuple[State, ...]
    layout: Layout
    epoch: int = 0
    history: tuple[Floats, ...] = ()
    largest: Floats | None = None

    @property
    def members(self) -> int:
        """How many members there are."""
        return sum(self.plan.sizes)

    @property
    def active(self) -> NDArray[np.bool_]:
        """Which members still move."""
        return np.concatenate([np.asarray(group.active) for group in self.groups])

    @property
    def state(self) -> State:
        """The states of all members as one."""
        return joined(self.groups)

    def with_state(self, state: State) -> Run:
        """The run with another state."""
        with self.plan.precision():
            return replace(self, groups=split(state, self.plan.sizes))

    @property
    def done(self) -> bool:
        """Whether there is nothing left to do: no epoch, or no member that still moves."""
        return self.epoch >= self.plan.epochs or not self.active.any()

    @property
    def losses(self) -> Floats:
        """The history as one table: a row for each advance, a column for each member."""
        return np.array(self.history).reshape(-1, self.members)

    @property
    def parameters(self) -> Parameters:
        """The tables as they are now, in double precision."""
        with self.plan.precision():
            parts = [parameters_of(group, self.layout) for group in self.groups]

        def together(*tables: Any) -> Floats:
            return np.concatenate([np.asarray(table, float) for table in tables], axis=1)

        return cast(Parameters, jax.tree.map(together, *parts))

    def advanced(self) -> Run:
        """The run some epochs later."""
        plan, epochs = self.plan, range(self.epoch, self.epoch + self.plan.stride)
        try:
            found = self._trained(epochs)
        except Exception as error:
            if not plan.kernel or is_memory_full(error):
                raise
            warnings.warn(
                f"training goes on without the kernels for GPUs, which failed here: {error}",
                RuntimeWarning,
                stacklevel=2,
            )
            return replace(self, plan=replace(plan, kernel=False)).advanced()
        groups = tuple(state for state, _ in found)
        mean, largest = (
            np.concatenate([np.asarray(getattr(progress, key), float) for _, progress in found])
            for key in Progress._fields
        )
        history = (*self.history, mean)
        after = replace(self, groups=groups, epoch=epochs.stop, history=history, largest=largest)
        return after._settled(largest)

    def _trained(self, epochs: range) -> list[tuple[State, Progress]]:
        plan = self.plan
        work = plan.work(epochs, self.layout)

        def blank(group: int) -> tuple[State, Progress]:
            nothing: Floats = np.zeros(plan.sizes[group], plan.dtype)
            return self.groups[group], Progress(nothing, nothing)

        ahead = range(epochs.stop, epochs.stop + plan.stride)
        with pallas_steps.without_deprecation() if plan.kernel else nullcontext():
            return side_by_side(
                self.groups,
                lambda group: work(group, self.groups[group]),
                blank,
                plan.precision,
                lambda: plan.prepare(ahead) if epochs.stop < plan.epochs else None,
            )

    def _settled(self, largest: Floats) -> Run:
        """The run with the members at rest that satisfy every row, in hard measures."""
        plan = self.plan
        pushed = self.epoch < plan.schedule.pushing * plan.epochs and plan.schedule.push > 0
        if pushed or len(plan.task.points) or not (largest < NEARLY).any():
            return self
        off = self.violations()
        active = self.active & (off > plan.target)
        with plan.precision():
            groups = tuple(
                placed(number, group._replace(active=active[span]))
                for number, (group, span) in enumerate(
                    zip(self.groups, spans(plan.sizes), strict=True)
                )
            )
        return replace(self, groups=groups)

    def violations(self) -> Floats:
        """The largest violation of each member over all rows, in hard measures."""
        plan = self.plan
        strata = plan.batching.batches(range(1))

        def largest(group: int) -> Any:
            tables = parameters_of(self.groups[group], self.layout)
            return largest_violations(plan.objective.representation, tables, strata)

        found = side_by_side(
            self.groups,
            largest,
            lambda group: np.zeros(plan.sizes[group], plan.dtype),
            plan.precision,
        )
        return np.concatenate([np.asarray(some, float) for some in found])


@dataclass(frozen=True, eq=False)
class Plan:
    """What does not change during a run: the rows and their order, the objective, the schedule.

    `sizes` are those of the groups of members. With `kernel`, they are trained by `pallas_steps`.
    """

    task: Task
    batching: Batching | Blocks
    objective: Objective
    schedule: Schedule
    extras: Extras
    always: Ints
    sparse: bool
    epochs: int
    stride: int
    target: float
    sizes: tuple[int, ...]
    dtype: type = np.float32
    kernel: bool = False
    _ready: dict[Any, Any] = field(default_factory=dict, init=False, repr=False)

    def precision(self) -> AbstractContextManager[None]:
        """The context in which JAX has the precision of this plan."""
        return precision(self.dtype)

    def steps(self, epochs: range) -> Steps:
        """What the steps of some epochs read."""
        if isinstance(self.batching, Blocks):  # the extras have them
            return Steps((), None, self.knobs(epochs))
        strata, rows = self.batching.batches(epochs), None
        if self.sparse:
            rows, strata = touched(strata, self.always)
        return Steps(strata, rows, self.knobs(epochs))

    def ordered_steps(self, epochs: range) -> OrderedSteps:
        """The same for the kernel."""
        assert isinstance(self.batching, Batching)
        (order,) = self.batching.orders(epochs)
        return OrderedSteps(order.astype(np.int32), self.knobs(epochs))

    def prepare(self, epochs: range) -> None:
        """Make what the steps of some epochs read, and forget that of others."""
        made = self.ordered_steps(epochs) if self.kernel else self.steps(epochs)
        for old in [key for key in self._ready if isinstance(key, range)]:
            del self._ready[old]
        self._ready[epochs] = made

    def knobs(self, epochs: range) -> Knobs:
        """What the schedule turns in the steps of some epochs."""
        count = self.batching.steps
        done = np.arange(epochs.start * count, epochs.stop * count) / (self.epochs * count)
        schedule = self.schedule
        turned = (schedule.temperature(done), schedule.rates(done), schedule.pushes(done))
        return Knobs(*(knob.astype(self.dtype) for knob in turned))

    def work(self, epochs: range, layout: Layout) -> Callable[[int, State], tuple[State, Progress]]:
        """What trains a group for some epochs."""
        if epochs not in self._ready:
            self.prepare(epochs)
        steps = self._ready[epochs]
        used = {place_of(group) for group in range(len(self.sizes))}
        with self.precision():
            there = {device: jax.device_put(steps, device) for device in used}
        if self.kernel:
            if "table" not in self._ready:
                table = pallas_steps.table_of(self.batching.rows)
                self._ready["table"] = {one: jax.device_put(table, one) for one in used}
            assert isinstance(self.batching, Batching)
            tables, shape = self._ready["table"], pallas_steps.shape_of(self.batching)

            def by_kernel(group: int, state: State) -> tuple[State, Progress]:
                place = place_of(group)
                interpret = place.platform == "cpu"
                found = _by_kernel(shape, interpret, tables[place], state, there[place])
                return cast("tuple[State, Progress]", found)

            return by_kernel
        members = list(spans(self.sizes))

        def by_compiler(group: int, state: State) -> tuple[State, Progress]:
            place = place_of(group)
            asked = self.extras.asked
            mine = asked._replace(direction=asked.direction[:, members[group]])
            extras = self.extras._replace(asked=mine)
            program = program_for(place.platform)
            return program(self.objective, layout, state, there[place], extras)

        return by_compiler


def planned(
    task: Task,
    objective: Objective,
    schedule: Schedule,
    *,
    members: int,
    batch: int,
    epochs: int,
    least_steps: int,
    seed: int,
    target: float,
    asked: Asked | None = None,
    dtype: type = np.float32,
) -> Plan:
    """Plan a run: how many epochs it has, and whether its updates are sparse."""
    if isinstance(objective.representation, Populations):
        task = replace(task, rows=with_existentials(task.rows))
    on_gpu = platform() == "gpu"
    populations = isinstance(objective.representation, Populations)
    sparse = len(task.numbering.names) > SPARSE_FACTOR * min(batch, len(task.rows))
    sparse = sparse and not populations  # a step of theirs touches all
    kernel = (
        on_gpu and not sparse and not len(task.points) and pallas_steps.supports(objective, dtype)
    )
    # On a GPU it costs more to launch work than to do it: one stratum is enough.
    universe = not isinstance(objective.representation, FreeBoxes)
    batching: Batching | Blocks = Batching(
        task.rows, batch, seed, dtype, whole=on_gpu, universe=universe
    )
    if populations and (blocks := Blocks(task.rows, dtype)).are_dense:
        batching = blocks
    objective = replace(objective, closed=not on_gpu, steps=1 if universe else batching.steps)
    wanted = max(epochs, -(-least_steps // batching.steps)) if epochs else 0
    stride = _stride(wanted, max(1, STEPS_AT_ONCE // batching.steps))
    numbers = min(batch, len(batching.rows)) * objective.representation.dim
    if asked is None:
        nothing = np.zeros((1, 0), np.int32)
        asked = Asked(nothing, nothing, np.zeros((1, members)))
    always = np.setdiff1d(np.union1d(task.points.instances[:, 1], asked.names), [0]).astype(
        np.int32
    )
    instances = task.points.instances
    if sparse:
        places = np.concatenate([[0], always])
        local = np.searchsorted(places, instances[:, 1]).astype(np.int32)
        instances = np.stack([instances[:, 0], local], axis=1)
        asked = asked._replace(names=np.searchsorted(places, asked.names).astype(np.int32))
    return Plan(
        task,
        batching,
        objective,
        schedule,
        Extras(
            instances,
            task.points.links,
            asked._replace(direction=np.asarray(asked.direction, dtype)),
            batching.strata if isinstance(batching, Blocks) else (),
        ),
        always,
        sparse,
        -(-wanted // stride) * stride,
        stride,
        target,
        even_sizes(members, jax.device_count("gpu"))
        if on_gpu
        else sizes_for_cache(members, numbers),
        dtype,
        kernel,
    )


def _stride(epochs: int, most: int) -> int:
    """How many epochs an advance takes: a divisor of all, if there is one that is not tiny."""
    most = max(1, min(epochs, most))
    return next((one for one in range(most, most // 10, -1) if epochs % one == 0), most)


def begun(plan: Plan, parameters: Parameters) -> Run:
    """A run before its first step."""
    groups = []
    with plan.precision():
        for number, span in enumerate(spans(plan.sizes)):
            with jax.default_device(place_of(number)):
                tables = jax.tree.map(
                    lambda table: np.asarray(table, plan.dtype), members_of(parameters, span)
                )
                groups.append(placed(number, start(tables, plan.sizes[number], plan.sparse)))
    return Run(plan, tuple(groups), layout_of(parameters["names"]))


def completed(run: Run) -> Run:
    """A run at its end."""
    while not run.done:
        run = run.advanced()
    return run


def precision(dtype: type) -> AbstractContextManager[None]:
    """The context in which JAX computes with this type."""
    return cast("AbstractContextManager[None]", jax.enable_x64(dtype is np.float64))
