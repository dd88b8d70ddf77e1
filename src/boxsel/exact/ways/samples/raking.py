"""Weights of given types, nearer and nearer to given shares, one share after the other.

As in surveys: within each body the weights of those with its head, and of those without, are
multiplied so that the share is inside. Rare bodies get their sizes like large ones do, in a few
rounds, where a step for all shares at once starts too far away.
"""

from __future__ import annotations

from math import log
from typing import Final

import numpy as np

from boxsel.exact.types.gibbs import Floats
from boxsel.exact.types.tables import Bools
from boxsel.exact.ways.samples.shares import Shares
from boxsel.machine.budget import Budget

ROUNDS: Final = 10
"""How often all shares are put right. Three do, nearly."""
BROUGHT_INSIDE: Final = 0.1
"""The part of an interval that shares are brought inside it."""
LIGHTEST: Final = 1e-20
"""The smallest weight, beside the largest, and the smallest part of a body that is multiplied."""


def rake(shares: Shares, having: Bools, base: Floats, budget: Budget) -> tuple[Floats, Floats]:
    """Weights with nearly all shares inside their bounds, from a base; their sum is one.

    And the sum of logarithms that they were multiplied by for each product that a type has.
    """
    lower, upper = (bounds.tolist() for bounds in shares.shrink(BROUGHT_INSIDE))
    stated = np.flatnonzero((shares.lower > 0) | (shares.upper < 1)).tolist()
    parts = []
    for number in stated:
        body, both = having[shares.bodies[number]], having[shares.boths[number]]
        parts.append((number, np.flatnonzero(both), np.flatnonzero(body & ~both)))
    weights, factors = base / base.max(), np.zeros(len(shares.products))
    for _ in range(ROUNDS):
        budget.check()
        for number, with_head, without in parts:
            having_it, lacking_it = float(weights[with_head].sum()), float(weights[without].sum())
            whole = having_it + lacking_it or 1.0
            share = having_it / whole
            target = min(max(share, lower[number]), upper[number])
            if target != share and min(having_it, lacking_it) > LIGHTEST:
                more, less = target * whole / having_it, (1 - target) * whole / lacking_it
                weights[with_head] *= more
                weights[without] *= less
                less, more = max(less, LIGHTEST), max(more, LIGHTEST)
                factors[shares.boths[number]] += log(more) - log(less)
                factors[shares.bodies[number]] += log(less)
        weights = np.maximum(weights / weights.max(), LIGHTEST)
    return np.asarray(weights / weights.sum()), factors
