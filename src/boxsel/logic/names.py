"""Names: IRIs, the prefixes that abbreviate them, and how a name is spelt in text.

A name is identified by its IRI. Text shows it in the shortest spelling that reads back as
the same IRI: bare (`Woman`), quoted (`'Heart attack'`), prefixed (`HP:0001250`) or in full
(`<http://example.org/Woman>`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from urllib.parse import quote, unquote

from boxsel.errors import InvalidStatementError

BARE_NAMESPACE = "urn:boxsel:"
"""Where bare names live when no default prefix is declared."""

BUILTIN_PREFIXES: Mapping[str, str] = MappingProxyType(
    {
        "owl": "http://www.w3.org/2002/07/owl#",
        "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
        "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
        "xsd": "http://www.w3.org/2001/XMLSchema#",
    }
)

TOP_IRI = BUILTIN_PREFIXES["owl"] + "Thing"
BOTTOM_IRI = BUILTIN_PREFIXES["owl"] + "Nothing"

KEYWORDS = frozenset({"and", "or", "not", "some", "SubClassOf", "EquivalentTo", "SubPropertyOf"})
UNSUPPORTED_KEYWORDS = frozenset(
    {
        "only",
        "value",
        "min",
        "max",
        "exactly",
        "that",
        "Self",
        "inverse",
        "DisjointWith",
    }
)
RESERVED = KEYWORDS | UNSUPPORTED_KEYWORDS
"""Words with a meaning in Manchester syntax: as names they must be quoted."""

# The same patterns are used by the grammar, the fast reader and the printer, so that what is
# printed is what is read. ASCII digits only: other scripts' digits are letters of a name.
BARE_PATTERN = r"[^\W\d][\w\-]*(?:\.[\w\-]+)*"
PREFIX_PATTERN = r"[^\W\d][\w\-]*"
LOCAL_PATTERN = r"[\w\-%]+(?:\.[\w\-%]+)*"
IRI_PATTERN = r"[^\x00-\x20<>\"{}|^`\\\x7f-\xa0\ud800-\udfff]+"

_BARE = re.compile(BARE_PATTERN)
_LOCAL = re.compile(LOCAL_PATTERN)
_IRI = re.compile(IRI_PATTERN)
_PREFIX = re.compile(PREFIX_PATTERN)
_SEPARATORS = re.compile(r"[#/:]")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*:")


def bare_iri(name: str, namespace: str = BARE_NAMESPACE) -> str:
    """The IRI of a bare or quoted name; characters that no IRI may hold are percent-encoded.

    Examples:
        >>> bare_iri("Heart attack")
        'urn:boxsel:Heart%20attack'
    """
    if not name:
        raise InvalidStatementError("a name cannot be empty")
    return namespace + "".join(
        char if _keeps(char) else quote(char, safe="", errors="surrogatepass") for char in name
    )


def absolute_iri(text: str) -> str:
    """The IRI that a Python user means: an absolute IRI as it is, a bare name in `urn:boxsel:`.

    Examples:
        >>> absolute_iri("Woman")
        'urn:boxsel:Woman'
        >>> absolute_iri("http://example.org/Woman")
        'http://example.org/Woman'
    """
    return check_iri(text) if _SCHEME.match(text) else bare_iri(text)


def is_iri(text: str) -> bool:
    """Whether a text is an absolute IRI."""
    return _SCHEME.match(text) is not None and _IRI.fullmatch(text) is not None


def is_prefix(text: str) -> bool:
    """Whether a text can be a prefix; the empty one is the default prefix."""
    return not text or _PREFIX.fullmatch(text) is not None


def check_iri(text: str) -> str:
    """The text, if it is an absolute IRI."""
    if not is_iri(text):
        raise InvalidStatementError(
            f"{text!r:.200} is not an IRI: it has no scheme, or holds a space or a reserved sign"
        )
    return text


def split_iri(iri: str) -> tuple[str, str]:
    """The namespace of an IRI, and the local name after it.

    Examples:
        >>> split_iri("http://example.org/family#Mother"), split_iri("urn:boxsel:Woman")
        (('http://example.org/family#', 'Mother'), ('urn:boxsel:', 'Woman'))
    """
    local = _SEPARATORS.split(iri)[-1]
    return iri[: len(iri) - len(local)], local


def plain_text(text: str, what: str) -> str:
    """Text without surrounding space, refused if no text file could hold it."""
    if "\0" in text or any("\ud800" <= char <= "\udfff" for char in text):
        raise InvalidStatementError(f"{what} holds a character that no text file can: {text!r:.80}")
    return text.strip()


def _keeps(char: str) -> bool:
    """Whether a character stands for itself in the IRI of a bare name."""
    if char.isascii():
        return char.isalnum() or char in "-._~"
    return char.isalnum() and _IRI.fullmatch(char) is not None


class Prefixes(Mapping[str, str]):
    """An immutable table of prefixes: shortens IRIs to the names that text shows.

    The empty prefix is the default one: the namespace of bare names.

    Examples:
        >>> table = Prefixes({"ex": "http://example.org/"})
        >>> table.shorten("http://example.org/Woman")
        'ex:Woman'
        >>> table.shorten("urn:boxsel:Heart%20attack")
        "'Heart attack'"
    """

    __slots__ = ("_by_length", "_shortened", "_table")

    def __init__(self, table: Mapping[str, str] | None = None) -> None:
        self._table = dict(table or {})
        for prefix, namespace in self._table.items():
            if not is_prefix(prefix):
                raise InvalidStatementError(f"{prefix!r} cannot be a prefix: it is a plain name")
            check_iri(namespace)
            if BUILTIN_PREFIXES.get(prefix, namespace) != namespace:
                raise InvalidStatementError(
                    f"the prefix '{prefix}:' always means <{BUILTIN_PREFIXES[prefix]}>"
                )
        spelt = {"": BARE_NAMESPACE, **BUILTIN_PREFIXES, **self._table}
        self._by_length = sorted(
            ((namespace, prefix) for prefix, namespace in spelt.items() if namespace),
            key=lambda pair: (-len(pair[0]), pair[1]),
        )
        self._shortened: dict[str, str] = {}

    def __getitem__(self, prefix: str) -> str:
        return self._table[prefix]

    def __iter__(self) -> Iterator[str]:
        return iter(self._table)

    def __len__(self) -> int:
        return len(self._table)

    def __hash__(self) -> int:
        return hash(frozenset(self._table.items()))

    def __repr__(self) -> str:
        return f"Prefixes({self._table!r})"

    @property
    def namespace(self) -> str:
        """The namespace of bare names."""
        return self._table.get("", BARE_NAMESPACE)

    def shorten(self, iri: str) -> str:
        """The shortest spelling that reads back as this IRI."""
        known = self._shortened.get(iri)
        if known is None:
            known = self._shortened[iri] = self._spell(iri)
        return known

    def _spell(self, iri: str) -> str:
        if iri.startswith(self.namespace):
            spelling = _spell_bare(iri, self.namespace)
            if spelling is not None:
                return spelling
        for namespace, prefix in self._by_length:
            if prefix and iri.startswith(namespace) and _LOCAL.fullmatch(iri, len(namespace)):
                return f"{prefix}:{iri[len(namespace) :]}"
        return f"<{iri}>"


NO_PREFIXES = Prefixes()
"""Bare names in `urn:boxsel:` and everything else in full."""


def _spell_bare(iri: str, namespace: str) -> str | None:
    """A bare or quoted spelling of an IRI in the namespace of bare names, if it has one."""
    local = iri[len(namespace) :]
    if _BARE.fullmatch(local) and local not in RESERVED:
        return local if bare_iri(local, namespace) == iri else None
    try:
        name = unquote(local, errors="strict")
    except UnicodeDecodeError:
        return None
    if (
        not name
        or not name.isprintable()
        or name != name.strip()
        or bare_iri(name, namespace) != iri
    ):
        return None
    return quote_name(name)


def quote_name(name: str) -> str:
    r"""A name in single quotes, with quotes and backslashes escaped.

    Examples:
        >>> print(quote_name("Parkinson's disease"))
        'Parkinson\'s disease'
    """
    return "'" + name.replace("\\", "\\\\").replace("'", "\\'") + "'"


def spell_word(name: str) -> str:
    """A name without a prefix as it is written: in quotes if it needs them.

    Examples:
        >>> print(spell_word("Woman"), spell_word("Heart attack"), spell_word("and"))
        Woman 'Heart attack' 'and'
    """
    return name if _BARE.fullmatch(name) and name not in RESERVED else quote_name(name)


def unquote_name(text: str) -> str:
    """The name inside single quotes: the inverse of `quote_name`."""
    return re.sub(r"\\(.)", r"\1", text[1:-1])


def plain_name(spelling: str) -> str:
    """A name as people would write it: without its quotes, if it has some.

    Examples:
        >>> plain_name("'Heart attack'"), plain_name("hp:1250")
        ('Heart attack', 'hp:1250')
    """
    return unquote_name(spelling) if spelling.startswith("'") else spelling
