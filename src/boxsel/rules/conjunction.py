"""Conjunction: the bounds of Fréchet.

From (A | B)[l1, u1] and (Q | B)[l2, u2] follows (A ⊓ Q | B)[max(0, l1 + l2 − 1), min(u1, u2)].

Proof. Let B be non-empty, |B| = 1, a = |A ⊓ B|, w = |Q ⊓ B| and z = |A ⊓ B ⊓ Q|. A union is no
larger than B: a + w − z ≤ 1, so z ≥ a + w − 1 ≥ l1 + l2 − 1. And z ≤ a ≤ u1, z ≤ w ≤ u2.
Tight: overlap as little, or as much, as can be.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from boxsel.rules.amounts import Bounds, greatest, least
from boxsel.rules.figures import SPLIT


def conclude(premises: Sequence[Bounds]) -> Bounds:
    """(A ⊓ Q | B) from (A | B) and (Q | B).

    Examples:
        >>> from fractions import Fraction as F
        >>> conclude([Bounds(F(3, 4), F(1)), Bounds(F(1, 2), F(2, 3))])
        Bounds(lower=Fraction(1, 4), upper=Fraction(2, 3))
    """
    (l1, u1), (l2, u2) = premises
    return Bounds(greatest(0, l1 + l2 - 1), least(u1, u2))


CONJUNCTION: Final = SPLIT.rule(
    "conjunction",
    "(A | B)[l1, u1], (Q | B)[l2, u2] ⊢ (A ⊓ Q | B)[max(0, l1 + l2 − 1), min(u1, u2)]",
    conclude,
    tight=True,
)
