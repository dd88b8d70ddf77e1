"""Mixtures that nearly satisfy all conditionals: weighted cells, in which names are independent.

Chains that draw types one name at a time do not come from one kind of individuals to another where
hundreds of shares hold the same names fast. A cell is a kind of individuals: each name has a
membership in it, from 0 to 1. So the share of any product of names is a weighted sum of products of
memberships, with slopes for all of them, and a few hundred steps bring hundreds of narrow shares
nearly inside. Cells begin as types that were drawn, in which nothing is quite sure; what is drawn
from the mixture afterwards are types again, which are weighed and made exact like others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from boxsel.exact.types.gibbs import Floats, Floats32, Literals, find_broken
from boxsel.exact.types.tables import Bools, Ints
from boxsel.exact.ways.samples.circuit import Circuit
from boxsel.exact.ways.samples.shares import Shares
from boxsel.machine.budget import Budget

STEPS: Final = 400
ROUNDS: Final = 8
MOST_PRODUCTS: Final = 1.5e9
"""So many steps a round, and rounds, but no more than take so many products: a few seconds."""
MET: Final = 1e-5
GAIN: Final = 0.7
"""What shares may be outside on average, and to what part of it a round should bring that, if there
is to be another one."""
LENGTH: Final = 0.1
SETTLED: Final = 0.5
"""The length of a step, in log-odds, and the part of all steps that are as long: then they become
shorter."""
NOISE: Final = 0.3
"""How much the log-odds differ of what a type has when it becomes a cell."""
OVER: Final = 0.05
"""Memberships are logistic and go so far beyond 0 and 1, where they are cut off."""
LEAST_SLOPE: Final = 1e-3
FIRM: Final = 30.0
"""The least slope of a membership, so that one that is cut off comes back; and log-odds beyond
which nothing changes."""
AIM: Final = 0.1
"""The part of an interval, at each of its ends, that is not aimed at."""
CLAUSE: Final = 3.0
"""What a clause counts, where a share of a half counts one."""
KEEP: Final = (0.9, 0.99)
"""Which part of earlier slopes, and of their squares, is kept."""
SOFT: Final = 5e-3
"""A share of a half that is less far outside pulls less, and one that is rare so much earlier."""
NOTHING: Final = np.float32(1e-20)
LIGHT: Final = np.float32(1e-6)
"""The smallest weight of a body, and that below which it counts less."""


@dataclass(frozen=True)
class Mixture:
    """Memberships of names in cells, a column each, and the weights of these."""

    memberships: Floats32
    weights: Floats
    missed: float
    """By how much shares are outside, on average."""

    def draw(self, count: int, fewest: int, clauses: Sequence[Literals]) -> tuple[Bools, Floats]:
        """Types that obey clauses, with weights: about so many by weight, and some of each cell.

        Of those of a cell as many have a name as its membership says, up to one.
        """
        random = np.random.default_rng(0)
        shares = self.weights / self.weights.sum()
        counts = np.maximum(fewest, np.rint(count * shares)).astype(np.intp)
        cells = np.repeat(np.arange(len(counts)), counts)
        starts = np.repeat(np.cumsum(counts) - counts, counts)
        places = np.arange(len(cells)) - starts
        columns = np.empty((len(self.memberships), len(cells)), bool)
        for row, membership in zip(columns, self.memberships, strict=True):
            shuffled = np.argsort(cells + random.random(len(cells)))
            along = np.empty(len(cells))
            along[shuffled] = places
            row[:] = along + random.random(len(cells)) < membership[cells] * counts[cells]
        keep = ~find_broken(columns, clauses)
        return columns[:, keep], (shares / counts)[cells[keep]]


def mix(
    shares: Shares,
    clauses: Sequence[Literals],
    columns: Bools,
    weights: Floats,
    sure: float,
    budget: Budget,
) -> Mixture:
    """The mixture that cells come to which begin as given types with weights.

    What a type has begins with memberships of so large log-odds: small ones leave more open.

    Raises:
        OutOfTimeError: The budget is spent.
    """
    rows = _Rows.of(shares, clauses, len(columns))
    noise = np.random.default_rng(0).normal(0, NOISE, columns.shape)
    start = (np.where(columns, sure, -sure) + noise).astype(np.float32)
    light = np.log(np.maximum(weights / weights.max(), float(NOTHING))).astype(np.float32)
    best, least = (start, light), np.inf
    size = len(rows.circuit.rows) * columns.shape[1]
    for _ in range(int(np.clip(MOST_PRODUCTS / size / STEPS, 1, ROUNDS))):
        before = least
        step, state = _Stepping(rows), best
        for number in range(STEPS):
            budget.check()
            after = max(0.0, number / STEPS - SETTLED) / (1 - SETTLED)
            here, (state, missed) = state, step.take(state, LENGTH * (1.0 - 0.98 * after))
            if missed < least:
                best, least = here, missed
            if not missed:
                break
        if least < MET or least > GAIN * before:
            break
    memberships, _ = _memberships(best[0])
    return Mixture(memberships, _weights(best[1]).astype(np.float64), least)


def _memberships(sure: Floats32) -> tuple[Floats32, Floats32]:
    """Memberships by their log-odds, nearly, and their slopes."""
    logistic = 1 / (1 + np.exp(-np.clip(sure, -FIRM, FIRM)))
    stretched = (1 + 2 * OVER) * logistic - OVER
    slopes = np.maximum((1 + 2 * OVER) * logistic * (1 - logistic), LEAST_SLOPE)
    return np.clip(stretched, 0, 1).astype(np.float32), slopes.astype(np.float32)


def _weights(light: Floats32) -> Floats32:
    weights = np.exp(light - light.max())
    return np.asarray(weights / weights.sum(), np.float32)


@dataclass(frozen=True)
class _Rows:
    """Shares between bounds, of bodies and products with them, and what each counts.

    That a clause is broken is a share of 0, too.
    """

    circuit: Circuit
    bodies: Ints
    boths: Ints
    lower: Floats32
    upper: Floats32
    counts: Floats32
    soft: Floats32

    @classmethod
    def of(cls, shares: Shares, clauses: Sequence[Literals], size: int) -> _Rows:
        asked = len(shares) - 1  # nothing is known of the last
        pairs = [
            (shares.products[body], shares.products[both])
            for body, both in zip(shares.bodies[:asked], shares.boths[:asked], strict=True)
        ]
        lower, upper = (bounds[:asked] for bounds in shares.shrink(AIM))
        for clause in clauses:
            has = tuple(-literal - 1 for literal in clause if literal < 0)
            lacks = tuple(size + literal - 1 for literal in clause if literal > 0)
            pairs.append((has if lacks else has[:-1], has + lacks))
        circuit = Circuit(2 * size, [one for pair in pairs for one in pair])
        none = np.zeros(len(clauses))
        near = np.minimum(np.where(upper > 0, upper, 1.0), np.where(lower < 1, 1 - lower, 1.0))
        rare = 2 * np.minimum(near, 0.5)
        counts = np.concatenate([rare**-0.5, none + CLAUSE])
        soft = SOFT * np.concatenate([rare, none + 1.0])
        return cls(
            circuit,
            circuit.rows[::2],
            circuit.rows[1::2],
            np.concatenate([lower, none]).astype(np.float32),
            np.concatenate([upper, none]).astype(np.float32),
            counts.astype(np.float32),
            soft.astype(np.float32),
        )


class _Stepping:
    """Steps by Adam towards shares that are inside their bounds."""

    def __init__(self, rows: _Rows) -> None:
        self._rows, self._number = rows, 0
        self._means: list[Floats32] = []
        self._squares: list[Floats32] = []

    def take(
        self, state: tuple[Floats32, Floats32], length: float
    ) -> tuple[tuple[Floats32, Floats32], float]:
        """Where a step leads, and by how much shares are outside before it, on average."""
        slopes, missed = self._slopes(*state)
        if not self._number:
            self._means = [np.zeros_like(slope) for slope in slopes]
            self._squares = [np.zeros_like(slope) for slope in slopes]
        self._number += 1
        first, second = KEEP
        moved = []
        for value, slope, mean, square in zip(
            state, slopes, self._means, self._squares, strict=True
        ):
            mean += (1 - first) * (slope - mean)
            square += (1 - second) * (slope * slope - square)
            size = np.sqrt(square / (1 - second**self._number)) + NOTHING
            moved.append(value - np.float32(length / (1 - first**self._number)) * mean / size)
        return (moved[0], moved[1]), missed

    def _slopes(self, sure: Floats32, light: Floats32) -> tuple[tuple[Floats32, Floats32], float]:
        rows = self._rows
        memberships, steep = _memberships(sure)
        weights = _weights(light)
        values = rows.circuit.multiply(np.concatenate([memberships, 1 - memberships]))
        masses = values @ weights
        bodies = np.maximum(masses[rows.bodies], NOTHING)
        share = masses[rows.boths] / bodies
        too_low, too_high = rows.lower - share, share - rows.upper
        missed = float(np.maximum(np.maximum(too_low, too_high), 0).mean())
        out = np.maximum(too_high, 0) - np.maximum(too_low, 0)
        pull = np.clip(out / rows.soft, -1, 1) * rows.counts
        pull /= np.maximum(bodies, LIGHT)
        masses_slopes = np.bincount(rows.boths, pull, len(masses))
        masses_slopes -= np.bincount(rows.bodies, pull * share, len(masses))
        whole = masses_slopes.astype(np.float32)
        lighter = whole @ values
        literals = rows.circuit.back(values, whole[:, None] * weights)
        size = len(sure)
        sure_slopes = (literals[:size] - literals[size:]) * steep
        return (sure_slopes, weights * (lighter - weights @ lighter)), missed
