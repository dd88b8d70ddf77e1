"""Types as columns of truth values, for work on many at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from boxsel.exact.compile.vocabulary import Type

Bools = NDArray[np.bool_]
"""A row for each basic concept, a column for each type."""


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
