"""Products of numbers for many conjunctions at once, each from one with a literal less.

The rows are a one, literals, and products of an earlier row and a literal: a body with a head is
the product of the body and the head. So all products cost two reads and a multiplication each, and
their gradients the same again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from boxsel.exact.types.gibbs import Floats32
from boxsel.exact.types.tables import Ints

Conjunction = frozenset[int]
"""Literals, by their numbers."""


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
        wanted = [frozenset(conjunction) for conjunction in conjunctions]
        longer = _closed(wanted)
        rows = {frozenset[int](): 0} | {frozenset((v,)): v + 1 for v in range(size)}
        rows |= {part: row for row, part in enumerate(longer, size + 1)}
        self._levels: list[_Level] = []
        for _, level in groupby(longer, len):
            some = [*level]
            pairs = [_split(part, rows) for part in some]
            self._levels.append(_Level.of(rows[some[0]], pairs))
        self._count = len(rows)
        self.rows: Ints = np.array([rows[conjunction] for conjunction in wanted], np.intp)

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


def _closed(conjunctions: Iterable[Conjunction]) -> list[Conjunction]:
    """Conjunctions of at least two, by length, with one that has a literal less for each longer."""
    parts: set[Conjunction] = set()
    for conjunction in sorted(conjunctions, key=len):
        part = conjunction
        while len(part) > 1 and part not in parts:
            parts.add(part)
            part = next(
                (one for one in _shorter(part) if one in parts), min(_shorter(part), key=sorted)
            )
    return sorted(parts, key=lambda part: (len(part), sorted(part)))


def _shorter(conjunction: Conjunction) -> list[Conjunction]:
    return [conjunction - {v} for v in conjunction]


def _split(conjunction: Conjunction, rows: Mapping[Conjunction, int]) -> tuple[int, int]:
    """The rows of a conjunction with a literal less, and of the literal."""
    last = next(v for v in sorted(conjunction) if conjunction - {v} in rows)
    return rows[conjunction - {last}], last + 1
