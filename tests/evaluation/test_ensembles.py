"""Ensembles on a split: what is asked of them, what fills up their rows, and what they predict."""

from __future__ import annotations

from dataclasses import replace

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxsel.errors import BoxselError
from boxsel.evaluation import ensembles
from boxsel.evaluation.conditionals import Conditionals
from boxsel.evaluation.ensembles import (
    Trained,
    asked_shares,
    batches_of,
    filled,
    predicted,
    rounded,
    settled,
    spanned,
    trained,
)
from boxsel.evaluation.splits.split import Split
from boxsel.evaluation.splits.variants import splits_of
from boxsel.models.arrays import Array, Parameters
from boxsel.models.batching import NEVER, Batching, Stratum
from boxsel.models.compiled import row_errors
from boxsel.models.measuring import Members
from boxsel.models.objective import Knobs, Objective
from boxsel.models.representations.representation import Sizes
from boxsel.models.settings import Settings
from boxsel.models.task import Rows
from tests.evaluation.tiny import SETTINGS, small

MEMBERS = SETTINGS.members


@pytest.fixture(scope="module")
def split() -> Split:
    (found,) = splits_of(small(), "thin-10", 0)
    return found


@pytest.fixture(scope="module")
def done(split: Split) -> Trained:
    return trained(split, SETTINGS)


def queries_of(split: Split) -> Conditionals:
    """Conditionals of all four shapes, in no order."""
    every = split.ontology.conditionals()
    return every.take(np.random.default_rng(0).permutation(len(every))[:200])


