"""OWL 2 in functional syntax."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from boxsel.formats.owl.horned import collect, parse_functional
from boxsel.formats.owl.iris import OWL, RDFS, readable_prefixes, writable_prefixes
from boxsel.formats.owl.reading import Collector, problems_named
from boxsel.formats.owl.writing import (
    Node,
    OwlOntology,
    annotation_node,
    owl_ontology,
    statement_nodes,
)
from boxsel.formats.source import Source
from boxsel.logic.kb import KB
from boxsel.logic.names import Prefixes

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
    printer = _Printer({**writable_prefixes(prefixes), "owl": OWL, "rdfs": RDFS})
    return "".join(f"{line}\n" for line in printer.lines(ontology))


def added_lines(ontology: OwlOntology) -> list[str]:
    """What an ontology says, in lines that stand inside another, whatever its prefixes."""
    return list(map(_Printer({}).node, statement_nodes(ontology)))


class _Printer:
    """Spells axioms with a table of prefixes."""

    def __init__(self, prefixes: Mapping[str, str]) -> None:
        self._prefixes = prefixes
        self._spelt: dict[str, str] = {}

    def lines(self, ontology: OwlOntology) -> Iterator[str]:
        for prefix, namespace in self._prefixes.items():
            yield f"Prefix({prefix}:=<{namespace}>)"
        yield "Ontology("
        yield from map(self.node, map(annotation_node, ontology.annotations))
        yield from map(self.node, statement_nodes(ontology))
        yield ")"

    def node(self, node: Node, around: str = "") -> str:
        """A part of an ontology, around which is another."""
        tag, inside = node
        if isinstance(inside, tuple):
            return f"{tag}({' '.join([self.node(part, tag) for part in inside])})"
        if tag == "Literal":
            return quoted(inside)
        iri = self._spelt.get(inside)
        if iri is None:
            iri = self._spelt[inside] = self._abbreviated(inside)
        return f"{tag}({iri})" if around == "Declaration" else iri

    def _abbreviated(self, iri: str) -> str:
        for prefix, namespace in self._prefixes.items():
            if iri.startswith(namespace) and _LOCAL_NAME.fullmatch(iri, len(namespace)):
                return f"{prefix}:{iri[len(namespace) :]}"
        return f"<{iri}>"


def quoted(text: str) -> str:
    """A string literal."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
