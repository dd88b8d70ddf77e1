"""From the triples of an RDF graph to the collector (the OWL 2 mapping to RDF graphs).

Every triple is accounted for: it is part of a class expression, makes an axiom, is an
annotation, or is counted as something that was left out.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Final

from boxsel.errors import Diagnostic, ReadError
from boxsel.formats.owl.iris import readable_prefixes
from boxsel.formats.owl.rdf.axioms import NODE_PARTS, NODES, PREDICATES, UNRECOGNISED, Context
from boxsel.formats.owl.rdf.expressions import (
    CHARACTERISTICS,
    DATATYPE,
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
from boxsel.formats.owl.vocabulary import OWL, RDF, RDFS, SWRL, XSD
from boxsel.formats.source import Source
from boxsel.logic.kb import KB
from boxsel.logic.names import BOTTOM_IRI, TOP_IRI
from boxsel.machine.progress import track

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
    def __init__(self, graph: Graph, collector: Collector, source: Source) -> None:
        classes = GraphExpressions(graph, collector, source)
        self._on = Context(graph, collector, classes, Properties(graph, classes))
        self._types: dict[Resource, list[Node]] = {}
        for subject, predicate, value in graph:
            if predicate == TYPE:
                self._types.setdefault(subject, []).append(value)
        nodes = [subject for subject, types in self._types.items() if AXIOM in types]
        self._annotations = AxiomAnnotations(graph, nodes)

    def read(self) -> None:
        for _ in range(self._annotations.malformed):
            self._on.to.leave_out("Annotation", logical=False)
        for subject, predicate, value in self._annotations.adopt(self._on.graph, self._meaning):
            self._triple(subject, predicate, value)
        subjects = self._on.graph.subjects
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
                NODES[node_type](self._on, subject, notes)
            else:
                for predicate, value in pairs:
                    self._triple(subject, predicate, value)

    def _meaning(self, node: Node) -> Hashable:
        """Anonymous classes mean the same if they describe the same."""
        return self._on.classes.build(node) if is_blank(node) else node

    def _header(self, pairs: list[tuple[str, Node]]) -> None:
        for predicate, value in pairs:
            if predicate == OWL + "imports":
                self._on.to.leave_out("Import")
            elif predicate not in (TYPE, OWL + "versionIRI"):
                self._on.to.ontology_annotation(annotation(predicate, value))

    def _triple(self, subject: Resource, predicate: str, value: Node) -> None:
        for notes in self._annotations.of((subject, predicate, value)):
            if predicate == TYPE:
                self._type(subject, value, notes)
            elif handler := PREDICATES.get(predicate):
                handler(self._on, subject, value, notes)
            elif predicate not in _SILENT_PREDICATES and not predicate.startswith((XSD, SWRL)):
                self._fact(subject, predicate, value, notes)

    def _type(self, subject: Resource, value: Node, notes: Annotations) -> None:
        to = self._on.to
        if not isinstance(value, str):
            to.lose(UNRECOGNISED)
        elif value in CHARACTERISTICS or value == OWL + "FunctionalProperty":
            self._characteristic(subject, value, notes)
        elif value == SWRL + "Imp":
            to.leave_out("DLSafeRule")
        elif not is_blank(subject) and value in _DECLARATIONS:
            to.declare(_DECLARATIONS[value], subject)
        elif value in (TOP_IRI, BOTTOM_IRI) or not value.startswith((OWL, RDF, RDFS, SWRL)):
            parts = self._on.classes.build(value), self._on.classes.individual(subject)
            to.axiom("ClassAssertion", notes, *parts)
        elif value.startswith(OWL) and value not in _SILENT_TYPES:
            to.lose(UNRECOGNISED)

    def _characteristic(self, subject: Resource, value: Resource, notes: Annotations) -> None:
        """Transitivity and the like; all but functionality make a property a role."""
        if value in CHARACTERISTICS:
            if not is_blank(subject):
                self._on.to.declare("DeclareObjectProperty", subject)
            self._on.to.leave_out(CHARACTERISTICS[value], notes)
        else:
            is_data = self._on.properties.kind(subject) == "data"
            self._on.to.leave_out(f"Functional{'Data' if is_data else 'Object'}Property", notes)

    def _fact(self, subject: Resource, predicate: str, value: Node, notes: Annotations) -> None:
        """What is said of something by a property that is not OWL's: a link or an annotation."""
        on = self._on
        declared = on.properties.declared(predicate)
        is_individual = self._is_individual(subject)
        if (
            declared is None
            and predicate.startswith(OWL)
            and not on.properties.annotates(predicate)
        ):
            on.to.lose(UNRECOGNISED)
        elif declared == "data":
            on.to.leave_out("DataPropertyAssertion", notes)
        elif on.properties.annotates(predicate) and not (declared == "object" and is_individual):
            self._annotation(subject, predicate, value)
        elif declared == "object" or (is_individual and not isinstance(value, Literal)):
            role = on.classes.role(predicate)
            ends = on.classes.individual(subject), on.classes.individual(value)
            on.to.axiom("ObjectPropertyAssertion", notes, role, *ends)
        else:
            self._annotation(subject, predicate, value)

    def _annotation(self, subject: Resource, predicate: str, value: Node) -> None:
        named = None if is_blank(subject) else subject
        self._on.to.annotation_assertion(named, annotation(predicate, value))

    def _is_individual(self, subject: Resource) -> bool:
        """Whether something is said to be an instance of a class of the file."""
        return any(
            kind in (OWL + "NamedIndividual", TOP_IRI)
            or not (isinstance(kind, str) and kind.startswith((OWL, RDF, RDFS, SWRL)))
            for kind in self._types.get(subject, ())
        )
