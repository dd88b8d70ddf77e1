"""OBO 1.4, with the `owl-axioms` header for what its stanzas cannot say.

What has no clause of its own goes into the header as functional syntax.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Final

from boxsel.errors import Diagnostic, ReadError
from boxsel.formats.owl.functional import document
from boxsel.formats.owl.horned import collect, parse, parse_functional
from boxsel.formats.owl.iris import OBO, readable_prefixes, writable_prefixes
from boxsel.formats.owl.obo_clauses import OWL_AXIOMS, escaped, sort_clauses
from boxsel.formats.owl.reading import Collector, problems_named
from boxsel.formats.owl.writing import owl_ontology
from boxsel.formats.source import Source
from boxsel.logic.axioms import (
    Axiom,
    ConceptAssertion,
    Disjointness,
    Domain,
    Equivalence,
    Inclusion,
    Range,
    RoleAssertion,
    RoleInclusion,
)
from boxsel.logic.concepts import And, Concept, Entity, Exists, Individual, Name, Role
from boxsel.logic.kb import KB
from boxsel.logic.names import BARE_NAMESPACE, Prefixes
from boxsel.logic.statements import Note, Statement


def read(source: Source) -> KB:
    """The knowledge base in an OBO file."""
    clauses = sort_clauses(source)
    if not clauses.is_obo:
        message = "expected OBO: a header such as format-version: 1.4, or a stanza [Term]"
        raise ReadError(Diagnostic(message, file=source.file, line=1))
    with problems_named(source):
        collector = Collector()
        collector.lose(*clauses.losses)
        collect(parse(clauses.text, "obo", source).get_components(), collector)
        for line, text in clauses.owl_axioms:
            collect(_parse_header(line, text, source).get_components(), collector)
        return collector.finish(readable_prefixes(clauses.prefixes.items()))


def write(kb: KB) -> str:
    """The knowledge base as OBO.

    Examples:
        >>> from boxsel.logic.concepts import names
        >>> A, B = names("A B")
        >>> print(write(KB.of(A <= B)))
        format-version: 1.4
        idspace: boxsel urn:boxsel:
        <BLANKLINE>
        [Term]
        id: boxsel:A
        is_a: boxsel:B
        <BLANKLINE>
        [Term]
        id: boxsel:B
        <BLANKLINE>
    """
    return "".join(_parts(kb))


def _parts(kb: KB) -> Iterator[str]:
    said = stanzas(kb)
    yield "format-version: 1.4\n"
    for prefix, namespace in said.idspaces.items():
        yield f"idspace: {prefix} {namespace}\n"
    rest = replace(kb, statements=tuple(said.unsaid), labels=said.unlabelled)
    if said.unsaid or said.undeclared or said.unlabelled or kb.dropped or kb.data:
        ontology = replace(owl_ontology(rest), entities=tuple(said.undeclared))
        yield f"{OWL_AXIOMS}: {escaped(document(ontology, kb.prefixes))}\n"
    yield said.text


def _parse_header(line: int, text: str, source: Source) -> Any:
    """The ontology in a header; its lines are all on one line of the file."""
    try:
        return parse_functional(text, source)
    except ReadError as error:
        problems = (
            replace(
                one, message=f"in {OWL_AXIOMS}: {one.message}", line=line, column=None, text=None
            )
            for one in error.diagnostics
        )
        raise ReadError(*problems) from None


_STANZAS: Final[tuple[tuple[type[Entity], str], ...]] = (
    (Name, "Term"),
    (Role, "Typedef"),
    (Individual, "Instance"),
)
_KNOWN_PREFIXES: Final = frozenset(
    {"", "obo", "oboInOwl", "owl", "rdf", "rdfs", "xml", "xsd", "dc", "dcterms"}
)
# Spellings that mean the same to every reader of OBO; any other goes into the header.
_LOCAL = re.compile(r"[A-Za-z0-9_]+")
_OBO_IRI = re.compile(re.escape(OBO) + r"([A-Z][A-Za-z]*)_([A-Za-z0-9]+)")
_TAME_TEXT = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9 .,;:()/'+%_-]*[A-Za-z0-9)])?")


@dataclass(slots=True)
class Stanzas:
    """What was said in stanzas, and what was not."""

    idspaces: dict[str, str]
    text: str = ""
    unsaid: list[Statement] = field(default_factory=list)
    undeclared: list[Entity] = field(default_factory=list)
    unlabelled: dict[str, str] = field(default_factory=dict)


def stanzas(kb: KB) -> Stanzas:
    """The names of a knowledge base, each with the clauses that OBO has for it."""
    ids = _Identifiers(kb.prefixes)
    result = Stanzas(ids.idspaces, unlabelled=dict(kb.labels))
    clauses: dict[Entity, list[str]] = {}
    for entity in kb.signature:
        if ids.of(entity) is None:
            result.undeclared.append(entity)
        else:
            clauses[entity] = []
            if _TAME_TEXT.fullmatch(kb.labels.get(entity.iri, "")):
                clauses[entity].append(f"name: {result.unlabelled.pop(entity.iri)}")
    for statement in dict.fromkeys(kb.statements):
        said = _clauses(statement, ids)
        if said is None or (_defines(said[1]) and _defines(clauses[said[0]])):
            result.unsaid.append(statement)
        else:
            clauses[said[0]].extend(said[1])
    result.text = "".join(_lines(clauses, ids))
    return result


class _Identifiers:
    """The OBO identifiers of names, for those that have one."""

    def __init__(self, prefixes: Prefixes) -> None:
        usable = {
            prefix: namespace
            for prefix, namespace in writable_prefixes(prefixes).items()
            if prefix not in _KNOWN_PREFIXES
        }
        self.idspaces = {"boxsel": BARE_NAMESPACE, **usable}
        self._known: dict[str, str | None] = {}

    def of(self, entity: Entity) -> str | None:
        if entity.iri not in self._known:
            self._known[entity.iri] = self._find(entity.iri)
        return self._known[entity.iri]

    def _find(self, iri: str) -> str | None:
        for prefix, namespace in self.idspaces.items():
            if iri.startswith(namespace) and _LOCAL.fullmatch(iri, len(namespace)):
                return f"{prefix}:{iri[len(namespace) :]}"
        match = _OBO_IRI.fullmatch(iri)
        if match is None or match[1] in self.idspaces:
            return None
        return f"{match[1]}:{match[2]}"


def _lines(clauses: dict[Entity, list[str]], ids: _Identifiers) -> Iterator[str]:
    for kind, title in _STANZAS:
        for entity, lines in clauses.items():
            if type(entity) is kind:
                yield f"\n[{title}]\nid: {ids.of(entity)}\n"
                # Names come first; equal tags stand together, as the format asks.
                for line in sorted(lines, key=lambda one: _TAG_ORDER.index(one.partition(":")[0])):
                    yield f"{line}\n"


_TAG_ORDER: Final = (
    "name",
    "domain",
    "range",
    "instance_of",
    "is_a",
    "intersection_of",
    "equivalent_to",
    "disjoint_from",
    "relationship",
)


def _clauses(statement: Statement, ids: _Identifiers) -> tuple[Entity, list[str]] | None:
    """The clauses that say a statement, and whose stanza they belong to."""
    source = _qualifier(statement.note)
    said = _plain_clauses(statement.axiom, ids)
    if source is None or said is None or (source and len(said[1]) > 1):
        return None
    owner, lines = said
    return owner, [line + source for line in lines]


def _qualifier(note: Note) -> str | None:
    """A note as a qualifier of a clause; `None` if a qualifier cannot say it."""
    if not note:
        return ""
    if note.label or note.comment or not _TAME_TEXT.fullmatch(note.source):
        return None
    return f' {{source="{note.source}"}}'


def _plain_clauses(axiom: Axiom, ids: _Identifiers) -> tuple[Entity, list[str]] | None:
    match axiom:
        case Inclusion(Name() as left, Exists(role=role, filler=Name() as filler)):
            return _clause("relationship", ids, left, role, filler)
        case Inclusion(Name() as left, Name() as right):
            return _clause("is_a", ids, left, right)
        case Equivalence(members=(Name() as first, Name() as second)):
            return _clause("equivalent_to", ids, first, second)
        case Equivalence(members=(Name() as name, And() as both)):
            return _definition(name, both, ids)
        case Equivalence(members=(And() as both, Name() as name)):
            return _definition(name, both, ids)
        case Disjointness(members=(Name() as first, Name() as second)):
            return _clause("disjoint_from", ids, first, second)
        case RoleInclusion(sub, sup):
            return _clause("is_a", ids, sub, sup)
        case Domain(role, Name() as concept):
            return _clause("domain", ids, role, concept)
        case Range(role, Name() as concept):
            return _clause("range", ids, role, concept)
        case ConceptAssertion(Name() as concept, individual):
            return _clause("instance_of", ids, individual, concept)
        case RoleAssertion(role, subject, target):
            return _clause("relationship", ids, subject, role, target)
    return None


def _clause(
    tag: str, ids: _Identifiers, owner: Entity, *values: Entity
) -> tuple[Entity, list[str]] | None:
    spelt = [ids.of(entity) for entity in values]
    if ids.of(owner) is None or None in spelt:
        return None
    return owner, [f"{tag}: {' '.join(map(str, spelt))}"]


def _definition(name: Name, both: And, ids: _Identifiers) -> tuple[Entity, list[str]] | None:
    """An intersection of named concepts and existentials over named concepts."""
    lines = []
    # The genus comes first, and there has to be one.
    parts = sorted(both.operands, key=lambda part: not isinstance(part, Name))
    for part in parts if isinstance(parts[0], Name) else ():
        said = _differentia(name, part, ids)
        if said is None:
            return None
        lines.extend(said[1])
    return (name, lines) if lines else None


def _differentia(name: Name, part: Concept, ids: _Identifiers) -> tuple[Entity, list[str]] | None:
    match part:
        case Name():
            return _clause("intersection_of", ids, name, part)
        case Exists(role=role, filler=Name() as filler):
            return _clause("intersection_of", ids, name, role, filler)
    return None


def _defines(lines: list[str]) -> bool:
    return any(line.startswith("intersection_of") for line in lines)
