"""From a JSON document to a knowledge base, with the path of every problem."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, ClassVar, Final, TypeVar, get_origin, get_type_hints

from boxsel.errors import MAX_ERRORS, Diagnostic, ReadError
from boxsel.formats.data_form import read_data
from boxsel.formats.json_values import (
    Problem,
    a_boolean,
    a_list,
    a_list_of,
    a_number,
    a_record,
    a_text,
    a_whole_number,
    an_object,
    described,
    one_of,
    parse_json,
    within,
)
from boxsel.logic.axioms import AXIOM_KINDS, Axiom, Conditional
from boxsel.logic.concepts import (
    MAX_DEPTH,
    Concept,
    Entity,
    Exists,
    Individual,
    Name,
    Role,
    conjunction,
)
from boxsel.logic.kb import KB, Dropped
from boxsel.logic.names import Prefixes, is_iri, is_prefix, plain_text
from boxsel.logic.population import Population
from boxsel.logic.proportions import Count, Interval, Proportion
from boxsel.logic.statements import NO_NOTE, NOTE_FIELDS, Note, Statement
from boxsel.machine.collecting import without_cycle_collection
from boxsel.machine.progress import track
from boxsel.syntax.nametable import NameProblem, NameTable

FORMAT_VERSION: Final = 1
MAX_NESTING: Final = 2 * MAX_DEPTH + 1
"""Conjunctions and existentials in turn, with a name inside."""

Read = TypeVar("Read")


FIELDS: Final[Mapping[type[Axiom], Mapping[str, object]]] = {
    kind: {key: of for key, of in get_type_hints(kind).items() if get_origin(of) is not ClassVar}
    for kind in AXIOM_KINDS
    if kind is not Conditional
}
"""The keys of a kind of axiom, and the type of each; those of conditionals depend on what they
state."""

_KINDS: Final = {kind.kind: kind for kind in AXIOM_KINDS}
_SECTIONS = ("prefixes", "labels", "declared", "dropped", "data")
_INTERVAL, _COUNT = ("head", "body", "lower", "upper"), ("head", "body", "count", "total")


def read_document(text: str, file: str) -> KB:
    """The knowledge base that a JSON text states; `ReadError` with every problem found."""
    reader = _Reader(file)
    try:
        with without_cycle_collection():
            return reader.kb(parse_json(text, file))
    except Problem as problem:
        raise ReadError(problem.diagnostic(file)) from None
    except RecursionError:
        raise ReadError(Diagnostic("a concept is nested too deeply to be read", file)) from None


class _Reader:
    """Reads one document: it remembers its names and its problems."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._names = NameTable()
        self._problems: list[Diagnostic] = []
        self._readers: Mapping[object, Callable[[object], Any]] = {
            Concept: self._concept,
            tuple[Concept, ...]: a_list_of(self._concept),
            Role: partial(_named, self._names.role),
            Individual: partial(_named, self._names.individual),
        }

    def kb(self, value: object) -> KB:
        """The knowledge base of a whole document."""
        parts = _document(value)
        prefixes = self._collect(("prefixes",), _prefixes, parts.get("prefixes", {}))
        labels = self._collect(("labels",), _labels, parts.get("labels", {}))
        declared = self._collect(("declared",), self._declared, parts.get("declared", {}))
        dropped = self._each("dropped", _dropped, parts.get("dropped", []))
        data = self._collect(("data",), self._data, parts["data"]) if "data" in parts else None
        statements = self._each("statements", self._statement, parts["statements"])
        if self._problems:
            raise ReadError(*self._problems)
        return KB(
            tuple(statements),
            prefixes=prefixes or Prefixes(),
            labels=labels or {},
            declared=declared or frozenset(),
            dropped=tuple(dropped),
            data=data,
        )

    def _each(self, section: str, read: Callable[[object], Read], value: object) -> list[Read]:
        values = self._collect((section,), a_list, value) or []
        watched = track(values, f"reading {section}", len(values))
        found = (self._collect((section, i), read, one) for i, one in enumerate(watched))
        return [one for one in found if one is not None]

    def _collect(
        self, steps: tuple[str | int, ...], read: Callable[[object], Read], value: object
    ) -> Read | None:
        """What `read` makes of a value, or nothing and one problem more; then it names nothing."""
        before = self._names.mark()
        try:
            return within(steps[-1], read, value)
        except Problem as problem:
            self._names.back(before)
            problem.steps.extend(steps[-2::-1])
            self._problems.append(problem.diagnostic(self._file))
        if len(self._problems) == MAX_ERRORS:
            raise ReadError(*self._problems, more=True)
        return None

    def _statement(self, value: object) -> Statement:
        content = an_object(value, ("kind",), optional=None)
        named = content["kind"]
        kind = _KINDS.get(named) if isinstance(named, str) else None
        if kind is None:
            kind = _KINDS[within("kind", lambda name: one_of(name, tuple(_KINDS)), named)]
        axiom = self._conditional(content) if kind is Conditional else self._axiom(kind, content)
        texts = {key: within(key, a_text, content[key]) for key in NOTE_FIELDS if key in content}
        return Statement(axiom, Note(**texts) if texts else NO_NOTE)

    def _conditional(self, content: dict[str, object]) -> Axiom:
        counted = "count" in content or "total" in content
        an_object(content, ("kind", *(_COUNT if counted else _INTERVAL)), NOTE_FIELDS)
        head = within("head", self._concept, content["head"])
        body = within("body", self._concept, content["body"])
        return Conditional(head, body, _count(content) if counted else _interval(content))

    def _axiom(self, kind: type[Axiom], content: dict[str, object]) -> Axiom:
        keys = FIELDS[kind]
        an_object(content, ("kind", *keys), NOTE_FIELDS)
        values = [within(key, self._readers[keys[key]], content[key]) for key in keys]
        # What is said of members alike takes them one by one.
        return kind(*values[0]) if "members" in keys else kind(*values)

    def _concept(self, value: object, level: int = 0) -> Concept:
        # Recursion is kept to one frame for each level, so that the deepest concept fits.
        if isinstance(value, str):
            return self._names.concepts.get(value) or self._named_concept(value)
        if level == MAX_NESTING:
            raise Problem(f"the concept is nested more than {MAX_NESTING} deep")
        content = an_object(value, optional=None)
        if "and" in content:
            parts: list[Concept] = []
            operands = _operands(content)
            try:
                for operand in operands:
                    parts.append(self._concept(operand, level + 1))
            except Problem as problem:
                problem.steps.extend((len(parts), "and"))
                raise
            return conjunction(*parts)
        role = within("role", self._readers[Role], an_object(content, ("role", "some"))["role"])
        try:
            filler = self._concept(content["some"], level + 1)
        except Problem as problem:
            problem.steps.append("some")
            raise
        return Exists(role, filler)

    def _named_concept(self, iri: str) -> Concept:
        concept = self._names.concepts[iri] = _named(self._names.concept, iri)
        return concept

    def _data(self, value: object) -> Population:
        return read_data(value, self._data_name, self._readers[Role])

    def _data_name(self, value: object) -> Name:
        concept = self._concept(a_text(value))
        if isinstance(concept, Name):
            return concept
        raise Problem("data are about names", "leave it out")

    def _declared(self, value: object) -> frozenset[Entity]:
        finds: dict[str, Callable[[str], Concept | Entity]] = {
            "concepts": self._names.concept,
            "roles": self._names.role,
            "individuals": self._names.individual,
        }
        content = an_object(value, (), tuple(finds))
        named = (
            one
            for key, iris in content.items()
            for one in within(key, a_list_of(partial(_named, finds[key])), iris)
        )
        # ⊤ and ⊥ need no declaration.
        return frozenset(one for one in named if isinstance(one, Entity))


