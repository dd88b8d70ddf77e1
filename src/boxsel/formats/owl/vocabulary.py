"""The IRIs that OWL files and boxsel agree on."""

from __future__ import annotations

from typing import Final

from boxsel.logic.names import BARE_NAMESPACE, BUILTIN_PREFIXES

OWL: Final = BUILTIN_PREFIXES["owl"]
RDF: Final = BUILTIN_PREFIXES["rdf"]
RDFS: Final = BUILTIN_PREFIXES["rdfs"]
XSD: Final = BUILTIN_PREFIXES["xsd"]
SWRL: Final = "http://www.w3.org/2003/11/swrl#"
OBO: Final = "http://purl.obolibrary.org/obo/"
OBO_IN_OWL: Final = "http://www.geneontology.org/formats/oboInOwl#"

LOWER: Final = BARE_NAMESPACE + "lower"
UPPER: Final = BARE_NAMESPACE + "upper"
COUNT: Final = BARE_NAMESPACE + "count"
TOTAL: Final = BARE_NAMESPACE + "total"
PROPORTION_PROPERTIES: Final = frozenset({LOWER, UPPER, COUNT, TOTAL})
"""Annotations that make a tautology a conditional."""

DROPPED: Final = BARE_NAMESPACE + "dropped"
"""Annotates an ontology with what an earlier reading left out."""

GROUP: Final = BARE_NAMESPACE + "group"
"""Annotates the pairs into which RDF splits an equivalence of three or more concepts."""

ESCAPED: Final = BARE_NAMESPACE + "iri:"
"""Begins the spelling of an IRI that OWL files cannot hold as it is."""

LABEL: Final = RDFS + "label"
COMMENT: Final = RDFS + "comment"
SOURCE: Final = "http://purl.org/dc/terms/source"
SOURCE_PROPERTIES: Final = frozenset(
    {
        SOURCE,
        "http://purl.org/dc/elements/1.1/source",
        OBO_IN_OWL + "hasDbXref",
        OBO_IN_OWL + "source",
        OBO_IN_OWL + "xref",
    }
)
COMMENT_PROPERTIES: Final = frozenset({COMMENT, OBO_IN_OWL + "comment"})

OWN_PROPERTIES: Final = PROPORTION_PROPERTIES | {DROPPED, GROUP}
"""The annotation properties of boxsel: users may have concepts of the same names."""

SILENT_PROPERTIES: Final = frozenset({OBO_IN_OWL + "id", OBO_IN_OWL + "hasOBOFormatVersion"})
"""Annotations that only restate how an OBO file spells its names."""

BUILTIN_ROLES: Final = {
    OWL + "topObjectProperty": "owl:topObjectProperty",
    OWL + "bottomObjectProperty": "owl:bottomObjectProperty",
}
"""Roles with a fixed meaning, which SEL does not have."""

RESERVED_NAMESPACES: Final = (OWL, RDF, RDFS, XSD, ESCAPED)
"""Names here mean something to OWL tools: a name of ours that lies here is escaped."""
