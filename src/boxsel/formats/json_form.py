"""The JSON form of a knowledge base: for programs, which then need no parser of concepts.

Names are full IRIs. Numbers are written as text, so that no program rounds them. The schema
is `boxsel.schemas.schema("kb")`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict

from boxsel.formats.data_form import data_json
from boxsel.formats.json_reader import FIELDS, FORMAT_VERSION, read_document
from boxsel.formats.source import Source
from boxsel.logic.axioms import Axiom, Conditional
from boxsel.logic.concepts import And, Concept, Entity, Exists, Individual, Name, Role, Top
from boxsel.logic.kb import KB
from boxsel.logic.names import BOTTOM_IRI, TOP_IRI
from boxsel.logic.population import Population
from boxsel.logic.proportions import Count, Proportion, number_text
from boxsel.logic.statements import Note

_encode = json.JSONEncoder(ensure_ascii=False).encode


def read(source: Source) -> KB:
    """The knowledge base in a JSON file; `ReadError` with every problem and its path."""
    return read_document(source.text, source.file)


def write(kb: KB) -> str:
    """The knowledge base as JSON, one statement per line.

    Examples:
        >>> from boxsel.logic.concepts import names
        >>> A, B = names("A B")
        >>> print(write(KB.of(A <= B)), end="")
        {
          "boxsel": 1,
          "prefixes": {},
          "labels": {},
          "declared": {"concepts": [], "roles": [], "individuals": []},
          "dropped": [],
          "statements": [
            {"kind": "inclusion", "left": "urn:boxsel:A", "right": "urn:boxsel:B"}
          ]
        }
    """
    declared = {
        "concepts": _iris(kb, Name),
        "roles": _iris(kb, Role),
        "individuals": _iris(kb, Individual),
    }
    stated = ({**_axiom(said.axiom), **_note(said.note)} for said in kb.statements)
    sections = (
        f'"boxsel": {FORMAT_VERSION}',
        f'"prefixes": {_block("{}", _members(kb.prefixes.items()))}',
        f'"labels": {_block("{}", _members(kb.labels.items()))}',
        f'"declared": {_encode(declared)}',
        f'"dropped": {_block("[]", (_encode(asdict(drop)) for drop in kb.dropped))}',
        *(() if kb.data is None else (f'"data": {_data(kb.data)}',)),
        f'"statements": {_block("[]", map(_encode, stated))}',
    )
    return "{\n  " + ",\n  ".join(sections) + "\n}\n"


def _data(data: Population) -> str:
    """The data with one pattern on each line."""
    form = data_json(data)
    patterns = _block("[]", map(_encode, form.pop("patterns")))
    return f'{_encode(form)[:-1]}, "patterns": {patterns}}}'


def _block(brackets: str, lines: Iterable[str]) -> str:
    """A list or an object with one member on each line."""
    inside = ",\n    ".join(lines)
    return f"{brackets[0]}\n    {inside}\n  {brackets[1]}" if inside else brackets


def _members(pairs: Iterable[tuple[str, str]]) -> Iterable[str]:
    return (f"{_encode(key)}: {_encode(value)}" for key, value in pairs)


def _iris(kb: KB, kind: type[Entity]) -> list[str]:
    # Names that occur in a statement need no declaration.
    return sorted(entity.iri for entity in kb.unused if isinstance(entity, kind))


def _axiom(axiom: Axiom) -> dict[str, object]:
    if isinstance(axiom, Conditional):
        head, body = _concept(axiom.head), _concept(axiom.body)
        proportion = _proportion(axiom.proportion)
        return {"kind": axiom.kind, "head": head, "body": body, **proportion}
    return {"kind": axiom.kind} | {key: _value(getattr(axiom, key)) for key in FIELDS[type(axiom)]}


def _value(value: Concept | Entity | tuple[Concept, ...]) -> object:
    if isinstance(value, tuple):
        return [_concept(member) for member in value]
    return _concept(value) if isinstance(value, Concept) else value.iri


def _concept(concept: Concept) -> object:
    if isinstance(concept, Name):
        return concept.iri
    if isinstance(concept, And):
        return {"and": [_concept(operand) for operand in concept.operands]}
    if isinstance(concept, Exists):
        return {"role": concept.role.iri, "some": _concept(concept.filler)}
    return TOP_IRI if isinstance(concept, Top) else BOTTOM_IRI


def _proportion(proportion: Proportion) -> dict[str, object]:
    if isinstance(proportion, Count):
        return asdict(proportion)
    return {"lower": number_text(proportion.lower), "upper": number_text(proportion.upper)}


def _note(note: Note) -> dict[str, str]:
    return {key: text for key, text in asdict(note).items() if text} if note else {}
