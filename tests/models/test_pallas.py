"""The kernels for GPUs, interpreted: they take the steps that the compiled program takes."""

from __future__ import annotations

from dataclasses import replace

import jax
import numpy as np
import pytest

from boxsel import parse
from boxsel.models import run as running
from boxsel.models.arrays import Parameters
from boxsel.models.batching import Batching
from boxsel.models.objective import Objective
from boxsel.models.pallas_steps import supports
from boxsel.models.representations.balls import Balls
from boxsel.models.representations.boxes import Boxes
from boxsel.models.representations.representation import Sizes
from boxsel.models.roles.affine import Affine
from boxsel.models.roles.dual_boxes import DualBoxes
from boxsel.models.roles.role_map import RoleMap
from boxsel.models.roles.translation import Translation
from boxsel.models.run import Plan, Run, begun, planned
from boxsel.models.schedule import Schedule
from boxsel.models.task import Task

MEMBERS, DIM = 3, 16
SCHEDULE = Schedule(hot=0.3, cold=0.05, rate=0.05)
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


def assert_close(found: Parameters, wanted: Parameters) -> None:
    for one, other in zip(jax.tree.leaves(found), jax.tree.leaves(wanted), strict=True):
        # Adam makes steps of nearly nothing as large as any: there, rounding shows.
        np.testing.assert_allclose(one, other, atol=5e-3)
        assert not one.size or np.mean(abs(one - other) < 2e-5) > 0.95


@pytest.mark.parametrize(
    ("text", "roles"),
    [(EVERYTHING, Affine()), (EVERYTHING, Translation()), (NAMES_ALONE, Affine())],
    ids=["affine", "translation", "without roles"],
)
def test_the_kernels_take_the_same_steps(text: str, roles: RoleMap) -> None:
    wanted, found = (
        begun_run(plan_of(text, roles, kernel=kernel)).advanced() for kernel in (False, True)
    )
    assert found.epoch == wanted.epoch > 0
    assert_close(found.parameters, wanted.parameters)
    np.testing.assert_allclose(found.losses, wanted.losses, rtol=1e-4)
    np.testing.assert_array_equal(found.active, wanted.active)
    for kind, moments in found.state.moments.items():
        np.testing.assert_array_equal(moments.count, wanted.state.moments[kind].count)
        # ⊤ and the identity have moments that nobody reads.
        for key in ("first", "second"):
            rest = (
                jax.tree.map(lambda table: table[1:], getattr(some.state.moments[kind], key))
                for some in (found, wanted)
            )
            for one, other in zip(*map(jax.tree.leaves, rest), strict=True):
                np.testing.assert_allclose(one, other, rtol=1e-2, atol=1e-5)


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
