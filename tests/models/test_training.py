"""Training steps, against a loop that is written out; and short runs."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import cast

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from boxsel import examples, parse
from boxsel.errors import BoxselError
from boxsel.logic.statements import Query
from boxsel.models.arrays import Array, Parameters
from boxsel.models.batching import Strata
from boxsel.models.concept_shapes import Shape
from boxsel.models.fit import fit, prepared
from boxsel.models.further_runs import directed_run, pushed_run
from boxsel.models.measuring import Members, batches
from boxsel.models.objective import SMALL_DIMENSION, Asked, Extras, Knobs, Objective
from boxsel.models.paper import location, regularisation, volume
from boxsel.models.representations.boxes import Boxes
from boxsel.models.representations.free_boxes import FreeBoxes
from boxsel.models.representations.representation import Sizes
from boxsel.models.run import Plan, Run, begun, completed, planned, precision
from boxsel.models.settings import Regularisers, Schedule, Settings, Weighting
from boxsel.models.task import Task

MEMBERS = 3
# A small one by automatic differentiation, a larger one in closed form.
BOXES, LARGER_BOXES = Boxes(2), Boxes(SMALL_DIMENSION + 1)
SCHEDULE = Schedule(hot=0.3, cold=0.05, rate=0.05, push=0.5)
# Ten names, and two rows a batch: every step leaves most names alone.
MANY_NAMES = """
(B | A)[0.9]
(C | B and D)[0.1, 0.2]
D SubClassOf r some E
r some F SubClassOf G
DisjointClasses: H, I
(J | owl:Thing)[0.7]
G(a)
r(a, b)
"""
FEW_NAMES = "(B | A)[0.9]\nA SubClassOf r some B\n(A | B)[0.2, 0.3]"


def pushing(task: Task, query: str) -> tuple[tuple[Shape, Shape], Asked]:
    """A query as what pushes three members, each in its own direction."""
    parsed: Query = task.kb.query(query)
    (batch,) = batches([(parsed.head, parsed.body)], task.numbering)
    return batch.shape, Asked(batch.names, batch.roles, np.array([[1.0, -1.0, 0.0]]))


def plan_of(text: str, batch: int, query: str | None = None, boxes: Boxes = BOXES) -> Plan:
    task = Task.of(parse(text))
    shape, asked = None, None
    if query is not None:
        shape, asked = pushing(task, query)
    return planned(
        task,
        Objective(boxes, shape),
        SCHEDULE,
        members=MEMBERS,
        batch=batch,
        epochs=2,
        least_steps=0,
        seed=0,
        target=0.0,
        asked=asked,
        dtype=np.float64,
    )


def begun_run(plan: Plan, seed: int = 0) -> Run:
    numbering = plan.task.numbering
    sizes = Sizes(
        len(numbering.names) + 1, len(numbering.roles) + 1, len(numbering.individuals), MEMBERS
    )
    boxes = plan.objective.representation
    return begun(plan, boxes.initial(np.random.default_rng(seed), sizes))


@partial(jax.jit, static_argnums=0)
def whole_gradient(
    objective: Objective, tables: Parameters, strata: Strata, knobs: Knobs, extras: Extras
) -> Parameters:
    """The gradient by all tables, automatically."""

    def total(parameters: Parameters) -> Array:
        rows = sum(objective.losses(parameters, stratum, knobs).sum() for stratum in strata)
        return rows + objective.extra(parameters, knobs, extras).sum()

    return cast(Parameters, jax.grad(total)(tables))


def by_loop(plan: Plan, start: Parameters) -> Parameters:
    """Adam by the book, one step after the other; names only where a step touches them."""
    tables: Parameters = jax.tree.map(np.array, start)
    first, second = (jax.tree.map(np.zeros_like, tables) for _ in range(2))
    count = {kind: np.zeros(len(next(iter(some.values()))), int) for kind, some in tables.items()}
    epochs = range(plan.stride)
    strata = plan.batching.batches(epochs)
    steps = plan.steps(epochs)
    # In a sparse run the query has places among the touched names; the loop has the rows.
    asked, points = plan.extras.asked, plan.task.points
    if plan.sparse:
        asked = asked._replace(names=np.concatenate([[0], plan.always])[asked.names])
    extras = Extras(points.instances, points.links, asked)
    for step in range(len(steps.knobs.rate)):
        batch, knobs = jax.tree.map(lambda array, step=step: array[step], (strata, steps.knobs))
        with plan.precision():
            gradient = jax.tree.map(
                np.asarray, whole_gradient(plan.objective, tables, batch, knobs, extras)
            )
        for kind, some in tables.items():
            rows = np.arange(len(count[kind]))
            if kind == "names" and steps.touched is not None:
                rows = np.unique(steps.touched[step])
            if kind != "individuals":
                rows = rows[rows > 0]
            count[kind][rows] += 1
            clock = count[kind][rows][:, None, None]
            for name, table in some.items():
                slope = gradient[kind][name][rows]
                one, two = first[kind][name], second[kind][name]
                one[rows] = 0.9 * one[rows] + 0.1 * slope
                two[rows] = 0.99 * two[rows] + 0.01 * slope**2
                mean = one[rows] / (1 - 0.9**clock)
                spread = np.sqrt(two[rows] / (1 - 0.99**clock))
                table[rows] -= knobs.rate * mean / (spread + 1e-8)
    return tables


def assert_close(found: Parameters, wanted: Parameters) -> None:
    assert found.keys() == wanted.keys()
    for kind, tables in wanted.items():
        for name, table in tables.items():
            np.testing.assert_allclose(found[kind][name], table, rtol=1e-7, atol=1e-7)


@pytest.mark.parametrize(
    ("text", "query", "boxes"),
    [(MANY_NAMES, "(r some C | J)", LARGER_BOXES), (FEW_NAMES, None, BOXES)],
    ids=["sparse", "dense"],
)
def test_a_run_takes_the_steps_of_a_loop(text: str, query: str | None, boxes: Boxes) -> None:
    plan = plan_of(text, batch=2, query=query, boxes=boxes)
    assert plan.sparse == (text == MANY_NAMES)
    run = begun_run(plan)
    start = run.parameters
    wanted = by_loop(plan, start)
    after = run.advanced()
    assert after.done
    assert_close(after.parameters, wanted)
    assert np.isfinite(after.losses).all()


def test_a_sparse_run_that_touches_every_name_is_a_dense_run() -> None:
    dense = plan_of(FEW_NAMES, batch=2)
    sparse = replace(dense, sparse=True)
    touched = sparse.steps(range(2)).touched
    assert touched is not None
    assert all(set(rows.tolist()) == {0, 1, 2} for rows in touched)
    runs = [begun_run(plan).advanced() for plan in (dense, sparse)]
    assert_close(runs[1].parameters, runs[0].parameters)
    np.testing.assert_allclose(runs[1].losses, runs[0].losses)


@pytest.mark.parametrize(
    ("text", "query", "boxes"),
    [(MANY_NAMES, "(r some C | J)", LARGER_BOXES), (FEW_NAMES, None, BOXES)],
    ids=["sparse", "dense"],
)
def test_what_does_not_move(text: str, query: str | None, boxes: Boxes) -> None:
    plan = plan_of(text, batch=2, query=query, boxes=boxes)
    run = begun_run(plan)
    resting = run.state._replace(active=jnp.array([True, False, True]))
    before, after = run.parameters, run.with_state(resting).advanced().parameters
    for kind, tables in before.items():
        for name, table in tables.items():
            moved = (after[kind][name] != table).any(axis=-1)
            assert not moved[:, 1].any()
            if kind != "individuals":
                assert not moved[0].any()  # ⊤ and the identity
                assert moved[1:, 0].any()


def test_equal_runs_advance_equally() -> None:
    plan = plan_of(FEW_NAMES, batch=2)
    one, other = begun_run(plan).advanced(), begun_run(plan).advanced()
    for leaf, again in zip(
        jax.tree.leaves(one.parameters), jax.tree.leaves(other.parameters), strict=True
    ):
        np.testing.assert_array_equal(leaf, again)
    different = begun_run(plan, seed=1).advanced()
    assert (one.losses != different.losses).all()


def test_members_pushed_together_are_pushed_as_each_alone() -> None:
    model = fit(examples.load("applicant"), members=4, dim=2, seed=0)
    asked = [
        model.kb.query(text)
        for text in ("(Admitted | Applicant)", "(DeptA | Admitted)", "(Admitted | DeptA)")
    ]
    knobs = Knobs(*map(np.float64, (0.1, 0.05, 1.0)))

    def pushes(run: Run) -> Array:
        with precision(np.float64):
            return np.asarray(run.plan.objective.extra(run.parameters, knobs, run.plan.extras))

    pairs = [(query.head, query.body) for query in asked]
    (batch,) = batches(pairs, model.task.numbering)
    together = pushed_run(model, batch, each=4)
    alone = [directed_run(model, query) for query in asked]
    wanted = np.concatenate([pushes(run) for run in alone])
    np.testing.assert_allclose(pushes(together), wanted, rtol=1e-5)
    assert (np.sign(wanted) == [1, -1] * 6).all(), "the loss falls where members are pushed to"
    parts = [run.parameters for run in alone]
    assert_close(together.parameters, jax.tree.map(lambda *all_: np.concatenate(all_, 1), *parts))
    ends = model.values(asked)
    after = completed(together).parameters
    values = Members(model.representation, after, model.task.numbering).shares(pairs)
    for place, line in enumerate(values):
        mine = line[4 * place : 4 * place + 4]
        assert mine[::2].min() < ends[place].min() or mine[1::2].max() > ends[place].max()


@pytest.mark.parametrize("terms", ["none", "location", "volume", "both"])
def test_regularisers_are_added_or_not(terms: Regularisers) -> None:
    kb = parse("(B | A)[0.5]")
    settings = Settings(members=3, dim=4, preset="paper", regularisers=terms, epochs=1)
    run = prepared(Task.of(kb), settings)
    objective, knobs = run.plan.objective, Knobs(*map(np.float64, (0.1, 0.01, 0.0)))
    boxes, wanted = cast(FreeBoxes, objective.representation), np.zeros(3)
    with run.plan.precision():
        found = objective.extra(run.parameters, knobs, run.plan.extras)
        every = boxes.names(run.parameters, np.arange(1, 3))
        if terms in ("location", "both"):
            wanted += np.asarray(location(every, boxes.side, settings.margin))
        if terms in ("volume", "both"):
            wanted += np.asarray(volume(boxes, every, knobs.temperature, settings.margin))
    np.testing.assert_allclose(np.broadcast_to(found, 3), wanted, rtol=1e-5)
    assert (wanted > 0).all() == (terms != "none")


@pytest.mark.parametrize("weighting", ["epoch", "step"])
def test_an_epoch_pays_the_regularisers_once_as_printed(weighting: Weighting) -> None:
    kb = parse("(B | A)[0.5]\n(A | B)[0.25]\n(C | A)[0.5]\n(C | B)[0.5]\n(A | C)[0.75]")
    settings = Settings(members=3, dim=4, preset="paper", batch=2, epochs=1, weighting=weighting)
    run = prepared(Task.of(kb), settings)
    objective, knobs = run.plan.objective, Knobs(*map(np.float64, (0.1, 0.01, 0.0)))
    boxes, steps = cast(FreeBoxes, objective.representation), run.plan.batching.steps
    with run.plan.precision():
        each = objective.extra(run.parameters, knobs, run.plan.extras)
        once = regularisation(boxes, run.parameters, knobs.temperature, settings.margin)
    assert steps == 3
    paid = 1 if weighting == "epoch" else steps
    np.testing.assert_allclose(np.asarray(each) * steps, np.asarray(once) * paid)
    assert (np.asarray(once) > 0).all()


def test_unknown_regularisers_are_refused() -> None:
    with pytest.raises(BoxselError, match="regularisers cannot be 'some'"):
        Settings(regularisers=cast(Regularisers, "some"))


def test_the_applicants_are_learnt() -> None:
    model = fit(examples.load("applicant"), members=4, dim=2, seed=0)
    assert (model.violations.largest <= model.settings.tolerance).all()
    assert np.isfinite(model.history).all()
    assert (model.history[-1] < model.history[0]).all()


@pytest.mark.parametrize(
    "text", ["A(a)\nr(a, b)", pytest.param("r SubPropertyOf s", marks=pytest.mark.deep)]
)
def test_a_knowledge_base_without_rows_trains(text: str) -> None:
    model = fit(parse(text), members=2, dim=2, epochs=2)
    assert np.isfinite(model.history).all()
    assert np.isfinite(model.violations.largest).all()
