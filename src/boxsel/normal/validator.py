"""What a statement in normal form looks like, and which statements of a knowledge base do not.

An *atom* is a concept name or ⊤. In normal form there are only

- inclusions `A ⊑ B`, `A ⊑ ⊥`, `A1 ⊓ A2 ⊑ B`, `A ⊑ ∃r.B`, `∃r.A ⊑ B` and `∃r.A ⊑ ⊥`;
- disjointness of names (which is what `A1 ⊓ A2 ⊑ ⊥` becomes);
- conditionals `(B | A)[l, u]` with neither l = 1 nor u = 0;
- role inclusions, ranges `r Range: A`, assertions `A(a)` and `r(a, b)`

over atoms, none of them a tautology that its spelling gives away (`A ⊑ A`, `r Range: ⊤`).

The check is written apart from the normaliser, so that each can be tested against the other.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from boxsel.logic.axioms import (
    Axiom,
    ConceptAssertion,
    Conditional,
    Disjointness,
    Domain,
    Equivalence,
    Inclusion,
    Range,
    RoleAssertion,
    RoleInclusion,
)
from boxsel.logic.concepts import And, Bottom, Concept, Exists, Name, Top
from boxsel.logic.kb import KB
from boxsel.logic.statements import Statement


def violations(kb: KB) -> list[tuple[Statement, str]]:
    """The statements that are not in normal form, each with the reason.

    Examples:
        >>> from boxsel.logic.concepts import names
        >>> A, B = names("A B")
        >>> [(statement, reason)] = violations(KB.of(A.equivalent_to(B)))
        >>> reason
        'an equivalence is two inclusions'
    """
    checked = (
        (statement, _CHECKS[type(statement.axiom)](statement.axiom)) for statement in kb.statements
    )
    return [(statement, reason) for statement, reason in checked if reason]


def _atom(concept: Concept) -> bool:
    return isinstance(concept, Name | Top)


def _inclusion(axiom: Inclusion) -> str | None:
    left, right = axiom.left, axiom.right
    if isinstance(right, Top) or left == right:
        return "a tautology says nothing"
    if _atom(left):
        if _atom(right) or isinstance(right, Bottom):
            return None
        if isinstance(right, Exists):
            return None if _atom(right.filler) else "the filler on the right is not an atom"
        return "the right side is a conjunction"
    if isinstance(right, Exists | And):
        return "both sides are complex"
    if isinstance(left, Exists):
        return None if _atom(left.filler) else "the filler on the left is not an atom"
    if isinstance(left, And):
        return _conjunction(left, right)
    return "⊥ stands on the left"


def _conjunction(left: And, right: Concept) -> str | None:
    if len(left.operands) > 2:
        return "the left side has more than two conjuncts"
    if not all(isinstance(operand, Name) for operand in left.operands):
        return "a conjunct on the left is not a name"
    if isinstance(right, Bottom):
        return "an empty conjunction is a disjointness"
    return "a tautology says nothing" if right in left.operands else None


def _conditional(axiom: Conditional) -> str | None:
    if not (_atom(axiom.head) and _atom(axiom.body)):
        return "the head or the body is not an atom"
    bounds = axiom.bounds
    if bounds.lower == 1:
        return "a conditional with proportion 1 is an inclusion"
    return "a conditional with proportion 0 is a disjointness" if bounds.upper == 0 else None


def _not_named(what: str, *concepts: Concept) -> str | None:
    named = all(isinstance(concept, Name) for concept in concepts)
    return None if named else f"{what} is not a name"


# Any: each check takes the axioms of its own kind only.
_CHECKS: dict[type[Axiom], Callable[[Any], str | None]] = {
    Conditional: _conditional,
    Inclusion: _inclusion,
    Equivalence: lambda _: "an equivalence is two inclusions",
    Disjointness: lambda axiom: _not_named("a disjoint concept", *axiom.members),
    RoleInclusion: lambda axiom: "a tautology says nothing" if axiom.sub == axiom.sup else None,
    Domain: lambda _: "a domain is an inclusion of r some owl:Thing",
    Range: lambda axiom: _not_named("the range", axiom.concept),
    ConceptAssertion: lambda axiom: _not_named("the asserted concept", axiom.concept),
    RoleAssertion: lambda _: None,
}
