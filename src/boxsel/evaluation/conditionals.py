"""Counted conditionals as arrays: hundreds of thousands of them are split and taught at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from boxsel.models.task import SLOTS, Rows

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Truths = NDArray[np.bool_]

SHAPES: Final = (1, 2, 3, 4)
"""PNF1 `(B | A)`, PNF2 `(B | A1 ⊓ A2)`, PNF3 `(B | ∃r.A)`, PNF4 `(∃r.A | B)`."""

NOTHING: Final = 0
"""The row of ⊤ among the names, and of no role among the roles."""


@dataclass(frozen=True, eq=False)
class Aligned:
    """Arrays that all have a row for each of the same things; a field may be such arrays itself."""

    def __len__(self) -> int:
        return len(getattr(self, fields(self)[0].name))

    def take(self, which: Ints | Truths) -> Self:
        """Those at some places, or those of which something is true."""
        columns = [getattr(self, field.name) for field in fields(self)]
        return type(self)(
            *(
                column.take(which) if isinstance(column, Aligned) else column[which]
                for column in columns
            )
        )

    @classmethod
    def joined(cls, parts: Sequence[Self]) -> Self:
        """Several one after the other."""
        columns = ([getattr(part, field.name) for part in parts] for field in fields(cls))
        return cls(
            *(
                type(column[0]).joined(column)
                if isinstance(column[0], Aligned)
                else np.concatenate(column)
                for column in columns
            )
        )


@dataclass(frozen=True, eq=False)
class Conditionals(Aligned):
    """Conditionals of the four shapes: `count` of the `total` members of a body are in the head.

    `names` and `roles` have a column for each slot: two conjuncts of the body, and the head. They
    are the rows of `Numbering`: 0 is ⊤, or no role, and fills an unused slot. Where the total is 0
    the conditional is undefined and says nothing.
    """

    names: Ints
    roles: Ints
    count: Ints
    total: Ints
    shape: NDArray[np.int8]

    def __post_init__(self) -> None:
        size = len(self.count)
        assert self.names.shape == self.roles.shape == (size, SLOTS)
        assert self.total.shape == self.shape.shape == (size,)

    @classmethod
    def of(
        cls,
        shape: int,
        body: Ints,
        head: Ints,
        *,
        count: Ints | None = None,
        total: Ints | None = None,
        second: Ints | None = None,
        body_role: Ints | None = None,
        head_role: Ints | None = None,
    ) -> Self:
        """Conditionals of one shape, from arrays for their parts; to look them up, no numbers."""
        nothing = np.zeros(len(body), np.int64)

        def filled(*parts: Ints | None) -> list[Ints]:
            return [nothing if part is None else part.astype(np.int64) for part in parts]

        names = np.stack(filled(body, second, head), axis=1)
        roles = np.stack(filled(body_role, None, head_role), axis=1)
        counted, whole = filled(count, total)
        return cls(names, roles, counted, whole, np.full(len(body), shape, np.int8))

    @property
    def share(self) -> Floats:
        """The proportion of each; NaN where it is undefined."""
        shares: Floats = np.full(len(self), np.nan)
        np.divide(self.count, self.total, out=shares, where=self.total > 0)
        return shares

    @property
    def defined(self) -> Truths:
        """Which of them say something."""
        return self.total > 0

    @cached_property
    def keys(self) -> Ints:
        """A number for each: equal for the same head and body, in whatever order it is written.

        Examples:
            >>> one, two = np.array([1, 2]), np.array([2, 1])
            >>> both = Conditionals.of(2, body=one, second=two, head=one + 2, count=one, total=two)
            >>> bool(both.keys[0] == both.keys[1])
            False
            >>> same = Conditionals.of(2, body=two, second=one, head=one + 2, count=one, total=two)
            >>> bool((both.keys == same.keys).all())
            True
        """
        assert self.names.max(initial=0) < _NAMES
        assert self.roles.max(initial=0) < _ROLES
        slots = self.names * _ROLES + self.roles
        first, second, head = slots[:, 0], slots[:, 1], slots[:, 2]
        low, high = np.minimum(first, second), np.maximum(first, second)
        keys: Ints = (high * _SLOT + low) * _SLOT + head
        return keys

    def has_body(self, row: int) -> Truths:
        """Which of them have a plain concept for a body, given by its row."""
        rows: Truths = (self.names[:, :2] == (row, NOTHING)).all(axis=1) & (self.roles[:, 0] == 0)
        return rows

    def has_head(self, row: int) -> Truths:
        """Which of them have a plain concept for a head."""
        rows: Truths = (self.names[:, 2] == row) & (self.roles[:, 2] == 0)
        return rows

    def within(self, others: Conditionals) -> Truths:
        """Which of them are among some others."""
        return np.isin(self.keys, others.keys)

    def unique(self) -> Conditionals:
        """Each of them once, where it is first."""
        return self.take(np.sort(np.unique(self.keys, return_index=True)[1]))

    @property
    def certain(self) -> Truths:
        """Which of them say that all of a body is in the head, or nothing."""
        rows: Truths = self.defined & ((self.count == 0) | (self.count == self.total))
        return rows

    def rounded(self) -> tuple[Ints, Ints]:
        """The bounds of each as people publish it: a whole per cent, half a point off at most.

        They are in two-hundredths. What is certain stays as it is, and so does [0, 1] where
        nothing is said.

        Examples:
            >>> one, many = np.array([1, 1, 1, 1]), np.array([3, 1000, 1, 8])
            >>> some = Conditionals.of(1, body=one, head=one + 1, count=one, total=many)
            >>> [(float(lower / 2), float(upper / 2)) for lower, upper in zip(*some.rounded())]
            [(32.5, 33.5), (0.0, 0.5), (100.0, 100.0), (12.5, 13.5)]
        """
        whole = np.maximum(self.total, 1)
        halves = 2 * ((200 * self.count + whole) // (2 * whole))
        known = self.certain
        point = np.where(self.count > 0, 200, 0)
        lower = np.where(known, point, np.maximum(halves - 1, 0))
        upper = np.where(known, point, np.minimum(halves + 1, 200))
        return np.where(self.defined, lower, 0), np.where(self.defined, upper, 200)

    def bounds(self, rounded: bool) -> tuple[Floats, Floats]:
        """Both ends of what each says: points, or what is published of them."""
        if not rounded:
            return self.share, self.share
        lower, upper = self.rounded()
        return lower / 200, upper / 200

    def rows(self, rounded: bool = False) -> Rows:
        """What there is to train: a row for each that says something."""
        taught = self.take(self.defined)
        ends = taught.bounds(rounded)
        return Rows(taught.names.astype(np.int32), taught.roles.astype(np.int32), *ends)


_NAMES: Final = 1 << 14
_ROLES: Final = 1 << 6
_SLOT: Final = _NAMES * _ROLES
