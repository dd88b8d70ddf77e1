"""Adding statements to an ontology whose file stays, byte for byte, as it is.

SEL knows a part of OWL, so reading a file and writing it again would lose what SEL has no words
for. Instead the statements are written into the file: before its end, in its own syntax. Every
triple, comment and import that was there is there still.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Final
from urllib.parse import unquote
from xml.sax.saxutils import quoteattr

from pyoxigraph import BlankNode, Literal, NamedNode, RdfFormat, Triple, serialize

from boxsel.errors import BoxselError, WriteError
from boxsel.formats.owl.functional import added_lines
from boxsel.formats.owl.iris import RDF
from boxsel.formats.owl.rdf.writing import added_triples
from boxsel.formats.owl.wellformed import xml_text
from boxsel.formats.owl.writing import OwlOntology, owl_ontology, texts
from boxsel.formats.registry import Format, format_of_path, input_format
from boxsel.formats.source import Source, load, marked_encoding, write_atomically
from boxsel.logic.concepts import Entity
from boxsel.logic.kb import KB
from boxsel.logic.names import split_iri
from boxsel.logic.renaming import Renaming
from boxsel.wording import listed, several

_END_OF_XML: Final = re.compile(
    rb"</(?:[\w.-]+:)?RDF\s*>\s*(?:(?:<!--.*?-->|<\?.*?\?>)\s*)*\Z", re.DOTALL
)
_LOCAL: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*\Z")
_END_OF_FUNCTIONAL: Final = re.compile(rb"\)\s*(?:#[^\n]*\n?\s*)*\Z")


@dataclass(frozen=True)
class Annotated:
    """An ontology's file with statements added: its bytes, and what it states now.

    `matched` says which name of the ontology each name of the statements is, where they are spelt
    differently; `new` names are none of the ontology's.
    """

    data: bytes
    format: Format
    kb: KB
    added: int
    matched: Mapping[Entity, Entity]
    new: tuple[Entity, ...]

    @property
    def notices(self) -> list[str]:
        """What people should know about names."""
        said = []
        if self.matched:
            pairs = [f"{entity} is <{place.iri}>" for entity, place in self.matched.items()]
            said.append(f"{several(len(pairs), 'name')} matched: {listed(pairs)}")
        if self.new:
            said.append(f"new names: {listed([str(entity) for entity in self.new], 20)}")
        return said


def annotate(
    ontology: str | os.PathLike[str],
    statements: KB,
    output: str | os.PathLike[str],
    *,
    new: bool = False,
) -> Annotated:
    """Write an ontology with statements added, and everything else in it as it was.

    Names of the statements are those of the ontology that have the same IRI, the same local name or
    the same label; others are refused, or with `new` declared.

    Raises:
        BoxselError: A name is not in the ontology, or there are several that it could be.
        WriteError: The syntax is one that statements cannot be written into.
    """
    found = annotated(load(ontology), statements, new=new)
    wanted = format_of_path(os.fspath(output))
    if wanted is not None and wanted != found.format:
        raise WriteError(
            f"{os.fspath(output)}: the ontology stays as it is, also its syntax:"
            f" {found.format.title}, so name the file {listed(found.format.extensions)}"
        )
    write_atomically(output, found.data)
    return found


def annotated(source: Source, statements: KB, *, new: bool = False) -> Annotated:
    """Add statements to an ontology, and read the result back to be sure."""
    entry = input_format(source, None)
    if entry.name not in _WRITERS:
        known = listed([f".{name}" for name in _WRITERS])
        raise WriteError(f"{source.file}: statements can be added to {known}, not to {entry.title}")
    if marked_encoding(source.data) is not None:
        raise WriteError(f"{source.file}: statements are added to text in UTF-8: save it as such")
    before = entry.codec.read(source)
    places = _Places(before, source.file)
    table: dict[Entity, Entity] = {}
    missing = []
    for entity in statements.signature:
        place = places.find(entity, statements.labels.get(entity.iri))
        if place is None and not new:
            raise places.unknown(entity)
        missing += [entity] if place is None else []
        table |= {entity: place} if place not in (None, entity) else {}
    renaming = Renaming({one.iri: place.iri for one, place in table.items()})
    stated = KB(
        tuple(
            replace(statement, axiom=renaming.axiom(statement.axiom))
            for statement in dict.fromkeys(statements)
        ),
        labels={renaming.iri(iri): label for iri, label in statements.labels.items()},
    )
    said = owl_ontology(stated)
    known_names = set(before.signature)
    said = replace(
        said,
        entities=tuple(one for one in said.entities if one not in known_names),
        labels=tuple(label for label in said.labels if label[0] not in before.labels),
    )
    data = _WRITERS[entry.name](source, said)
    after = entry.codec.read(Source(source.file, data))
    if set(after.statements) != {*before.statements, *stated.statements}:
        raise WriteError(f"{source.file}: what was written does not read back as what was added")
    return Annotated(data, entry, after, len(stated), table, tuple(missing))


class _Places:
    """Which names an ontology has, by what they are called."""

    def __init__(self, kb: KB, file: str) -> None:
        self._file = file
        self._names = set(kb.signature)
        self._called: dict[tuple[type[Entity], str], list[Entity]] = {}
        for entity in kb.signature:
            local, label = unquote(split_iri(entity.iri)[1]), kb.labels.get(entity.iri, "")
            # What it is called exactly goes before its label, and that before any case.
            texts = dict.fromkeys((local, f"label {label}", f"case {local.casefold()}"))
            for text in texts:
                self._called.setdefault((type(entity), text), []).append(entity)

    def find(self, name: Entity, label: str | None) -> Entity | None:
        """The name of the ontology that a name of the statements stands for, if there is one."""
        if name in self._names:
            return name
        local = unquote(split_iri(name.iri)[1])
        for text in (local, f"label {label or local}", f"case {local.casefold()}"):
            entities = self._called.get((type(name), text), [])
            if len(entities) > 1:
                several_names = listed([f"<{entity.iri}>" for entity in entities])
                raise BoxselError(
                    f"{name} could be several names of {self._file}: {several_names}"
                    "\n  help: write its IRI in full, as <http://example.org/A>"
                )
            if entities:
                return entities[0]
        return None

    def unknown(self, name: Entity) -> BoxselError:
        """The error for a name that the ontology does not have, with one that is near."""
        known = [
            text.removeprefix("label ")
            for kind, text in self._called
            if kind is type(name) and not text.startswith("case ")
        ]
        near = get_close_matches(unquote(split_iri(name.iri)[1]), known, 1)
        advice = f"did you mean {near[0]}? " if near else ""
        return BoxselError(
            f"{name} is not in {self._file}\n  help: {advice}--new declares names that are not"
            " there yet"
        )


def _functional(source: Source, ontology: OwlOntology) -> bytes:
    end = _END_OF_FUNCTIONAL.search(source.data)
    if end is None:
        raise WriteError(f"{source.file}: the end of the ontology is not where it should be")
    added = "".join(f"{line}\n" for line in added_lines(ontology)).encode()
    return source.data[: end.start()] + b"\n" + added + source.data[end.start() :]


def _turtle(source: Source, ontology: OwlOntology) -> bytes:
    triples = added_triples(ontology, _blank(source), for_xml=False)
    written = serialize(triples, format=RdfFormat.N_TRIPLES)
    assert written is not None  # it is, unless it goes to a file
    return source.data.rstrip() + b"\n\n" + written


def _xml(source: Source, ontology: OwlOntology) -> bytes:
    end = _END_OF_XML.search(source.data)
    if end is None:
        raise WriteError(f"{source.file}: there is no end tag of rdf:RDF to write before")
    for text in texts(ontology):
        xml_text(text)  # refuses what XML cannot hold
    triples = added_triples(ontology, _blank(source), for_xml=True)
    return source.data[: end.start()] + _elements(triples).encode() + source.data[end.start() :]


def _elements(triples: Sequence[Triple]) -> str:
    """Triples as elements that depend on nothing around them: prefixes, base or language.

    What is not ASCII is a reference, so that the encoding of the file does not matter either.
    """
    lines, about = [], None
    for triple in triples:
        if triple.subject != about:
            if about is not None:
                lines.append("</r:Description>")
            about = triple.subject
            named = _attribute("about", "nodeID", about)
            lines.append(f'<r:Description xmlns:r="{RDF}" xml:lang="" {named}>')
        split = _LOCAL.search(triple.predicate.value)
        assert split is not None  # the writer has taken care of that
        space, local = triple.predicate.value[: split.start()], split[0]
        tag = f"<p:{local} xmlns:p={quoteattr(space)}"
        value = triple.object
        if isinstance(value, Literal):
            text = value.value.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
            lines.append(f"{tag}>{text}</p:{local}>".replace("\r", "&#13;"))
        else:
            lines.append(f"{tag} {_attribute('resource', 'nodeID', value)}/>")
    if lines:
        lines.append("</r:Description>")
    text = "".join(f"{line}\n" for line in lines)
    return text.encode("ascii", "xmlcharrefreplace").decode()


def _attribute(named: str, blank: str, node: object) -> str:
    if isinstance(node, NamedNode):
        return f"r:{named}={quoteattr(node.value)}"
    assert isinstance(node, BlankNode)
    return f'r:{blank}="{node.value}"'


def _blank(source: Source) -> str:
    """How blank nodes begin that the file cannot have: after its content."""
    return f"s{hashlib.sha256(source.data).hexdigest()[:12]}n"


_WRITERS: Final[Mapping[str, Callable[[Source, OwlOntology], bytes]]] = {
    "owl": _xml,
    "ttl": _turtle,
    "ofn": _functional,
}
