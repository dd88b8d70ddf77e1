"""Inversion: the share of Q from how A and Q share what they have in common.

From (A | B)[l1, u1], (Q | A ⊓ B)[l2, u2] and (A | Q ⊓ B)[l3, u3] follows
(Q | B)[l1·l2/u3, u1·u2/l3], cut to [0, 1]. In other words, |Q|/|A| within B is
(Q | A ⊓ B) / (A | Q ⊓ B).

Proof. Let B be non-empty, |B| = 1, z = |A ⊓ B ⊓ Q| and w = |B ⊓ Q|. As in Bayes' rule,
l1·l2 ≤ z ≤ u1·u2, and l3·w ≤ z ≤ u3·w, also if Q ⊓ B is empty (then z = w = 0). So
w ≤ z/l3 ≤ u1·u2/l3 if l3 > 0, and w ≥ z/u3 ≥ l1·l2/u3 if u3 > 0. If l3 = 0, nothing follows
for the upper end. For points it is the exact value; for intervals it is not claimed to be
tight, because what of B is outside A limits w from above.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from boxsel.rules.amounts import Bounds, least, quotient
from boxsel.rules.figures import FULL_DIAMOND


def conclude(premises: Sequence[Bounds]) -> Bounds:
    """(Q | B) from (A | B), (Q | A ⊓ B) and (A | Q ⊓ B).

    Examples:
        >>> from fractions import Fraction as F
        >>> point = lambda number: Bounds(number, number)
        >>> conclude([point(F(1, 100)), point(F(9, 10)), point(F(9, 50))])
        Bounds(lower=Fraction(1, 20), upper=Fraction(1, 20))
    """
    (l1, u1), (l2, u2), (l3, u3) = premises
    return Bounds(quotient(l1 * l2, u3, otherwise=0), least(1, quotient(u1 * u2, l3, otherwise=1)))


INVERSION: Final = FULL_DIAMOND.rule(
    "inversion",
    "(A | B)[l1, u1], (Q | A ⊓ B)[l2, u2], (A | Q ⊓ B)[l3, u3] ⊢ (Q | B)[l1·l2/u3, u1·u2/l3]",
    conclude,
    tight=False,
)
