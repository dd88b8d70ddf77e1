"""Conjunct: one side of a conjunction from the other side and both together.

From (A ⊓ Q | B)[l1, u1] and (A | B)[l2, u2] follows (Q | B)[l1, 1 − l2 + u1], cut to 1.

Proof. Let B be non-empty, |B| = 1, a = |A ⊓ B|, w = |Q ⊓ B| and z = |A ⊓ B ⊓ Q|. Then w ≥ z ≥ l1,
and outside A there is at most 1 − a of Q: w ≤ z + 1 − a ≤ u1 + 1 − l2. Tight: put
nothing, or everything, outside A into Q; with z = a if u1 > l2.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from boxsel.rules.amounts import Bounds, least
from boxsel.rules.figures import SPLIT


def conclude(premises: Sequence[Bounds]) -> Bounds:
    """(Q | B) from (A ⊓ Q | B) and (A | B).

    Examples:
        >>> from fractions import Fraction as F
        >>> conclude([Bounds(F(1, 8), F(1, 4)), Bounds(F(1, 2), F(1))])
        Bounds(lower=Fraction(1, 8), upper=Fraction(3, 4))
    """
    (l1, u1), (l2, _) = premises
    return Bounds(l1, least(1, 1 - l2 + u1))


CONJUNCT: Final = SPLIT.rule(
    "conjunct",
    "(A ⊓ Q | B)[l1, u1], (A | B)[l2, u2] ⊢ (Q | B)[l1, 1 − l2 + u1]",
    conclude,
    tight=True,
)
