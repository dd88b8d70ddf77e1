"""How training ends: members come to rest, are polished, and may become witnesses."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from boxsel import parse
from boxsel.logic.kb import KB
from boxsel.models.fit import finished, fit, prepared
from boxsel.models.further_runs import polished
from boxsel.models.loading import load
from boxsel.models.measuring import Members
from boxsel.models.model import ROUNDING, Model
from boxsel.models.run import completed
from boxsel.models.settings import Settings
from boxsel.models.task import ROUNDING_ROOM, Rows, Task, tightened
from boxsel.models.violations import violations

NESTED = parse("A SubClassOf B\nDisjointClasses: A, C\n(C | B)[0.2, 0.6]\n(A | B)[0.1, 0.5]")


def test_members_that_satisfy_everything_come_to_rest_and_training_ends() -> None:
    settings = Settings(members=6, dim=2)
    run = completed(prepared(Task.of(parse("(B | A)[0.1, 0.9]")), settings))
    assert not run.active.any()
    assert 0 < run.epoch < run.plan.epochs
    assert (run.violations() <= run.plan.target).all()


def test_members_at_rest_do_not_move() -> None:
    run = prepared(Task.of(NESTED), Settings(members=6, dim=2))
    while run.active.all() and not run.done:
        run = run.advanced()
    resting = ~run.active
    assert 0 < resting.sum() < 6
    after = run.advanced()
    for name, table in run.parameters["names"].items():
        moved = (after.parameters["names"][name] != table).any(axis=(0, 2))
        assert not moved[resting].any()
        assert moved[run.active].any()


@pytest.mark.parametrize("dim", [2, pytest.param(12, marks=pytest.mark.deep)])
def test_polishing_puts_boxes_where_they_belong(dim: int) -> None:
    """Soft volumes are content with nearly: before, few boxes are really inside, or apart."""
    task, settings = Task.of(NESTED), Settings(members=20, dim=dim)
    run = completed(prepared(task, settings))
    after = completed(polished(run))
    assert after.plan.dtype is np.float64
    assert after.plan.objective.polishing
    rough = Model(task, settings, run.parameters, run.losses)
    before, now = (
        sum(map(np.sum, _places(model))) for model in (rough, finished(task, settings, run))
    )
    assert now >= 30, "of 40 that should be inside, or apart"
    assert now > before
    assert np.median(after.violations()) <= np.median(run.violations())


def _places(model: Model) -> tuple[np.ndarray, np.ndarray]:
    a, b, c = (
        Members(model.representation, model.parameters, model.task.numbering).region(name)
        for name in model.kb.signature.concepts
    )
    inside = (b.lower <= a.lower) & (a.upper <= b.upper)
    apart = (a.upper <= c.lower) | (c.upper <= a.lower)
    return inside.all(axis=-1), apart.any(axis=-1)


def test_what_is_far_from_satisfied_is_not_polished() -> None:
    run = completed(prepared(Task.of(NESTED), Settings(members=4, dim=2, epochs=1)))
    assert polished(run) is run
    assert completed(polished(run, "always")).epoch > 0
    assert polished(run, "never") is run


def test_intervals_are_tightened_and_points_are_not() -> None:
    ends = np.array([[0.2, 0.6], [0.3, 0.3], [0.0, 0.5], [0.5, 1.0], [0.0, 0.0], [0.1, 0.1002]])
    slots = np.zeros((6, 3), np.int32)
    rows = tightened(Rows(slots, slots, ends[:, 0], ends[:, 1]))
    assert rows.lower == pytest.approx(
        [0.2 + ROUNDING_ROOM, 0.3, 0.0, 0.5 + ROUNDING_ROOM, 0.0, 0.10005]
    )
    assert rows.upper == pytest.approx(
        [0.6 - ROUNDING_ROOM, 0.3, 0.5 - ROUNDING_ROOM, 1.0, 0.0, 0.10015]
    )


def one_dimension(kb: KB, **sides: tuple[float, float]) -> Model:
    """A model of one member whose boxes are these."""
    model = fit(kb, members=1, dim=1, epochs=0)
    tables = {name: table.copy() for name, table in model.parameters["names"].items()}
    for row, name in enumerate(model.task.numbering.names, start=1):
        low, high = sides[str(name)]
        width = high - low
        tables["extent"][row] = np.log(width / (1 - width))
        tables["position"][row] = np.log(low / (1 - width - low))
    return replace(model, parameters={**model.parameters, "names": tables})


def test_a_witness_satisfies_exactly_not_up_to_rounding() -> None:
    """No float is a third, so no box is a third of another: not even if the floats say so."""
    third = parse("(B | A)[1/3]")
    model = one_dimension(third, A=(0.2, 0.8), B=(0.2, 0.4))
    assert model.scores.largest[0] <= ROUNDING
    assert model.witnesses == ()
    assert model.inner("(B | A)") is None
    wide = replace(model, task=Task.of(parse("(B | A)[0.3, 0.4]")))
    assert len(wide.witnesses) == 1


def test_a_witness_must_also_serve_the_concepts_of_the_query() -> None:
    """With r ⊑ s, `s some B` of a query must include `r some B`, though no axiom mentions it."""
    model = fit(parse("r SubPropertyOf s\n(B | A)[0.2, 0.8]"), members=12, dim=2)
    assert len(model.witnesses) == 12
    inner = model.inner("(s some B | A)")
    serving = 0 if inner is None else inner.witnesses
    asked = "(s some B | A)"
    concepts = model.ask(asked).query
    fit_for_it = [witness.satisfies(model.kb, concepts.head) for witness in model.witnesses]
    assert serving == sum(fit_for_it) < 12


def test_a_refined_model_is_measured_anew(tmp_path: Path) -> None:
    kb = parse("(B | A)[0.3]\n(C | A)[0.4]")
    fit(kb, members=4, dim=2).save(tmp_path / "model")
    model = load(tmp_path / "model")
    assert model.remembered is not None
    refined = model.refine("(C | B)")
    measured = violations(
        kb, Members(refined.representation, refined.parameters, refined.task.numbering)
    )
    np.testing.assert_array_equal(refined.scores.largest, measured.largest)
    assert not np.array_equal(refined.scores.largest, model.scores.largest)


def test_without_a_universe_nothing_is_cut_by_everything() -> None:
    """The paper's boxes may lie anywhere: ⊤ that fills up a row must not cut them."""
    kb = parse("A SubClassOf B\n(C | A and B)[0.2, 0.4]\n(B | C)[0.3]")
    run = prepared(Task.of(kb), Settings(members=3, dim=2, preset="paper", epochs=1))
    names = dict(run.state.parameters["names"])
    names["position"] = names["position"] + np.arange(4)[:, None, None] * 0.3
    moved = run.with_state(run.state._replace(parameters={**run.state.parameters, "names": names}))
    plan = moved.plan
    members = Members(plan.objective.representation, moved.parameters, plan.task.numbering)
    wanted = violations(kb, members).largest
    np.testing.assert_allclose(moved.violations(), wanted, atol=1e-9)
