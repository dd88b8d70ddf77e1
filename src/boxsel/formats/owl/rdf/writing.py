"""OWL axioms as triples (the OWL 2 mapping to RDF graphs)."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Final

import pyoxigraph as ox

from boxsel.formats.owl.annotations import Annotation
from boxsel.formats.owl.iris import GROUP, LABEL, OWL, RDF, RDFS, spelling, writable_prefixes
from boxsel.formats.owl.rdf.expressions import INTERSECTION, ON_PROPERTY, SOME
from boxsel.formats.owl.rdf.graph import AXIOM, FIRST, NIL, PROPERTY, REST, SOURCE, TARGET, TYPE
from boxsel.formats.owl.writing import ENTITY_TAGS, Both, OwlAxiom, OwlOntology, Part, conjoined
from boxsel.logic.concepts import And, Bottom, Entity, Exists
from boxsel.logic.names import BOTTOM_IRI, TOP_IRI, Prefixes

Resource = ox.NamedNode | ox.BlankNode
_Fact = tuple[Resource, str, Resource]

_PREDICATES: Final = {
    "SubClassOf": RDFS + "subClassOf",
    "EquivalentClasses": OWL + "equivalentClass",
    "DisjointClasses": OWL + "disjointWith",
    "SubObjectPropertyOf": RDFS + "subPropertyOf",
    "ObjectPropertyDomain": RDFS + "domain",
    "ObjectPropertyRange": RDFS + "range",
}
# All parsers of XML agree on ASCII: which other letters a name may hold depends on their age.
_ELEMENT_NAME = re.compile(r"(?:\A|[/#:?&=;,!$'()*+@%~])[A-Za-z0-9_.-]*[A-Za-z_][A-Za-z0-9_.-]*\Z")


def serialised(ontology: OwlOntology, prefixes: Prefixes, syntax: ox.RdfFormat) -> str:
    """An ontology in a syntax of RDF."""
    is_xml = syntax == ox.RdfFormat.RDF_XML
    triples = _GraphWriter(is_xml).write(ontology)
    table = {**writable_prefixes(prefixes), "owl": OWL, "rdf": RDF, "rdfs": RDFS}
    written = ox.serialize(triples, format=syntax, prefixes=table)
    assert written is not None  # it is, unless it goes to a file
    return written.decode()


def added_triples(ontology: OwlOntology, blank: str, *, for_xml: bool) -> list[ox.Triple]:
    """What an ontology says, without a header of its own; blank nodes begin with `blank`."""
    return _GraphWriter(for_xml, blank).add(ontology)


class _GraphWriter:
    """Gathers triples; XML needs predicates that end like the name of an element."""

    def __init__(self, for_xml: bool, blank: str = "b") -> None:
        self._for_xml = for_xml
        self._prefix = blank
        self._triples: list[ox.Triple] = []
        self._facts: dict[_Fact, list[tuple[Annotation, ...]]] = {}
        self._nodes: dict[str, ox.NamedNode] = {}
        self._blank = 0

    def write(self, ontology: OwlOntology) -> list[ox.Triple]:
        header = self._fresh()
        self._say(header, TYPE, self._node(OWL + "Ontology"))
        self._annotate(header, ontology.annotations)
        return self.add(ontology)

    def add(self, ontology: OwlOntology) -> list[ox.Triple]:
        for entity in ontology.entities:
            kind = self._node(OWL + ENTITY_TAGS[type(entity)])
            self._say(self._node(spelling(entity.iri)), TYPE, kind)
        for iri in ontology.annotation_properties:
            self._say(self._node(iri), TYPE, self._node(OWL + "AnnotationProperty"))
        for iri, label in ontology.labels:
            self._say(self._node(spelling(iri)), LABEL, ox.Literal(label.text))
        for axiom in ontology.axioms:
            self._axiom(axiom)
        self._reify()
        return self._triples

    def _axiom(self, axiom: OwlAxiom) -> None:
        if axiom.tag == "ClassAssertion":
            concept, individual = map(self._part, axiom.parts)
            if self._for_xml:
                # A type that comes first is written as an element: let it be one of OWL's.
                self._say(individual, TYPE, self._node(OWL + "NamedIndividual"))
            self._fact(individual, TYPE, concept, axiom.annotations)
        elif axiom.tag == "ObjectPropertyAssertion":
            self._link(axiom)
        elif axiom.tag == "DisjointClasses" and len(axiom.parts) > 2:
            members = self._list([self._part(part) for part in axiom.parts])
            node = self._fresh()
            self._say(node, TYPE, self._node(OWL + "AllDisjointClasses"))
            self._say(node, OWL + "members", members)
            self._annotate(node, axiom.annotations)
        else:
            nodes = [self._part(part) for part in axiom.parts]
            annotations = axiom.annotations
            if len(nodes) > 2:
                self._say(self._node(GROUP), TYPE, self._node(OWL + "AnnotationProperty"))
                annotations = (*annotations, Annotation(GROUP, _group(axiom)))
            for first, second in pairwise(nodes):
                self._fact(first, _PREDICATES[axiom.tag], second, annotations)

    def _link(self, axiom: OwlAxiom) -> None:
        """`r(a, b)`, or `∃r.{b}` of a where XML has no way to write r as an element."""
        role, subject, target = map(self._part, axiom.parts)
        assert isinstance(role, ox.NamedNode)
        if not self._for_xml or _ELEMENT_NAME.search(role.value):
            self._fact(subject, role.value, target, axiom.annotations)
            return
        node = self._fresh()
        self._say(node, TYPE, self._node(OWL + "Restriction"))
        self._say(node, ON_PROPERTY, role)
        self._say(node, OWL + "hasValue", target)
        self._fact(subject, TYPE, node, axiom.annotations)

    def _part(self, part: Part) -> Resource:
        if isinstance(part, Entity):
            return self._node(spelling(part.iri))
        if isinstance(part, And | Both):
            operands = self._list([self._part(operand) for operand in conjoined(part)])
            node = self._fresh()
            self._say(node, TYPE, self._node(OWL + "Class"))
            self._say(node, INTERSECTION, operands)
            return node
        if isinstance(part, Exists):
            filler = self._part(part.filler)
            node = self._fresh()
            self._say(node, TYPE, self._node(OWL + "Restriction"))
            self._say(node, ON_PROPERTY, self._part(part.role))
            self._say(node, SOME, filler)
            return node
        return self._node(BOTTOM_IRI if isinstance(part, Bottom) else TOP_IRI)

    def _list(self, items: Sequence[Resource]) -> Resource:
        rest: Resource = self._node(NIL)
        for item in reversed(items):
            cell = self._fresh()
            self._say(cell, FIRST, item)
            self._say(cell, REST, rest)
            rest = cell
        return rest

    def _fact(
        self,
        subject: Resource,
        predicate: str,
        value: Resource,
        annotations: tuple[Annotation, ...],
    ) -> None:
        fact = (subject, predicate, value)
        if fact not in self._facts:
            self._say(*fact)
        self._facts.setdefault(fact, []).append(annotations)

    def _reify(self) -> None:
        """Attach annotations to the triples that carry axioms.

        Where several statements share a triple, each has a node of its own, also one that
        has nothing to say: or it would be lost among the others.
        """
        for (subject, predicate, value), statements in self._facts.items():
            if statements == [()]:
                continue
            for notes in statements:
                node = self._fresh()
                self._say(node, TYPE, self._node(AXIOM))
                self._say(node, SOURCE, subject)
                self._say(node, PROPERTY, self._node(predicate))
                self._say(node, TARGET, value)
                self._annotate(node, notes)

    def _annotate(self, node: Resource, annotations: Iterable[Annotation]) -> None:
        for annotation in annotations:
            self._say(node, annotation.property, ox.Literal(annotation.text))

    def _say(self, subject: Resource, predicate: str, value: Resource | ox.Literal) -> None:
        self._triples.append(ox.Triple(subject, self._node(predicate), value))

    def _node(self, iri: str) -> ox.NamedNode:
        node = self._nodes.get(iri)
        if node is None:
            node = self._nodes[iri] = ox.NamedNode(iri)
        return node

    def _fresh(self) -> ox.BlankNode:
        self._blank += 1
        return ox.BlankNode(f"{self._prefix}{self._blank}")


def _group(axiom: OwlAxiom) -> str:
    """A name for the pairs of one equivalence, the same in every file that holds it."""
    return hashlib.sha256(repr(axiom).encode()).hexdigest()[:16]
