"""Types as columns of truth values, for work on many at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from boxsel.exact.compile.vocabulary import Type

Bools = NDArray[np.bool_]
"""A row for each basic concept, a column for each type."""
Words = NDArray[np.uint64]
"""The same in bits, 64 columns to a word; below them perhaps a row of ones, the last."""
Ints = NDArray[np.intp]
WORD: Final = 64


def table(kinds: Sequence[Type], width: int) -> Bools:
    """Types as columns.

    Examples:
        >>> table([0b01, 0b11], 2).astype(int).tolist()
        [[1, 1], [0, 1]]
    """
    size = max(1, (width + 7) // 8)
    whole = b"".join(kind.to_bytes(size, "little") for kind in kinds)
    packed = np.frombuffer(whole, np.uint8).reshape(-1, size)
    return np.unpackbits(packed, axis=1, count=width, bitorder="little").astype(bool).T.copy()


def kinds_of(columns: Bools) -> list[Type]:
    """Columns as types.

    Examples:
        >>> kinds_of(table([0b01, 0b11], 2))
        [1, 3]
    """
    packed = np.packbits(columns.T, axis=1, bitorder="little")
    return [int.from_bytes(line.tobytes(), "little") for line in packed]


def pack(columns: Bools) -> Words:
    """Columns in bits."""
    bits = np.packbits(columns, axis=1, bitorder="little")
    whole = np.zeros((len(columns), -(-columns.shape[1] // WORD) * 8), np.uint8)
    whole[:, : bits.shape[1]] = bits
    return whole.view(np.uint64)


def unpack(words: Words, count: int) -> Bools:
    """The first columns of some that are in bits.

    Examples:
        >>> unpack(pack(table([0b01, 0b11], 2)), 2).astype(int).tolist()
        [[1, 1], [0, 1]]
    """
    whole = np.ascontiguousarray(words).view(np.uint8)
    return np.unpackbits(whole, axis=1, count=count, bitorder="little").view(np.bool_)


def pad_rows(rows: Sequence[Sequence[int]]) -> Ints:
    """The numbers of some rows at a time, filled up with the last row, which is of ones."""
    longest = max(map(len, rows), default=0)
    whole = np.full((len(rows), max(1, longest)), -1, np.intp)
    for number, some in enumerate(rows):
        whole[number, : len(some)] = some
    return whole


def meet(words: Words, rows: Ints) -> Words:
    """Where some rows at a time all are true.

    Examples:
        >>> words = pack(np.array([[True, False], [True, True], [True, True]]))
        >>> unpack(meet(words, pad_rows([(0, 1), (1,)])), 2).tolist()
        [[True, False], [True, True]]
    """
    return np.asarray(np.bitwise_and.reduce(words[rows], axis=1))
