"""The phenotype terms and their identifiers: `hp.obo`, or a table of children and parents."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from boxsel.build.built import Rejects
from boxsel.build.delimited import numbered_lines
from boxsel.errors import Diagnostic, ReadError
from boxsel.formats.owl.iris import OBO
from boxsel.formats.owl.obo_clauses import unescaped
from boxsel.formats.source import Source, extension
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

_OBO: Final = re.compile(r"^(?:format-version:|\[Term\])", re.MULTILINE)
_CLAUSE: Final = re.compile(r"([\w-]+):\s*(.*)")
_NAME_END: Final = re.compile(r"\s(?:!|\{)")
_EXPECTED: Final = "expected hp.obo, or a table with two columns: a term and its parent"
_EXPECTED_LABELS: Final = "expected a table with two columns: a term and its label"


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


@dataclass(frozen=True)
class Ontology:
    """Terms by identifier, with their parents.

    `replaced` leads from a former identifier to the one that is used now.

    Examples:
        >>> ontology = Ontology({"HP:3": ("HP:2",), "HP:2": ("HP:1",), "HP:1": ()})
        >>> sorted(ontology.ancestors("HP:3"))
        ['HP:1', 'HP:2']
    """

    parents: Mapping[str, tuple[str, ...]]
    labels: Mapping[str, str] = field(default_factory=dict)
    replaced: Mapping[str, str] = field(default_factory=dict)
    obsolete: frozenset[str] = frozenset()
    _known: dict[str, frozenset[str]] = field(default_factory=dict, repr=False, compare=False)

    def __contains__(self, term: str) -> bool:
        return term in self.parents

    def current(self, term: str) -> str | None:
        """The identifier that is used now for a term; `None` if there is none."""
        seen: set[str] = set()
        while term not in self.parents:
            if term in seen or term not in self.replaced:
                return None
            seen.add(term)
            term = self.replaced[term]
        return term

    def ancestors(self, term: str) -> frozenset[str]:
        """Every other term of which this one is a kind."""
        found = self._known.get(term)
        if found is None:
            reached: set[str] = set()
            open_terms = list(self.parents.get(term, ()))
            while open_terms:
                parent = open_terms.pop()
                if parent not in reached:
                    reached.add(parent)
                    open_terms.extend(self.parents.get(parent, ()))
            reached.discard(term)  # it is among them only if is-a goes round in a circle
            found = self._known[term] = frozenset(reached)
        return found

    def closure(self, terms: Iterable[str]) -> set[str]:
        """The terms and all their ancestors."""
        needed = set(terms)
        for term in tuple(needed):
            needed |= self.ancestors(term)
        return needed

    def links(self, terms: Iterable[str]) -> Iterator[tuple[str, str]]:
        """The is-a links from some terms to their parents, in order."""
        for term in sorted(terms):
            for parent in self.parents[term]:
                yield term, parent

    def circular(self, terms: Iterable[str]) -> tuple[str, ...]:
        """The terms among these that are kinds of themselves through others."""
        return tuple(
            term
            for term in sorted(terms)
            if any(term in self.ancestors(parent) for parent in self.parents[term])
        )


def read_ontology(source: Source, labels: Source | None, rejects: Rejects) -> Ontology:
    r"""The terms of an OBO file, or of a two-column table of is-a links.

    Examples:
        >>> stanza = b"[Term]\nid: HP:2\nname: Seizure\nis_a: HP:1 ! All\n"
        >>> read_ontology(Source("hp.obo", stanza), None, Rejects()).parents
        {'HP:2': ('HP:1',), 'HP:1': ()}
    """
    terms = _Terms()
    if extension(source.file) == ".obo" or _OBO.search(source.text[:100_000]):
        _read_obo(source, terms)
    else:
        _read_links(source, terms, rejects)
    if labels is not None:
        for _, identifier, label in _pairs(labels, rejects, _EXPECTED_LABELS):
            terms.labels[identifier] = label
            terms.parents.setdefault(identifier, [])
    if not terms.parents:
        raise ReadError(Diagnostic("there are no terms in this file", source.file, help=_EXPECTED))
    return terms.finish()


@dataclass(slots=True)
class _Terms:
    """What has been read so far."""

    parents: dict[str, list[str]] = field(default_factory=dict)
    labels: dict[str, str] = field(default_factory=dict)
    replaced: dict[str, str] = field(default_factory=dict)
    obsolete: set[str] = field(default_factory=set)

    def link(self, child: str, parent: str) -> None:
        """Note that one term is a kind of another."""
        above = self.parents.setdefault(child, [])
        if parent not in above and parent != child:
            above.append(parent)

    def finish(self) -> Ontology:
        """The ontology; a parent of which nothing else is said is a term too."""
        for parent in [term for above in self.parents.values() for term in above]:
            self.parents.setdefault(parent, [])
        return Ontology(
            {term: tuple(above) for term, above in self.parents.items()},
            self.labels,
            {old: new for old, new in self.replaced.items() if old not in self.parents},
            frozenset(self.obsolete),
        )


def _read_obo(source: Source, terms: _Terms) -> None:
    """The clauses of `[Term]` stanzas that matter here; other stanzas are no terms."""
    for line, clauses in _stanzas(source):
        term = next((value for tag, value in clauses if tag == "id"), "")
        if not is_identifier(term):
            message = "this term has no identifier: expected a clause such as id: HP:0001250"
            raise ReadError(Diagnostic(message, source.file, line))
        if ("is_obsolete", "true") in clauses:
            terms.obsolete.add(term)
            successors = [value for tag, value in clauses if tag == "replaced_by"]
            if len(successors) == 1:
                terms.replaced[term] = successors[0]
            continue
        terms.parents.setdefault(term, [])
        for tag, value in clauses:
            if tag == "is_a":
                terms.link(term, value)
            elif tag == "name":
                terms.labels[term] = unescaped(value)
            elif tag == "alt_id":
                terms.replaced[value] = term


def _stanzas(source: Source) -> Iterator[tuple[int, list[tuple[str, str]]]]:
    """The line and the clauses of each `[Term]`."""
    start, clauses, inside = 0, list[tuple[str, str]](), False
    for number, line in enumerate(source.text.split("\n"), start=1):
        if line.startswith("["):
            if inside:
                yield start, clauses
            start, clauses, inside = number, [], line.startswith("[Term]")
        elif inside and (match := _CLAUSE.match(line)):
            tag, value = match[1], match[2].strip()
            if "gci_relation" in value:
                continue  # true of a part of the term only
            if tag != "name":
                value = value.partition(" ")[0]
            clauses.append((tag, _NAME_END.split(value, maxsplit=1)[0].strip()))
    if inside:
        yield start, clauses


def _read_links(source: Source, terms: _Terms, rejects: Rejects) -> None:
    for number, child, parent in _pairs(source, rejects, _EXPECTED):
        if is_identifier(parent):
            terms.link(child, parent)
        else:
            row = f"{child}\t{parent}"
            rejects.add("the parent is not an identifier", source.file, number, row)


def _pairs(source: Source, rejects: Rejects, expected: str) -> Iterator[tuple[int, str, str]]:
    """The rows of a table of two columns; its first line may be a header."""
    seen = False
    for number, row in numbered_lines(source):
        if row.startswith("#"):
            continue
        cells = [cell.strip() for cell in row.split("\t")]
        if len(cells) != 2:
            if not seen:
                message = f"found {len(cells)} columns in the first row"
                raise ReadError(Diagnostic(message, source.file, number, help=expected))
            rejects.add("there are not two columns", source.file, number, row)
        elif is_identifier(cells[0]):
            yield number, cells[0], cells[1]
        elif seen or is_identifier(cells[1]):
            rejects.add("the term is not an identifier", source.file, number, row)
        seen = True
