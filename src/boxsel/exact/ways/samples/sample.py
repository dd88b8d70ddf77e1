"""Types that were drawn, with weights; and the face of a bound that they may be on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from boxsel.exact.compile.problem import Form
from boxsel.exact.compile.vocabulary import Mask
from boxsel.exact.types.gibbs import Floats
from boxsel.exact.types.tables import Bools
from boxsel.exact.ways.samples.shares import Names


@dataclass(frozen=True)
class Face:
    """Where a proved bound is attained: types at which a form is zero, and shares of one value."""

    form: Form
    held: Mapping[tuple[Mask, Mask], Fraction]
    share: float

    def has(self, names: Names, columns: Bools) -> Bools:
        """Which columns are such types."""
        values = np.zeros(columns.shape[1], object)
        for mask, number in self.form:  # numbers of any length: NumPy's own would not hold them
            values[names.has(columns, mask)] += number
        return np.asarray(values == 0, bool)


@dataclass(frozen=True)
class Sample:
    """Types as columns, their marks below them, with weights and the share that is asked about.

    Some other shares are *held* at one value, since these types leave them no room.
    """

    columns: Bools
    weights: Floats
    share: float
    held: Mapping[tuple[Mask, Mask], Fraction] = field(default_factory=dict)


def merge(columns: Bools, weights: Floats) -> tuple[Bools, Floats]:
    """Each column once, with the weight of all that are the same."""
    packed = np.ascontiguousarray(np.packbits(columns, axis=0).T)
    whole = packed.view(np.dtype((np.void, packed.shape[1]))).ravel()
    _, places, groups = np.unique(whole, return_index=True, return_inverse=True)
    return columns[:, places], np.bincount(groups, weights).astype(np.float64)


def pad(columns: Bools, height: int) -> Bools:
    """Columns without the marks that were not known when they were drawn."""
    return np.pad(columns, ((0, height - len(columns)), (0, 0)))


def means_of(having: Bools, weights: Floats) -> Floats:
    """What types weigh on average in each product; infinity, where nobody has it."""
    masses = having @ weights
    means = masses / np.maximum(np.count_nonzero(having, 1), 1)
    return np.asarray(np.where(masses > 0, means, np.inf))


def rarest(having: Bools, means: Floats, mean: float) -> Floats:
    """The least mean of the products that each type has, or of all types."""
    least = np.where(having, means[:, None], np.inf).min(0, initial=np.inf)
    return np.asarray(np.minimum(least, mean))
