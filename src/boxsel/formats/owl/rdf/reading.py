"""From the triples of an RDF graph to the collector (the OWL 2 mapping to RDF graphs).

Every triple is accounted for: it is part of a class expression, makes an axiom, is an
annotation, or is counted as something that was left out.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Any, Final

from boxsel.errors import Diagnostic, ReadError
from boxsel.formats.owl.axioms import Loss
from boxsel.formats.owl.expressions import RoleExpression
from boxsel.formats.owl.iris import OWL, RDF, RDFS, SWRL, XSD, readable_prefixes
from boxsel.formats.owl.rdf.expressions import (
    CHARACTERISTICS,
    DATATYPE,
    INVERSE,
    NAMED_DEFINITIONS,
    STRUCTURE,
    GraphExpressions,
    Properties,
)
from boxsel.formats.owl.rdf.graph import (
    AXIOM,
    FIRST,
    REST,
    TYPE,
    Annotations,
    AxiomAnnotations,
    Graph,
    Literal,
    Node,
    Resource,
    annotation,
    is_blank,
)
from boxsel.formats.owl.reading import Collector, problems_named
from boxsel.formats.source import Source
from boxsel.logic.kb import KB
from boxsel.logic.names import BOTTOM_IRI, TOP_IRI
from boxsel.machine.progress import track

UNRECOGNISED: Final = Loss("triple", "no axiom of OWL is written like this")
_CHAIN: Final = RoleExpression(None, "ObjectPropertyChain")
MEMBERS: Final = (OWL + "members", OWL + "distinctMembers")


Handler = Callable[["_GraphReader", Resource, Node, Annotations], None]
Parts = Callable[[GraphExpressions, Resource, Node], tuple[Any, ...]]


def _axiom(kind: str, parts: Parts) -> Handler:
    """An axiom of a kind that SEL has."""
    return lambda on, subject, value, notes: on.to.axiom(
        kind, notes, *parts(on.classes, subject, value)
    )


def _equivalent_class(on: _GraphReader, subject: Resource, value: Node, notes: Annotations) -> None:
    if on.classes.is_datatype(subject) or on.classes.is_datatype(value):
        on.to.leave_out("DatatypeDefinition", notes)
    else:
        members = [on.classes.build(subject), on.classes.build(value)]
        on.to.axiom("EquivalentClasses", notes, members)


def _definition(predicate: str) -> Handler:
    """OWL 1 lets a named class be described as if it were anonymous."""

    def read(on: _GraphReader, subject: Resource, value: Node, notes: Annotations) -> None:
        if not is_blank(subject):
            defined = on.classes.definition(predicate, value)
            on.to.axiom("EquivalentClasses", notes, [on.classes.build(subject), defined])

    return read


def _disjoint_union_of(
    on: _GraphReader, subject: Resource, value: Node, notes: Annotations
) -> None:
    parts = on.graph.items(value)
    if parts is None:
        on.to.lose(UNRECOGNISED)
        return
    whole, members = on.classes.build(subject), [on.classes.build(part) for part in parts]
    on.to.axiom("DisjointUnion", notes, whole, members)


def _inverse_of(on: _GraphReader, subject: Resource, _value: Node, notes: Annotations) -> None:
    if not is_blank(subject):
        on.to.leave_out("InverseObjectProperties", notes)


def _left_out(kind: str) -> Handler:
    return lambda on, _subject, _value, notes: on.to.leave_out(kind, notes)


def _about_role(name: str, parts: Parts | None = None) -> Handler:
    """An axiom about a property: SEL may have it if that is a role, and has it if it has parts."""

    def read(on: _GraphReader, subject: Resource, value: Node, notes: Annotations) -> None:
        property_kind = on.properties.kind(subject)
        kind = name.format(property_kind.capitalize())
        if property_kind != "object" or parts is None:
            on.to.leave_out(kind, notes, logical=property_kind != "annotation")
        else:
            on.to.axiom(kind, notes, *parts(on.classes, subject, value))

    return read


def _role_and_class(of: GraphExpressions, subject: Resource, value: Node) -> tuple[Any, ...]:
    return of.role(subject), of.build(value)


PREDICATES: Final[dict[str, Handler]] = {
    RDFS + "subClassOf": _axiom(
        "SubClassOf", lambda of, subject, value: (of.build(subject), of.build(value))
    ),
    OWL + "equivalentClass": _equivalent_class,
    OWL + "disjointWith": _axiom(
        "DisjointClasses", lambda of, subject, value: ([of.build(subject), of.build(value)],)
    ),
    OWL + "disjointUnionOf": _disjoint_union_of,
    OWL + "hasKey": _left_out("HasKey"),
    RDFS + "subPropertyOf": _about_role(
        "Sub{}PropertyOf", lambda of, subject, value: (of.role(subject), of.role(value))
    ),
    OWL + "propertyChainAxiom": _axiom(
        "SubObjectPropertyOf", lambda of, subject, _: (_CHAIN, of.role(subject))
    ),
    OWL + "equivalentProperty": _about_role(
        "Equivalent{}Properties", lambda of, subject, value: ([of.role(subject), of.role(value)],)
    ),
    OWL + "propertyDisjointWith": _about_role("Disjoint{}Properties"),
    INVERSE: _inverse_of,
    RDFS + "domain": _about_role("{}PropertyDomain", _role_and_class),
    RDFS + "range": _about_role("{}PropertyRange", _role_and_class),
    OWL + "sameAs": _left_out("SameIndividual"),
    OWL + "differentFrom": _left_out("DifferentIndividuals"),
    **{predicate: _definition(predicate) for predicate in NAMED_DEFINITIONS},
}
"""The axioms that one triple makes, by its predicate."""


def _all_disjoint_classes(on: _GraphReader, node: Resource, notes: Annotations) -> None:
    members = [on.classes.build(member) for member in _members(on, node)]
    on.to.axiom("DisjointClasses", notes, members)


def _all_disjoint_properties(on: _GraphReader, node: Resource, notes: Annotations) -> None:
    kinds = {on.properties.kind(member) for member in _members(on, node)}
    on.to.leave_out(
        "DisjointDataProperties" if kinds == {"data"} else "DisjointObjectProperties", notes
    )


def _negative_assertion(on: _GraphReader, node: Resource, notes: Annotations) -> None:
    is_data = on.graph.value(node, OWL + "targetValue") is not None
    on.to.leave_out(f"Negative{'Data' if is_data else 'Object'}PropertyAssertion", notes)


def _members(on: _GraphReader, node: Resource) -> list[Node]:
    """The members of an axiom's node; a broken list is counted and has none."""
    for predicate in MEMBERS:
        head = on.graph.value(node, predicate)
        members = on.graph.items(head) if head is not None else None
        if members is not None:
            return members
    on.to.lose(UNRECOGNISED)
    return []


