"""How the IRIs of names are spelt in OWL files.

The logic takes IRIs that strict parsers refuse (`urn:boxsel:broken%2`), and a user may name a
concept `owl:Class`. Such an IRI is written percent-encoded behind `urn:boxsel:iri:`, so that
every name survives every serialisation.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from urllib.parse import quote, unquote

import pyoxigraph as ox

from boxsel.errors import InvalidStatementError
from boxsel.formats.owl.vocabulary import ESCAPED, RESERVED_NAMESPACES
from boxsel.logic.names import (
    BARE_NAMESPACE,
    BUILTIN_PREFIXES,
    Prefixes,
    absolute_iri,
    is_iri,
    is_prefix,
)

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
