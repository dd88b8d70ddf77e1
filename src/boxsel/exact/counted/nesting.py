"""Putting satellites together: within each type over the base they are nested by size.

Axioms fix how much of a type has each satellite, never what two satellites have in common. So the
smaller may always lie within the larger, and few types are enough.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from flint import fmpq

from boxsel.exact.counted.equations import FixedWeights, as_fraction
from boxsel.exact.vocabulary import Mask, Type

ZERO = fmpq(0)
Shares = Mapping[int, fmpq]
"""How much of each type over the base has a satellite."""


class Nest:
    """The shares of all satellites, of which one at a time is moved."""

    def __init__(self, base: FixedWeights, resting: Mapping[Mask, Shares]) -> None:
        self._base, self._resting = base, resting
        self._parts: list[list[tuple[fmpq, Mask]]] = [[] for _ in base.weights]
        for bit, shares in resting.items():
            for place, share in shares.items():
                if share:
                    self._parts[place].append((share, bit))
        self._nested = [self._weigh(place, parts) for place, parts in enumerate(self._parts)]

    def weights(self, bit: Mask, shares: Shares) -> dict[Type, Fraction]:
        """The weights of types if one satellite has other shares."""
        found: dict[Type, Fraction] = {}
        resting = self._resting[bit]
        for place, nested in enumerate(self._nested):
            share = shares.get(place, ZERO)
            if share == resting.get(place, ZERO):
                found.update(nested)
                continue
            parts = [pair for pair in self._parts[place] if pair[1] != bit]
            if share:
                parts.append((share, bit))
            found.update(self._weigh(place, parts))
        return found

    def _weigh(self, place: int, parts: list[tuple[fmpq, Mask]]) -> dict[Type, Fraction]:
        """The types within one type over the base, from those with most satellites on."""
        kind = self._base.extents.kinds[place] | sum(bit for _, bit in parts)
        found: dict[Type, Fraction] = {}
        below = ZERO
        for height, bit in (*sorted(parts), (self._base.weights[place], 0)):
            if height > below:
                found[kind] = as_fraction(height - below)
                below = height
            kind &= ~bit
        return found
