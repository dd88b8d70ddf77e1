"""The product: a part of a part.

From (A | B)[l1, u1] and (Q | A ⊓ B)[l2, u2] follows (A ⊓ Q | B)[l1·l2, u1·u2].

Proof. Let B be non-empty, |B| = 1, a = |A ⊓ B| and z = |A ⊓ B ⊓ Q|. Then l2·a ≤ z ≤ u2·a, also
if A ⊓ B is empty, and l1 ≤ a ≤ u1. Tight: take both shares at their lower, or upper, ends.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from boxsel.logic.axioms import Axiom
from boxsel.logic.statements import Query
from boxsel.rules import conditions
from boxsel.rules.amounts import Bounds
from boxsel.rules.index import Index
from boxsel.rules.rule import Applications, Rule


def conclude(premises: Sequence[Bounds]) -> Bounds:
    """(A ⊓ Q | B) from (A | B) and (Q | A ⊓ B).

    Examples:
        >>> from fractions import Fraction as F
        >>> conclude([Bounds(F(1, 5), F(1, 4)), Bounds(F(4, 5), F(4, 5))])
        Bounds(lower=Fraction(4, 25), upper=Fraction(1, 5))
    """
    (l1, u1), (l2, u2) = premises
    return Bounds(l1 * l2, u1 * u2)


def _find(index: Index) -> Applications:
    triangles = index.triangles
    return Applications(conclude, (triangles.upper_part, triangles.lower_part), triangles.whole)


def _rests_on(premises: Sequence[Query], conclusion: Query) -> Iterable[Axiom]:
    upper_part, lower_part = premises
    return conditions.triangle(upper_part, lower_part, conclusion)


PRODUCT: Final = Rule(
    name="product",
    statement="(A | B)[l1, u1], (Q | A ⊓ B)[l2, u2] ⊢ (A ⊓ Q | B)[l1·l2, u1·u2]",
    tight=True,
    conclude=conclude,
    find=_find,
    conditions=_rests_on,
)
