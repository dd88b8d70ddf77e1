"""A wider head: chaining through an inclusion, upwards.

From (E | B)[l, u] and B ⊓ E ⊑ D follows (D | B)[l, 1].

Proof. Every instance of B and E is one of D, so |B ⊓ D| ≥ |B ⊓ E| ≥ l·|B|. Tight: D may have the
instances of E only, or all of B.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from boxsel.rules.amounts import Bounds
from boxsel.rules.figures import INCLUSION


def conclude(premises: Sequence[Bounds]) -> Bounds:
    """(D | B) from (E | B).

    Examples:
        >>> from fractions import Fraction as F
        >>> conclude([Bounds(F(1, 4), F(1, 2))])
        Bounds(lower=Fraction(1, 4), upper=1)
    """
    ((lower, _),) = premises
    return Bounds(lower, 1)


WIDER_HEAD: Final = INCLUSION.rule(
    "wider head",
    "(E | B)[l, u], B ⊓ E ⊑ D ⊢ (D | B)[l, 1]",
    conclude,
    tight=True,
)
