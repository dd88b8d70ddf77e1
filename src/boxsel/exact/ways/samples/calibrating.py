"""Weights of given types, as equal as possible, with which every share is between its bounds.

As in surveys, where the weights of respondents are calibrated to known totals: weights are
multiplied by exponentials of sums of factors, one for each product that a type has. Newton's method
looks for factors that change the log-odds of shares by what they are off: so a share of one in a
million comes as near to its bounds in a step as a share of a half. Where steps overshoot, they
become shorter in what the types know little about, until all shares together come nearer.

The factors say more than the weights: types that have a large sum of them are those that would
help, also among the types that nobody has drawn.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np

from boxsel.exact.types.gibbs import Floats
from boxsel.exact.types.tables import Bools, Ints
from boxsel.exact.ways.samples.raking import rake
from boxsel.exact.ways.samples.shares import Shares, digits_of
from boxsel.machine.budget import Budget

MOST_STEPS: Final = 60
MOST_TRIES: Final = 6
PROGRESS: Final = 0.999
STALLED: Final = (2, 0.5)
NEARLY: Final = (5, 0.9)
FEW_OFF: Final = 0.05
"""So many steps at most, and so many lengths for each; after each, what is left is less than this
part of it, and after two steps no more than a half. Where so few shares are outside, steps are
short, and there is more patience."""
INSIDE: Final = 0.01
BROUGHT_INSIDE: Final = 0.1
WATCHED_INSIDE: Final = 0.3
"""Parts of an interval: shares have to be so far inside, are brought so far inside if they are
not, and are watched if they are no farther inside."""
NARROW: Final = 1e-3
MANY_SHARES: Final = 50
"""Where an interval is no wider, in digits of its bounds, or more shares have one value, numbers
have twice the digits."""
SMALLEST_FLOAT: Final = 1e-30
SMALLEST_SHARE: Final = 1e-12
"""Log-odds are of shares that are no nearer to 0 or 1."""
DAMPING: Final = 1e-3
LEAST_DAMPING: Final = 1e-9
HARDER: Final = 10.0
SOFTER: Final = 0.2
"""How much is added to variances at first, relative to them and at least; how many times more after
a step in vain, and after one that was not."""
FARTHEST: Final = 3.0
"""The most that a step changes the logarithm of a weight."""
MET: Final = (1e-5, 1e-8)
"""How far a share may be from the one value that it has to have: with few digits, and with many.
What is left is corrected in exact numbers."""
LEAST_LOGARITHM: Final = -46.0
"""The logarithm of the smallest weight, beside the largest."""


@dataclass(frozen=True)
class Calibrated:
    """Weights, by how much each share is outside its bounds, and how hard each was pulled.

    And what the logarithm of a weight has come to be for each product of its type; and for each
    product, how much more weight of types that have it would bring shares nearer.
    """

    weights: Floats
    off: Floats
    pulls: Floats
    factors: Floats
    lacking: Floats

    @property
    def is_met(self) -> bool:
        """Whether every share is inside."""
        return not self.off.any()


def calibrate(
    shares: Shares, having: Bools, base: Floats, budget: Budget, steps: int = MOST_STEPS
) -> Calibrated:
    """Weights near a base with which shares are inside their bounds, or nearly."""
    seeing = _Seeing.of(shares, having)
    weights, factors = rake(shares, having, base, budget)
    pulls, damping = np.zeros(len(shares)), DAMPING
    now = seeing.look(np.log(weights))
    left: list[float] = []
    for _ in range(steps):
        budget.check()
        left.append(now.left)
        back, part = NEARLY if np.count_nonzero(now.off) <= FEW_OFF * len(shares) else STALLED
        if now.is_met or (len(left) > back and now.left > part * left[-1 - back]):
            break
        matrix = seeing.products_of_forms(now)
        for _ in range(MOST_TRIES):
            multiples = _solve(matrix, now.wanted, damping) * now.scales
            change = _spread(shares, now.near, multiples, now.share)
            ahead = seeing.look(now.logarithms + seeing.sums(change))
            if ahead.left < PROGRESS * now.left:
                break
            damping *= HARDER
        else:
            break
        pulls[now.near] += multiples
        factors += change
        now, damping = ahead, max(SOFTER * damping, LEAST_DAMPING)
    whole = now.weights.astype(np.float64)
    lacking = _spread(shares, now.near, now.wanted * now.scales, now.share)
    return Calibrated(whole / whole.sum(), now.off, pulls, factors, lacking)


def _spread(shares: Shares, some: Ints, multiples: Floats, parts: Floats) -> Floats:
    """Multiples of what types add to some shares, as factors of products."""
    factors = np.zeros(len(shares.products))
    np.add.at(factors, shares.boths[some], multiples)
    np.add.at(factors, shares.bodies[some], -multiples * parts)
    return factors


@dataclass(frozen=True)
class _Seen:
    """What weights come to: how far shares are off, and what all together lack.

    And of the shares `near` their bounds: what they are, what their log-odds should change by, and
    by how much each unit of a weight changes these.
    """

    logarithms: Floats
    weights: Floats
    off: Floats
    left: float
    near: Ints
    share: Floats
    wanted: Floats
    scales: Floats

    @property
    def is_met(self) -> bool:
        """Whether every share is inside."""
        return not self.off.any()


@dataclass(frozen=True)
class _Seeing:
    """Shares among some types, those that weights can change, and where they should be."""

    having: Floats
    bodies: Ints
    boths: Ints
    present: Bools
    movable: Bools
    allowed: Floats
    needed: tuple[Floats, Floats]
    aims: tuple[Floats, Floats]
    watched: tuple[Floats, Floats]

    @classmethod
    def of(cls, shares: Shares, having: Bools) -> _Seeing:
        width = shares.upper - shares.lower
        is_narrow = (width < NARROW * digits_of(shares.lower)) & (width > 0)
        is_fine = bool(is_narrow.any()) or shares.points > MANY_SHARES
        kind = np.float64 if is_fine else np.float32
        bodies, boths = having[shares.bodies], having[shares.boths]
        return cls(
            having.astype(kind),
            shares.bodies,
            shares.boths,
            np.asarray(bodies.any(1)),
            np.asarray(boths.any(1) & (bodies & ~boths).any(1)),
            np.where(width > 0, 0.0, MET[is_fine] * digits_of(shares.lower)),
            *map(shares.shrink, (INSIDE, BROUGHT_INSIDE, WATCHED_INSIDE)),
        )

    def look(self, logarithms: Floats) -> _Seen:
        """What weights with these logarithms come to."""
        least = partial(np.maximum, SMALLEST_FLOAT)
        weights = np.exp(np.maximum(logarithms - logarithms.max(), LEAST_LOGARITHM))
        weights = (weights / weights.sum()).astype(self.having.dtype)
        with np.errstate(invalid="ignore"):  # some processors say so of sums that are in order
            sums = (self.having @ weights).astype(np.float64)
        masses = least(sums[self.bodies])
        share = sums[self.boths] / masses
        low, high = self.needed
        off = np.where(self.present, np.maximum(low - share, share - high), 0.0)
        off[off <= self.allowed] = 0.0
        target = np.clip(share, *self.aims)
        wanted = np.where(self.movable, _log_odds(target) - _log_odds(share), 0.0)
        is_near = (share <= self.watched[0]) | (share >= self.watched[1])
        near = np.flatnonzero(self.movable & is_near)
        share = np.clip(share, SMALLEST_SHARE, 1 - SMALLEST_SHARE)[near]
        scales = 1 / least(masses[near] * share * (1 - share))
        left = float(wanted @ wanted)
        return _Seen(logarithms, weights, off, left, near, share, wanted[near], scales)

    def sums(self, factors: Floats) -> Floats:
        """What factors of products come to for each type, within limits."""
        found = factors.astype(self.having.dtype) @ self.having
        return np.clip(found, -FARTHEST, FARTHEST)

    def products_of_forms(self, seen: _Seen) -> Floats:
        """How much a multiple for one share changes the log-odds of another."""
        forms = self.having[self.bodies[seen.near]]
        forms *= -seen.share[:, None].astype(forms.dtype)
        forms += self.having[self.boths[seen.near]]
        forms *= seen.scales[:, None].astype(forms.dtype)
        forms *= np.sqrt(seen.weights)
        return np.asarray(forms @ forms.T, np.float64)


def _log_odds(shares: Floats) -> Floats:
    shares = np.clip(shares, SMALLEST_SHARE, 1 - SMALLEST_SHARE)
    return np.asarray(np.log(shares) - np.log1p(-shares))


def _solve(matrix: Floats, wanted: Floats, damping: float) -> Floats:
    """The multiples of forms whose sum has given products with each of them, nearly."""
    matrix = matrix.copy()
    diagonal = np.diag_indices_from(matrix)
    matrix[diagonal] += damping * matrix[diagonal] + LEAST_DAMPING
    return np.asarray(np.linalg.solve(matrix, wanted))
