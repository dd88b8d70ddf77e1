"""Conjunctions of basic concepts, and which of these are within which, as arrays."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Truths = NDArray[np.bool_]


def composed(one: Truths, other: Truths) -> Truths:
    """The composition of two relations.

    Examples:
        >>> first_to_second = np.array([[False, True], [False, False]])
        >>> second_to_first = first_to_second.T
        >>> composed(first_to_second, second_to_first).tolist()
        [[True, False], [False, False]]
    """
    links: Truths = one.astype(np.float32) @ other.astype(np.float32) > 0
    return links


def reduced(slots: Ints, same: Ints, within: Truths) -> Ints:
    """Conjunctions, in order, without the conjuncts that include another one: 0 is ⊤.

    Each conjunct is replaced by the one that is the `same`.

    Examples:
        >>> within = np.array([[True, False, False], [True, True, False], [True, True, True]])
        >>> reduced(np.array([[2, 1], [1, 0]]), np.arange(3), within).tolist()
        [[0, 2], [0, 1]]
    """
    kept = same[slots]
    found = kept.copy()
    for place in range(kept.shape[1]):
        for other in range(kept.shape[1]):
            one, two = kept[:, other], kept[:, place]
            narrower = within[one, two] & ((one != two) | (other < place))
            found[narrower & (other != place), place] = 0
    return np.sort(found, axis=1)
