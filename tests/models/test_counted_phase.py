"""Populations of which all sizes are known: members have them, whatever they were trained to."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from boxsel import fit, parse
from boxsel.models.compiled import row_errors
from boxsel.models.counted_phase import counted
from boxsel.models.existentials import with_existentials
from boxsel.models.fit import prepared
from boxsel.models.known_sizes import known_sizes
from boxsel.models.representations.populations import Populations
from boxsel.models.representations.representation import Sizes
from boxsel.models.run import completed
from boxsel.models.settings import Settings
from boxsel.models.task import Rows, Task

EXACT = 1e-9
NAMES, CELLS = 5, 64


def shares_of(people: NDArray[np.bool_], reached: NDArray[np.bool_]) -> Rows:
    """All shares of pairs of names, of one in two others, and of what an existential has."""
    everybody = np.ones((len(people), 1), bool)
    has = np.concatenate([everybody, people], axis=1)
    said = []
    for one in range(NAMES + 1):
        for other in range(one, NAMES + 1):
            body = has[:, one] & has[:, other]
            for head in range(1, NAMES + 1):
                if body.any() and head not in (one, other):
                    said.append(([one, other, head], [0, 0, 0], (has[body, head]).mean()))
        if has[:, one].any():
            said.append(([one, 0, 1], [0, 0, 1], reached[has[:, one]].mean()))
    names, roles, shares = (np.array(column) for column in zip(*said, strict=True))
    return Rows(names.astype(np.int32), roles.astype(np.int32), shares, shares)


@pytest.mark.parametrize("seed", range(6))
def test_members_have_all_sizes_of_a_population_that_was_counted(seed: int) -> None:
    """They are not trained at all here: it is the phase that finds the kinds that are lacking."""
    random = np.random.default_rng(seed)
    rare = random.random(NAMES) ** 2
    people = random.random((40, NAMES)) < rare
    reached = random.random(40) < 0.4 * people.any(axis=1)
    rows = with_existentials(shares_of(people, reached))
    how = Populations(CELLS)
    sizes = Sizes(names=NAMES + 1, roles=2, individuals=0, members=3)
    parameters = how.initial(random, sizes)
    found = counted(parameters, rows)
    assert found is not None
    errors = row_errors(how, found, rows)
    assert errors.largest.max() < EXACT


def test_sizes_that_contradict_each_other_are_not_known() -> None:
    names = np.array([[0, 0, 1], [0, 0, 2], [1, 0, 2], [2, 0, 1]], np.int32)
    shares = np.array([0.5, 0.5, 0.4, 0.4])
    roles = np.zeros_like(names)
    assert known_sizes(Rows(names, roles, shares, shares)) is not None
    wrong = np.array([0.5, 0.5, 0.4, 0.3])
    assert known_sizes(Rows(names, roles, wrong, wrong)) is None


def test_intervals_leave_sizes_open() -> None:
    names = np.array([[0, 0, 1]], np.int32)
    ends = np.array([0.2]), np.array([0.3])
    assert known_sizes(Rows(names, np.zeros_like(names), *ends)) is None


def test_what_is_not_known_as_sizes_is_left_to_other_phases() -> None:
    kb = parse("(B | A)[0.25]\n(A | owl:Thing)[0.5, 0.6]")
    task = Task.of(kb)
    run = completed(prepared(task, Settings(members=2, dim=8, representation="populations")))
    assert counted(run.parameters, task.rows) is None


def test_fitted_populations_satisfy_points_exactly() -> None:
    kb = parse("(A | owl:Thing)[0.3]\n(B | A)[0.2]\n(C | A)[0]\n(C | B)[0.5]\n(A | B)[0.5]")
    model = fit(kb, members=4, dim=16, representation="populations", seed=0)
    assert model.violations.largest.max() < EXACT
