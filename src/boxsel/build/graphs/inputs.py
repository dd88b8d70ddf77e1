"""What a graph is read from, and how its triples are to be understood."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, Literal, cast, get_args

from boxsel.build.graphs.names import canonical
from boxsel.errors import Diagnostic, InvalidStatementError, ReadError
from boxsel.logic.names import BUILTIN_PREFIXES

Given = Literal["graph", "types", "taxonomy", "facts", "labels"]
"""What a file is given as: a whole graph, or one of its tables."""

_SKOS: Final = "http://www.w3.org/2004/02/skos/core#"

PREDICATES: Final[Mapping[str, tuple[str, ...]]] = {
    "type_predicates": (BUILTIN_PREFIXES["rdf"] + "type", "rdf:type"),
    "subclass_predicates": (BUILTIN_PREFIXES["rdfs"] + "subClassOf", "rdfs:subClassOf"),
    "label_predicates": (
        *(BUILTIN_PREFIXES["rdfs"] + "label", "rdfs:label"),
        *(_SKOS + "prefLabel", "skos:prefLabel"),
    ),
}
"""The predicates that everybody uses, by what they are for."""

# YAGO tags its labels with the three-letter codes of ISO 639-3.
_THREE_LETTERS: Final = {
    "ar": "ara", "de": "deu", "en": "eng", "es": "spa", "fa": "fas", "fr": "fra", "it": "ita",
    "nl": "nld", "pl": "pol", "pt": "por", "ro": "ron", "ru": "rus", "zh": "zho",
}  # fmt: skip


@dataclass(frozen=True)
class Inputs:
    """The files of a graph.

    `graph` are files of triples whose predicates tell types, taxonomy, labels and facts apart.
    The others hold one table only: triples of that kind, or the table's own columns (entity and
    class; subclass and superclass; for labels the name first and the label last).

    `columns` are those of subject, predicate and object, by name or counted from 1, where they
    are not the first three. Every value of a `concept_from` predicate becomes a class of the
    subject. Of labels with a language, those in `language` are read.

    Examples:
        >>> inputs = Inputs(graph=("graph.nt",), concept_from=("<occupation>",)).checked()
        >>> inputs.concept_from
        ('occupation',)
    """

    graph: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    taxonomy: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    columns: tuple[str, ...] | None = None
    concept_from: tuple[str, ...] = ()
    type_predicates: tuple[str, ...] = PREDICATES["type_predicates"]
    subclass_predicates: tuple[str, ...] = PREDICATES["subclass_predicates"]
    label_predicates: tuple[str, ...] = PREDICATES["label_predicates"]
    language: str = "en"

    def files(self) -> Iterator[tuple[Given, str]]:
        """Every file, with what it is given as."""
        for given in get_args(Given):
            for path in getattr(self, given):
                yield given, path

    def checked(self) -> Inputs:
        """The same with canonical predicates; refuses what cannot be meant."""
        if not any(self.files()):
            raise ReadError(Diagnostic("there is nothing to read: no file was given"))
        seen: dict[tuple[Given, str], str] = {}
        for given, path in self.files():
            key = (given, os.path.realpath(path))
            if key in seen:
                also = f", also as {seen[key]}" if seen[key] != path else ""
                raise ReadError(Diagnostic(f"this file is given twice{also}", file=path))
            seen[key] = path
        if self.columns is not None and len(self.columns) != 3:
            raise ReadError(
                Diagnostic(
                    f"{len(self.columns)} columns were named, expected three: "
                    "of the subject, the predicate and the object"
                )
            )
        spelt = {use: _spelt(getattr(self, use)) for use in (*PREDICATES, "concept_from")}
        _apart(spelt)
        return replace(self, **cast(dict[str, Any], spelt))

    @property
    def languages(self) -> tuple[str, ...]:
        """The tags of the wanted language, in lower case."""
        tag = self.language.lower()
        return (tag, _THREE_LETTERS[tag]) if tag in _THREE_LETTERS else (tag,)

    def speaks(self, tag: str | None) -> bool:
        """Whether a label with this tag is wanted: no tag, the language, or a variety of it.

        Examples:
            >>> [Inputs(language="en").speaks(tag) for tag in (None, "en-GB", "eng", "de")]
            [True, True, True, False]
        """
        return not tag or tag.lower().partition("-")[0] in self.languages


def _spelt(predicates: Iterable[str]) -> tuple[str, ...]:
    """Predicates in the spellings that files may use: `rdf:type` is also written in full."""
    found: dict[str, None] = {}
    for name in map(canonical, predicates):
        prefix, _, local = name.partition(":")
        found[name] = None
        if local and prefix in BUILTIN_PREFIXES:
            found[BUILTIN_PREFIXES[prefix] + local] = None
    return tuple(found)


def _apart(spelt: dict[str, tuple[str, ...]]) -> None:
    """One predicate has one meaning."""
    meaning: dict[str, str] = {}
    for use, predicates in spelt.items():
        for predicate in predicates:
            if not predicate:
                raise InvalidStatementError("a predicate cannot be empty")
            other = meaning.setdefault(predicate, use)
            if other != use:
                raise InvalidStatementError(
                    f"the predicate {predicate!r} is given two meanings: "
                    f"{other.replace('_', ' ')} and {use.replace('_', ' ')}"
                )