def _document(value: object) -> dict[str, object]:
    """The parts of a document of the version that is read here."""
    content = an_object(value, optional=None)
    if "boxsel" not in content:
        raise Problem(
            "this JSON is not a knowledge base: the key 'boxsel' is missing",
            'a knowledge base starts with {"boxsel": 1',
        )
    version = within("boxsel", a_whole_number, content["boxsel"])
    if version != FORMAT_VERSION:
        raise Problem(
            f"this is version {version} of the format; version {FORMAT_VERSION} is read here",
            "a newer boxsel may read it" if version > FORMAT_VERSION else None,
        )
    return an_object(content, ("boxsel", "statements"), _SECTIONS)


def _named(find: Callable[[str], Read], value: object) -> Read:
    """The name with an IRI, as the kind of thing that `find` looks for."""
    iri = _iri(value)
    try:
        return find(f"<{iri}>")
    except NameProblem as problem:
        raise Problem(problem.message, problem.advice) from None


def _iri(value: object) -> str:
    text = a_text(value)
    if not is_iri(text):
        raise Problem(
            f"expected a full IRI, found {described(text)}",
            "the bare name Woman of .sel is the IRI urn:boxsel:Woman",
        )
    return text


def _operands(content: dict[str, object]) -> list[object]:
    operands = within("and", a_list, an_object(content, ("and",))["and"])
    if len(operands) < 2:
        raise Problem("a conjunction needs two or more concepts")
    return operands


def _interval(content: dict[str, object]) -> Proportion:
    lower, upper = (within(key, a_number, content[key]) for key in ("lower", "upper"))
    return Interval(lower, upper)


def _count(content: dict[str, object]) -> Proportion:
    count, total = (within(key, a_whole_number, content[key]) for key in ("count", "total"))
    return Count(count, total)


def _prefixes(value: object) -> Prefixes:
    table = an_object(value, optional=None)
    for prefix in table:
        if not is_prefix(prefix):
            raise Problem(f"{prefix!r:.60} cannot be a prefix: it is a name without ':'")
    return Prefixes({prefix: within(prefix, _iri, iri) for prefix, iri in table.items()})


def _labels(value: object) -> dict[str, str]:
    table = an_object(value, optional=None)
    return {_iri(iri): within(iri, _label, label) for iri, label in table.items()}


def _label(value: object) -> str:
    return plain_text(a_text(value), "a label")


_dropped = a_record(
    partial(Dropped, reason=""),
    ("reason", "logical"),
    kind=a_text,
    count=a_whole_number,
    reason=a_text,
    logical=a_boolean,
)
