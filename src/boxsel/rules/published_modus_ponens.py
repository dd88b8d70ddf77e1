"""Probabilistic modus ponens as it was first published for Statistical EL.

From (A | B)[l1, u1] and (Q | A ⊓ B)[l2, u2] follows (Q | B)[l1·l2, min(1, u1·u2 + 1 − l1)].

Proof. With a, z, w as in the tight rule: w ≥ z ≥ l1·l2, and w ≤ z + (1 − a) ≤ u1·u2 + 1 − l1.
Not tight for intervals: it takes a to be u1 in the first summand and l1 in the second. For
points l1 = u1 it is the tight rule, which is never worse. It is kept for comparison.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from boxsel.rules.amounts import Bounds, least
from boxsel.rules.figures import DIAMOND


def conclude(premises: Sequence[Bounds]) -> Bounds:
    """(Q | B) from (A | B) and (Q | A ⊓ B).

    Examples:
        >>> from fractions import Fraction as F
        >>> conclude([Bounds(F(1, 5), F(1, 4)), Bounds(F(4, 5), F(4, 5))])
        Bounds(lower=Fraction(4, 25), upper=Fraction(1, 1))
    """
    (l1, u1), (l2, u2) = premises
    return Bounds(l1 * l2, least(1, u1 * u2 + 1 - l1))


PUBLISHED_MODUS_PONENS: Final = DIAMOND.rule(
    "published modus ponens",
    "(A | B)[l1, u1], (Q | A ⊓ B)[l2, u2] ⊢ (Q | B)[l1·l2, min(1, u1·u2 + 1 − l1)]",
    conclude,
    tight=False,
)
