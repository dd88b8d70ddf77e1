"""The population along a tree, in floats: what is nearly nothing may become much again."""

from __future__ import annotations

import numpy as np

from boxsel.exact.ways.trees import base
from boxsel.exact.ways.trees.levels import group_by_depth, number_types
from boxsel.syntax.parser import parse_kb
from tests.exact.test_trees import compiled

TREE = """
(B | A)[0.325, 0.335]
(C | A)[0.005, 0.015]
(D | B)[0.5]
(E | B)[0.2, 0.3]
(F | C)[0.9]
"""


def test_weights_stay_numbers_however_much_they_change() -> None:
    _, bags = compiled(parse_kb(TREE))
    first = number_types(bags)
    levels = [base._Level(bags, places, first) for places in group_by_depth(bags)]
    weights = np.full(first[-1], 1e60)
    with np.errstate(all="ignore"):
        for level in levels:
            level._patterns[:] = 1e-280
            level.hand_up(weights)
            level._patterns[:] = 1e-280
            level.hand_up(weights)
            level.fit(weights)
            level.take_over(weights)
    assert np.isfinite(weights).all()
    assert (weights >= 0).all()
