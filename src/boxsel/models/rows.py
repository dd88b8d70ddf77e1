"""Axioms as rows of numbers: what a training step reads.

A row says `(H | B1 ⊓ B2)[l, u]`, where each of the three is a *basic concept*: a name, ⊤, or `∃r.A`
for a name or ⊤. A conditional that has this shape becomes a row as it is; every other axiom goes
through the normal form first.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from boxsel.logic.concepts import Concept, Exists, Name, Top, conjuncts
from boxsel.models.numbering import EVERYTHING, NO_ROLE, Numbering
from boxsel.models.shares import Share

SLOTS: Final = 3
"""Two conjuncts of the body, and the head."""

Ints = NDArray[np.int32]
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Rows:
    """Rows for a table of names and one of roles; unused slots hold ⊤.

    `names` and `roles` have a column for each slot; `lower` and `upper` are the bounds.
    """

    names: Ints
    roles: Ints
    lower: Floats
    upper: Floats

    def __post_init__(self) -> None:
        assert self.names.shape == self.roles.shape == (len(self.lower), SLOTS)
        assert self.lower.shape == self.upper.shape

    def __len__(self) -> int:
        return len(self.lower)

    @classmethod
    def of(cls, shares: Iterable[Share], numbering: Numbering) -> Rows:
        """The rows of shares that have the shape of a row."""
        slots: list[tuple[int, ...]] = []
        bounds: list[tuple[float, float]] = []
        name, role = numbering.name, numbering.role

        @cache  # the same few concepts come again and again
        def basic(concept: Concept) -> tuple[int, int]:
            if isinstance(concept, Exists):
                return name(concept.filler), role(concept.role)
            return name(concept), NO_ROLE

        @cache
        def both(concept: Concept) -> tuple[int, ...]:
            one, *more = conjuncts(concept)
            return (*basic(one), *(basic(more[0]) if more else (EVERYTHING, NO_ROLE)))

        for head, body, interval in shares:
            slots.append(both(body) + basic(head))
            bounds.append((float(interval.lower), float(interval.upper)))
        table = np.array(slots, np.int32).reshape(-1, SLOTS, 2)
        ends = np.array(bounds, np.float64).reshape(-1, 2)
        return cls(table[:, :, 0].copy(), table[:, :, 1].copy(), ends[:, 0], ends[:, 1])

    def take(self, places: NDArray[np.int64]) -> Rows:
        """The rows at some places, in that order."""
        return Rows(self.names[places], self.roles[places], self.lower[places], self.upper[places])


def has_row(share: Share) -> bool:
    """Whether a share has the shape of a row.

    Examples:
        >>> from boxsel.logic.concepts import Role, names
        >>> from boxsel.models.shares import ONE
        >>> A, B, C = names("A B C")
        >>> r = Role("r")
        >>> has_row(Share(r.some(A), B & C, ONE)), has_row(Share(A & B, C, ONE))
        (True, False)
    """
    return is_basic(share.head) and fits_body(share.body)


def fits_body(concept: Concept) -> bool:
    """Whether a concept is a conjunction of at most two basic ones."""
    parts = conjuncts(concept)
    return len(parts) < SLOTS and all(map(is_basic, parts))


def is_basic(concept: Concept) -> bool:
    """Whether a concept is a name, ⊤, or an existential of one."""
    if isinstance(concept, Exists):
        concept = concept.filler
    return isinstance(concept, Name | Top)
