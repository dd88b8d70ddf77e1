"""RDF graphs, parsed by pyoxigraph and indexed by subject, and the annotations in them.

An `owl:Axiom` node points at a triple and annotates it. One triple may have several such
nodes: each stands for one axiom with its own annotations.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, field
from typing import Final

import pyoxigraph as ox

from boxsel.errors import Diagnostic, ReadError
from boxsel.formats.owl.annotations import Annotation
from boxsel.formats.owl.iris import NO_BASE, OWL, RDF
from boxsel.formats.source import Source

FIRST: Final = RDF + "first"
REST: Final = RDF + "rest"
NIL: Final = RDF + "nil"
TYPE: Final = RDF + "type"


@dataclass(frozen=True, slots=True)
class Literal:
    """A literal: its text and, if it has one, its language."""

    text: str
    language: str = ""


Resource = str
"""An IRI as it is, or a blank node with `_:` before its name."""

Node = Resource | Literal
Triple = tuple[Resource, str, Node]


def is_blank(node: Node) -> bool:
    """Whether a node is a blank one."""
    return isinstance(node, str) and node.startswith("_:")


@dataclass(frozen=True, slots=True)
class Graph:
    """The triples of a file by subject, in the order of the file."""

    subjects: dict[Resource, list[tuple[str, Node]]]
    prefixes: dict[str, str] = field(default_factory=dict)

    def __iter__(self) -> Iterator[Triple]:
        for subject, pairs in self.subjects.items():
            for predicate, value in pairs:
                yield subject, predicate, value

    def values(self, subject: Node, predicate: str) -> list[Node]:
        """All values of a property of a node."""
        if not isinstance(subject, str):
            return []
        return [value for name, value in self.subjects.get(subject, ()) if name == predicate]

    def value(self, subject: Node, predicate: str) -> Node | None:
        """The value of a property of a node: the first, if there are several."""
        return next(iter(self.values(subject, predicate)), None)

    def items(self, head: Node) -> list[Node] | None:
        """The items of an RDF list; `None` if it is broken."""
        items: list[Node] = []
        seen: set[Node] = set()
        while head != NIL:
            first, rest = self.value(head, FIRST), self.value(head, REST)
            if first is None or rest is None or head in seen:
                return None
            seen.add(head)
            items.append(first)
            head = rest
        return items


def parse_graph(data: bytes, syntax: ox.RdfFormat, source: Source) -> Graph:
    """The graph in a file; IRIs are not checked here, since most are never names."""
    subjects: dict[Resource, list[tuple[str, Node]]] = {}
    try:
        # The base completes no name (see NO_BASE): it lets the ontology call itself "".
        parser = ox.parse(data, format=syntax, base_iri=NO_BASE, lenient=True)
        for quad in parser:
            subject = _node(quad.subject)
            pair = (quad.predicate.value, _node(quad.object))
            assert isinstance(subject, str)
            subjects.setdefault(subject, []).append(pair)
        prefixes = dict(parser.prefixes)
    except SyntaxError as error:
        raise ReadError(_diagnosis(error, source)) from None
    except MemoryError as error:  # also what the parser calls its limit on one token
        message = f"a name or literal is too long to be read: {error}"
        raise ReadError(Diagnostic(message, file=source.file)) from None
    except TypeError:
        message = "a triple inside a triple (RDF-star) is not part of OWL"
        raise ReadError(Diagnostic(message, file=source.file)) from None
    return Graph(subjects, prefixes)


def _node(term: object) -> Node:
    if isinstance(term, ox.NamedNode):
        return term.value
    if isinstance(term, ox.BlankNode):
        return f"_:{term.value}"
    if isinstance(term, ox.Literal):
        return Literal(term.value, term.language or "")
    raise TypeError(term)


def _diagnosis(error: SyntaxError, source: Source) -> Diagnostic:
    """The parser repeats the place in its message: it is said once."""
    line, column = error.lineno, error.offset
    message = str(error.msg).partition(": ")[2] if line else str(error.msg)
    text = source.text.split("\n")[line - 1].rstrip("\r") if line else None
    return Diagnostic(
        message or str(error.msg), file=source.file, line=line, column=column, text=text
    )


AXIOM: Final = OWL + "Axiom"
SOURCE: Final = OWL + "annotatedSource"
PROPERTY: Final = OWL + "annotatedProperty"
TARGET: Final = OWL + "annotatedTarget"

Annotations = tuple[Annotation, ...]


def annotation(predicate: str, value: Node) -> Annotation:
    """The annotation that a triple makes."""
    if isinstance(value, Literal):
        return Annotation(predicate, value.text, value.language)
    return Annotation(predicate, value)


class AxiomAnnotations:
    """The annotations of the axioms in a graph, by triple."""

    def __init__(self, graph: Graph, nodes: list[str]) -> None:
        self._blocks: dict[Triple, list[Annotations]] = {}
        self.malformed = 0
        for node in nodes:
            ends = [graph.value(node, end) for end in (SOURCE, PROPERTY, TARGET)]
            subject, predicate, value = ends
            if not isinstance(subject, str) or not isinstance(predicate, str) or value is None:
                self.malformed += 1
                continue
            said = tuple(
                annotation(name, one)
                for name, one in graph.subjects[node]
                if name not in (TYPE, SOURCE, PROPERTY, TARGET)
            )
            self._blocks.setdefault((subject, predicate, value), []).append(said)

    def of(self, triple: Triple) -> list[Annotations]:
        """The annotations of the axioms that a triple stands for: at least one, maybe bare."""
        return self._blocks.get(triple) or [()]

    def adopt(self, graph: Graph, meaning: Callable[[Node], Hashable]) -> list[Triple]:
        """Give annotations of triples that the graph lacks to those that mean the same.

        Some tools repeat an anonymous class in the annotation instead of pointing at it. The
        triples that nothing stands in for are returned.
        """
        asserted = set(graph)
        orphans = [triple for triple in self._blocks if triple not in asserted]
        if not orphans:
            return []
        predicates = {predicate for _, predicate, _ in orphans}
        twins: dict[Hashable, Triple] = {}
        for triple in graph:
            subject, predicate, value = triple
            anonymous = is_blank(subject) or is_blank(value)
            if predicate in predicates and anonymous and triple not in self._blocks:
                twins.setdefault((meaning(subject), predicate, meaning(value)), triple)
        homeless = []
        for triple in orphans:
            subject, predicate, value = triple
            twin = twins.pop((meaning(subject), predicate, meaning(value)), None)
            if twin is None:
                homeless.append(triple)
            else:
                self._blocks[twin] = self._blocks.pop(triple)
        return homeless
