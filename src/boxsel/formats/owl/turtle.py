"""OWL 2 in Turtle."""

from __future__ import annotations

import pyoxigraph as ox

from boxsel.formats.owl.rdf.graph import parse_graph
from boxsel.formats.owl.rdf.reading import graph_kb
from boxsel.formats.owl.rdf.writing import serialised
from boxsel.formats.owl.wellformed import TURTLE, check_nesting
from boxsel.formats.owl.writing import owl_ontology
from boxsel.formats.source import Source
from boxsel.logic.kb import KB


def read(source: Source) -> KB:
    """The knowledge base in a Turtle file.

    Examples:
        >>> text = b"<urn:a:A> <http://www.w3.org/2000/01/rdf-schema#subClassOf> <urn:a:B> ."
        >>> print(*read(Source("kb.ttl", text)))
        <urn:a:A> SubClassOf <urn:a:B>
    """
    check_nesting(source.text, TURTLE, source)
    graph = parse_graph(source.text.encode(), ox.RdfFormat.TURTLE, source)
    return graph_kb(graph, graph.prefixes, source)


def write(kb: KB) -> str:
    """The knowledge base as an ontology in Turtle.

    Examples:
        >>> from boxsel.logic.concepts import names
        >>> A, B = names("A B")
        >>> kb = KB.of(A <= B)
        >>> read(Source("kb.ttl", write(kb).encode())) == kb
        True
    """
    return serialised(owl_ontology(kb), kb.prefixes, ox.RdfFormat.TURTLE)
