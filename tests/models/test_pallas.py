"""The kernels for GPUs, interpreted: they take the steps that the compiled program takes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

import jax
import numpy as np
import pytest

from boxsel import parse
from boxsel.models import pallas_steps
from boxsel.models import run as running
from boxsel.models.batching import Batching
from boxsel.models.objective import Objective
from boxsel.models.optimizer import ADAM_EPSILON, FIRST, SECOND
from boxsel.models.pallas_steps import OrderedSteps, supports
from boxsel.models.representations.balls import Balls
from boxsel.models.representations.boxes import Boxes
from boxsel.models.representations.representation import RoleMap, Sizes
from boxsel.models.roles.affine import Affine
from boxsel.models.roles.dual_boxes import DualBoxes
from boxsel.models.roles.translation import Translation
from boxsel.models.run import Plan, Run, begun, planned
from boxsel.models.settings import Schedule
from boxsel.models.task import Task
from boxsel.models.training import Progress, State, Steps, program_for
from tests.depth import some

MEMBERS, DIM = 3, 16
SCHEDULE = Schedule(hot=0.3, cold=0.05, rate=0.05)
ROUNDING = 1e-4
"""How far two programs in single precision may be apart, relative to the largest number of a table.

One rounding is 6e-8. Gradients are sums and products of some dozens of them, and a wrong term is
orders of magnitude larger than this.
"""
# Every slot of every kind: roles in bodies, in second conjuncts and in heads; ⊤; disjointness.
EVERYTHING = """
(B | A)[0.9]
(C | B and D)[0.1, 0.2]
(C | r some B and s some D)[0.3]
D SubClassOf r some E
s some F SubClassOf G
DisjointClasses: H, I
DisjointClasses: A, s some G
(J | owl:Thing)[0.7]
(r some owl:Thing | C)[0.2, 0.4]
"""
NAMES_ALONE = "(B | A)[0.9]\n(A | B)[0.2, 0.3]\nC SubClassOf A"


def plan_of(text: str, roles: RoleMap, *, kernel: bool, batch: int = 4) -> Plan:
    task = Task.of(parse(text))
    plan = planned(
        task,
        Objective(Boxes(DIM, roles)),
        SCHEDULE,
        members=MEMBERS,
        batch=batch,
        epochs=2,
        least_steps=5,
        seed=0,
        target=0.0,
    )
    assert not plan.sparse
    assert not plan.kernel, "kernels are for GPUs"
    batching = Batching(task.rows, batch, 0, np.float32, whole=True)
    return replace(plan, batching=batching, kernel=kernel)


def begun_run(plan: Plan) -> Run:
    numbering = plan.task.numbering
    sizes = Sizes(len(numbering.names) + 1, len(numbering.roles) + 1, 0, MEMBERS)
    representation = plan.objective.representation
    run = begun(plan, representation.initial(np.random.default_rng(0), sizes))
    return run.with_state(run.state._replace(active=np.array([True, True, False])))


def one_step(steps: Any, number: int) -> Any:
    return jax.tree.map(lambda table: table[number : number + 1], steps)


def by_compiler(run: Run, state: State, steps: Steps) -> tuple[State, Progress]:
    plan = run.plan
    return program_for("cpu")(plan.objective, run.layout, state, steps, plan.extras)


def by_kernel(run: Run, state: State, steps: OrderedSteps) -> tuple[State, Progress]:
    batching = run.plan.batching
    assert isinstance(batching, Batching)
    table = pallas_steps.table_of(batching.rows)
    found = pallas_steps.run(pallas_steps.shape_of(batching), True, table, state, steps)
    return cast("tuple[State, Progress]", found)


def tables_of(state: State) -> dict[tuple[str, str, str], Any]:
    """Parameters and both moments, without ⊤ and the identity: nobody reads their moments."""
    return {
        (kind, part, key): np.asarray(table, float)[1:]
        for kind, moments in state.moments.items()
        for part, tables in (
            ("at", state.parameters[kind]),
            ("first", moments.first),
            ("second", moments.second),
        )
        for key, table in tables.items()
        if table[1:].size
    }


def assert_same_moments(found: State, wanted: State) -> None:
    """Gradients agree, and so do their moments; both are linear in them, or nearly so."""
    tables = tables_of(wanted)
    for place, table in tables_of(found).items():
        if place[1] != "at":
            for member in range(MEMBERS):
                size = abs(tables[place][:, member]).max()
                difference = abs(table[:, member] - tables[place][:, member]).max()
                assert difference <= ROUNDING * size, place
    for kind, moments in found.moments.items():
        np.testing.assert_array_equal(moments.count, wanted.moments[kind].count)


def assert_step_of_adam(before: State, after: State, rate: float) -> None:
    """Parameters have moved as their own moments say, in double precision.

    Two programs cannot be compared in their parameters: Adam makes a step of a gradient that is
    nothing but rounding as large as any other.
    """
    then, now = tables_of(before), tables_of(after)
    clock = int(np.asarray(after.moments["names"].count)[1])
    active = np.asarray(after.active)
    for (kind, part, key), table in now.items():
        if part == "at":
            first = now[kind, "first", key] / (1 - FIRST**clock)
            second = now[kind, "second", key] / (1 - SECOND**clock)
            moved = np.where(active[:, None], rate * first / (np.sqrt(second) + ADAM_EPSILON), 0.0)
            np.testing.assert_allclose(
                table, then[kind, part, key] - moved, rtol=1e-5, atol=rate * 1e-3
            )


KINDS = [
    pytest.param(EVERYTHING, Affine(), id="affine"),
    pytest.param(EVERYTHING, Translation(), id="translation", marks=pytest.mark.deep),
    pytest.param(NAMES_ALONE, Affine(), id="without roles"),
]


@pytest.mark.parametrize(("text", "roles"), KINDS)
def test_the_kernels_take_the_same_steps(text: str, roles: RoleMap) -> None:
    """Each step begins where the compiled program is: what rounds differently does not add up."""
    plan = plan_of(text, roles, kernel=True)
    run = begun_run(plan)
    epochs = range(plan.stride)
    steps, ordered = plan.steps(epochs), plan.ordered_steps(epochs)
    state = run.state
    for number in range(len(ordered.order)):
        wanted, progress = by_compiler(run, state, one_step(steps, number))
        found, told = by_kernel(run, state, one_step(ordered, number))
        assert_same_moments(found, wanted)
        for after in (found, wanted):
            assert_step_of_adam(state, after, float(steps.knobs.rate[number]))
        np.testing.assert_allclose(told.mean, progress.mean, rtol=ROUNDING)
        np.testing.assert_allclose(told.largest, progress.largest, rtol=ROUNDING)
        np.testing.assert_array_equal(found.active, wanted.active)
        state = wanted
    assert number > 1


@pytest.mark.parametrize(("text", "roles"), some(KINDS, 1))
def test_the_kernels_take_many_steps_at_once(text: str, roles: RoleMap) -> None:
    """With a rate of nothing boxes stay, so that losses and moments of all steps can be compared.

    The members and the roles that each step reads, and what is carried from one to the next, are
    those of the compiled program.
    """
    plan = plan_of(text, roles, kernel=True)
    still = replace(plan, schedule=replace(SCHEDULE, rate=0.0))
    run = begun_run(still)
    epochs = range(still.stride)
    wanted, progress = by_compiler(run, run.state, still.steps(epochs))
    state, told = by_kernel(run, run.state, still.ordered_steps(epochs))
    assert_same_moments(state, wanted)
    np.testing.assert_allclose(told.mean, progress.mean, rtol=ROUNDING)
    np.testing.assert_allclose(told.largest, progress.largest, rtol=ROUNDING)
    for key, table in tables_of(run.state).items():
        if key[1] == "at":
            np.testing.assert_array_equal(tables_of(state)[key], table)


def test_a_run_goes_by_the_kernels_where_the_plan_says_so() -> None:
    wanted, found = (
        begun_run(plan_of(NAMES_ALONE, Affine(), kernel=kernel)).advanced()
        for kernel in (False, True)
    )
    assert found.plan.kernel
    assert found.epoch == wanted.epoch > 0
    np.testing.assert_array_equal(found.active, wanted.active)
    counts = (
        {kind: moments.count for kind, moments in run.state.moments.items()}
        for run in (found, wanted)
    )
    jax.tree.map(np.testing.assert_array_equal, *counts)


def test_equal_runs_are_equal_to_the_last_bit() -> None:
    plan = plan_of(NAMES_ALONE, Affine(), kernel=True)
    one, other = (begun_run(plan).advanced().parameters for _ in range(2))
    for table, again in zip(jax.tree.leaves(one), jax.tree.leaves(other), strict=True):
        np.testing.assert_array_equal(table, again)


def test_kernels_that_fail_are_not_used_and_that_is_said_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("no such lowering")

    wanted = begun_run(plan_of(NAMES_ALONE, Affine(), kernel=False)).advanced()
    run = begun_run(plan_of(NAMES_ALONE, Affine(), kernel=True))
    monkeypatch.setattr(running, "_by_kernel", broken)
    with pytest.warns(RuntimeWarning, match="without the kernels.*no such lowering"):
        after = run.advanced()
    assert not after.plan.kernel
    np.testing.assert_array_equal(after.losses, wanted.losses)
    assert after.done or after.advanced().epoch > after.epoch  # and no second warning


def test_full_memory_is_not_a_reason_to_try_again(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise RuntimeError("RESOURCE_EXHAUSTED: Out of memory")

    monkeypatch.setattr(running, "_by_kernel", full)
    with pytest.raises(RuntimeError, match="RESOURCE_EXHAUSTED"):
        begun_run(plan_of(NAMES_ALONE, Affine(), kernel=True)).advanced()


def test_what_the_kernels_are_for() -> None:
    assert supports(Objective(Boxes(32)), np.float32)
    assert supports(Objective(Boxes(128, Translation())), np.float32)
    for objective, dtype in (
        (Objective(Boxes(32)), np.float64),
        (Objective(Boxes(24)), np.float32),
        (Objective(Boxes(8)), np.float32),
        (Objective(Boxes(32, DualBoxes())), np.float32),
        (Objective(Boxes(32), ("A", "A")), np.float32),
        (Objective(Boxes(32), polishing=True), np.float32),
        (Objective(Balls(32, Affine(uniform=True))), np.float32),
    ):
        assert not supports(objective, dtype)
