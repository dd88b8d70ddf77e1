"""OWL 2 in functional syntax."""

from __future__ import annotations

import re
from collections.abc import Iterator

from boxsel.formats.owl.annotations import Annotation
from boxsel.formats.owl.horned import collect, parse_functional
from boxsel.formats.owl.iris import LABEL, OWL, RDFS, readable_prefixes, spelling, writable_prefixes
from boxsel.formats.owl.reading import Collector, problems_named
from boxsel.formats.owl.writing import (
    ENTITY_TAGS,
    Both,
    OwlAxiom,
    OwlOntology,
    Part,
    conjoined,
    owl_ontology,
)
from boxsel.formats.source import Source
from boxsel.logic.concepts import And, Bottom, Entity, Exists
from boxsel.logic.kb import KB
from boxsel.logic.names import BOTTOM_IRI, TOP_IRI, Prefixes

_LOCAL_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_-]*")


def read(source: Source) -> KB:
    """The knowledge base in a file in functional syntax.

    Examples:
        >>> text = b"Ontology(SubClassOf(<urn:boxsel:A> <urn:boxsel:B>))"
        >>> print(*read(Source("kb.ofn", text)))
        A SubClassOf B
    """
    with problems_named(source):
        ontology = parse_functional(source.text, source)
        collector = Collector()
        collect(ontology.get_components(), collector)
        return collector.finish(readable_prefixes(ontology.prefix_mapping))


def write(kb: KB) -> str:
    """The knowledge base as an ontology in functional syntax.

    Examples:
        >>> from boxsel.logic.concepts import names
        >>> A, B = names("A B")
        >>> print(write(KB.of(A <= B)))
        Prefix(owl:=<http://www.w3.org/2002/07/owl#>)
        Prefix(rdfs:=<http://www.w3.org/2000/01/rdf-schema#>)
        Ontology(
        Declaration(Class(<urn:boxsel:A>))
        Declaration(Class(<urn:boxsel:B>))
        SubClassOf(<urn:boxsel:A> <urn:boxsel:B>)
        )
        <BLANKLINE>
    """
    return document(owl_ontology(kb), kb.prefixes)


def document(ontology: OwlOntology, prefixes: Prefixes) -> str:
    """An ontology in functional syntax."""
    printer = _Printer(prefixes)
    return "".join(f"{line}\n" for line in printer.lines(ontology))


def added_lines(ontology: OwlOntology) -> list[str]:
    """What an ontology says, in lines that stand inside another, whatever its prefixes."""
    printer = _Printer(None)
    return list(printer.statements(ontology))


class _Printer:
    """Spells axioms with a table of prefixes; without one, with none at all."""

    def __init__(self, prefixes: Prefixes | None) -> None:
        self._prefixes: dict[str, str] = {}
        if prefixes is not None:
            self._prefixes = {**writable_prefixes(prefixes), "owl": OWL, "rdfs": RDFS}
        self._spelt: dict[str, str] = {}

    def lines(self, ontology: OwlOntology) -> Iterator[str]:
        for prefix, namespace in self._prefixes.items():
            yield f"Prefix({prefix}:=<{namespace}>)"
        yield "Ontology("
        yield from map(self._annotation, ontology.annotations)
        yield from self.statements(ontology)
        yield ")"

    def statements(self, ontology: OwlOntology) -> Iterator[str]:
        for entity in ontology.entities:
            yield f"Declaration({ENTITY_TAGS[type(entity)]}({self._iri(entity.iri)}))"
        for iri in ontology.annotation_properties:
            yield f"Declaration(AnnotationProperty({self._abbreviated(iri)}))"
        for iri, label in ontology.labels:
            named = self._abbreviated(LABEL)
            yield f"AnnotationAssertion({named} {self._iri(iri)} {quoted(label.text)})"
        yield from map(self._axiom, ontology.axioms)

    def _axiom(self, axiom: OwlAxiom) -> str:
        words = [*map(self._annotation, axiom.annotations), *map(self._part, axiom.parts)]
        return f"{axiom.tag}({' '.join(words)})"

    def _annotation(self, annotation: Annotation) -> str:
        return f"Annotation({self._abbreviated(annotation.property)} {quoted(annotation.text)})"

    def _part(self, part: Part) -> str:
        if isinstance(part, Entity):
            return self._iri(part.iri)
        if isinstance(part, And | Both):
            return f"ObjectIntersectionOf({' '.join(map(self._part, conjoined(part)))})"
        if isinstance(part, Exists):
            return f"ObjectSomeValuesFrom({self._iri(part.role.iri)} {self._part(part.filler)})"
        return self._abbreviated(BOTTOM_IRI if isinstance(part, Bottom) else TOP_IRI)

    def _iri(self, iri: str) -> str:
        known = self._spelt.get(iri)
        if known is None:
            known = self._spelt[iri] = self._abbreviated(spelling(iri))
        return known

    def _abbreviated(self, iri: str) -> str:
        for prefix, namespace in self._prefixes.items():
            if iri.startswith(namespace) and _LOCAL_NAME.fullmatch(iri, len(namespace)):
                return f"{prefix}:{iri[len(namespace) :]}"
        return f"<{iri}>"


def quoted(text: str) -> str:
    """A string literal."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
