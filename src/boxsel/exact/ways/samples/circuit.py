"""Products of numbers for many conjunctions at once, each from one with a literal less.

The rows are a one, literals, and products of an earlier row and a literal: a body with a head is
the product of the body and the head. So all products cost two reads and a multiplication each, and
their gradients the same again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from boxsel.exact.types.gibbs import Floats32
from boxsel.exact.types.tables import Ints


@dataclass(frozen=True)
class _Level:
    """Products, one row after the other, of two earlier rows each; and who reads which row."""

    rows: slice
    left: Ints
    right: Ints
    readers: Ints
    starts: Ints
    read: Ints

    @classmethod
    def of(cls, first: int, pairs: Sequence[tuple[int, int]]) -> _Level:
        left, right = np.array(pairs, np.intp).T
        both = np.concatenate([left, right])
        readers = np.argsort(both, kind="stable")
        starts = np.flatnonzero(np.diff(both[readers], prepend=-1))
        return cls(
            slice(first, first + len(pairs)), left, right, readers, starts, both[readers][starts]
        )


class Circuit:
    """Products of literals: `rows` has the row of each conjunction.

    Row 0 is one, row v + 1 is literal v.

    Examples:
        >>> circuit = Circuit(2, [(), (0,), (0, 1)])
        >>> values = circuit.multiply(np.array([[0.5], [0.25]], np.float32))
        >>> values[circuit.rows].ravel().tolist()
        [1.0, 0.5, 0.125]
        >>> slopes = np.zeros_like(values)
        >>> slopes[circuit.rows[2]] = 1
        >>> circuit.back(values, slopes).ravel().tolist()
        [0.25, 0.5]
    """

    def __init__(self, size: int, conjunctions: Sequence[Sequence[int]]) -> None:
        self._size = size
        known: dict[frozenset[int], int] = {frozenset(): 0}
        known |= {frozenset((v,)): v + 1 for v in range(size)}
        depths = [0] * (size + 1)
        pairs: list[tuple[int, int]] = []
        # Short ones first: they are parts of long ones.
        for conjunction in sorted(map(frozenset, conjunctions), key=len):
            if conjunction in known:
                continue
            literals = sorted(conjunction)
            last = next((v for v in literals if conjunction - {v} in known), literals[-1])
            row, have = 0, conjunction - {last}
            if have in known:
                row = known[have]
            else:
                grown: frozenset[int] = frozenset()
                for v in sorted(have):
                    grown |= {v}
                    row = self._meet(known, depths, pairs, grown, row, v)
            self._meet(known, depths, pairs, conjunction, row, last)
        order = sorted(range(len(pairs)), key=lambda place: depths[size + 1 + place])
        moved = {size + 1 + place: size + 1 + new for new, place in enumerate(order)}
        levels: dict[int, list[tuple[int, int]]] = {}
        for place in order:
            left, right = pairs[place]
            level = levels.setdefault(depths[size + 1 + place], [])
            level.append((moved.get(left, left), right))
        self._levels, first = list[_Level](), size + 1
        for level in levels.values():
            self._levels.append(_Level.of(first, level))
            first += len(level)
        self._count = first
        found = (known[frozenset(conjunction)] for conjunction in conjunctions)
        self.rows: Ints = np.array([moved.get(row, row) for row in found], np.intp)

    @staticmethod
    def _meet(
        known: dict[frozenset[int], int],
        depths: list[int],
        pairs: list[tuple[int, int]],
        conjunction: frozenset[int],
        row: int,
        literal: int,
    ) -> int:
        """The row of a conjunction, which is that of a smaller one and a literal."""
        if conjunction not in known:
            known[conjunction] = len(depths)
            depths.append(depths[row] + 1)
            pairs.append((row, literal + 1))
        return known[conjunction]

    def multiply(self, literals: Floats32) -> Floats32:
        """The values of all rows, given those of literals in some columns."""
        values = np.empty((self._count, literals.shape[1]), np.float32)
        values[0], values[1 : self._size + 1] = 1.0, literals
        for level in self._levels:
            np.multiply(values[level.left], values[level.right], out=values[level.rows])
        return values

    def back(self, values: Floats32, slopes: Floats32) -> Floats32:
        """What slopes of all rows come to for literals; the slopes of rows are changed."""
        for level in reversed(self._levels):
            own = slopes[level.rows]
            parts = np.concatenate([own * values[level.right], own * values[level.left]])
            slopes[level.read] += np.add.reduceat(parts[level.readers], level.starts, axis=0)
        return slopes[1 : self._size + 1]
