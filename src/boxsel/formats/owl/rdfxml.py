"""OWL 2 in RDF/XML."""

from __future__ import annotations

import re
from typing import Final

import pyoxigraph as ox

from boxsel.formats.owl.iris import RDF
from boxsel.formats.owl.rdf.graph import parse_graph
from boxsel.formats.owl.rdf.reading import graph_kb
from boxsel.formats.owl.rdf.writing import serialised
from boxsel.formats.owl.wellformed import SEPARATOR, expect_root, root_of, xml_text
from boxsel.formats.owl.writing import owl_ontology, texts
from boxsel.formats.source import Source
from boxsel.logic.kb import KB

_ROOT: Final = f"{RDF}{SEPARATOR}RDF"
_ENCODING = re.compile(rb"""\A(\s*<\?xml[^>]*?)\s+encoding\s*=\s*(?:"[^"]*"|'[^']*')""")


def read(source: Source) -> KB:
    """The knowledge base in an RDF/XML file."""
    root = root_of(source)  # the parser of RDF takes a file that is cut short
    expect_root(root, _ROOT, "RDF/XML", source)
    # The text is UTF-8 by now, whatever the file declares.
    data = _ENCODING.sub(rb"\1", source.text.encode())
    graph = parse_graph(data, ox.RdfFormat.RDF_XML, source)
    return graph_kb(graph, root.prefixes, source)


def write(kb: KB) -> str:
    """The knowledge base as an ontology in RDF/XML.

    Examples:
        >>> from boxsel.logic.concepts import names
        >>> A, B = names("A B")
        >>> kb = KB.of(A <= B)
        >>> read(Source("kb.owl", write(kb).encode())) == kb
        True
    """
    ontology = owl_ontology(kb)
    for text in texts(ontology):
        xml_text(text)  # refuses what XML cannot hold
    written = serialised(ontology, kb.prefixes, ox.RdfFormat.RDF_XML)
    # XML reads a bare carriage return as a line feed.
    return written.replace("\r", "&#13;")