NODES: Final[dict[Node, Callable[[_GraphReader, Resource, Annotations], None]]] = {
    OWL + "AllDisjointClasses": _all_disjoint_classes,
    OWL + "AllDisjointProperties": _all_disjoint_properties,
    OWL + "AllDifferent": lambda on, _node, notes: on.to.leave_out("DifferentIndividuals", notes),
    OWL + "NegativePropertyAssertion": _negative_assertion,
}
"""The axioms that a node makes, by its type."""

NODE_PARTS: Final = frozenset(
    {
        *MEMBERS,
        OWL + "sourceIndividual",
        OWL + "assertionProperty",
        OWL + "targetIndividual",
        OWL + "targetValue",
    }
)
"""Predicates that belong to such nodes; any other there is an annotation of the axiom."""


_ONTOLOGY: Final = OWL + "Ontology"
_CLASSES: Final = frozenset({OWL + "Class", RDFS + "Class", OWL + "DeprecatedClass"})
_DECLARATIONS: Final[dict[Node, str]] = {
    **dict.fromkeys(_CLASSES, "DeclareClass"),
    OWL + "ObjectProperty": "DeclareObjectProperty",
    OWL + "NamedIndividual": "DeclareNamedIndividual",
    OWL + "DatatypeProperty": "DeclareDataProperty",
    OWL + "AnnotationProperty": "DeclareAnnotationProperty",
    OWL + "OntologyProperty": "DeclareAnnotationProperty",
    DATATYPE: "DeclareDatatype",
}
_SILENT_TYPES: Final = _CLASSES | {
    OWL + name for name in ("Restriction", "DataRange", "SelfRestriction", "DeprecatedProperty")
}
_SILENT_PREDICATES: Final = STRUCTURE | {FIRST, REST, RDF + "langRange"}


def graph_kb(graph: Graph, prefixes: Mapping[str, str], source: Source) -> KB:
    """The knowledge base in a graph."""
    if not graph.subjects:
        message = "there is no triple, expected an OWL ontology"
        raise ReadError(Diagnostic(message, file=source.file))
    with problems_named(source):
        collector = Collector()
        _GraphReader(graph, collector, source).read()
        return collector.finish(readable_prefixes(prefixes.items()))


