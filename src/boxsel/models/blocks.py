"""Rows as blocks: what all bodies of one shape say about the same heads.

A population measures every body with every head by one product of matrices, for a fraction of what
it costs to look the rows up one by one. Counted knowledge bases say something about nearly all such
pairs; where little is said, a block is mostly empty, but still small.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any, ClassVar, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boxsel.models.batching import NEVER, Batching, Strata, Stratum
from boxsel.models.numbering import NO_ROLE
from boxsel.models.task import SLOTS, Rows

MOST_PAIRS: Final = 1 << 22
"""Blocks with more pairs than this in all, and with mostly empty ones, are not made."""

SPARSE: Final = 16
"""How many pairs a block may have for each row, if there are more than that."""

Ints = NDArray[np.int64]


class Block(NamedTuple):
    """Bodies (their names and roles, a column for each conjunct), heads, and a table of bounds."""

    bodies: Ints
    heads: Ints
    lower: NDArray[np.float64]
    upper: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Blocks:
    """All rows as blocks, every one of them in every step."""

    rows: Rows
    dtype: type = np.float32
    steps: ClassVar[int] = 1
    """How many batches an epoch has."""

    def batches(self, epochs: range) -> Strata:
        """The batches of some epochs, one after the other."""

        def repeated(array: Any) -> Any:
            return None if array is None else np.broadcast_to(array, (len(epochs), *array.shape))

        return tuple(Stratum(*map(repeated, stratum)) for stratum in self.strata)

    @cached_property
    def strata(self) -> Strata:
        """What a step reads: blocks, whose bounds are tables of bodies and heads; and other rows.

        These are rows in which existentials of one role meet: they are not independent.
        """
        nested = self.rows.take(np.flatnonzero(_is_nested(self.rows)))
        more: Strata = ()
        if len(nested):
            batches = Batching(nested, len(nested), 0, self.dtype, whole=True).batches(range(1))
            more = tuple(
                Stratum(*(None if rows is None else rows[0] for rows in stratum))
                for stratum in batches
            )
        return (*map(self._stratum, self.blocks), *more)

    @cached_property
    def blocks(self) -> tuple[Block, ...]:
        """A block for each shape of rows."""
        return tuple(_blocks(self.rows)) or (_NOTHING,)

    @property
    def are_dense(self) -> bool:
        """Whether they are worth it: if blocks are large, many of their pairs are rows."""
        pairs = sum(block.lower.size for block in self.blocks)
        return pairs <= max(MOST_PAIRS, SPARSE * len(self.rows))

    def _stratum(self, block: Block) -> Stratum:
        bodies, heads = block.bodies.astype(np.int32), block.heads.astype(np.int32)

        def role(column: Any) -> Any:
            return column if column.any() else None

        two = bodies.shape[1] > 2
        return Stratum(
            bodies[:, 0],
            role(bodies[:, 1]),
            bodies[:, 2] if two else None,
            role(bodies[:, 3]) if two else None,
            heads[:, 0],
            role(heads[:, 1]),
            block.lower.astype(self.dtype),
            block.upper.astype(self.dtype),
        )


def _is_nested(rows: Rows) -> NDArray[np.bool_]:
    """Which rows have two different existentials of one role."""
    roles, names = rows.roles, rows.names
    nested = np.zeros(len(rows), bool)
    for one, other in combinations(range(SLOTS), 2):
        same = (roles[:, one] == roles[:, other]) & (roles[:, one] != NO_ROLE)
        nested |= same & (names[:, one] != names[:, other])
    return nested


def _blocks(rows: Rows) -> Iterator[Block]:
    """The blocks of rows that say something about a member, and are not nested.

    A conjunct that is said twice is one, and rows whose head is ⊤ or in the body hold anyway.
    """
    rows = rows.take(np.flatnonzero(~_is_nested(rows)))
    first, second, head = (
        np.stack([rows.names[:, slot], rows.roles[:, slot]], axis=1).astype(np.int64)
        for slot in range(3)
    )
    count = int(rows.names.max(initial=0)) + 1
    codes = [one[:, 1] * count + one[:, 0] for one in (first, second, head)]
    body = np.sort(np.stack(codes[:2], axis=1), axis=1)
    body[body[:, 0] == body[:, 1], 0] = 0
    holds = (codes[2][:, None] == body).any(axis=1) | (codes[2] == 0)
    shape = np.stack([body[:, 0] > 0, body[:, 0] >= count, body[:, 1] >= count, codes[2] >= count])
    kind = (1 << np.arange(4)) @ shape
    for number in np.unique(kind[~holds]):
        places = np.flatnonzero((kind == number) & ~holds)
        few = body[places] if number & 1 else body[places, 1:]
        bodies, at_body = np.unique(few, axis=0, return_inverse=True)
        heads, at_head = np.unique(codes[2][places], return_inverse=True)
        at = at_body.reshape(-1), at_head.reshape(-1)
        lower = np.zeros((len(bodies), len(heads)))
        upper = np.full_like(lower, NEVER)
        np.maximum.at(lower, at, rows.lower[places])
        np.minimum.at(upper, at, rows.upper[places])
        split = np.stack([bodies % count, bodies // count], axis=-1).reshape(len(bodies), -1)
        yield Block(split, np.stack([heads % count, heads // count], axis=1), lower, upper)


_NOTHING = Block(
    np.zeros((1, 2), np.int64), np.zeros((1, 2), np.int64), np.zeros((1, 1)), np.full((1, 1), NEVER)
)
