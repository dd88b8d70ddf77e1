"""Reading the ontology: `hp.obo`, or a table of children and parents with one of labels."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from boxsel.build.hpo.identifiers import is_identifier
from boxsel.build.hpo.ontology import Ontology
from boxsel.build.rejects import Rejects
from boxsel.errors import Diagnostic, ReadError
from boxsel.formats.owl.obo_clauses import unescaped
from boxsel.formats.source import Source

_OBO: Final = re.compile(r"^(?:format-version:|\[Term\])", re.MULTILINE)
_CLAUSE: Final = re.compile(r"([\w-]+):\s*(.*)")
_NAME_END: Final = re.compile(r"\s(?:!|\{)")
_EXPECTED: Final = "expected hp.obo, or a table with two columns: a term and its parent"
_EXPECTED_LABELS: Final = "expected a table with two columns: a term and its label"


def read_ontology(source: Source, labels: Source | None, rejects: Rejects) -> Ontology:
    r"""The terms of an OBO file, or of a two-column table of is-a links.

    Examples:
        >>> stanza = b"[Term]\nid: HP:2\nname: Seizure\nis_a: HP:1 ! All\n"
        >>> read_ontology(Source("hp.obo", stanza), None, Rejects()).parents
        {'HP:2': ('HP:1',), 'HP:1': ()}
    """
    found = _Terms()
    if source.extension == ".obo" or _OBO.search(source.text[:100_000]):
        _read_obo(source, found)
    else:
        _read_links(source, found, rejects)
    if labels is not None:
        for _, identifier, label in _pairs(labels, rejects, _EXPECTED_LABELS):
            found.labels[identifier] = label
            found.parents.setdefault(identifier, [])
    if not found.parents:
        raise ReadError(Diagnostic("there are no terms in this file", source.file, help=_EXPECTED))
    return found.finish()


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
        for parent in [one for above in self.parents.values() for one in above]:
            self.parents.setdefault(parent, [])
        return Ontology(
            {term: tuple(above) for term, above in self.parents.items()},
            self.labels,
            {old: new for old, new in self.replaced.items() if old not in self.parents},
            frozenset(self.obsolete),
        )


def _read_obo(source: Source, found: _Terms) -> None:
    """The clauses of `[Term]` stanzas that matter here; other stanzas are no terms."""
    for line, clauses in _stanzas(source):
        term = next((value for tag, value in clauses if tag == "id"), "")
        if not is_identifier(term):
            message = "this term has no identifier: expected a clause such as id: HP:0001250"
            raise ReadError(Diagnostic(message, source.file, line))
        if ("is_obsolete", "true") in clauses:
            found.obsolete.add(term)
            successors = [value for tag, value in clauses if tag == "replaced_by"]
            if len(successors) == 1:
                found.replaced[term] = successors[0]
            continue
        found.parents.setdefault(term, [])
        for tag, value in clauses:
            if tag == "is_a":
                found.link(term, value)
            elif tag == "name":
                found.labels[term] = unescaped(value)
            elif tag == "alt_id":
                found.replaced[value] = term


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


def _read_links(source: Source, found: _Terms, rejects: Rejects) -> None:
    for number, child, parent in _pairs(source, rejects, _EXPECTED):
        if is_identifier(parent):
            found.link(child, parent)
        else:
            row = f"{child}\t{parent}"
            rejects.add("the parent is not an identifier", source.file, number, row)


def _pairs(source: Source, rejects: Rejects, expected: str) -> Iterator[tuple[int, str, str]]:
    """The rows of a table of two columns; its first line may be a header."""
    seen = False
    for number, line in enumerate(source.text.split("\n"), start=1):
        row = line.rstrip("\r")
        if not row.strip() or row.startswith("#"):
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
