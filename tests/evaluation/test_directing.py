"""Directed members widen intervals towards the exact ones, unless they break what is known."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from boxsel.evaluation import ensembles
from boxsel.evaluation.conditionals import Conditionals, Floats
from boxsel.evaluation.ensembles import Trained, asked_shares, directed_ends, trained
from boxsel.evaluation.ontology import Ontology
from boxsel.evaluation.splits.split import Pairs, Split
from boxsel.models.compiled import RowErrors
from boxsel.models.measuring import ends
from boxsel.models.settings import Settings

EACH = 6


def conditional(body: int, head: int, count: int, total: int) -> Conditionals:
    numbers = (np.array([one]) for one in (body, head, count, total))
    return Conditionals.of(1, **dict(zip(("body", "head", "count", "total"), numbers, strict=True)))


@pytest.fixture(scope="module")
def split() -> Split:
    """Half of the root is A, and half of A is B: from a quarter to three quarters of it are B."""
    sizes = np.array([[4, 2, 4], [2, 4, 4], [4, 4, 8]])
    ontology = Ontology(
        "halves", ("A", "B"), "Root", (), (0, 1), sizes, np.zeros((2, 2, 2), np.int64),
        np.zeros((0, 2), np.int64), np.zeros((0, 2, 3), np.int64),
    )  # fmt: skip
    known = [conditional(3, 1, 4, 8), conditional(1, 2, 2, 4)]
    known += [conditional(1, 3, 4, 4), conditional(2, 3, 4, 4)]
    nothing = known[0].take(np.zeros(0, np.int64))
    return Split(
        ontology,
        "thin",
        0,
        "all",
        Conditionals.joined(known),
        conditional(3, 2, 4, 8),
        Pairs(np.zeros(0, np.int64), nothing, nothing),
    )


@pytest.fixture(scope="module")
def done(split: Split) -> Trained:
    return trained(split, Settings(members=EACH, dim=4, batch=64, epochs=400, polish="near"))


@pytest.fixture(scope="module")
def random(split: Split, done: Trained) -> Floats:
    return ends(asked_shares(done.model.representation, done.model.parameters, split.queries))


def distance(found: Floats) -> float:
    return float(np.abs(found - [0.25, 0.75]).sum())


def test_directed_members_come_closer_to_the_exact_interval(
    split: Split, done: Trained, random: Floats
) -> None:
    found = directed_ends(done, split.queries, EACH, random)
    assert (found[:, 0] <= random[:, 0]).all()
    assert (found[:, 1] >= random[:, 1]).all()
    assert distance(found) < distance(random) - 0.05
    slack = 4 * done.model.settings.tolerance
    assert found[0, 0] >= 0.25 - slack
    assert found[0, 1] <= 0.75 + slack


def pretended(
    monkeypatch: pytest.MonkeyPatch, done: Trained, queries: int, fits: NDArray[np.bool_]
) -> dict[str, Any]:
    """Members that were not trained but drawn; `fits` says which of them fit."""
    generator = np.random.default_rng(1)
    tables = {
        kind: {
            name: generator.normal(size=(len(table), queries * EACH, *table.shape[2:]))
            for name, table in given.items()
        }
        for kind, given in done.model.parameters.items()
    }
    worst = float(done.errors.mean.max())
    errors = np.where(fits, worst, np.nextafter(worst, 1))
    tolerance = done.model.settings.tolerance
    # Half of those that fit are worse than all others in the mean, but within the tolerance.
    errors[::2] = np.where(fits[::2], 2 * worst + tolerance, errors[::2])
    largest = np.ones(len(fits))
    largest[::2] = np.where(fits[::2], tolerance, 1.0)
    monkeypatch.setattr(ensembles, "pushed_run", lambda *_: None)
    monkeypatch.setattr(ensembles, "completed", lambda _: SimpleNamespace(parameters=tables))
    monkeypatch.setattr(
        ensembles, "row_errors", lambda *_: RowErrors(errors, largest, np.ones_like(errors))
    )
    return tables


@pytest.mark.parametrize("seed", range(5))
def test_members_count_for_their_own_query_and_if_they_fit(
    split: Split, done: Trained, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    drawn = np.random.default_rng(seed)
    asked = Conditionals.joined([split.queries, conditional(2, 1, 2, 4), conditional(3, 1, 4, 8)])
    fits = drawn.random(len(asked) * EACH) < 0.5
    before = np.sort(drawn.random((len(asked), 2)), axis=1)
    before[2] = np.nan
    tables = pretended(monkeypatch, done, len(asked), fits)
    found = directed_ends(done, asked, EACH, before)
    values = asked_shares(done.model.representation, tables, asked)
    for query in range(len(asked)):
        mine = range(query * EACH, (query + 1) * EACH)
        there = [values[query, one] for one in mine if fits[one]]
        there += [end for end in before[query] if not np.isnan(end)]
        there = [one for one in there if not np.isnan(one)]
        wanted = [min(there), max(there)] if there else [np.nan, np.nan]
        np.testing.assert_array_equal(found[query], wanted)


def test_if_none_fits_nothing_changes(
    split: Split, done: Trained, random: Floats, monkeypatch: pytest.MonkeyPatch
) -> None:
    pretended(monkeypatch, done, 1, np.zeros(EACH, bool))
    kept = random.copy()
    np.testing.assert_array_equal(directed_ends(done, split.queries, EACH, random), kept)
    np.testing.assert_array_equal(random, kept, "what was given is not changed")
    missing = np.full((1, 2), np.nan)
    assert np.isnan(directed_ends(done, split.queries, EACH, missing)).all()
