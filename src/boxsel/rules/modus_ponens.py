"""Probabilistic modus ponens, with the tight upper end.

From (A | B)[l1, u1] and (Q | A ⊓ B)[l2, u2] follows (Q | B)[l1·l2, 1 − l1·(1 − u2)].

Proof. Let B be non-empty and measure everything by its size: a = |A ⊓ B|, z = |A ⊓ B ⊓ Q|,
w = |B ⊓ Q|, with |B| = 1. If A ⊓ B is empty then l1 = 0 and the conclusion is [0, 1]. Else
w ≥ z ≥ l2·a ≥ l1·l2. At least a − z ≥ a·(1 − u2) ≥ l1·(1 − u2) of B is outside Q, so
w ≤ 1 − l1·(1 − u2). Tight: take a = l1; for the lower end z = l2·a and nothing of Q outside
A, for the upper end z = u2·a and everything outside A in Q.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from boxsel.rules.amounts import Bounds
from boxsel.rules.figures import DIAMOND


def conclude(premises: Sequence[Bounds]) -> Bounds:
    """(Q | B) from (A | B) and (Q | A ⊓ B).

    Examples:
        >>> from fractions import Fraction as F
        >>> conclude([Bounds(F(1, 5), F(1, 4)), Bounds(F(4, 5), F(4, 5))])
        Bounds(lower=Fraction(4, 25), upper=Fraction(24, 25))
    """
    (l1, _), (l2, u2) = premises
    return Bounds(l1 * l2, 1 - l1 * (1 - u2))


MODUS_PONENS: Final = DIAMOND.rule(
    "modus ponens",
    "(A | B)[l1, u1], (Q | A ⊓ B)[l2, u2] ⊢ (Q | B)[l1·l2, 1 − l1·(1 − u2)]",
    conclude,
    tight=True,
)
