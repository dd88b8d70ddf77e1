"""The order in which a training run sees its rows.

Rows of one shape (how many conjuncts the body has, which slots have a role) are a *stratum*. Every
batch has the same number of rows of each stratum, so a row without roles pays for none, and all
batches have the same arrays.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boxsel.models.numbering import EVERYTHING, NO_ROLE
from boxsel.models.task import SLOTS, Ints, Rows

SPARSE_FACTOR = 4
"""A table with more than this many rows for each row of a batch is updated where it is touched."""

FEW_ROWS = 128
"""Batches with fewer rows are one stratum: to tell shapes apart would cost more than it saves."""

NEVER = 2.0
"""The upper bound of a row that fills up: no share is above it, whatever rounding does."""


class Stratum(NamedTuple):
    """Rows of one shape in work, by slot; a role or a second conjunct is absent for all or none.

    `apart` is 1 for rows that say that head and body are disjoint, and 0 for others; absent if
    there are none. Without a universe it is there for the rows of axioms with ⊥ alone. The arrays
    are NumPy's or JAX's, with a leading axis of steps while they wait.
    """

    body: Any
    body_role: Any
    second: Any
    second_role: Any
    head: Any
    head_role: Any
    lower: Any
    upper: Any
    apart: Any = None

    @property
    def is_single(self) -> Any:
        """Which rows have a single name (or ⊤) as their body: no role, no second conjunct."""
        found = self.body >= EVERYTHING
        for column, nothing in (
            (self.body_role, NO_ROLE),
            (self.second, EVERYTHING),
            (self.second_role, NO_ROLE),
        ):
            if column is not None:
                found &= column == nothing
        return found


Strata = tuple[Stratum, ...]


@dataclass(frozen=True, eq=False)
class Batching:
    """Rows in batches, in an order that depends on the seed and the epoch alone.

    `size` is about the number of rows of a batch. What is missing in a stratum is filled up with
    `(⊤ | ⊤)`, which has no loss. With `whole`, all rows are one stratum; so they are if they are
    few. Without a `universe`, ⊤ in the place of a missing conjunct would cut the other: then
    shapes are always told apart.
    """

    rows: Rows
    size: int
    seed: int
    dtype: type = np.float32
    whole: bool = False
    universe: bool = True

    def __post_init__(self) -> None:
        # A knowledge base of assertions alone has no rows: one that says nothing stands in.
        if not len(self.rows):
            object.__setattr__(self, "rows", _NO_ROWS)

    @property
    def steps(self) -> int:
        """How many batches an epoch has."""
        return max(1, -(-len(self.rows) // self.size))

    def batches(self, epochs: range) -> Strata:
        """The batches of some epochs, one after the other; each row once an epoch."""
        return tuple(
            self._stratum(shape, order)
            for shape, order in zip(self.shapes, self.orders(epochs), strict=True)
        )

    def pieces(self, size: int) -> Iterator[Stratum]:
        """All rows once, shape by shape, in pieces of one size that are filled up."""
        for shape, places in self.shapes.items():
            padded = np.full(-(-len(places) // size) * size, -1)
            padded[: len(places)] = places
            for order in padded.reshape(-1, size):
                yield self._stratum(shape, order)

    def orders(self, epochs: range) -> tuple[NDArray[np.int64], ...]:
        """The places of the rows of each stratum in each batch; −1 fills up."""
        random = [np.random.default_rng([self.seed, epoch]) for epoch in epochs]
        return tuple(
            np.concatenate([self._order(places, generator) for generator in random])
            for places in self.shapes.values()
        )

    @cached_property
    def shapes(self) -> dict[tuple[bool, ...], NDArray[np.int64]]:
        """The places of the rows of each shape: which of roles, second conjunct, gap it has."""
        names, roles = self.rows.names, self.rows.roles
        has = (
            roles[:, 0] != NO_ROLE,
            (names[:, 1] != EVERYTHING) | (roles[:, 1] != NO_ROLE),
            roles[:, 1] != NO_ROLE,
            roles[:, 2] != NO_ROLE,
            # Only boxes in a universe pay for gaps; others have a loss for axioms with ⊥.
            self.rows.upper <= 0 if self.universe else self.rows.apart,
        )
        codes = np.stack(has, axis=1)
        if self.universe and (self.whole or min(self.size, len(self.rows)) < FEW_ROWS):
            codes = np.broadcast_to(codes.any(axis=0), codes.shape)
        numbers = codes @ (1 << np.arange(codes.shape[1])[::-1])  # in the order of the shapes
        return {
            tuple(map(bool, codes[np.argmax(numbers == number)])): np.flatnonzero(numbers == number)
            for number in np.unique(numbers)
        }

    def _order(self, places: NDArray[np.int64], random: np.random.Generator) -> NDArray[np.int64]:
        """Places in random order, a row for each step; −1 fills up."""
        each = -(-len(places) // self.steps)
        padded = np.full(each * self.steps, -1)
        padded[: len(places)] = places
        return random.permutation(padded).reshape(self.steps, each)

    def _stratum(self, shape: tuple[bool, ...], order: NDArray[np.int64]) -> Stratum:
        filled = order < 0
        body_role, second, second_role, head_role, apart = shape

        def column(table: Ints, slot: int) -> Ints:
            return np.where(filled, 0, table[order, slot]).astype(np.int32)

        names, roles = self.rows.names, self.rows.roles
        upper: Any = np.where(filled, NEVER, self.rows.upper[order]).astype(self.dtype)
        return Stratum(
            column(names, 0),
            column(roles, 0) if body_role else None,
            column(names, 1) if second else None,
            column(roles, 1) if second_role else None,
            column(names, 2),
            column(roles, 2) if head_role else None,
            np.where(filled, 0.0, self.rows.lower[order]).astype(self.dtype),
            upper,
            (upper <= 0).astype(self.dtype) if apart else None,
        )


_NO_ROWS = Rows(
    np.zeros((1, SLOTS), np.int32), np.zeros((1, SLOTS), np.int32), np.zeros(1), np.full(1, NEVER)
)


class Touched(NamedTuple):
    """Which names each batch touches: their rows once each, and the strata in terms of these.

    Unused places hold ⊤, which no update changes.
    """

    rows: Ints
    strata: Strata


def touched(strata: Strata, always: Ints) -> Touched:
    """What batches touch; in the strata that come back, a name is its place among these rows.

    Every batch touches ⊤ (at place 0) and the names in `always` (from place 1 on, in order).
    """
    columns = [
        (number, slot, getattr(stratum, slot))
        for number, stratum in enumerate(strata)
        for slot in ("body", "second", "head")
        if getattr(stratum, slot) is not None
    ]
    steps = columns[0][2].shape[0]
    first = np.concatenate([[EVERYTHING], always])
    rows, places = distinct(
        np.concatenate([np.tile(first, (steps, 1)), *(column for *_, column in columns)], axis=1)
    )
    local = list(strata)
    start = len(first)
    for number, slot, column in columns:
        stop = start + column.shape[1]
        local[number] = local[number]._replace(**{slot: places[:, start:stop]})
        start = stop
    return Touched(rows, tuple(local))


def distinct(numbers: NDArray[Any]) -> tuple[Ints, Ints]:
    """The distinct numbers of each line by first occurrence, filled up with 0, and their places.

    A line begins with 0.

    Examples:
        >>> rows, places = distinct(np.array([[0, 7, 5, 0, 7], [0, 7, 7, 7, 7]]))
        >>> rows.tolist(), places.tolist()
        ([[0, 7, 5, 0, 0], [0, 7, 0, 0, 0]], [[0, 1, 2, 0, 1], [0, 1, 1, 1, 1]])
    """
    order = np.argsort(numbers, axis=1, kind="stable")
    ordered = np.take_along_axis(numbers, order, axis=1)
    begins = np.diff(ordered, axis=1, prepend=-1) != 0
    is_first = np.empty_like(begins)
    np.put_along_axis(is_first, order, begins, axis=1)
    rank = np.take_along_axis(np.cumsum(is_first, axis=1) - 1, order, axis=1)
    group = np.cumsum(begins, axis=1) - 1
    leader = np.zeros_like(group)
    np.put_along_axis(leader, np.where(begins, group, 0), np.where(begins, rank, 0), axis=1)
    places = np.empty_like(group)
    np.put_along_axis(places, order, np.take_along_axis(leader, group, axis=1), axis=1)
    rows = np.zeros(numbers.shape, np.int32)
    np.put_along_axis(rows, places, numbers, axis=1)
    return rows, places.astype(np.int32)
