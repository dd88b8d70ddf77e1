"""Identifiers such as `HP:0001250` and `OMIM:154700`, and the IRIs that they stand for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final

from boxsel.formats.owl.vocabulary import OBO
from boxsel.logic.names import Prefixes

NAMESPACES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "HP": f"{OBO}HP_",
        "MONDO": f"{OBO}MONDO_",
        "OMIM": "https://omim.org/entry/",
        "ORPHA": "http://www.orpha.net/ORDO/Orphanet_",
        "DECIPHER": "https://www.deciphergenomics.org/syndrome/",
    }
)
"""What the known prefixes stand for."""

_IDENTIFIER = re.compile(r"([A-Za-z][A-Za-z0-9_-]*):([A-Za-z0-9_-]+)")


def is_identifier(text: str) -> bool:
    """Whether a text is a prefix and a local name, such as `HP:0001250`."""
    return _IDENTIFIER.fullmatch(text) is not None


def iri(identifier: str) -> str:
    """The IRI that an identifier stands for.

    Examples:
        >>> iri("HP:0001250")
        'http://purl.obolibrary.org/obo/HP_0001250'
        >>> iri("OMIM:154700")
        'https://omim.org/entry/154700'
    """
    prefix, _, local = identifier.partition(":")
    return _namespace(prefix) + local


def prefixes_of(identifiers: Iterable[str]) -> Prefixes:
    """The prefixes with which the IRIs of some identifiers are spelt as the identifiers are."""
    used = {identifier.partition(":")[0] for identifier in identifiers}
    return Prefixes({prefix: _namespace(prefix) for prefix in sorted(used)})


def _namespace(prefix: str) -> str:
    return NAMESPACES.get(prefix, f"https://bioregistry.io/{prefix.lower()}:")
