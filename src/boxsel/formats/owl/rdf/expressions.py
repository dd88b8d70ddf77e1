"""Class expressions in an RDF graph (the OWL 2 mapping, table 13), and what properties are.

Built from the inside out with a stack of its own: a graph may nest them deeper than Python
can recurse, and blank nodes may even form a cycle.
"""

from __future__ import annotations

import typing
from typing import Final

from boxsel.errors import Diagnostic, ReadError
from boxsel.formats.owl import expressions
from boxsel.formats.owl.expressions import Expression, RoleExpression
from boxsel.formats.owl.iris import OBO_IN_OWL, OWL, RDF, RDFS, XSD
from boxsel.formats.owl.rdf.graph import TYPE, Graph, Literal, Node, is_blank
from boxsel.formats.owl.reading import Collector
from boxsel.formats.owl.wellformed import MAX_NESTING, too_deep
from boxsel.formats.source import Source
from boxsel.logic.concepts import Individual
from boxsel.logic.names import TOP_IRI

INTERSECTION: Final = OWL + "intersectionOf"
ON_PROPERTY: Final = OWL + "onProperty"
SOME: Final = OWL + "someValuesFrom"
INVERSE: Final = OWL + "inverseOf"
DATATYPE: Final = RDFS + "Datatype"

NAMED_DEFINITIONS: Final = {
    INTERSECTION: "ObjectIntersectionOf",
    OWL + "unionOf": "ObjectUnionOf",
    OWL + "complementOf": "ObjectComplementOf",
    OWL + "oneOf": "ObjectOneOf",
}
"""What describes a class by others; in OWL 1 also of a named class, which it then defines."""

_AT_LEAST: Final = (OWL + "minCardinality", OWL + "minQualifiedCardinality")
_EXACTLY: Final = (OWL + "cardinality", OWL + "qualifiedCardinality")
_RESTRICTIONS: Final = {
    OWL + "allValuesFrom": "AllValuesFrom",
    OWL + "hasValue": "HasValue",
    OWL + "hasSelf": "HasSelf",
    OWL + "maxCardinality": "MaxCardinality",
    OWL + "maxQualifiedCardinality": "MaxCardinality",
    OWL + "cardinality": "ExactCardinality",
    OWL + "qualifiedCardinality": "ExactCardinality",
    OWL + "minCardinality": "MinCardinality",
    OWL + "minQualifiedCardinality": "MinCardinality",
    SOME: "SomeValuesFrom",
}
STRUCTURE: Final = frozenset(
    {ON_PROPERTY, *_RESTRICTIONS}
    | {OWL + name for name in ("onClass", "onDataRange", "onDatatype", "withRestrictions")}
    | {OWL + "datatypeComplementOf", OWL + "onProperties"}
)
"""Predicates that only ever build expressions."""

_MAX_SIZE: Final = 1_000_000
_UNREADABLE: Final = "an anonymous class without a description"
_CYCLE: Final = "a class that is described by itself"


