"""A knowledge base as OWL axioms, before any serialisation spells them.

The parts of an axiom are concepts, roles and individuals of the logic: their translation
into OWL is plain, and each serialisation does it in its own spelling.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

from boxsel.formats.data_form import data_text
from boxsel.formats.owl.annotations import (
    Annotation,
    note_annotations,
    omission_annotation,
    proportion_annotations,
)
from boxsel.formats.owl.iris import DATA, LABEL, OWN_PROPERTIES, SOURCE
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
from boxsel.logic.concepts import And, Concept, Entity, Individual, Name, Role
from boxsel.logic.kb import KB
from boxsel.logic.statements import Statement

AXIOM_TAGS: dict[type[Axiom], str] = {
    Conditional: "SubClassOf",
    Inclusion: "SubClassOf",
    Equivalence: "EquivalentClasses",
    Disjointness: "DisjointClasses",
    RoleInclusion: "SubObjectPropertyOf",
    Domain: "ObjectPropertyDomain",
    Range: "ObjectPropertyRange",
    ConceptAssertion: "ClassAssertion",
    RoleAssertion: "ObjectPropertyAssertion",
}
"""The OWL axiom that carries each kind of axiom."""

ENTITY_TAGS: dict[type[Entity], str] = {
    Name: "Class",
    Role: "ObjectProperty",
    Individual: "NamedIndividual",
}


@dataclass(frozen=True, slots=True)
class Both:
    """An intersection of exactly these two, not flattened: the body and head of a conditional."""

    first: Concept
    second: Concept


Part = Concept | Role | Individual | Both


@dataclass(frozen=True, slots=True)
class OwlAxiom:
    """An axiom of OWL: its name in functional syntax, its annotations and its parts."""

    tag: str
    annotations: tuple[Annotation, ...]
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class OwlOntology:
    """What every serialisation writes down."""

    annotations: tuple[Annotation, ...]
    entities: tuple[Entity, ...]
    annotation_properties: tuple[str, ...]
    labels: tuple[tuple[str, Annotation], ...]
    axioms: tuple[OwlAxiom, ...]


def owl_ontology(kb: KB) -> OwlOntology:
    """The knowledge base as an ontology; statements that are repeated are written once."""
    axioms = tuple(owl_axiom(statement) for statement in dict.fromkeys(kb.statements))
    said = [omission_annotation(dropped) for dropped in kb.dropped]
    if kb.data is not None:
        said.append(Annotation(DATA, data_text(kb.data)))
    used = {annotation.property for axiom in axioms for annotation in axiom.annotations}
    used.update(annotation.property for annotation in said)
    return OwlOntology(
        annotations=tuple(said),
        entities=tuple(kb.signature),
        annotation_properties=tuple(sorted(used & (OWN_PROPERTIES | {SOURCE}))),
        labels=tuple((iri, Annotation(LABEL, label)) for iri, label in kb.labels.items()),
        axioms=axioms,
    )


def owl_axiom(statement: Statement) -> OwlAxiom:
    """The OWL axiom that carries a statement.

    Examples:
        >>> from boxsel.logic.concepts import names
        >>> A, B = names("A B")
        >>> owl_axiom(Statement(A <= B)).tag
        'SubClassOf'
    """
    axiom = statement.axiom
    notes = note_annotations(statement.note)
    if isinstance(axiom, Conditional):
        notes = proportion_annotations(axiom.proportion) + notes
    return OwlAxiom(AXIOM_TAGS[type(axiom)], tuple(notes), _parts(axiom))


def texts(ontology: OwlOntology) -> Iterator[str]:
    """Every text that a user wrote: XML cannot hold all of them."""
    annotated = chain(ontology.annotations, (label for _, label in ontology.labels))
    for annotation in chain(annotated, *(axiom.annotations for axiom in ontology.axioms)):
        yield annotation.text


def conjoined(part: And | Both) -> tuple[Concept, ...]:
    """The operands of an intersection."""
    return part.operands if isinstance(part, And) else (part.first, part.second)


def _parts(axiom: Axiom) -> tuple[Part, ...]:
    match axiom:
        case Conditional(head, body):
            return Both(body, head), body
        case Inclusion() | Equivalence() | Disjointness():
            return axiom.concepts()
        case Domain() | Range():
            return axiom.role, axiom.concept
        case ConceptAssertion():
            return axiom.concept, axiom.individual
        case _:
            return *axiom.roles(), *axiom.individuals()