class _GraphReader:
    """Goes through the triples of a graph; what one axiom says is read on it."""

    def __init__(self, graph: Graph, collector: Collector, source: Source) -> None:
        self.graph = graph
        self.to: Collector = collector
        self.classes = GraphExpressions(graph, collector, source)
        self.properties = Properties(graph, self.classes)
        self._types: dict[Resource, list[Node]] = {}
        for subject, predicate, value in graph:
            if predicate == TYPE:
                self._types.setdefault(subject, []).append(value)
        nodes = [subject for subject, types in self._types.items() if AXIOM in types]
        self._annotations = AxiomAnnotations(graph, nodes)

    def read(self) -> None:
        for _ in range(self._annotations.malformed):
            self.to.leave_out("Annotation", logical=False)
        for subject, predicate, value in self._annotations.adopt(self.graph, self._meaning):
            self._triple(subject, predicate, value)
        subjects = self.graph.subjects
        for subject, pairs in track(subjects.items(), "reading axioms", len(subjects)):
            types = self._types.get(subject, [])
            if _ONTOLOGY in types:
                self._header(pairs)
            elif AXIOM in types or OWL + "Annotation" in types:
                continue  # read with the axiom that it annotates
            elif node_type := next((kind for kind in types if kind in NODES), None):
                notes = tuple(
                    annotation(predicate, value)
                    for predicate, value in pairs
                    if predicate != TYPE and predicate not in NODE_PARTS
                )
                NODES[node_type](self, subject, notes)
            else:
                for predicate, value in pairs:
                    self._triple(subject, predicate, value)

    def _meaning(self, node: Node) -> Hashable:
        """Anonymous classes mean the same if they describe the same."""
        return self.classes.build(node) if is_blank(node) else node

    def _header(self, pairs: list[tuple[str, Node]]) -> None:
        for predicate, value in pairs:
            if predicate == OWL + "imports":
                self.to.leave_out("Import")
            elif predicate not in (TYPE, OWL + "versionIRI"):
                self.to.ontology_annotation(annotation(predicate, value))

    def _triple(self, subject: Resource, predicate: str, value: Node) -> None:
        for notes in self._annotations.of((subject, predicate, value)):
            if predicate == TYPE:
                self._type(subject, value, notes)
            elif handler := PREDICATES.get(predicate):
                handler(self, subject, value, notes)
            elif predicate not in _SILENT_PREDICATES and not predicate.startswith((XSD, SWRL)):
                self._fact(subject, predicate, value, notes)

    def _type(self, subject: Resource, value: Node, notes: Annotations) -> None:
        to = self.to
        if not isinstance(value, str):
            to.lose(UNRECOGNISED)
        elif value in CHARACTERISTICS or value == OWL + "FunctionalProperty":
            self._characteristic(subject, value, notes)
        elif value == SWRL + "Imp":
            to.leave_out("DLSafeRule")
        elif not is_blank(subject) and value in _DECLARATIONS:
            to.declare(_DECLARATIONS[value], subject)
        elif value in (TOP_IRI, BOTTOM_IRI) or not value.startswith((OWL, RDF, RDFS, SWRL)):
            parts = self.classes.build(value), self.classes.individual(subject)
            to.axiom("ClassAssertion", notes, *parts)
        elif value.startswith(OWL) and value not in _SILENT_TYPES:
            to.lose(UNRECOGNISED)

    def _characteristic(self, subject: Resource, value: Resource, notes: Annotations) -> None:
        """Transitivity and the like; all but functionality make a property a role."""
        if value in CHARACTERISTICS:
            if not is_blank(subject):
                self.to.declare("DeclareObjectProperty", subject)
            self.to.leave_out(CHARACTERISTICS[value], notes)
        else:
            is_data = self.properties.kind(subject) == "data"
            self.to.leave_out(f"Functional{'Data' if is_data else 'Object'}Property", notes)

    def _fact(self, subject: Resource, predicate: str, value: Node, notes: Annotations) -> None:
        """What is said of something by a property that is not OWL's: a link or an annotation."""
        declared = self.properties.declared(predicate)
        is_individual = self._is_individual(subject)
        if (
            declared is None
            and predicate.startswith(OWL)
            and not self.properties.annotates(predicate)
        ):
            self.to.lose(UNRECOGNISED)
        elif declared == "data":
            self.to.leave_out("DataPropertyAssertion", notes)
        elif self.properties.annotates(predicate) and not (declared == "object" and is_individual):
            self._annotation(subject, predicate, value)
        elif declared == "object" or (is_individual and not isinstance(value, Literal)):
            role = self.classes.role(predicate)
            ends = self.classes.individual(subject), self.classes.individual(value)
            self.to.axiom("ObjectPropertyAssertion", notes, role, *ends)
        else:
            self._annotation(subject, predicate, value)

    def _annotation(self, subject: Resource, predicate: str, value: Node) -> None:
        named = None if is_blank(subject) else subject
        self.to.annotation_assertion(named, annotation(predicate, value))

    def _is_individual(self, subject: Resource) -> bool:
        """Whether something is said to be an instance of a class of the file."""
        return any(
            kind in (OWL + "NamedIndividual", TOP_IRI)
            or not (isinstance(kind, str) and kind.startswith((OWL, RDF, RDFS, SWRL)))
            for kind in self._types.get(subject, ())
        )
