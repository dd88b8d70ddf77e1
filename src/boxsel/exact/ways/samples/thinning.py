"""Fewer of many weighted types, such that each share stays about what it is.

Types are drawn by their weight, evenly along their order, and count as much more as others were
left out; those that weigh enough are kept as they are. What is rare keeps its heaviest types.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from boxsel.exact.types.gibbs import Floats
from boxsel.exact.types.tables import Bools, Ints

KEPT: Final = 2
"""How many types of a group are kept: with one, weights fit less often."""
CLOSE: Final = 8
"""Steps to the factor by which as many types are drawn as are wanted, nearly."""


def thin(
    groups: Bools, weights: Floats, count: int, needed: Sequence[int] = (), kept: int = KEPT
) -> tuple[Ints, Floats]:
    """About so many types, and those that are needed, also by groups: their places, and weights."""
    chances = np.ones(len(weights))
    if count < len(weights):
        factor = count / weights.sum()
        for _ in range(CLOSE):
            chances = np.minimum(1.0, factor * weights)
            factor *= count / chances.sum()
    chosen = np.diff(np.floor(np.cumsum(chances) + 0.5), prepend=0.0) > 0
    counted = np.where(chosen, weights / chances, 0.0)
    order = np.argsort(-weights, kind="stable")
    for some in groups[:, order]:
        heavy = order[np.flatnonzero(some)[:kept]]
        counted[heavy] = np.maximum(counted[heavy], weights[heavy])
    some = np.array(needed, np.intp)
    counted[some] = np.maximum(counted[some], weights[some])
    places = np.flatnonzero(counted)
    return places, counted[places]
