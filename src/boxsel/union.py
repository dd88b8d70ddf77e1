"""One knowledge base of several: whose statements are whose, and names that may be the same.

A statement that names no source gets the part that it comes from. A prefix that two parts use for
different namespaces gets a number in the later one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations, count
from pathlib import Path
from typing import Final, Literal, get_args
from urllib.parse import unquote

from boxsel.errors import InvalidStatementError
from boxsel.logic.concepts import Entity
from boxsel.logic.kb import KB
from boxsel.logic.names import BARE_NAMESPACE, BUILTIN_PREFIXES, Prefixes, is_prefix, split_iri
from boxsel.logic.renaming import Renaming
from boxsel.logic.statements import Note, Statement
from boxsel.wording import listed, several

Match = Literal["local", "label", "none"]
"""When names with different IRIs are one: alike after the namespace, alike in label, or never."""
MATCHES: Final[tuple[Match, ...]] = get_args(Match)


@dataclass(frozen=True, slots=True)
class Part:
    """A knowledge base and what it is called, such as the name of its file."""

    name: str
    kb: KB


@dataclass(frozen=True, slots=True)
class Twins:
    """Names that look the same under different IRIs: what they are called, each with its part.

    They are `certain` if no part has two of them: then they can be one.
    """

    called: str
    entities: tuple[Entity, ...]
    parts: tuple[str, ...]
    certain: bool

    def text(self) -> str:
        """Which they are, and where."""
        where = zip(self.entities, self.parts, strict=True)
        spelt = (f"{entity} in {part}" for entity, part in where)
        return f"{self.called} ({', '.join(spelt)})"

    def to_json(self) -> dict[str, object]:
        """The same as a JSON object."""
        where = zip(self.entities, self.parts, strict=True)
        names = [{"iri": entity.iri, "kind": entity.kind, "file": part} for entity, part in where]
        return {"called": self.called, "names": names}


@dataclass(frozen=True)
class Union:
    """The knowledge base of all parts, and the names that look the same.

    `remarks` are about how the parts were read.
    """

    kb: KB
    match: Match | None = None
    found: Match = "none"
    joined: tuple[Twins, ...] = ()
    apart: tuple[Twins, ...] = ()
    remarks: tuple[str, ...] = ()

    def notices(self, offer: str) -> list[str]:
        """What people should know; `offer` is how one asks for a match, such as `--match {}`."""
        said = []
        if self.joined:
            how = {"local": "local name", "label": "label"}[self.found]
            twins = listed([one.text() for one in self.joined], 3)
            said.append(f"{several(len(self.joined), 'name')} matched by {how}: {twins}")
        offered = [one for one in self.apart if one.certain and self.match is None]
        if offered:
            said.append(
                f"{several(len(offered), 'name')} alike in several files, and taken for"
                f" different ones: {listed([one.text() for one in offered], 3)}\n"
                f"  help: {offer.format(self.found)} makes them one,"
                f" {offer.format('none')} says that they are not"
            )
        others = [one for one in self.apart if one not in offered]
        if others and self.match != "none":
            said.append(
                f"not matched, since one file has several: "
                f"{listed([one.text() for one in others], 3)}"
            )
        return said


def unite(parts: Sequence[Part], match: Match | None = None) -> Union:
    r"""All statements of all parts.

    Without a `match` no names are joined, and those that look the same are listed.

    Examples:
        >>> from boxsel.syntax.parser import parse_kb
        >>> counted = Part("counted.csv", parse_kb("(B | A)[0.3]"))
        >>> tree = Part("tree.sel", parse_kb("Prefix: : <http://example.org/>\nA SubClassOf C"))
        >>> print(*unite([counted, tree], "local").kb, sep="\n")
        (B | <http://example.org/A>)[0.3]  ## source: counted.csv
        <http://example.org/A> SubClassOf <http://example.org/C>  ## source: tree.sel
    """
    ways: tuple[Match, ...] = ("local", "label") if match is None else (match,)
    found = {way: find_twins(parts, way) for way in ways}
    way = max(found, key=lambda one: len(found[one]))
    joined = [] if match is None else [twins for twins in found[way] if twins.certain]
    apart = [twins for twins in found[way] if twins not in joined]
    renaming = Renaming(_table(joined))
    try:
        kb = _united(parts, renaming)
    except InvalidStatementError as error:
        together = listed([part.name for part in parts])
        raise InvalidStatementError(f"{together} do not fit together: {error}") from None
    return Union(kb, match, way, tuple(joined), tuple(apart))


def find_twins(parts: Sequence[Part], match: Match) -> list[Twins]:
    """The names of the same kind that look the same in different parts, under different IRIs."""
    if match == "none":
        return []
    alike: dict[tuple[type[Entity], str], dict[Entity, list[Part]]] = {}
    for part in parts:
        for entity in part.kb.signature:
            key = type(entity), _called(entity, part.kb, match)
            alike.setdefault(key, {}).setdefault(entity, []).append(part)
    twins, taken = [], set[Entity]()
    for (_, called), places in alike.items():
        first = {entity: owners[0].name for entity, owners in places.items()}
        owners = [part.name for place in places.values() for part in place]
        named = [{part.name for part in place} for place in places.values()]
        # Whoever has two names in one part means two things: apart are those that no part has both.
        if any(one.isdisjoint(other) for one, other in combinations(named, 2)):
            certain = len(set(owners)) == len(owners) and taken.isdisjoint(first)
            twins.append(Twins(called, tuple(first), tuple(first.values()), certain))
            taken.update(first)
    return twins


def with_default_prefix(kb: KB) -> KB:
    """The knowledge base whose names are spelt bare, if all of them are in one namespace.

    Not if it has a default prefix, or a prefix for a part of that namespace: then names have
    a spelling that people know, such as HP:0001250.
    """
    spaces = {split_iri(entity.iri)[0] for entity in kb.signature}
    if "" in kb.prefixes or len(spaces) != 1 or not (space := spaces.pop()):
        return kb
    if space == BARE_NAMESPACE or any(
        prefix != space and prefix.startswith(space) for prefix in kb.prefixes.values()
    ):
        return kb
    return replace(kb, prefixes=Prefixes({**kb.prefixes, "": space}))


def _called(entity: Entity, kb: KB, match: Match) -> str:
    """What a name is called: what follows its namespace, or its label if it has one."""
    local = unquote(split_iri(entity.iri)[1])
    return (kb.labels.get(entity.iri) or local).casefold() if match == "label" else local


def _table(joined: Iterable[Twins]) -> dict[str, str]:
    """What the IRIs of twins become: the first that is not made of a bare name."""
    table: dict[str, str] = {}
    for twins in joined:
        iris = [entity.iri for entity in twins.entities]
        kept = min(iris, key=lambda iri: iri.startswith(BARE_NAMESPACE))
        table |= {iri: kept for iri in iris if iri != kept}
    return table


def _united(parts: Sequence[Part], renaming: Renaming) -> KB:
    said: dict[tuple[object, Note], tuple[Statement, list[str]]] = {}
    for part in parts:
        for statement in part.kb:
            axiom = renaming.axiom(statement.axiom)
            renamed = replace(statement, axiom=axiom)
            _, sources = said.setdefault((axiom, statement.note), (renamed, []))
            if part.name not in sources:
                sources.append(part.name)
    labels: dict[str, str] = {}
    for iri, label in chain.from_iterable(part.kb.labels.items() for part in parts):
        labels.setdefault(renaming.iri(iri), label)
    data = [part.kb.data for part in parts if part.kb.data is not None]
    kb = KB(
        tuple(_told(statement, sources) for statement, sources in said.values()),
        labels=labels,
        declared=frozenset(
            renaming.entity(entity) for part in parts for entity in part.kb.declared
        ),
        dropped=tuple(chain.from_iterable(part.kb.dropped for part in parts)),
        data=renaming.population(data[0]) if len(data) == 1 else None,
    )
    return replace(kb, prefixes=_prefixes(parts, kb))


def _told(statement: Statement, sources: Sequence[str]) -> Statement:
    """A statement with the parts that it comes from, unless it names a source of its own."""
    if statement.note.source:
        return statement
    return replace(statement, note=replace(statement.note, source=", ".join(sources)))


def _prefixes(parts: Sequence[Part], kb: KB) -> Prefixes:
    """The prefixes of all parts; bare names are those without a namespace, if there are some."""
    bare = any(entity.iri.startswith(BARE_NAMESPACE) for entity in kb.signature)
    table: dict[str, str] = {}
    for part in parts:
        for prefix, space in part.kb.prefixes.items():
            taken = {**BUILTIN_PREFIXES, **table}
            if not prefix and (bare or taken.get("", space) != space):
                if space in taken.values() or space == BARE_NAMESPACE:
                    continue
                table[_free(_prefix(part.name), taken, space)] = space
            else:
                table[_free(prefix, taken, space)] = space
    return Prefixes(table)


def _prefix(name: str) -> str:
    """A prefix for the namespace of a part, after its name."""
    said = re.sub(r"\W+", "_", Path(name).name.partition(".")[0])
    return said if said and is_prefix(said) else f"part_{said}"


def _free(prefix: str, taken: Mapping[str, str], space: str) -> str:
    """The prefix, with a number if another namespace has it."""
    tries = chain([prefix], (f"{prefix}{number}" for number in count(2)))
    return next(one for one in tries if taken.get(one, space) == space)
