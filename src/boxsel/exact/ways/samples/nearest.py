"""The nearest that weights of drawn types came to obeying all conditionals, where none obeys them.

It is no population of the knowledge base: it says what a share would be there, and which
conditionals stand in the way, by how much.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from boxsel.exact.types.gibbs import Floats
from boxsel.exact.types.tables import Bools
from boxsel.exact.ways.samples.shares import Ratio, Shares

ROUNDING: Final = 1e-9
"""Shares that are less far outside their bounds are inside."""


@dataclass(frozen=True)
class Missed:
    """A conditional, the share that it has, and how far that is outside its bounds."""

    ratio: Ratio
    share: float
    violation: float


@dataclass(frozen=True)
class Nearest:
    """The share that was asked about, and the conditionals that are missed, the worst first."""

    share: float
    missed: tuple[Missed, ...]

    @property
    def violation(self) -> float:
        """How far the worst of them is outside its bounds."""
        return self.missed[0].violation if self.missed else 0.0


def nearest_of(shares: Shares, having: Bools, weights: Floats) -> Nearest | None:
    """What weights of types miss; none if nobody has the body that is asked about, the last one."""
    masses = having @ weights
    bodies, boths = masses[shares.bodies], masses[shares.boths]
    if bodies[-1] <= 0:
        return None
    found = np.divide(boths, bodies, out=shares.lower.copy(), where=bodies > 0)
    stated = range(len(shares) - 1)
    off = np.maximum(shares.lower - found, found - shares.upper)
    missed = (
        Missed(shares.ratios[number], float(found[number]), float(off[number]))
        for number in sorted(stated, key=lambda number: -off[number])
        if off[number] > ROUNDING
    )
    return Nearest(float(found[-1]), tuple(missed))
