"""Conditioning: the definition of a conditional share, read backwards.

From (A ⊓ Q | B)[l1, u1] and (A | B)[l2, u2] follows (Q | A ⊓ B)[l1/u2, u1/l2], cut to 1 from
above; without a positive l2 only if u1 = 0 (the quotient 0/0 is read as 0).

Proof. Let A ⊓ B be non-empty, |B| = 1, a = |A ⊓ B| > 0 and z = |A ⊓ B ⊓ Q|. The share is z/a,
with l1 ≤ z ≤ u1 and l2 ≤ a ≤ u2; u2 = 0 cannot be. If u1 = 0 then z = 0. A lower end above 1
says that A ⊓ B is empty. Tight: take z and a at opposite ends, for the upper end with
z = a if u1 > l2.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from boxsel.rules.amounts import Bounds, least, quotient, share_of
from boxsel.rules.figures import TRIANGLE


def conclude(premises: Sequence[Bounds]) -> Bounds:
    """(Q | A ⊓ B) from (A ⊓ Q | B) and (A | B).

    Examples:
        >>> from fractions import Fraction as F
        >>> conclude([Bounds(F(4, 25), F(1, 5)), Bounds(F(1, 4), F(1, 4))])
        Bounds(lower=Fraction(16, 25), upper=Fraction(4, 5))
    """
    (l1, u1), (l2, u2) = premises
    return Bounds(quotient(l1, u2, otherwise=0), least(1, share_of(u1, l2, otherwise=1)))


CONDITIONING: Final = TRIANGLE.rule(
    "conditioning",
    "(A ⊓ Q | B)[l1, u1], (A | B)[l2, u2] ⊢ (Q | A ⊓ B)[l1/u2, u1/l2]",
    conclude,
    tight=True,
)
