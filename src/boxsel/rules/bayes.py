"""Bayes' rule: a conditional turned round.

From (A | B)[l1, u1], (Q | A ⊓ B)[l2, u2] and (Q | B)[l3, u3] follows
(A | Q ⊓ B)[l1·l2 / min(u3, 1 − l1·(1 − l2)), u1·u2/l3], cut to [0, 1].

Proof. Let Q ⊓ B be non-empty and |B| = 1, a = |A ⊓ B|, z = |A ⊓ B ⊓ Q|, w = |B ⊓ Q| > 0. The
share is z/w with l1·l2 ≤ z ≤ u1·u2 (both hold if A ⊓ B is empty: then l1 = z = 0) and w ≥ l3,
which gives the upper end; if l3 = 0 it is 0 for u1·u2 = 0, because then z = 0. With q = z/a
also w ≤ min(u3, 1 − a + a·q), and a·q / min(u3, 1 − a·(1 − q)) grows with a and with q: its
least value is at a = l1 and q = l2. For points it is the exact value; for intervals
it is not claimed to be tight, because l3 may keep a and q from their lower ends.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from boxsel.rules.amounts import Bounds, least, share_of
from boxsel.rules.figures import FULL_DIAMOND


def conclude(premises: Sequence[Bounds]) -> Bounds:
    """(A | Q ⊓ B) from (A | B), (Q | A ⊓ B) and (Q | B).

    Examples:
        >>> from fractions import Fraction as F
        >>> point = lambda number: Bounds(number, number)
        >>> conclude([point(F(1, 100)), point(F(9, 10)), point(F(1, 20))])
        Bounds(lower=Fraction(9, 50), upper=Fraction(9, 50))
    """
    (l1, u1), (l2, u2), (l3, u3) = premises
    widest = least(u3, 1 - l1 * (1 - l2))
    return Bounds(
        share_of(l1 * l2, widest, otherwise=0), least(1, share_of(u1 * u2, l3, otherwise=1))
    )


BAYES: Final = FULL_DIAMOND.rule(
    "Bayes",
    "(A | B)[l1, u1], (Q | A ⊓ B)[l2, u2], (Q | B)[l3, u3] ⊢ "
    "(A | Q ⊓ B)[l1·l2 / min(u3, 1 − l1·(1 − l2)), u1·u2/l3]",
    conclude,
    tight=False,
)
