"""Needs are joined as one by one: what is left implies all of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

import pytest
from flint import fmpq

from boxsel.exact.ways.trees import beyond
from boxsel.exact.ways.trees.beyond import SPARE_ROOM, ZERO, Need
from tests.depth import some


def join_simply(needs: Sequence[Need], weights: Mapping[int, float]) -> list[Need]:
    """The reference: every need beside every other, in fractions."""
    kept, joined = [], list[Need]()
    for need in needs:
        room = sum(float(factor) * weights[one] for one, factor in need.factors.items())
        if need.equal or room <= 0:
            kept.append(need)
            continue
        scale = beyond._rounded(1 / room, beyond.WEIGHT_DIGITS.stop)
        scaled = {one: factor * scale for one, factor in need.factors.items()}
        for place, other in enumerate(joined):
            both = scaled.keys() | other.factors.keys()
            least = {one: min(scaled.get(one, ZERO), other.factors.get(one, ZERO)) for one in both}
            if sum(float(factor) * weights[one] for one, factor in least.items()) >= SPARE_ROOM:
                joined[place] = Need(least, False, other.origin)
                break
        else:
            joined.append(Need(scaled, False, need.origin))
    return kept + joined


@pytest.mark.parametrize("seed", some(range(200), 40))
def test_needs_are_joined_as_by_the_reference(seed: int) -> None:
    random = Random(seed)
    weights = {pattern: random.choice([0.0, random.random()]) for pattern in range(0, 60, 2)}
    needs = [
        Need(
            {
                pattern: fmpq(random.choice([-1, 1, 3, 9]), random.randrange(1, 40))
                for pattern in random.sample(sorted(weights), random.randrange(1, 12))
            },
            random.random() < 0.1,
            origin,
        )
        for origin in range(random.randrange(60))
    ]
    joined = beyond._joined(needs, weights)
    assert joined == join_simply(needs, weights)
    for need in needs:  # some need that is left is, up to a positive factor, at most this one
        assert any(_implies(other, need) for other in joined)


def _implies(one: Need, other: Need) -> bool:
    if one.equal or other.equal:
        return one is other
    for pattern, factor in other.factors.items():
        least = one.factors.get(pattern, ZERO)
        if (factor > 0 and least > 0) or (factor < 0 and least < 0):
            scale = least / factor
            if all(
                one.factors.get(each, ZERO) <= scale * other.factors.get(each, ZERO)
                for each in one.factors.keys() | other.factors.keys()
            ):
                return True
    return False
