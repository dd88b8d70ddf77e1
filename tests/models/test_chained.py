"""Shares that chains of sizes determine: the same in all models, by linear programmes."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy.optimize import linprog

from boxsel.evaluation.conditionals import Conditionals
from boxsel.evaluation.splits.variants import splits_of
from boxsel.evaluation.truths.chains import determined
from boxsel.models.chained import chained
from boxsel.models.consequences import consequences
from boxsel.models.task import Rows
from tests.depth import cases
from tests.evaluation.tiny import small
from tests.models.test_counted_phase import NAMES, shares_of

TYPES = np.array(list(product((0, 1), repeat=NAMES)), bool)


def counted_rows(random: np.random.Generator) -> Rows:
    """A part of the rows of a random population with inclusions and zeros."""
    people = random.random((12, NAMES)) < random.choice([0.2, 0.5, 0.8], NAMES)
    people[:, 1] |= people[:, 0]
    rows = shares_of(people, np.zeros(12, bool))
    rows = rows.take(np.flatnonzero((rows.roles == 0).all(axis=1)))
    return rows.take(np.flatnonzero(random.random(len(rows)) < 0.5))


def has(names: np.ndarray) -> np.ndarray:
    """Which types have some names; 0 is ⊤."""
    places = [name - 1 for name in names.tolist() if name]
    return np.asarray(TYPES[:, places].all(axis=1))


def possible(rows: Rows, body: int, head: int) -> tuple[float, float]:
    """The least and the largest share in all models in which somebody is in the body."""
    equations = [
        has(names).astype(float) - share * has(names[:2])
        for names, share in zip(rows.names, rows.lower, strict=True)
    ]
    whole, part = (has(np.array(names)).astype(float) for names in ([body], [body, head]))
    wanted = np.append(np.zeros(len(equations)), 1.0)
    ends = []
    for sign in (1, -1):
        found = linprog(sign * part, A_eq=np.array([*equations, whole]), b_eq=wanted)
        assert found.status == 0
        ends.append(float(part @ found.x))
    return ends[0], ends[1]


@pytest.mark.parametrize("seed", range(cases(40, least=8)))
def test_what_chains_determine_is_the_same_in_all_models(seed: int) -> None:
    rows = counted_rows(np.random.default_rng(seed))
    follows = consequences(rows)
    found = chained(follows, rows)
    np.testing.assert_array_equal(found.names, follows.names)
    for at in np.flatnonzero((found.lower != follows.lower) | (found.upper != follows.upper)):
        body, _, head = found.names[at].tolist()
        least, most = possible(rows, body, head)
        assert abs(found.lower[at] - least) < 1e-7
        assert abs(found.upper[at] - most) < 1e-7


def test_some_are_determined_that_modus_ponens_leaves_open() -> None:
    narrower = 0
    for seed in range(8):
        rows = counted_rows(np.random.default_rng(seed))
        follows = consequences(rows)
        found = chained(follows, rows)
        narrower += int(((found.upper - found.lower) < (follows.upper - follows.lower)).sum())
    assert narrower > 3


@pytest.mark.parametrize("variant", ["paper", "strict"])
def test_the_evaluation_finds_the_same_queries_determined(variant: str) -> None:
    """It decides by connections alone, and takes the values from what was counted."""
    for split in splits_of(small(), variant, 0):
        rows, queries = split.rows(), split.queries
        found = chained(consequences(rows), rows)
        slots = found.names.astype(np.int64), found.roles.astype(np.int64)
        nothing = np.zeros(len(found), np.int64)
        keys = Conditionals(*slots, nothing, nothing, nothing.astype(np.int8)).keys
        known = dict(zip(keys.tolist(), zip(found.lower, found.upper, strict=True), strict=True))
        for key, share in zip(
            queries.keys[determined(split.learning, queries)].tolist(),
            queries.share[determined(split.learning, queries)],
            strict=True,
        ):
            if key in known:
                assert known[key] == pytest.approx((share, share), abs=1e-12)
