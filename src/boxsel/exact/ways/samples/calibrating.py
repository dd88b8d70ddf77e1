"""Weights of given types, as equal as possible, with which every share is between its bounds.

As in surveys, where the weights of respondents are calibrated to known totals: weights are
multiplied by exponentials of linear forms of the shares, by Newton's method.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from boxsel.exact.types.gibbs import Floats
from boxsel.exact.types.tables import Bools
from boxsel.exact.ways.samples.raking import rake
from boxsel.exact.ways.samples.shares import Shares, digits_of
from boxsel.machine.budget import Budget

MOST_STEPS: Final = 60
STALLED: Final = 6
"""So many steps at most, and so many without progress."""
INSIDE: Final = 0.01
BROUGHT_INSIDE: Final = 0.1
WATCHED_INSIDE: Final = 0.3
"""Parts of an interval: shares have to be so far inside, are brought so far inside if they are
not, and are watched if they are no farther inside."""
NARROW: Final = 1e-3
MANY_SHARES: Final = 50
"""Where an interval is no wider, or more shares have one value, numbers have twice the digits."""
SMALLEST_FLOAT: Final = 1e-30
DAMPING: Final = 1e-3
LEAST_DAMPING: Final = 1e-9
COARSE: Final = 1e-3
"""How much is added to variances, relative to them and at least. Where shares have one value, and
are nearer to it than this, it is less the nearer they are: else the last digits take too long."""
FARTHEST: Final = 3.0
"""The most that a step changes the logarithm of a weight."""
MET: Final = (1e-5, 1e-9)
"""How far a share may be from the one value that it has to have: with few digits, and with many.
What is left is corrected in exact numbers."""
LEAST_LOGARITHM: Final = -40.0
"""The logarithm of the smallest weight, beside the largest."""


@dataclass(frozen=True)
class Calibrated:
    """Weights, by how much each share is outside its bounds, and how hard each was pulled."""

    weights: Floats
    off: Floats
    pulls: Floats

    @property
    def is_met(self) -> bool:
        """Whether every share is inside."""
        return not self.off.any()


def calibrate(
    shares: Shares, having: Bools, base: Floats, budget: Budget, steps: int = MOST_STEPS
) -> Calibrated:
    """Weights near a base with which shares are inside their bounds, or nearly."""
    lower, upper = shares.lower, shares.upper
    width = upper - lower
    is_fine = (width < NARROW) & (width > 0)
    fine = bool(is_fine.any()) or shares.points > MANY_SHARES
    kind = np.float64 if fine else np.float32
    bodies, boths = having[shares.bodies].astype(kind), having[shares.boths].astype(kind)
    (low, high), (inner, outer) = shares.shrink(INSIDE), shares.shrink(BROUGHT_INSIDE)
    watched = shares.shrink(WATCHED_INSIDE)
    present = bodies.any(1)
    allowed = np.where(width > 0, 0.0, MET[fine] * digits_of(lower))
    logarithms, pulls = np.log(rake(shares, having, base, budget)), np.zeros(len(shares))
    below, above = digits_of(lower), digits_of(upper)
    best: Calibrated | None = None
    least, stalled = np.inf, 0
    for _ in range(steps):
        budget.check()
        weights = np.exp(np.maximum(logarithms - logarithms.max(), LEAST_LOGARITHM))
        weights = (weights / weights.sum()).astype(kind)
        with np.errstate(invalid="ignore"):  # some processors say so of sums that are in order
            masses = np.maximum(bodies @ weights, SMALLEST_FLOAT)
            share = (boths @ weights) / masses
        off = np.where(present, np.maximum(low - share, share - high), 0.0)
        off[off <= allowed] = 0.0
        total = float(np.log1p(off / np.where(share < lower, below, above)).sum())
        stalled = 0 if total < 0.98 * least else stalled + 1
        if total < least:
            best, least = Calibrated(weights.astype(np.float64), off, pulls.copy()), total
        if not total or stalled >= STALLED or np.isnan(total):
            break
        target = np.clip(share, inner, outer)
        near = (share <= watched[0]) | (share >= watched[1])
        some = np.flatnonzero(present & near)
        forms = bodies[some] * -target[some, None].astype(kind)
        forms += boths[some]
        forms *= (np.sqrt(weights) / masses[some, None]).astype(kind)
        damping = DAMPING * min(1.0, float(off.max()) / COARSE) if fine else DAMPING
        multiples = _solve(forms, (target - share)[some], damping)
        pulls[some] += multiples
        change = multiples @ forms / np.sqrt(weights)
        logarithms = logarithms + np.clip(change, -FARTHEST, FARTHEST)
    assert best is not None
    return best


def _solve(forms: Floats, wanted: Floats, damping: float) -> Floats:
    """The multiples of forms whose sum has given products with each of them, nearly."""
    matrix = (forms @ forms.T).astype(np.float64)
    diagonal = np.diag_indices_from(matrix)
    matrix[diagonal] += damping * matrix[diagonal] + LEAST_DAMPING
    return np.asarray(np.linalg.solve(matrix, wanted), forms.dtype)
