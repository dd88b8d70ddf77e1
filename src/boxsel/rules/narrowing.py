"""Narrowing a body: what a large part of a body must have of a head, and can have at most.

From (A | B)[l1, u1] and (Q | B)[l2, u2] follows (Q | A ⊓ B)[1 − (1 − l2)/l1, u2/l1], cut to
[0, 1]; without a positive l1 only if l2 = 1 or u2 = 0 (the quotient 0/0 is read as 0).

Proof. Let A ⊓ B be non-empty, |B| = 1, a = |A ⊓ B| > 0, w = |B ⊓ Q|, z = |A ⊓ B ⊓ Q|. From
z ≤ w ≤ u2 follows z/a ≤ u2/a ≤ u2/l1. What of A is outside Q is at most 1 − w ≤ 1 − l2, so
z/a ≥ 1 − (1 − l2)/a ≥ 1 − (1 − l2)/l1. If l2 = 1 nothing is outside Q, if u2 = 0 nothing is
inside, whatever l1. Tight: take a = l1 and put as much of Q as fits outside A, or inside.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from boxsel.rules.amounts import Bounds, greatest, least, share_of
from boxsel.rules.figures import DIAMOND


def conclude(premises: Sequence[Bounds]) -> Bounds:
    """(Q | A ⊓ B) from (A | B) and (Q | B).

    Examples:
        >>> from fractions import Fraction as F
        >>> conclude([Bounds(F(1, 2), F(1)), Bounds(F(3, 4), F(4, 5))])
        Bounds(lower=Fraction(1, 2), upper=Fraction(1, 1))
    """
    (l1, _), (l2, u2) = premises
    outside = share_of(1 - l2, l1, otherwise=1)
    return Bounds(greatest(0, 1 - outside), least(1, share_of(u2, l1, otherwise=1)))


NARROWING: Final = DIAMOND.rule(
    "narrowing",
    "(A | B)[l1, u1], (Q | B)[l2, u2] ⊢ (Q | A ⊓ B)[1 − (1 − l2)/l1, u2/l1]",
    conclude,
    tight=True,
)