def test_shares_are_those_of_concepts(
    split: Split, done: Trained, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = queries_of(split)
    assert {*asked.shape.tolist()} == {1, 2, 3, 4}
    model = done.model
    queries = split.ontology.queries(asked)
    pairs = [(query.head, query.body) for query in queries]
    members = Members(model.representation, model.parameters, split.ontology.numbering)
    wanted = members.shares(pairs)
    found = asked_shares(model.representation, model.parameters, asked)
    np.testing.assert_allclose(found, wanted, atol=1e-12)
    np.testing.assert_allclose(found, model.values(queries), atol=1e-12)
    monkeypatch.setattr(ensembles, "AT_ONCE", 7)
    again = asked_shares(model.representation, model.parameters, asked)
    np.testing.assert_array_equal(again, found)
    nobody = asked.take(np.zeros(0, np.int64))
    assert asked_shares(model.representation, model.parameters, nobody).shape == (0, MEMBERS)


def test_batches_have_every_conditional_once(split: Split) -> None:
    asked = queries_of(split)
    places = np.concatenate([batch.places for batch in batches_of(asked)])
    assert sorted(places.tolist()) == list(range(len(asked)))


@given(st.integers(0, 999), st.integers(1, 9))
def test_intervals_against_a_loop(seed: int, members: int) -> None:
    random = np.random.default_rng(seed)
    values = random.random((5, members))
    values[random.random(values.shape) < 0.4] = np.nan
    counts = sorted({1, (members + 1) // 2, members})
    found = spanned(values, counts)
    assert found.shape == (len(counts), 5, 2)
    for place, count in enumerate(counts):
        for query in range(5):
            there = [one for one in values[query, :count] if not np.isnan(one)]
            wanted = [min(there), max(there)] if there else [np.nan, np.nan]
            np.testing.assert_array_equal(found[place, query], wanted)


@given(st.integers(1, 10**7), st.integers(0, 10**6))
def test_round_numbers(number: int, more: int) -> None:
    found = rounded(number)
    assert number <= found <= max(number + 3, 1.25 * number)
    assert rounded(found) == found
    assert found <= rounded(number + more)


def test_there_are_few_round_numbers() -> None:
    assert len({rounded(number) for number in range(1000, 100_000)}) < 35


def random_rows(number: int, seed: int) -> Rows:
    random = np.random.default_rng(seed)
    roles = random.integers(0, 3, (number, 3)) * (random.random((number, 3)) < 0.5)
    upper = random.random(number).round(1)
    names = random.integers(0, 5, (number, 3), np.int32)
    return Rows(names, roles.astype(np.int32), np.zeros(number), upper)


@given(st.integers(1, 200), st.integers(0, 99))
def test_what_fills_up_says_nothing(number: int, seed: int) -> None:
    rows = random_rows(number, seed)
    whole = filled(rows)
    kept = whole.take(np.arange(number))
    for field in ("names", "roles", "lower", "upper"):
        np.testing.assert_array_equal(getattr(kept, field), getattr(rows, field))
    rest = whole.take(np.arange(number, len(whole)))
    assert not rest.lower.any()
    assert (rest.upper == NEVER).all(), "no share is above it: there is no loss"
    assert {*map(tuple, rest.names.tolist())} <= {*map(tuple, rows.names.tolist())}
    assert len(whole) <= 1.25 * number + 3 * 16, "some for each of sixteen shapes"


@pytest.mark.parametrize("preset", ["default", "paper"])
def test_what_fills_up_pulls_at_nothing(split: Split, preset: str) -> None:
    how = Settings(dim=2, preset=preset).chosen_representation()
    numbering = split.ontology.numbering
    sizes = Sizes(len(numbering.names) + 1, len(numbering.roles) + 1, 0, MEMBERS)
    tables = jax.tree.map(jnp.float32, how.initial(np.random.default_rng(0), sizes))
    learned = split.learning.take(split.learning.shape == 4).rows()
    whole = filled(learned)
    rest = whole.take(np.arange(len(learned), len(whole)))
    assert len(rest)
    objective = Objective(how, regularisers="none")
    knobs = Knobs(*map(jnp.float32, (0.1, 0.1, 0.0)))

    @jax.jit
    def paid(tables: Parameters, rows: Stratum) -> tuple[Array, Parameters]:
        return jax.value_and_grad(lambda own: objective.losses(own, rows, knobs).sum())(tables)

    def first(some: Rows) -> Stratum:
        return next(Batching(some, 64, 0, whole=True).pieces(4))

    loss, pull = paid(tables, first(rest))
    assert loss == 0
    assert all((np.asarray(leaf) == 0).all() for leaf in jax.tree.leaves(pull))
    loss, pull = paid(tables, first(learned))
    assert loss > 0, "what is learned does pull"
    assert any((np.asarray(leaf) != 0).any() for leaf in jax.tree.leaves(pull))


def test_what_fills_up_is_not_counted(split: Split, done: Trained) -> None:
    model, rows = done.model, split.learning.rows()
    assert len(model.task.rows) > len(rows)
    errors = row_errors(model.representation, model.parameters, model.task.rows)
    for one, other in zip(errors, done.errors, strict=True):
        np.testing.assert_allclose(one, other, atol=1e-12)
    assert (errors.counted <= len(rows)).all()


def test_counted_is_a_share_of_what_was_learned() -> None:
    """Undefined conditionals are in a learning set, but say nothing: they are no part of it."""
    split = splits_of(small(), "paper", 0)[0]
    rows = split.learning.rows()
    assert len(rows) < len(split.learning)
    done = trained(split, SETTINGS)
    found = predicted(split, SETTINGS).effort["counted"]
    assert found == pytest.approx(done.errors.counted.mean() / len(rows))
    assert 0 < found <= 1


def test_what_a_run_took(split: Split, done: Trained) -> None:
    assert done.epochs == SETTINGS.epochs
    assert done.seconds > 0
    names, roles = split.ontology.size + 1, len(split.ontology.roles)
    assert done.parameters == (names + roles) * 2 * SETTINGS.dim
    again = trained(split, SETTINGS)
    for kind, tables in done.model.parameters.items():
        for name, table in tables.items():
            np.testing.assert_array_equal(again.model.parameters[kind][name], table)


@given(st.lists(st.floats(0.01, 2), max_size=8), st.integers(1, 4))
def test_when_a_loss_is_settled(means: list[float], stride: int) -> None:
    found = settled(np.array(means)[:, None] * np.array([[0.5, 1.5]]), stride)
    if not means:
        assert found is None
        return
    assert found is not None
    from_there = found // stride - 1
    away = [abs(one - means[-1]) / means[-1] for one in means]
    assert max(away[from_there:]) <= 0.05 + 1e-9
    assert from_there == 0 or away[from_there - 1] > 0.05 - 1e-9


def test_a_prediction_reads_its_members(
    split: Split, done: Trained, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ensembles, "trained", lambda *_: done)
    monkeypatch.setattr(ensembles, "counts_for", lambda _: (1, 2, MEMBERS))
    values = done.model.values(split.ontology.queries(split.queries))
    found = predicted(split, replace(SETTINGS, tolerance=2.0))
    np.testing.assert_allclose(found.interval(1)[:, 0], values[:, 0], atol=1e-12)
    np.testing.assert_allclose(found.interval(1)[:, 1], values[:, 0], atol=1e-12)
    ends = np.stack([np.nanmin(values, axis=1), np.nanmax(values, axis=1)], axis=1)
    np.testing.assert_allclose(found.interval(MEMBERS), ends, atol=1e-12)
    np.testing.assert_array_equal(found.interval("kept"), found.interval(MEMBERS))
    assert found.asked.all()
    assert found.effort["kept"] == found.effort["members"] == MEMBERS
    assert found.effort["mae"] == pytest.approx(done.errors.mean.mean())
    nobody = predicted(split, replace(SETTINGS, tolerance=0.0))
    assert nobody.effort["kept"] == 0
    assert np.isnan(nobody.interval("kept")).all()
    best = float(done.errors.largest.min())
    prediction = predicted(split, replace(SETTINGS, tolerance=best))
    members = np.flatnonzero(done.errors.largest <= best)
    np.testing.assert_allclose(
        prediction.interval("kept")[:, 0], np.nanmin(values[:, members], axis=1), atol=1e-12
    )


def test_directed_predictions_are_of_the_sample_alone(
    split: Split, done: Trained, monkeypatch: pytest.MonkeyPatch
) -> None:
    sample = np.array([4, 2])

    def pushed(_: Trained, asked: Conditionals, each: int, random: object) -> object:
        np.testing.assert_array_equal(asked.keys, split.queries.keys[sample])
        assert each == 2
        np.testing.assert_array_equal(random, plain.interval(MEMBERS)[sample])
        return np.array([[0.0, 0.5], [0.25, 1.0]])

    monkeypatch.setattr(ensembles, "trained", lambda *_: done)
    monkeypatch.setattr(ensembles, "directed_ends", pushed)
    plain = predicted(split, SETTINGS)
    prediction = predicted(split, SETTINGS, 2, sample)
    assert np.flatnonzero(prediction.asked).tolist() == [2, 4]
    np.testing.assert_array_equal(prediction.interval(MEMBERS)[sample], [[0.0, 0.5], [0.25, 1.0]])
    assert np.isnan(prediction.interval(MEMBERS)[~prediction.asked]).all()


@pytest.mark.deep
def test_members_that_diverged_are_not_members_without_error(split: Split) -> None:
    prediction = predicted(split, replace(SETTINGS, preset="paper", rate=1e6))
    assert prediction.reason.startswith("the training diverged")
    assert np.isnan(prediction.ends).all()


@pytest.mark.parametrize("error", [BoxselError("too large"), FloatingPointError("overflow")])
def test_a_failure_is_a_prediction_too(
    split: Split, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def failing(*_: object) -> None:
        raise error

    monkeypatch.setattr(ensembles, "trained", failing)
    prediction = predicted(split, replace(SETTINGS, members=12))
    assert prediction.reason == str(error)
    assert prediction.counts == (10, 12)
    assert np.isnan(prediction.ends).all()
    assert prediction.ends.shape == (2, len(split.queries), 2)


def test_without_a_box_for_everything_the_root_has_a_name(
    split: Split, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def seen(given: Split, _: Settings) -> None:
        asked.append(given)
        raise BoxselError("enough")

    monkeypatch.setattr(ensembles, "trained", seen)
    rootless = replace(split, ontology=replace(split.ontology, root=None))
    for preset in ("paper", "default"):
        prediction = predicted(rootless, replace(SETTINGS, preset=preset))
        assert len(prediction.asked) == len(split.queries)
    assert [one.ontology.root is not None for one in asked] == [True, False]
