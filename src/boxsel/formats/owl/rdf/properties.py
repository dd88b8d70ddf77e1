"""What the properties of an RDF graph are: object, data or annotation properties."""

from __future__ import annotations

from typing import Final, Literal

from boxsel.formats.owl.rdf.expressions import DATATYPE, GraphExpressions
from boxsel.formats.owl.rdf.graph import TYPE, Graph, Node, is_blank
from boxsel.formats.owl.vocabulary import OBO_IN_OWL, OWL, RDF, RDFS

Kind = Literal["object", "data", "annotation"]

CHARACTERISTICS: Final = {
    OWL + f"{name}Property": f"{name}ObjectProperty"
    for name in (
        "Transitive",
        "Symmetric",
        "Asymmetric",
        "Reflexive",
        "Irreflexive",
        "InverseFunctional",
    )
}
"""Types that only an object property can have."""

_DECLARED: Final[dict[Node, Kind]] = {
    OWL + "ObjectProperty": "object",
    OWL + "DatatypeProperty": "data",
    OWL + "AnnotationProperty": "annotation",
    OWL + "OntologyProperty": "annotation",
    **dict.fromkeys(CHARACTERISTICS, "object"),
}
_PRECEDENCE: Final[tuple[Kind, ...]] = ("data", "object", "annotation")
_ANNOTATION_NAMESPACES: Final = (
    RDF,
    RDFS,
    OBO_IN_OWL,
    "http://purl.org/dc/",
    "http://www.w3.org/2004/02/skos/core#",
)
_OWL_ANNOTATIONS: Final = frozenset(
    OWL + name
    for name in (
        "versionInfo",
        "deprecated",
        "priorVersion",
        "backwardCompatibleWith",
        "incompatibleWith",
    )
)


class Properties:
    """The kinds of the properties of a graph, declared or else guessed from their use."""

    def __init__(self, graph: Graph, classes: GraphExpressions) -> None:
        self._graph = graph
        self._classes = classes
        self._declared: dict[Node, set[Kind]] = {}
        for subject, predicate, value in graph:
            if predicate == TYPE:
                if value == DATATYPE:
                    classes.datatypes.add(subject)
                elif (kind := _DECLARED.get(value)) is not None:
                    self._declared.setdefault(subject, set()).add(kind)
        classes.data_properties.update(
            name for name in self._declared if self.declared(name) == "data"
        )

    def declared(self, name: Node) -> Kind | None:
        """The declared kind.

        OWL forbids a data property that is an object property too. Where a file has one, its
        axioms may not be about a role, so they are left out.
        """
        kinds = self._declared.get(name, set())
        return next((kind for kind in _PRECEDENCE if kind in kinds), None)

    def annotates(self, name: str) -> bool:
        """Whether a property is an annotation property, perhaps besides another kind."""
        if name in self._declared:
            return "annotation" in self._declared[name]
        return name in _OWL_ANNOTATIONS or name.startswith(_ANNOTATION_NAMESPACES)

    def kind(self, name: Node) -> Kind:
        """The kind of a property that an axiom is about."""
        if is_blank(name):
            return "object"
        declared = self.declared(name)
        if declared is not None:
            return declared
        if isinstance(name, str) and self.annotates(name):
            return "annotation"
        ranges = self._graph.values(name, RDFS + "range")
        return "data" if any(map(self._classes.is_datatype, ranges)) else "object"
