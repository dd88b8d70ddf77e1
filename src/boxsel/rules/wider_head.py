"""A wider head: chaining through an inclusion, upwards.

From (E | B)[l, u] and B ⊓ E ⊑ D follows (D | B)[l, 1].

Proof. Every instance of B and E is one of D, so |B ⊓ D| ≥ |B ⊓ E| ≥ l·|B|. Tight: D may have the
instances of E only, or all of B.
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
    """(D | B) from (E | B).

    Examples:
        >>> from fractions import Fraction as F
        >>> conclude([Bounds(F(1, 4), F(1, 2))])
        Bounds(lower=Fraction(1, 4), upper=1)
    """
    ((lower, _),) = premises
    return Bounds(lower, 1)


def applications(index: Index, *, through_role: bool) -> Applications:
    """From narrower to wider heads: between existentials, or between others."""
    found = index.inclusions
    chosen = found.through_role == through_role
    return Applications(conclude, (found.narrower[chosen],), found.wider[chosen])


def rests_on(premises: Sequence[Query], conclusion: Query) -> Iterable[Axiom]:
    """The head of the premise is included in that of the conclusion."""
    (narrower,) = premises
    return conditions.wider(narrower, conclusion)


WIDER_HEAD: Final = Rule(
    name="wider head",
    statement="(E | B)[l, u], B ⊓ E ⊑ D ⊢ (D | B)[l, 1]",
    tight=True,
    conclude=conclude,
    find=lambda index: applications(index, through_role=False),
    conditions=rests_on,
)