class GraphExpressions:
    """The class expressions of a graph, each built once."""

    def __init__(self, graph: Graph, collector: Collector, source: Source) -> None:
        self._graph = graph
        self._names = collector.names
        self._source = source
        self._built: dict[Node, Expression] = {}
        self._measures: dict[Node, tuple[int, int]] = {}
        self.data_properties: set[Node] = set()
        self.datatypes: set[Node] = set()

    def build(self, node: Node) -> Expression:
        """The class expression at a node."""
        if isinstance(node, Literal):
            return expressions.foreign("a literal where a class is expected")
        if not is_blank(node):
            return self._names.concept(node)
        if node in self._built:
            return self._built[node]
        stack: list[Node] = [node]
        entered: set[Node] = set()
        while stack:
            top = stack[-1]
            inner = [one for one in self._inner(top) if is_blank(one) and one not in self._built]
            if top not in self._built and top not in entered and inner:
                entered.add(top)
                stack.extend(inner)
                continue
            stack.pop()
            if top not in self._built:
                # What is entered and still has something unbuilt inside lies on a cycle.
                self._built[top] = expressions.foreign(_CYCLE) if inner else self._assemble(top)
                self._measure(top)
        return self._built[node]

    def role(self, node: Node) -> RoleExpression:
        """The object property expression at a node."""
        if isinstance(node, str) and not is_blank(node):
            return self._names.role(node)
        return RoleExpression(None, "ObjectInverseOf")

    def individual(self, node: Node | None) -> Individual | None:
        """The named individual at a node, if there is one."""
        if not isinstance(node, str) or is_blank(node):
            return None
        return self._names.individual(node)

    def is_datatype(self, node: Node) -> bool:
        """Whether a node is a data type or a data range."""
        if not isinstance(node, str):
            return True
        if is_blank(node):
            types = self._graph.values(node, TYPE)
            return DATATYPE in types or OWL + "DataRange" in types
        return node in self.datatypes or node.startswith(XSD) or node == RDFS + "Literal"

    def _inner(self, node: Node) -> list[Node]:
        """The class expressions directly inside one, as far as SEL is interested in them."""
        head = self._graph.value(node, INTERSECTION)
        inner = (self._graph.items(head) or []) if head is not None else []
        inner.extend(self._graph.values(node, SOME))
        inner.extend(self._graph.values(node, OWL + "onClass"))
        return inner

    def definition(self, predicate: str, value: Node) -> Expression:
        """The expression that one of `NAMED_DEFINITIONS` gives."""
        kind = NAMED_DEFINITIONS[predicate]
        items = self._graph.items(value)
        if items is None and kind != "ObjectComplementOf":
            return expressions.foreign("a broken list")
        if kind == "ObjectIntersectionOf":
            return expressions.intersection(self.build(item) for item in items or ())
        return expressions.foreign(kind)

    def _assemble(self, node: Node) -> Expression:
        """An expression whose inner ones are built."""
        if self._graph.value(node, ON_PROPERTY) is not None:
            return self._restriction(node)
        for predicate in NAMED_DEFINITIONS:
            value = self._graph.value(node, predicate)
            if value is not None:
                return self.definition(predicate, value)
        return expressions.foreign(_UNREADABLE)

    def _restriction(self, node: Node) -> Expression:
        graph = self._graph
        on = graph.value(node, ON_PROPERTY)
        assert on is not None
        restriction = next(
            (one for one in _RESTRICTIONS if graph.value(node, one) is not None), None
        )
        if restriction is None:
            return expressions.foreign(_UNREADABLE)
        value = graph.value(node, restriction)
        assert value is not None
        filler = graph.value(node, OWL + "onClass") or TOP_IRI
        is_data = on in self.data_properties or (restriction == SOME and self.is_datatype(value))
        if is_data or graph.value(node, OWL + "onDataRange") is not None:
            return expressions.foreign(f"Data{_RESTRICTIONS[restriction]}")
        role = self.role(on)
        if restriction == SOME:
            return expressions.existential(role, self.build(value))
        if restriction == OWL + "hasValue":
            return expressions.has_value(role, self.individual(value))
        if restriction == OWL + "hasSelf":
            return expressions.has_self(role)
        number = _number(value)
        if restriction in _AT_LEAST and number is not None:
            return expressions.at_least(number, role, self.build(filler))
        if restriction in _EXACTLY and number is not None:
            return expressions.exactly(number, role, self.build(filler))
        return expressions.foreign(f"Object{_RESTRICTIONS[restriction]}")

    def _measure(self, node: Node) -> None:
        """Refuse what is too deep, or what few shared nodes make too large to be spelt out."""
        inner = [self._measures.get(one, (0, 1)) for one in self._inner(node)]
        depth = 1 + max((depth for depth, _ in inner), default=0)
        size = 1 + sum(size for _, size in inner)
        if depth > MAX_NESTING:
            too_deep(self._source)
        if size > _MAX_SIZE:
            message = f"a class expression spelt out has more than {_MAX_SIZE:,} parts"
            raise ReadError(Diagnostic(message, file=self._source.file))
        self._measures[node] = depth, size


def _number(value: Node) -> int | None:
    if isinstance(value, Literal) and value.text.strip().isdecimal() and len(value.text) < 20:
        return int(value.text)
    return None


Kind = typing.Literal["object", "data", "annotation"]

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
