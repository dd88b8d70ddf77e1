"""Which IRI each spelling stands for, and what kind of thing each IRI is, while a text is read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeVar

from boxsel.errors import InvalidStatementError
from boxsel.logic.concepts import BOTTOM, TOP, Concept, Entity, Individual, Name, Role
from boxsel.logic.names import (
    BARE_NAMESPACE,
    BOTTOM_IRI,
    BUILTIN_PREFIXES,
    TOP_IRI,
    Prefixes,
    bare_iri,
    check_iri,
    unquote_name,
)
from boxsel.wording import with_article

AnyEntity = TypeVar("AnyEntity", bound=Entity)

NOT_INSIDE: Final = "individuals occur only in assertions, never inside a concept"
"""What to know about an individual in the wrong place."""


class NameProblem(Exception):  # noqa: N818 - it never leaves the reader: it becomes a diagnostic
    """A spelling that stands for nothing, or for something of the wrong kind.

    An `unknown` one may be part of a name that is known.
    """

    def __init__(self, message: str, advice: str | None = None, *, unknown: bool = False) -> None:
        super().__init__(message)
        self.message = message
        self.advice = advice
        self.unknown = unknown


@dataclass(slots=True)
class _Known:
    entity: Entity
    line: int | None


# How much a table knows at some moment: so many names and concepts, and whether one was bare. There
# is one for every line of a text: a tuple is made fastest.
Mark = tuple[int, int, bool]


class NameTable:
    """The names of one text. It grows while the text is read and is thrown away afterwards.

    Whoever reads a part of the text puts a `mark` before it, and goes `back` to it if the part
    cannot be read: what is refused, or left to another reader, names nothing.
    """

    def __init__(self, prefixes: Prefixes | None = None) -> None:
        self.prefixes: dict[str, str] = dict(prefixes or {})
        self.concepts: dict[str, Concept] = {}
        """What texts of concepts stand for, as far as a reader remembers them."""
        self._known: dict[str, _Known] = {}
        self._used_bare = False

    def mark(self) -> Mark:
        """What is known now, to go back to."""
        return len(self._known), len(self.concepts), self._used_bare

    def back(self, mark: Mark) -> None:
        """Forget all that came after a mark."""
        names, concepts, self._used_bare = mark
        # Nothing is ever taken out of these but here, so that what came last stands last.
        while len(self._known) > names:
            self._known.popitem()
        while len(self.concepts) > concepts:
            self.concepts.popitem()

    def know(self, entity: Entity) -> None:
        """Take a name as known beforehand."""
        self._known[entity.iri] = _Known(entity, None)

    def declare_prefix(self, prefix: str, namespace: str) -> None:
        """Let a prefix stand for a namespace from here on."""
        known = self.prefixes.get(prefix) or BUILTIN_PREFIXES.get(prefix)
        if known is not None and known != namespace:
            raise NameProblem(f"the prefix '{prefix}:' already stands for <{known}>")
        if not prefix and self._used_bare and known is None:
            raise NameProblem(
                "the default prefix ':' is declared after the first bare name",
                "move this line to the top of the file",
            )
        self.prefixes[prefix] = _absolute(namespace)

    def written(self, said: str) -> str | None:
        """How the name is written that a text without quotes spells, if it is one that is known."""
        iri = bare_iri(said, self.prefixes.get("", BARE_NAMESPACE))
        return Prefixes(self.prefixes).shorten(iri) if iri in self._known else None

    def iri(self, spelling: str, kind: type[Entity] = Entity) -> str:  # noqa: ARG002
        """The IRI of a bare, quoted, prefixed or full name; whatever its kind here."""
        first = spelling[0]
        if first == "<":
            return _absolute(spelling[1:-1])
        if first == "'":
            self._used_bare = True
            return bare_iri(unquote_name(spelling), self.prefixes.get("", BARE_NAMESPACE))
        prefix, colon, local = spelling.partition(":")
        if not colon:
            self._used_bare = True
            return self.prefixes.get("", BARE_NAMESPACE) + spelling
        if not prefix:
            self._used_bare = True
            return self.prefixes.get("", BARE_NAMESPACE) + local
        namespace = self.prefixes.get(prefix) or BUILTIN_PREFIXES.get(prefix)
        if namespace is None:
            raise NameProblem(
                f"the prefix '{prefix}:' is not declared",
                f"add a line such as: Prefix: {prefix}: <http://example.org/>",
            )
        return namespace + local

    def concept(self, spelling: str, line: int | None = None) -> Concept:
        """The concept of this spelling: a name, ⊤ or ⊥."""
        iri = self.iri(spelling, Name)
        if iri == TOP_IRI:
            return TOP
        if iri == BOTTOM_IRI:
            return BOTTOM
        return self._entity(Name, iri, spelling, line)

    def role(self, spelling: str, line: int | None = None) -> Role:
        """The role of this spelling."""
        return self._entity(Role, self._named(spelling, Role), spelling, line)

    def individual(self, spelling: str, line: int | None = None) -> Individual:
        """The individual of this spelling."""
        return self._entity(Individual, self._named(spelling, Individual), spelling, line)

    def _named(self, spelling: str, kind: type[Entity]) -> str:
        iri = self.iri(spelling, kind)
        if iri in (TOP_IRI, BOTTOM_IRI):
            raise NameProblem(f"{spelling} is a concept")
        return iri

    def _entity(
        self, kind: type[AnyEntity], iri: str, spelling: str, line: int | None
    ) -> AnyEntity:
        known = self._known.get(iri)
        if known is None:
            entity = kind(iri)
            self._known[iri] = _Known(entity, line)
            return entity
        if not isinstance(known.entity, kind):
            raise _clash(kind, known, spelling)
        return known.entity


def _absolute(iri: str) -> str:
    try:
        return check_iri(iri)
    except InvalidStatementError:
        raise NameProblem(
            f"<{iri}> is not a full IRI", "a full IRI starts with a scheme, such as http:"
        ) from None


def used_twice(spelling: str, kind: type[Entity], known: Entity, where: str) -> str:
    """What is wrong with a name that is of another kind somewhere."""
    here, there = (with_article(each.kind) for each in (kind, known))
    return f"{spelling} is used as {here} here, but as {there} {where}"


def _clash(kind: type[Entity], known: _Known, spelling: str) -> NameProblem:
    where = f"in line {known.line}" if known.line is not None else "elsewhere"
    advice = "one name is one kind of thing: rename one of them"
    if Individual in (kind, type(known.entity)):
        advice = NOT_INSIDE
    return NameProblem(used_twice(spelling, kind, known.entity, where), advice)
