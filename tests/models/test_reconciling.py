"""Bodies, heads and weights move together, until what follows holds."""

from __future__ import annotations

import numpy as np
import pytest

from boxsel.models.arrays import Parameters
from boxsel.models.concluding import concluded
from boxsel.models.reconciling import Member, Said, nearer, reconciled
from boxsel.models.representations.populations import levels_of, memberships
from boxsel.models.task import Rows


def _shares(member: Member, said: Said) -> np.ndarray:
    """Shares as sums over cells, one row after the other."""
    weights = np.exp(member.weights) / np.exp(member.weights).sum()
    found = []
    for body, head in zip(said.bodies, said.heads, strict=True):
        part = weights * memberships(member.levels[body])
        found.append((part * memberships(member.levels[head])).sum() / part.sum())
    return np.array(found)


@pytest.mark.parametrize("seed", range(5))
def test_shares_that_some_member_has_are_found_from_another(seed: int) -> None:
    random = np.random.default_rng(seed)
    bodies, heads = np.array([0, 0, 1, 1, 2, 2]), np.array([1, 3, 0, 3, 3, 4])
    there = Member(random.normal(size=(5, 12)), random.normal(size=12))
    shares = _shares(there, Said(bodies, heads, np.zeros(6), np.ones(6)))
    said = Said(bodies, heads, shares, shares)
    start = Member(random.normal(size=(5, 12)), random.normal(size=12))
    before = np.abs(_shares(start, said) - shares).max()
    after = np.abs(_shares(nearer(start, said), said) - shares).max()
    assert after < 1e-9 < before


def test_what_is_sure_stays_sure_and_rows_inside_their_ends_are_left_alone() -> None:
    levels = levels_of(np.array([[1.0, 0.0, 0.5], [0.5, 0.5, 0.5], [0.2, 0.4, 0.6]]))
    member = Member(levels, np.zeros(3))
    said = Said(np.array([0, 1]), np.array([2, 2]), np.array([0.0, 0.7]), np.array([1.0, 0.7]))
    found = nearer(member, said)
    assert np.array_equal(memberships(found.levels[0]), [1.0, 0.0, 0.5])
    assert abs(_shares(found, said)[1] - 0.7) < 1e-9


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
        member = Member(tables["names"]["level"][:, 0], tables["cells"]["weight"][0, 0])
        return _shares(member, Said(names[:, 0], names[:, 2], ends, ends))

    assert np.abs(shares(concluded(parameters, rows)) - ends).max() > 0.1
    parameters["names"]["level"][2] += 0.1 * np.arange(8)[None]  # no slope tells equals apart
    assert np.abs(shares(reconciled(parameters, rows)) - ends).max() < 1e-9
