"""Scaling up: how large a part is, from how large its own part is and what share that has.

From (A ⊓ Q | B)[l1, u1] and (Q | A ⊓ B)[l2, u2] follows (A | B)[l1/u2, u1/l2], cut to 1 from
above; nothing for the upper end if l2 = 0.

Proof. Let B be non-empty, |B| = 1, a = |A ⊓ B| and z = |A ⊓ B ⊓ Q|. Then l2·a ≤ z ≤ u1 and
u2·a ≥ z ≥ l1, also if A ⊓ B is empty; divide by l2 and u2 where they are positive. If u2 = 0
nothing is concluded for the lower end. Tight: take z and the share at opposite ends; for an
upper end cut to 1 take a = 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from boxsel.rules.amounts import Bounds, least, quotient
from boxsel.rules.figures import TRIANGLE


def conclude(premises: Sequence[Bounds]) -> Bounds:
    """(A | B) from (A ⊓ Q | B) and (Q | A ⊓ B).

    Examples:
        >>> from fractions import Fraction as F
        >>> conclude([Bounds(F(4, 25), F(1, 5)), Bounds(F(4, 5), F(4, 5))])
        Bounds(lower=Fraction(1, 5), upper=Fraction(1, 4))
    """
    (l1, u1), (l2, u2) = premises
    return Bounds(quotient(l1, u2, otherwise=0), least(1, quotient(u1, l2, otherwise=1)))


SCALING: Final = TRIANGLE.rule(
    "scaling",
    "(A ⊓ Q | B)[l1, u1], (Q | A ⊓ B)[l2, u2] ⊢ (A | B)[l1/u2, u1/l2]",
    conclude,
    tight=True,
)
