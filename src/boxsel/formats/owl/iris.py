"""The IRIs that OWL files and boxsel agree on, and how those of names are spelt.

The logic takes IRIs that strict parsers refuse (`urn:boxsel:broken%2`), and a user may name a
concept `owl:Class`. Such an IRI is written percent-encoded behind `urn:boxsel:iri:`, so that
every name survives every serialisation.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final
from urllib.parse import quote, unquote

import pyoxigraph as ox

from boxsel.errors import InvalidStatementError
from boxsel.logic.names import (
    BARE_NAMESPACE,
    BUILTIN_PREFIXES,
    Prefixes,
    absolute_iri,
    is_iri,
    is_prefix,
)

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

DATA: Final = BARE_NAMESPACE + "data"
"""Annotates an ontology with the patterns of the data that it was counted from."""

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

OWN_PROPERTIES: Final = PROPORTION_PROPERTIES | {DROPPED, DATA, GROUP}
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


# The characters that every serialisation takes: RFC 3987 without private use and IP literals.
_CHARACTER = (
    r"(?:[A-Za-z0-9._~!$&'()*+,;=:@/?-]|%[0-9A-Fa-f]{2}"
    r"|[\u00a1-\ud7ff\uf900-\ufdcf\ufdf0-\uffef\U00010000-\U0001fffd\U00020000-\U0002fffd])"
)
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_PLAIN = re.compile(rf"{_SCHEME.pattern}(?!\?){_CHARACTER}+(?:#{_CHARACTER}*)?")
_WRITABLE = re.compile(r"(?:[A-Za-z][A-Za-z0-9_-]*)?")

NO_BASE = "boxsel-relative:/"
"""Stands for the base of a file that has none, so that an error can name the relative IRI."""


@lru_cache(maxsize=100_000)
def spelling(iri: str) -> str:
    """The IRI as an OWL file spells it.

    Examples:
        >>> spelling("http://example.org/Woman")
        'http://example.org/Woman'
        >>> spelling("urn:boxsel:broken%2")
        'urn:boxsel:iri:urn%3Aboxsel%3Abroken%252'
    """
    return _escaped(iri) if iri.startswith(RESERVED_NAMESPACES) else strict(iri)


def strict(iri: str) -> str:
    """The IRI as strict parsers take it, escaped if need be; OWL's own names stay as they are."""
    if not _PLAIN.fullmatch(iri):
        return _escaped(iri)
    try:
        ox.NamedNode(iri)
    except ValueError:
        return _escaped(iri)
    return iri


def meant(iri: str) -> str:
    """The IRI that a spelling in an OWL file stands for: the inverse of `spelling`.

    Examples:
        >>> meant("urn:boxsel:iri:urn%3Aboxsel%3Abroken%252")
        'urn:boxsel:broken%2'
    """
    if iri.startswith(ESCAPED):
        return unquote(iri[len(ESCAPED) :], errors="replace")
    return required_absolute(iri)


def required_absolute(iri: str) -> str:
    """The IRI itself, refused if it is relative or no IRI at all."""
    if iri.startswith(NO_BASE) or not _SCHEME.match(iri):
        raise InvalidStatementError(
            f"<{iri.removeprefix(NO_BASE)}> is a relative IRI, and the file gives no base "
            "(xml:base, @base) to complete it"
        )
    return absolute_iri(iri)


def readable_prefixes(pairs: Iterable[tuple[str, str]]) -> Prefixes:
    """The prefixes of an OWL file that are of use in text; bare names need none."""
    table = {
        prefix: namespace
        for prefix, namespace in pairs
        if is_prefix(prefix)
        and prefix not in BUILTIN_PREFIXES
        and namespace not in (BARE_NAMESPACE, *BUILTIN_PREFIXES.values())
        and is_iri(namespace)
    }
    return Prefixes(table)


def writable_prefixes(prefixes: Prefixes) -> dict[str, str]:
    """The prefixes that every serialisation can declare."""
    return {
        prefix: namespace
        for prefix, namespace in prefixes.items()
        if _WRITABLE.fullmatch(prefix) and spelling(namespace) == namespace
    }


def _escaped(iri: str) -> str:
    return ESCAPED + quote(iri, safe="")
