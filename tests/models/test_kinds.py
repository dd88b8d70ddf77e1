"""Kinds that may exist: what may be kept of what is wanted, one kind after the other."""

from __future__ import annotations

import numpy as np
import pytest

from boxsel.models.kinds import Laws
from boxsel.models.known_sizes import known_sizes
from tests.depth import cases
from tests.models.test_counted_phase import shares_of

NAMES = 5


def _kept(laws: Laws, wanted: np.ndarray, matters: np.ndarray) -> np.ndarray:
    """Of what one kind should have, as much as it may."""
    has = laws.always.copy()
    for name in np.argsort(-matters, kind="stable").tolist():
        if wanted[name] and not laws.never[name] and not (laws.apart[name] & has).any():
            has |= laws.above[name]
    for region in laws._larger:
        if has[region].all():
            least = region[int(matters[region].argmin())]
            has &= ~laws.above[:, least]
    return has


def _completed(laws: Laws, has: np.ndarray) -> tuple[np.ndarray, bool]:
    """A kind with what several of its names need, and whether it breaks nothing."""
    has = has | laws.always
    for _ in range(3):
        for body, head in laws._joint:
            if has[body].all() and not has[head]:
                has = has | laws.above[head]
    fine = not has[laws.never].any() and not (laws.apart[has].any(axis=0) & has).any()
    fine &= not any(has[region].all() for region in laws._larger)
    fine &= all(has[head] or not has[body].all() for body, head in laws._joint)
    return has, bool(fine)


@pytest.mark.parametrize("seed", range(cases(20)))
def test_all_kinds_at_once_are_each_by_itself(seed: int) -> None:
    random = np.random.default_rng(seed)
    people = random.random((8, NAMES)) < random.choice([0.2, 0.5, 0.8], NAMES)
    known = known_sizes(shares_of(people, np.zeros(8, bool)))
    if known is None:
        pytest.skip("sizes that are not tied to each other")
    laws = Laws(known)
    count = len(known.names)
    wanted, matters = random.random((40, count)) < 0.6, random.random((40, count)).round(1)
    found = laws.kept(wanted, matters)
    for line, *given in zip(found, wanted, matters, strict=True):
        np.testing.assert_array_equal(line, _kept(laws, *given))
    whole, fine = laws.completed(wanted)
    for line, is_fine, given in zip(whole, fine, wanted, strict=True):
        expected, expected_fine = _completed(laws, given)
        assert bool(is_fine) == expected_fine
        np.testing.assert_array_equal(line, expected)
