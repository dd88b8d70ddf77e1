"""How a graph's classes and roles are spelt in its tables, and their names in a knowledge base.

The tables hold the plainest spelling: an IRI without its brackets, YAGO's `<x>` as `x` (whether
its files give the base or not), anything else as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final
from urllib.parse import quote

from boxsel.errors import InvalidStatementError
from boxsel.logic.concepts import Name, Role
from boxsel.logic.names import BUILTIN_PREFIXES, IRI_PATTERN, bare_iri, is_iri

YAGO_BASE: Final = "http://yago-knowledge.org/resource/"
"""The `@base` of YAGO's Turtle files; its tab-separated files leave it out, and so do we."""

BLANK: Final = "_:"
"""What every blank node begins with."""

_HIERARCHICAL = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*://")
_ALLOWED = re.compile(IRI_PATTERN)


def canonical(name: str) -> str:
    """A name as the tables spell it, from any spelling of it.

    Examples:
        >>> canonical("<wordnet_person_100007846>")
        'wordnet_person_100007846'
        >>> canonical("<http://example.org/Woman>"), canonical("Q5")
        ('http://example.org/Woman', 'Q5')
    """
    name = name.strip()
    if len(name) > 2 and name.startswith("<") and name.endswith(">"):
        name = name[1:-1]
    return name.removeprefix(YAGO_BASE) or name


def concept(name: str) -> Name:
    """The concept name of a class in the tables.

    Examples:
        >>> print(concept("Q5"), concept("Heart attack"), concept("http://example.org/a b"))
        Q5 'Heart attack' <http://example.org/a%20b>
    """
    return Name(iri(name))


def role(name: str) -> Role:
    """The role of a predicate in the tables.

    Examples:
        >>> role("isMarriedTo")
        Role('isMarriedTo')
    """
    return Role(iri(name))


def iri(name: str) -> str:
    """The IRI of a name in the tables: itself if it is one, else that of a bare name.

    Signs that no IRI may hold are percent-encoded.

    Examples:
        >>> iri("wikidata:Q5"), iri("owl:Thing"), iri("ratio: 3")
        ('wikidata:Q5', 'http://www.w3.org/2002/07/owl#Thing', 'urn:boxsel:ratio%3A%203')
    """
    if name.startswith(BLANK):
        raise InvalidStatementError(
            f"{name!r} is a blank node: it has no name that a statement could use"
        )
    prefix, colon, local = name.partition(":")
    if colon and prefix in BUILTIN_PREFIXES and local:
        name = BUILTIN_PREFIXES[prefix] + local
    if is_iri(name):
        return name
    if _HIERARCHICAL.match(name):
        return "".join(
            sign if _ALLOWED.fullmatch(sign) else quote(sign, safe="", errors="surrogatepass")
            for sign in name
        )
    return bare_iri(name)


def iris(names: Iterable[str]) -> dict[str, str]:
    """The IRI of each name; two names must not get the same one.

    Examples:
        >>> iris(["Q5", "Q6256"])
        {'Q5': 'urn:boxsel:Q5', 'Q6256': 'urn:boxsel:Q6256'}
    """
    by_iri: dict[str, str] = {}
    for name in names:
        other = by_iri.setdefault(iri(name), name)
        if other != name:
            raise InvalidStatementError(
                f"{other!r} and {name!r} would both be <{iri(name)}>: leave one of them out"
            )
    return {name: one for one, name in by_iri.items()}
