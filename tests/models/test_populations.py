"""Populations: what they satisfy, how exactly, and that rows in blocks are rows."""

from __future__ import annotations

import jax
import numpy as np
import pytest

import boxsel
from boxsel import examples
from boxsel.errors import BoxselError
from boxsel.models.batching import Batching
from boxsel.models.blocks import Blocks
from boxsel.models.existentials import with_existentials
from boxsel.models.hardening import hardened
from boxsel.models.population_shares import errors_in, shares_in
from boxsel.models.representations.populations import Populations
from boxsel.models.representations.representation import Sizes
from boxsel.models.settings import Settings
from boxsel.models.task import Rows
from tests.depth import cases

NAMES, ROLES, MEMBERS, CELLS = 5, 2, 3, 4
SIZES = Sizes(NAMES + 1, ROLES + 1, 0, MEMBERS)


def random_rows(random: np.random.Generator, number: int) -> Rows:
    """Rows of all shapes: conjuncts that are said twice, heads in bodies, nested existentials."""
    names = random.integers(0, NAMES + 1, (number, 3)).astype(np.int32)
    roles = (
        random.integers(0, ROLES + 1, (number, 3)) * random.integers(0, 2, (number, 3))
    ).astype(np.int32)
    ends = np.sort(random.integers(0, 3, (2, number)) / 2, axis=0)
    return Rows(names, roles, ends[0], ends[1])


@pytest.mark.parametrize("seed", range(cases(20)))
def test_blocks_say_what_rows_say(seed: int) -> None:
    """But rows that hold anyway, since their head is ⊤ or in the body, are left out."""
    random = np.random.default_rng(seed)
    rows, how = random_rows(random, 40), Populations(CELLS)
    slots = rows.roles.astype(int) * (NAMES + 1) + rows.names
    trivial = (slots[:, 2] == 0) | (slots[:, :2] == slots[:, 2:]).any(axis=1)
    # Bounds of the same body and head are met in a block: one of each is enough here.
    keys = np.concatenate([np.sort(slots[:, :2], axis=1), slots[:, 2:]], axis=1)
    _, first = np.unique(keys, axis=0, return_index=True)
    rows = rows.take(np.setdiff1d(first, np.flatnonzero(trivial)))
    parameters = how.initial(random, SIZES)
    with jax.enable_x64(True):
        blocks = errors_in(how, parameters, Blocks(rows, np.float64).strata)
        batches = Batching(rows, len(rows), 0, np.float64, whole=True).batches(range(1))
        plain = errors_in(how, parameters, jax.tree.map(lambda array: array[0], batches))
        for whole in (np.max, np.min, np.sum):
            np.testing.assert_allclose(whole(blocks, axis=0), whole(plain, axis=0), atol=1e-12)


@pytest.mark.parametrize("seed", range(cases(20)))
def test_what_must_hold_without_exception_does_after_hardening(seed: int) -> None:
    random = np.random.default_rng(seed)
    rows = random_rows(random, 8)
    sure = random.integers(0, 2, len(rows)).astype(float)
    strict = Rows(rows.names, rows.roles, sure, sure)
    how = Populations(CELLS)
    with jax.enable_x64(True):
        strata = Blocks(strict, np.float64).strata
        after = hardened(how, how.initial(random, SIZES), strata)
        for stratum in strata:
            share = np.asarray(shares_in(how, after, stratum))
            lower = stratum.lower.reshape(-1, 1)
            off = np.where(stratum.upper.reshape(-1, 1) > 1, 0.0, np.abs(share - lower))
            assert np.nan_to_num(off).max(initial=0.0) < 1e-12


def test_existentials_of_a_chain_of_names_are_a_chain() -> None:
    """A ⊑ B ⊑ C, and only ∃r.A and ∃r.C occur."""
    names = np.array([[1, 0, 2], [2, 0, 3], [1, 0, 3]], np.int32)
    roles = np.array([[0, 0, 0], [0, 0, 0], [2, 0, 2]], np.int32)
    bounds = np.array([1.0, 1.0, 0.0]), np.ones(3)
    more = with_existentials(Rows(names, roles, *bounds))
    assert more.names[3:].tolist() == [[1, 0, 3]]
    assert more.roles[3:].tolist() == [[2, 0, 2]]
    assert with_existentials(more.take(np.arange(2))).names.shape == (2, 3)


def test_members_satisfy_points_to_the_last_digits() -> None:
    model = boxsel.fit(examples.load("applicant"), members=4, dim=16, representation="populations")
    assert model.settings.roles == "memberships"
    assert model.scores.largest.max() < 1e-9
    assert model.kept.all()
    estimate = model.ask("(Admitted | Applicant)")
    assert estimate.kept_ends is not None
    lower, upper = estimate.kept_ends
    assert 0.16 - 1e-9 <= lower < upper <= 0.96 + 1e-9


def test_what_does_not_go_together_is_refused() -> None:
    for choices in (
        {"representation": "populations", "roles": "translation"},
        {"representation": "boxes", "roles": "memberships"},
        {"representation": "populations", "preset": "paper"},
    ):
        with pytest.raises(BoxselError):
            Settings(**choices)  # type: ignore[arg-type]
