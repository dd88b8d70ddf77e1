"""Conditionals as ratios of two weights, exactly and in floats for many types at once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final

import numpy as np

from boxsel.exact.compile.problem import Clause, Row
from boxsel.exact.compile.vocabulary import Mask, bits
from boxsel.exact.types.gibbs import Floats
from boxsel.exact.types.space import relevant
from boxsel.exact.types.tables import Bools, Ints, meet, pack, pad_rows, unpack

WIDE_INTERVAL: Final = 0.1
"""Intervals that are wider leave as much room at their ends as one of this width."""


@dataclass(frozen=True)
class Ratio:
    """A conditional: the share of `body` that has `both` is between two bounds."""

    body: Mask
    both: Mask
    lower: Fraction
    upper: Fraction

    @property
    def masks(self) -> tuple[Mask, Mask]:
        """The body, and what the share of it has."""
        return self.body, self.both


class Names:
    """Some basic concepts, numbered: the rows of columns of truth values."""

    def __init__(self, inside: Mask) -> None:
        self.inside, self.bits = inside, list(bits(inside))
        self.place = {bit: number for number, bit in enumerate(self.bits)}

    def __len__(self) -> int:
        return len(self.bits)

    def has(self, columns: Bools, mask: Mask) -> Bools:
        """Which columns have all of some basic concepts; none, if one is not a row."""
        (found,) = self.have(columns, [mask])
        return np.asarray(found)

    def have(self, columns: Bools, masks: Sequence[Mask | None]) -> Bools:
        """The same for several; nobody has ⊥, for which there is no mask."""
        found = np.zeros((len(masks), columns.shape[1]), bool)
        for line, mask in zip(found, masks, strict=True):
            if mask is not None and not mask & ~self.inside:
                columns[[self.place[bit] for bit in bits(mask)]].all(0, out=line)
        return found


def group(rows: Sequence[Row]) -> list[Ratio]:
    """The rows about one share, in all statements about it, as one ratio."""
    grouped: dict[tuple[Mask, Mask], tuple[Fraction, Fraction]] = {}
    for row in rows:
        lower, upper = grouped.get((row.body, row.both), (Fraction(0), Fraction(1)))
        if row.side == "lower":
            lower = max(lower, row.bound)
        else:
            upper = min(upper, row.bound)
        grouped[row.body, row.both] = lower, upper
    return [Ratio(*masks, *bounds) for masks, bounds in grouped.items()]


def reach(clauses: Sequence[Clause], ratios: Iterable[Ratio], seeds: Mask) -> Mask:
    """The basic concepts that a population with some others may need.

    All others can be empty: a conditional outside has an empty body, or a lower bound 0 and an
    empty head.
    """
    waiting = [ratio for ratio in ratios if ratio.lower > 0]
    inside, _ = relevant(clauses, seeds)
    while True:
        new = 0
        for ratio in waiting:
            if not ratio.body & ~inside:
                new |= ratio.both
        if not new & ~inside:
            return inside
        inside, _ = relevant(clauses, inside | new)


class Shares:
    """Some ratios over numbered names, in floats; those about other names are left out.

    Outside, bodies are empty, or heads are and may be.
    """

    def __init__(self, ratios: Iterable[Ratio], names: Names) -> None:
        self.ratios = [ratio for ratio in ratios if not ratio.both & ~names.inside]
        masks: dict[Mask, int] = {}
        for ratio in self.ratios:
            masks.setdefault(ratio.body, len(masks))
            masks.setdefault(ratio.both, len(masks))
        self.products = [tuple(names.place[bit] for bit in bits(mask)) for mask in masks]
        self.rows = pad_rows(self.products)
        self.bodies: Ints = np.array([masks[ratio.body] for ratio in self.ratios], np.intp)
        self.boths: Ints = np.array([masks[ratio.both] for ratio in self.ratios], np.intp)
        self.lower: Floats = np.array([float(ratio.lower) for ratio in self.ratios])
        self.upper: Floats = np.array([float(ratio.upper) for ratio in self.ratios])

    def __len__(self) -> int:
        return len(self.ratios)

    @property
    def points(self) -> int:
        """How many of them have one value."""
        return int(np.count_nonzero(self.lower == self.upper))

    def bound(self, number: int, lower: float, upper: float) -> Shares:
        """The same with other bounds of one, in floats."""
        other = copy(self)
        other.lower, other.upper = self.lower.copy(), self.upper.copy()
        other.lower[number], other.upper[number] = lower, upper
        return other

    def hold(self, values: Mapping[tuple[Mask, Mask], Fraction]) -> Shares:
        """The same with one value for some."""
        other = copy(self)
        other.ratios = [
            replace(ratio, lower=values[ratio.masks], upper=values[ratio.masks])
            if ratio.masks in values
            else ratio
            for ratio in self.ratios
        ]
        other.lower = np.array([float(ratio.lower) for ratio in other.ratios])
        other.upper = np.array([float(ratio.upper) for ratio in other.ratios])
        return other

    def having(self, columns: Bools) -> Bools:
        """Which columns have all names of which product."""
        every = np.ones((1, columns.shape[1]), bool)
        words = np.vstack([pack(columns), pack(every)])
        return unpack(meet(words, self.rows), columns.shape[1])

    def sides(self, having: Bools) -> tuple[Bools, Bools]:
        """Which types are in the head of each share, and in the rest of its body."""
        bodies, boths = having[self.bodies], having[self.boths]
        return boths, bodies & ~boths

    def shrink(self, part: float) -> tuple[Floats, Floats]:
        """Bounds with a part of their distance left free on both sides, where they say anything."""
        room = part * np.minimum(self.upper - self.lower, WIDE_INTERVAL)
        lower = np.where(self.lower > 0, self.lower + room, self.lower)
        upper = np.where(self.upper < 1, self.upper - room, self.upper)
        return lower, np.maximum(lower, upper)


def digits_of(bounds: Floats) -> Floats:
    """What bounds differ from 0 or 1, where they do: digits that say something are below that."""
    near = np.minimum(bounds, 1 - bounds)
    return np.asarray(np.where(near > 0, near, 1.0))
