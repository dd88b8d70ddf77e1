"""Bodies, heads and weights move together, until what follows holds."""

from __future__ import annotations

import numpy as np
import pytest

from boxsel.models.arrays import Parameters
from boxsel.models.concluding import concluded
from boxsel.models.reconciling import Member, Said, _moved, nearer, reconciled
from boxsel.models.representations.populations import memberships
from boxsel.models.task import Rows


def _shares(member: Member, said: Said) -> np.ndarray:
    """Shares as sums over cells, one row after the other."""
    found = []
    for body, head in zip(said.bodies, said.heads, strict=True):
        part = member.weights * member.shares[body]
        found.append((part * member.shares[head]).sum() / part.sum())
    return np.array(found)


def _random(random: np.random.Generator, names: int, cells: int) -> Member:
    weights = np.exp(random.normal(size=cells))
    return Member(random.uniform(0.05, 0.95, (names, cells)), weights / weights.sum())


@pytest.mark.parametrize("seed", range(5))
def test_shares_that_some_member_has_are_found_from_another(seed: int) -> None:
    random = np.random.default_rng(seed)
    bodies, heads = np.array([0, 0, 1, 1, 2, 2]), np.array([1, 3, 0, 3, 3, 4])
    there = _random(random, 5, 12)
    shares = _shares(there, Said(bodies, heads, np.zeros(6), np.ones(6)))
    said = Said(bodies, heads, shares, shares)
    start = _random(random, 5, 12)
    before = np.abs(_shares(start, said) - shares).max()
    after = np.abs(_shares(nearer(start, said), said) - shares).max()
    assert after < 1e-9 < before


@pytest.mark.parametrize("seed", range(5))
def test_a_step_is_the_least_that_gives_the_errors_by_its_slopes(seed: int) -> None:
    """Against slopes by differences: the move I⁻¹ Jᵀ y with (J I⁻¹ Jᵀ + λ) y = e."""
    random = np.random.default_rng(seed)
    member = _random(random, 4, 6)
    said = Said(np.array([0, 0, 1, 2]), np.array([1, 3, 2, 3]), np.zeros(4), np.ones(4))
    ends = _shares(member, said) + random.normal(0, 1e-4, 4)
    said = said._replace(lower=ends, upper=ends)
    errors = ends - _shares(member, said)

    def moved(move: np.ndarray) -> Member:
        odds = np.exp(move[:24].reshape(4, 6)) * member.shares / (1 - member.shares)
        weights = member.weights * np.exp(move[24:])
        return Member(odds / (1 + odds), weights / weights.sum())

    steps = np.eye(30) * 1e-6
    slopes = np.array([_shares(moved(step), said) - _shares(moved(-step), said) for step in steps])
    slopes = slopes.T / 2e-6
    information = (member.weights * member.shares * (1 - member.shares)).ravel()
    inverse = 1 / np.concatenate([information, member.weights])
    matrix = slopes * inverse @ slopes.T
    matrix += np.eye(4) * 1e-4 * matrix.trace() / 4
    expected = moved(inverse * (np.linalg.solve(matrix, errors) @ slopes))
    found = _moved(member, said, errors, 1e-4)
    assert found is not None
    np.testing.assert_allclose(found.shares, expected.shares, rtol=1e-4)
    np.testing.assert_allclose(found.weights, expected.weights, rtol=1e-4)


def test_what_is_sure_stays_sure_and_rows_inside_their_ends_are_left_alone() -> None:
    shares = np.array([[1.0, 0.0, 0.5], [0.5, 0.5, 0.5], [0.2, 0.4, 0.6]])
    member = Member(shares, np.full(3, 1 / 3))
    said = Said(np.array([0, 1]), np.array([2, 2]), np.array([0.0, 0.7]), np.array([1.0, 0.7]))
    found = nearer(member, said)
    assert np.array_equal(found.shares[0], [1.0, 0.0, 0.5])
    assert abs(_shares(found, said)[1] - 0.7) < 1e-9


def test_shares_that_leave_no_room_are_reached() -> None:
    """All of the head is in the smaller body, so that it has nobody in the rest of the larger."""
    smaller, larger = np.array([0.9, 0.1, 0.0]), np.array([0.9, 0.1, 0.8])
    member = Member(np.array([smaller, larger, [0.5, 0.5, 0.5]]), np.full(3, 1 / 3))
    sizes = smaller.sum(), larger.sum()
    ends = np.array([0.4, 0.4 * sizes[0] / sizes[1]])
    said = Said(np.array([0, 1]), np.array([2, 2]), ends, ends)
    found = nearer(member, said)
    assert np.abs(_shares(found, said) - ends).max() < 1e-9


def test_a_head_that_has_nobody_where_some_should_be_gets_room() -> None:
    shares = np.array([[1.0, 0.0, 0.5], [0.0, 1.0, 0.5], [0.0, 0.0, 0.0]])
    member = Member(shares, np.full(3, 1 / 3))
    said = Said(np.array([0, 1]), np.array([2, 2]), np.array([0.3, 0.0]), np.array([0.3, 0.0]))
    found = nearer(member, said)
    assert abs(_shares(found, said)[0] - 0.3) < 1e-9
    assert np.array_equal(found.shares[2, 1:], [0.0, 0.0])  # nobody of the second body has it


def test_bodies_that_contradict_each_other_for_a_head_alone_are_moved() -> None:
    """Two bodies are the same here, and the head has another share in each."""
    names = np.array([[1, 0, 3], [2, 0, 3]])
    ends = np.array([0.3, 0.6])
    rows = Rows(names, np.zeros_like(names), ends, ends)
    level = np.random.default_rng(0).normal(size=(4, 1, 8))
    level[2] = level[1]
    parameters: Parameters = {
        "names": {"level": level},
        "roles": {"level": np.zeros((1, 1, 4 * 8))},
        "cells": {"weight": np.zeros((1, 1, 8))},
    }

    def shares(tables: Parameters) -> np.ndarray:
        weights = np.exp(tables["cells"]["weight"][0, 0])
        member = Member(memberships(tables["names"]["level"][:, 0]), weights / weights.sum())
        return _shares(member, Said(names[:, 0], names[:, 2], ends, ends))

    assert np.abs(shares(concluded(parameters, rows)) - ends).max() > 0.1
    parameters["names"]["level"][2] += 0.1 * np.arange(8)[None]  # no slope tells equals apart
    assert np.abs(shares(reconciled(parameters, rows)) - ends).max() < 1e-9
