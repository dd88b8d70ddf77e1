"""The product: a part of a part.

From (A | B)[l1, u1] and (Q | A ⊓ B)[l2, u2] follows (A ⊓ Q | B)[l1·l2, u1·u2].

Proof. Let B be non-empty, |B| = 1, a = |A ⊓ B| and z = |A ⊓ B ⊓ Q|. Then l2·a ≤ z ≤ u2·a, also
if A ⊓ B is empty, and l1 ≤ a ≤ u1. Tight: take both shares at their lower, or upper, ends.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from boxsel.rules.amounts import Bounds
from boxsel.rules.figures import TRIANGLE


def conclude(premises: Sequence[Bounds]) -> Bounds:
    """(A ⊓ Q | B) from (A | B) and (Q | A ⊓ B).

    Examples:
        >>> from fractions import Fraction as F
        >>> conclude([Bounds(F(1, 5), F(1, 4)), Bounds(F(4, 5), F(4, 5))])
        Bounds(lower=Fraction(4, 25), upper=Fraction(1, 5))
    """
    (l1, u1), (l2, u2) = premises
    return Bounds(l1 * l2, u1 * u2)


PRODUCT: Final = TRIANGLE.rule(
    "product",
    "(A | B)[l1, u1], (Q | A ⊓ B)[l2, u2] ⊢ (A ⊓ Q | B)[l1·l2, u1·u2]",
    conclude,
    tight=True,
)
