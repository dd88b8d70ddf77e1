"""What follows from rows by modus ponens, and members that are made to satisfy it."""

from __future__ import annotations

import numpy as np
import pytest

from boxsel.models.concluding import concluded, made_equal
from boxsel.models.consequences import consequences
from boxsel.models.representations.populations import levels_of, memberships
from boxsel.models.task import Rows
from tests.models.test_counted_phase import shares_of

NAMES, CELLS = 5, 24


def counted_rows(seed: int) -> tuple[Rows, Rows]:
    """Rows of a random population: those that are learned, and those about the last name."""
    random = np.random.default_rng(seed)
    people = random.random((30, NAMES)) < random.random(NAMES)
    rows = shares_of(people, random.random(30) < 0.5)
    is_asked = (rows.names[:, 2] == NAMES) & (rows.names[:, 1] == 0)
    is_asked |= (rows.names[:, :2] == NAMES).any(axis=1)
    return rows.take(np.flatnonzero(~is_asked)), rows.take(np.flatnonzero(is_asked))


@pytest.mark.parametrize("seed", range(12))
def test_what_was_counted_is_within_what_follows(seed: int) -> None:
    learned, asked = counted_rows(seed)
    found = consequences(learned)
    truth = {
        tuple(asked.names[at, [0, 2]]): asked.lower[at]
        for at in range(len(asked))
        if asked.names[at, 1] == 0
    }
    both = 0
    for names, lower, upper in zip(found.names, found.lower, found.upper, strict=True):
        share = truth.get((names[0], names[2]))
        if share is not None:
            both += 1
            assert lower - 1e-12 <= share <= upper + 1e-12
    assert both


@pytest.mark.parametrize("seed", range(6))
def test_a_head_gets_what_follows_and_nothing_else_moves(seed: int) -> None:
    """Somebody has the head everywhere here, so that there are such memberships."""
    random = np.random.default_rng(seed)
    level = random.normal(0.0, 1.0, (NAMES + 1, 3, CELLS))
    level[0] = 30.0
    weight = random.normal(0.0, 0.5, (1, 3, CELLS))
    truth = memberships(random.normal(0.0, 1.0, CELLS))
    share = memberships(level)
    parts = np.exp(weight[0]) * share[:-1]
    sums = ((parts * truth).sum(axis=-1) / parts.sum(axis=-1))[:, :1]
    level = np.repeat(level[:, :1], 3, axis=1)
    weight = np.repeat(weight[:, :1], 3, axis=1)
    level[NAMES] = random.normal(0.0, 1.0, (3, CELLS))
    bodies = np.arange(NAMES, dtype=np.int32)
    names = np.stack([bodies, 0 * bodies, 0 * bodies + NAMES], axis=1)
    rows = Rows(names, np.zeros_like(names), sums[:, 0], sums[:, 0] + 0.01 * (bodies % 2))
    roles = np.zeros((1, 3, (NAMES + 1) * CELLS))
    before = {"names": {"level": level}, "roles": {"level": roles}, "cells": {"weight": weight}}
    after = concluded(before, rows)
    now = memberships(after["names"]["level"])
    parts = np.exp(weight[0]) * now[:-1]
    found = (parts * now[-1]).sum(axis=-1) / parts.sum(axis=-1)
    assert (found >= rows.lower[:, None] - 1e-9).all()
    assert (found <= rows.upper[:, None] + 1e-9).all()
    np.testing.assert_array_equal(after["names"]["level"][:-1], level[:-1])
    again = concluded(after, rows)
    np.testing.assert_allclose(memberships(again["names"]["level"]), now, atol=1e-9)


def test_names_that_lie_within_each_other_become_the_same() -> None:
    names = np.array([[1, 0, 2], [2, 0, 1], [1, 0, 3]], np.int32)
    rows = Rows(names, np.zeros_like(names), np.ones(3), np.ones(3))
    level = levels_of(np.array([[[1.0]], [[0.25]], [[0.5]], [[0.75]]]))
    tables = {
        "names": {"level": level},
        "roles": {"level": np.zeros((1, 1, 4))},
        "cells": {"weight": np.zeros((1, 1, 1))},
    }
    found = memberships(made_equal(tables, rows)["names"]["level"])[:, 0, 0]
    np.testing.assert_allclose(found, [1.0, 0.25, 0.25, 0.75])
