"""A knowledge base as OWL axioms, before any serialisation spells them.

The parts of an axiom are concepts, roles and individuals of the logic: their translation
into OWL is plain, and each serialisation does it in its own spelling.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from boxsel.formats.data_form import data_text
from boxsel.formats.owl.annotations import (
    Annotation,
    note_annotations,
    omission_annotation,
    proportion_annotations,
)
from boxsel.formats.owl.iris import DATA, LABEL, OWN_PROPERTIES, SOURCE, spelling
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
from boxsel.logic.concepts import And, Bottom, Concept, Entity, Exists, Individual, Name, Role
from boxsel.logic.kb import KB
from boxsel.logic.names import BOTTOM_IRI, TOP_IRI
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


class Node(NamedTuple):
    """A part of an ontology: functional syntax and OWL/XML are this tree in different brackets.

    Inside are further parts, or a text: that of a literal, or an IRI.
    """

    tag: str
    inside: str | tuple[Node, ...]


def statement_nodes(ontology: OwlOntology) -> Iterator[Node]:
    """What an ontology declares and states, tree by tree."""
    for entity in ontology.entities:
        yield Node("Declaration", (_entity_node(entity),))
    for iri in ontology.annotation_properties:
        yield Node("Declaration", (Node("AnnotationProperty", iri),))
    for iri, label in ontology.labels:
        named, literal = annotation_parts(label)
        yield Node("AnnotationAssertion", (named, Node("IRI", spelling(iri)), literal))
    for axiom in ontology.axioms:
        notes = map(annotation_node, axiom.annotations)
        yield Node(axiom.tag, (*notes, *map(_part_node, axiom.parts)))


def annotation_node(annotation: Annotation) -> Node:
    """What is annotated, as a tree."""
    return Node("Annotation", annotation_parts(annotation))


def annotation_parts(annotation: Annotation) -> tuple[Node, Node]:
    """The property and the text of an annotation."""
    return Node("AnnotationProperty", annotation.property), Node("Literal", annotation.text)


@lru_cache(100_000)  # names repeat
def _entity_node(entity: Entity) -> Node:
    return Node(ENTITY_TAGS[type(entity)], spelling(entity.iri))


def _part_node(part: Part) -> Node:
    if isinstance(part, Entity):
        return _entity_node(part)
    if isinstance(part, And | Both):
        return Node("ObjectIntersectionOf", tuple(map(_part_node, conjoined(part))))
    if isinstance(part, Exists):
        return Node("ObjectSomeValuesFrom", (_entity_node(part.role), _part_node(part.filler)))
    return Node("Class", BOTTOM_IRI if isinstance(part, Bottom) else TOP_IRI)


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
