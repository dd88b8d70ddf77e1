"""A narrower head: chaining through an inclusion, downwards.

From (D | B)[l, u] and B ⊓ E ⊑ D follows (E | B)[0, u].

Proof. Every instance of B and E is one of D, so |B ⊓ E| ≤ |B ⊓ D| ≤ u·|B|. Tight: E may have all
instances of D, or none.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from boxsel.rules.amounts import Bounds
from boxsel.rules.figures import INCLUSION


def conclude(premises: Sequence[Bounds]) -> Bounds:
    """(E | B) from (D | B).

    Examples:
        >>> from fractions import Fraction as F
        >>> conclude([Bounds(F(1, 4), F(1, 2))])
        Bounds(lower=0, upper=Fraction(1, 2))
    """
    ((_, upper),) = premises
    return Bounds(0, upper)


NARROWER_HEAD: Final = INCLUSION.rule(
    "narrower head",
    "(D | B)[l, u], B ⊓ E ⊑ D ⊢ (E | B)[0, u]",
    conclude,
    tight=True,
)
