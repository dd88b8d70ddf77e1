"""OWL class expressions, read as concepts of EL.

An expression that SEL cannot say is read as the strongest concept above it that SEL can say,
with a list of what was lost. All constructors of EL are monotone, so a right-hand side may
be read that way: the inclusion only gets weaker, and bounds computed from it stay sound. A
left-hand side must be exact.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import TypeVar

from boxsel.errors import InvalidStatementError
from boxsel.formats.owl.iris import BUILTIN_ROLES, meant
from boxsel.logic.concepts import BOTTOM, TOP, Concept, Exists, Individual, Name, Role, conjunction
from boxsel.logic.names import BOTTOM_IRI, TOP_IRI

_Made = TypeVar("_Made")


@dataclass(frozen=True, slots=True)
class Expression:
    """A class expression of OWL.

    `operands` are those of an outermost intersection as the file gives them, not flattened:
    only they tell the head of a conditional from its body. `link` is the meaning of an
    `ObjectHasValue`, which an assertion can say.
    """

    concept: Concept
    lost: tuple[str, ...] = ()
    operands: tuple[Concept, ...] = ()
    link: tuple[Role, Individual] | None = None

    @property
    def exact(self) -> bool:
        """Whether the concept means the same as the expression."""
        return not self.lost

    @property
    def empty(self) -> bool:
        """Whether the expression can have no instance, because it mentions ⊥."""
        return self.concept.mentions_bottom


@dataclass(frozen=True, slots=True)
class RoleExpression:
    """An object property expression: a named role, or the kind of what SEL does not have."""

    role: Role | None
    lost: str = ""


class UnreadableIriError(InvalidStatementError):
    """An IRI that cannot be the name of anything."""

    def __init__(self, iri: str, problem: str) -> None:
        super().__init__(problem)
        self.iri = iri


class Names:
    """Entities by the IRI that a file gives; each is made and checked once."""

    def __init__(self) -> None:
        self._classes: dict[str, Expression] = {
            TOP_IRI: Expression(TOP),
            BOTTOM_IRI: Expression(BOTTOM),
        }
        self._roles: dict[str, RoleExpression] = {
            iri: RoleExpression(None, spelling) for iri, spelling in BUILTIN_ROLES.items()
        }
        self._individuals: dict[str, Individual] = {}

    def concept(self, iri: str) -> Expression:
        """A named class: a concept name, ⊤ or ⊥."""
        return _remember(self._classes, iri, lambda: Expression(Name(meant(iri))))

    def role(self, iri: str) -> RoleExpression:
        """A named object property."""
        return _remember(self._roles, iri, lambda: RoleExpression(Role(meant(iri))))

    def individual(self, iri: str) -> Individual:
        """A named individual."""
        return _remember(self._individuals, iri, lambda: Individual(meant(iri)))

    def __contains__(self, iri: str) -> bool:
        return iri in self._classes or iri in self._roles or iri in self._individuals

    @property
    def punned(self) -> bool:
        """Whether some IRI was read as two kinds of thing."""
        classes, roles, individuals = (
            table.keys() for table in (self._classes, self._roles, self._individuals)
        )
        return bool(classes & roles or classes & individuals or roles & individuals)


def foreign(kind: str) -> Expression:
    """An expression that tells SEL nothing: it is read as ⊤."""
    return Expression(TOP, (kind,))


def intersection(members: Iterable[Expression]) -> Expression:
    """An intersection; members that SEL cannot say at all are left out of it."""
    members = tuple(members)
    said = [member.concept for member in members if member.exact or member.concept != TOP]
    lost = tuple(kind for member in members for kind in member.lost)
    return Expression(conjunction(*said), lost, tuple(member.concept for member in members))


def existential(role: RoleExpression, filler: Expression) -> Expression:
    """`ObjectSomeValuesFrom`."""
    if role.role is None:
        return foreign(role.lost)
    return Expression(Exists(role.role, filler.concept), filler.lost)


def at_least(number: int, role: RoleExpression, filler: Expression) -> Expression:
    """`ObjectMinCardinality`: none is ⊤, one is an existential, more are at least one."""
    if number == 0:
        return Expression(TOP)
    some = existential(role, filler)
    return some if number == 1 else _weakened(some, "ObjectMinCardinality")


def exactly(number: int, role: RoleExpression, filler: Expression) -> Expression:
    """`ObjectExactCardinality`: one or more are at least one."""
    if number == 0:
        return foreign("ObjectExactCardinality")
    return _weakened(existential(role, filler), "ObjectExactCardinality")


def has_value(role: RoleExpression, individual: Individual | None) -> Expression:
    """`ObjectHasValue`: a link to someone, and for an assertion a link to this individual."""
    some = _weakened(existential(role, Expression(TOP)), "ObjectHasValue")
    if role.role is None or individual is None:
        return some
    return replace(some, link=(role.role, individual))


def has_self(role: RoleExpression) -> Expression:
    """`ObjectHasSelf`: a link to someone."""
    return _weakened(existential(role, Expression(TOP)), "ObjectHasSelf")


def _weakened(expression: Expression, kind: str) -> Expression:
    return replace(expression, lost=(*expression.lost, kind))


def _remember(known: dict[str, _Made], iri: str, make: Callable[[], _Made]) -> _Made:
    entity = known.get(iri)
    if entity is None:
        try:
            entity = known[iri] = make()
        except InvalidStatementError as error:
            raise UnreadableIriError(iri, str(error)) from None
    return entity
