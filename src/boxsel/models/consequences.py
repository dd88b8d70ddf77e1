"""What follows from rows by modus ponens: shares that no row states, but that two of them bound.

From `(A | C)[l1, u1]` and `(E | A ⊓ C)[l2, u2]` follows `(E | C)[l1·l2, 1 − l1·(1 − u2)]`. Where
every A is a C, `(E | A)` says the same as the second. Who has all rows has these, too. But who has
rows only nearly is easily outside of what follows, since that often ends where the truth is.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from boxsel.models.batching import NEVER
from boxsel.models.task import SLOTS, Rows

Ints = NDArray[np.int64]


def consequences(rows: Rows) -> Rows:
    """A row for each share that follows and that no row states, with the best of its bounds.

    Examples:
        >>> said = Rows(  # half are A, a fifth of these is B: so a tenth is, at least
        ...     np.array([[0, 0, 1], [1, 0, 2]]), np.zeros((2, 3), int),
        ...     np.array([0.5, 0.2]), np.array([0.5, 0.2]),
        ... )
        >>> found = consequences(said)
        >>> found.names.tolist(), found.lower.tolist(), found.upper.tolist()
        ([[0, 0, 2]], [0.1], [0.6])
    """
    rows = rows.take(np.flatnonzero(rows.upper < NEVER))
    names = int(rows.names.max(initial=0)) + 1
    codes = rows.roles.astype(np.int64) * names + rows.names
    count = int(codes.max(initial=0)) + 1
    ends = np.stack([rows.lower, np.minimum(rows.upper, 1.0)], axis=1)
    body, head = np.sort(codes[:, : SLOTS - 1], axis=1), codes[:, -1]
    body[body[:, 0] == body[:, 1], 0] = 0
    single = body[:, 0] == 0
    known = _Known(body[single, 1] * count + head[single], ends[single])
    # Bodies of two names, each of which may be what the other is said of.
    pairs, other = body[~single], head[~single]
    whole = [pairs[:, 0], pairs[:, 1]]
    middle, last, second = [pairs[:, 1], pairs[:, 0]], [other, other], [ends[~single]] * 2
    # And bodies of one name that lies within another: those of which that is said, and ⊤.
    low, part = np.divmod(known.keys[known.ends[:, 0] >= 1], count)
    inside = np.concatenate([np.stack([low, part], axis=1), _below_all(known.keys // count)])
    of, at = _joined(inside[:, 0], known.keys // count)
    whole.append(inside[of, 1])
    middle.append(inside[of, 0])
    last.append(known.keys[at] % count)
    second.append(known.ends[at])
    c, a, e, given = (np.concatenate(one) for one in (whole, middle, last, second))
    first, is_known = known.at(c * count + a)
    fine = is_known & (e != 0) & (e != a) & (e != c) & (a != c) & ~known.at(c * count + e)[1]
    least = first[fine, 0]
    lower = least * given[fine, 0]
    upper = np.maximum(lower, 1 - least * (1 - given[fine, 1]))
    found = _Known((c * count + e)[fine], np.stack([lower, upper], axis=1))
    says = (found.ends[:, 0] > 0) | (found.ends[:, 1] < 1)
    body_of, head_of = np.divmod(found.keys[says], count)
    slots = np.stack([body_of, np.zeros_like(body_of), head_of], axis=1)
    return Rows(
        (slots % names).astype(np.int32),
        (slots // names).astype(np.int32),
        found.ends[says, 0],
        np.maximum(found.ends[says, 0], found.ends[says, 1]),
    )


class _Known:
    """Bounds by keys: of several for one key, the best."""

    def __init__(self, keys: Ints, ends: NDArray[np.float64]) -> None:
        self.keys, at = np.unique(keys, return_inverse=True)
        self.ends = np.tile([0.0, 1.0], (len(self.keys), 1))
        np.maximum.at(self.ends[:, 0], at, ends[:, 0])
        np.minimum.at(self.ends[:, 1], at, ends[:, 1])

    def at(self, keys: Ints) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        """The bounds for keys, and which of them are known."""
        if not len(self.keys):
            return np.zeros((len(keys), 2)), np.zeros(len(keys), bool)
        places = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        return self.ends[places], self.keys[places] == keys


def _below_all(bodies: Ints) -> Ints:
    """Every basic concept that something is said of, with ⊤."""
    some = np.setdiff1d(bodies, [0])
    return np.stack([some, np.zeros_like(some)], axis=1)


def _joined(wanted: Ints, keys: Ints) -> tuple[Ints, Ints]:
    """Places of equal numbers in both; the second are sorted."""
    start, end = np.searchsorted(keys, wanted), np.searchsorted(keys, wanted, side="right")
    many = end - start
    of = np.repeat(np.arange(len(wanted)), many)
    offset = np.arange(many.sum()) - np.repeat(np.cumsum(many) - many, many)
    return of, np.repeat(start, many) + offset
