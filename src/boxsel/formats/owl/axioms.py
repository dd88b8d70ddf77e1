"""OWL axioms, read as axioms of SEL.

Each function takes the parts of one OWL axiom and gives the SEL axioms that say the same, or
something weaker, and what was lost on the way. Nothing that is kept is ever stronger than
what the file says.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from boxsel.formats.owl.expressions import Expression, RoleExpression
from boxsel.logic.axioms import (
    Axiom,
    ConceptAssertion,
    Disjointness,
    Domain,
    Equivalence,
    Inclusion,
    Range,
    RoleAssertion,
    RoleInclusion,
)
from boxsel.logic.concepts import BOTTOM, TOP, Concept, Individual

ANONYMOUS = "about an anonymous individual"
TAUTOLOGY = "a tautology: it says nothing"
INSIDE = "inside an axiom whose other parts were kept"

_REASONS = {
    "Import": "imports are not followed: read the imported ontology on its own",
    "DisjointUnion": "kept as disjoint subclasses; that they cover the whole was left out",
    "AnnotationAssertion": "only rdfs:label is kept of what is said about names",
    "OntologyAnnotation": "annotations of the ontology are not kept",
    "Annotation": "only labels, comments and sources are kept of what is said about axioms",
    "DeclareDataProperty": "data properties are not part of SEL",
    "DeclareDatatype": "data types are not part of SEL",
}


@dataclass(frozen=True, slots=True)
class Loss:
    """Something that SEL does not have, and why it was left out."""

    kind: str
    reason: str
    logical: bool = True


@dataclass(frozen=True, slots=True)
class Outcome:
    """What is left of one OWL axiom, and what is not."""

    axioms: tuple[Axiom, ...] = ()
    losses: tuple[Loss, ...] = ()


def left_out(kind: str, *, logical: bool = True) -> Outcome:
    """The outcome of an axiom of a kind that SEL does not have."""
    return Outcome(losses=(Loss(kind, _REASONS.get(kind, "not part of SEL"), logical),))


def sub_class_of(left: Expression, right: Expression) -> Outcome:
    """`SubClassOf`: what SEL can say of the right-hand side, if it can say all of the left."""
    if left.empty:
        return _tautology("SubClassOf")
    if not left.exact:
        return _unsaid("SubClassOf", left.lost)
    return _weakened("SubClassOf", right, Inclusion(left.concept, right.concept))


def equivalent_classes(members: Sequence[Expression]) -> Outcome:
    """`EquivalentClasses`: an equivalence, or inclusions into ⊥ if one of them is empty.

    Of a member that SEL cannot say, the others stay below what SEL can say of it.
    """
    exact = _distinct(member.concept for member in members if member.exact and not member.empty)
    vague = [member for member in members if not member.exact and not member.empty]
    kept: list[Axiom] = []
    if any(member.empty for member in members):
        kept.extend(Inclusion(concept, BOTTOM) for concept in exact)
    elif exact:
        said = [member.concept for member in vague if member.concept != TOP]
        kept.extend(Inclusion(exact[0], concept) for concept in said)
        if len(exact) > 1:
            kept.append(Equivalence(*exact))
    return _remaining("EquivalentClasses", kept, vague)


def connected(equivalences: Iterable[Sequence[Expression]]) -> list[list[Expression]]:
    """Equivalences that share a member, joined: all their members are equivalent."""
    joined: list[list[Expression]] = []
    for members in equivalences:
        touching = [
            expressions for expressions in joined if not set(expressions).isdisjoint(members)
        ]
        joined = [expressions for expressions in joined if expressions not in touching]
        joined.append([member for expressions in (*touching, members) for member in expressions])
    return joined


def disjoint_classes(members: Sequence[Expression]) -> Outcome:
    """`DisjointClasses`: the disjointness of those members that SEL can say.

    A class that is disjoint with itself is empty.
    """
    said = [member.concept for member in members if member.exact and not member.empty]
    vague = [member for member in members if not member.exact and not member.empty]
    kept: list[Axiom] = [
        Inclusion(concept, BOTTOM) for concept, times in Counter(said).items() if times > 1
    ]
    distinct = _distinct(said)
    if len(distinct) > 1:
        kept.append(Disjointness(*distinct))
    return _remaining("DisjointClasses", kept, vague)


def disjoint_union(whole: Expression, parts: Sequence[Expression]) -> Outcome:
    """`DisjointUnion`: the parts are disjoint subclasses; that they cover the whole is lost."""
    outcomes = [disjoint_classes(parts), *(sub_class_of(part, whole) for part in parts)]
    losses = [
        Loss("DisjointUnion", loss.reason)
        for outcome in outcomes
        for loss in outcome.losses
        if loss.logical
    ]
    return Outcome(
        tuple(axiom for outcome in outcomes for axiom in outcome.axioms),
        tuple(losses[:1]) or left_out("DisjointUnion").losses,
    )


def sub_property_of(sub: RoleExpression, sup: RoleExpression) -> Outcome:
    """`SubObjectPropertyOf` between named roles."""
    if sub.role is None or sup.role is None:
        return _unsaid("SubObjectPropertyOf", (sub.lost or sup.lost,))
    return Outcome((RoleInclusion(sub.role, sup.role),))


def equivalent_properties(members: Sequence[RoleExpression]) -> Outcome:
    """`EquivalentObjectProperties`: a cycle of role inclusions."""
    roles = list(dict.fromkeys(member.role for member in members if member.role is not None))
    lost = tuple(member.lost for member in members if member.role is None)
    cycle = tuple(
        RoleInclusion(role, roles[(place + 1) % len(roles)])
        for place, role in enumerate(roles)
        if len(roles) > 1
    )
    if lost:
        return Outcome(cycle, _unsaid("EquivalentObjectProperties", lost).losses)
    return Outcome(cycle) if cycle else _tautology("EquivalentObjectProperties")


def property_end(kind: type[Domain | Range], role: RoleExpression, concept: Expression) -> Outcome:
    """`ObjectPropertyDomain` or `ObjectPropertyRange` of a named role."""
    name = f"ObjectProperty{kind.__name__}"
    if role.role is None:
        return _unsaid(name, (role.lost,))
    return _weakened(name, concept, kind(role.role, concept.concept))


def class_assertion(concept: Expression, individual: Individual | None) -> Outcome:
    """`ClassAssertion`; to be an instance of ⊥ is a contradiction, which ⊤ ⊑ ⊥ says too."""
    if concept.empty:
        return Outcome((Inclusion(TOP, BOTTOM),))
    if individual is None:
        return Outcome(losses=(Loss("ClassAssertion", ANONYMOUS),))
    if concept.link is not None:
        role, target = concept.link
        return Outcome((RoleAssertion(role, individual, target),))
    return _weakened("ClassAssertion", concept, ConceptAssertion(concept.concept, individual))


def property_assertion(
    role: RoleExpression, subject: Individual | None, target: Individual | None
) -> Outcome:
    """`ObjectPropertyAssertion` between named individuals."""
    if role.role is None:
        return _unsaid("ObjectPropertyAssertion", (role.lost,))
    if subject is None or target is None:
        return Outcome(losses=(Loss("ObjectPropertyAssertion", ANONYMOUS),))
    return Outcome((RoleAssertion(role.role, subject, target),))


READINGS: Final[Mapping[str, Callable[..., Outcome]]] = {
    "SubClassOf": sub_class_of,
    "EquivalentClasses": equivalent_classes,
    "DisjointClasses": disjoint_classes,
    "DisjointUnion": disjoint_union,
    "SubObjectPropertyOf": sub_property_of,
    "EquivalentObjectProperties": equivalent_properties,
    "ObjectPropertyDomain": partial(property_end, Domain),
    "ObjectPropertyRange": partial(property_end, Range),
    "ClassAssertion": class_assertion,
    "ObjectPropertyAssertion": property_assertion,
}
"""What reads the parts of an axiom, for each kind that SEL has."""


def unsaid_reason(lost: Iterable[str]) -> str:
    """Why an axiom with these constructs was left out."""
    return f"uses {' and '.join(sorted(set(lost)))}, not part of SEL"


def _unsaid(kind: str, lost: Iterable[str]) -> Outcome:
    return Outcome(losses=(Loss(kind, unsaid_reason(lost)),))


def _tautology(kind: str) -> Outcome:
    return Outcome(losses=(Loss(kind, TAUTOLOGY, logical=False),))


def _weakened(kind: str, said: Expression, axiom: Axiom) -> Outcome:
    """An axiom about an expression in a positive place, of which only a part may be said."""
    if said.exact:
        return Outcome((axiom,))
    if said.concept == TOP:
        return _unsaid(kind, said.lost)
    return Outcome((axiom,), tuple(Loss(lost, INSIDE) for lost in said.lost))


def _remaining(kind: str, kept: list[Axiom], vague: Sequence[Expression]) -> Outcome:
    """What is left of a symmetric axiom, some members of which SEL cannot say."""
    if not vague:
        return Outcome(tuple(kept)) if kept else _tautology(kind)
    reason = unsaid_reason(lost for member in vague for lost in member.lost)
    return Outcome(tuple(kept), (Loss(kind, f"{reason}; kept in part" if kept else reason),))


def _distinct(concepts: Iterable[Concept]) -> list[Concept]:
    return list(dict.fromkeys(concepts))
