"""Annotations of axioms in an RDF graph: the `owl:Axiom` nodes that point at a triple.

One triple may have several such nodes: each stands for one axiom with its own annotations.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Final

from boxsel.formats.owl.annotations import Annotation
from boxsel.formats.owl.rdf.graph import TYPE, Graph, Literal, Node, Triple, is_blank
from boxsel.formats.owl.vocabulary import OWL

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
