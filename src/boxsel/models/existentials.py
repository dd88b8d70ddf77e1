"""What existentials owe each other, where they are memberships and not images under a map.

If every A is a B, whoever has an r-successor in A has one in B: `∃r.A ⊑ ∃r.B`. A map of a space
keeps that by itself. Memberships must be told, for every role and every two of its fillers of
which the one lies in the other; and `∃r.A ⊑ ∃r.⊤`. What `r ⊑ s` and ranges mean is said by rows.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from boxsel.models.numbering import EVERYTHING, NO_ROLE
from boxsel.models.task import SLOTS, Rows


def with_existentials(rows: Rows) -> Rows:
    """Rows with all inclusions between existentials that follow from inclusions between names.

    Examples:
        >>> said = Rows(  # A ⊑ B, and something about ∃r.A and ∃r.B
        ...     np.array([[1, 0, 2], [1, 0, 2]]),
        ...     np.array([[0, 0, 0], [1, 0, 1]]),
        ...     np.array([1.0, 0.0]), np.array([1.0, 1.0]),
        ... )
        >>> more = with_existentials(said)
        >>> more.names[2:].tolist(), more.roles[2:].tolist(), more.lower[2:].tolist()
        ([[1, 0, 2]], [[1, 0, 1]], [1.0])
    """
    pairs = np.stack([rows.roles.reshape(-1), rows.names.reshape(-1)], axis=1)
    pairs = np.unique(pairs[pairs[:, 0] != NO_ROLE], axis=0)
    if not len(pairs):
        return rows
    above = _subsumers(rows)
    added = [
        (role, name, other)
        for role in np.unique(pairs[:, 0])
        for fillers in [pairs[pairs[:, 0] == role, 1]]
        for name in fillers
        for other in np.intersect1d(fillers, [EVERYTHING, *above.get(int(name), ())])
        if other != name
    ]
    if not added:
        return rows
    role, name, other = np.array(added, np.int32).T
    names, roles = np.zeros((2, len(added), SLOTS), np.int32)
    names[:, 0], names[:, 2] = name, other
    roles[:, 0] = roles[:, 2] = role
    ones = np.ones(len(added))
    return Rows(
        np.concatenate([rows.names, names]),
        np.concatenate([rows.roles, roles]),
        np.concatenate([rows.lower, ones]),
        np.concatenate([rows.upper, ones]),
    )


def _subsumers(rows: Rows) -> dict[int, set[int]]:
    """The names that include each name, by rows that say so one after the other."""
    plain = (rows.roles == NO_ROLE).all(axis=1) & (rows.names[:, 1] == EVERYTHING)
    told: dict[int, set[int]] = {}
    said: NDArray[np.int32] = rows.names[plain & (rows.lower >= 1)][:, [0, 2]]
    for name, other in said.tolist():
        told.setdefault(name, set()).add(other)
    return {name: _reached(name, told) for name in told}


def _reached(name: int, told: dict[int, set[int]]) -> set[int]:
    found: set[int] = set()
    stack = [name]
    while stack:
        for other in told.get(stack.pop(), set()) - found:
            found.add(other)
            stack.append(other)
    return found
