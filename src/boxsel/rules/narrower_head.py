"""A narrower head: chaining through an inclusion, downwards.

From (D | B)[l, u] and B ⊓ E ⊑ D follows (E | B)[0, u].

Proof. Every instance of B and E is one of D, so |B ⊓ E| ≤ |B ⊓ D| ≤ u·|B|. Tight: E may have all
instances of D, or none.
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
    """(E | B) from (D | B).

    Examples:
        >>> from fractions import Fraction as F
        >>> conclude([Bounds(F(1, 4), F(1, 2))])
        Bounds(lower=0, upper=Fraction(1, 2))
    """
    ((_, upper),) = premises
    return Bounds(0, upper)


def applications(index: Index, *, through_role: bool) -> Applications:
    """From wider to narrower heads: between existentials, or between others."""
    found = index.inclusions
    chosen = found.through_role == through_role
    return Applications(conclude, (found.wider[chosen],), found.narrower[chosen])


def rests_on(premises: Sequence[Query], conclusion: Query) -> Iterable[Axiom]:
    """The head of the conclusion is included in that of the premise."""
    (wide,) = premises
    return conditions.wider(conclusion, wide)


NARROWER_HEAD: Final = Rule(
    name="narrower head",
    statement="(D | B)[l, u], B ⊓ E ⊑ D ⊢ (E | B)[0, u]",
    tight=True,
    conclude=conclude,
    find=lambda index: applications(index, through_role=False),
    conditions=rests_on,
)
