"""Named things: what a concept name, a role and an individual have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from boxsel.logic.expecting import expect
from boxsel.logic.names import NO_PREFIXES, Prefixes, absolute_iri

if TYPE_CHECKING:
    from boxsel.logic.axioms import RoleInclusion
    from boxsel.logic.concepts import Concept, Exists


class Value:
    """What all values of the logic share: they cannot be changed, and show themselves as text."""

    __slots__ = ()

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} is immutable: cannot set {name!r}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__} is immutable: cannot delete {name!r}")


set_field = object.__setattr__  # only for new values, in their own __init__


class Entity(Value):
    """A named thing, identified by its IRI: a concept name, a role or an individual.

    A bare name stands for its IRI in `urn:boxsel:`, as in text.
    """

    __slots__ = ("iri",)
    iri: str
    kind: ClassVar[str]

    def __init__(self, name: str) -> None:
        expect(str, "a name is a text", name)
        set_field(self, "iri", absolute_iri(name))

    def __eq__(self, other: object) -> bool:
        return self is other or (type(self) is type(other) and self.iri == other.iri)

    def __hash__(self) -> int:
        return hash(self.iri)

    def __reduce__(self) -> tuple[type[Entity], tuple[str]]:
        return type(self), (self.iri,)

    def text(self, prefixes: Prefixes = NO_PREFIXES) -> str:
        """The name as it is spelt in text with these prefixes."""
        return prefixes.shorten(self.iri)

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        spelling = self.text()
        return f"{type(self).__name__}({self.iri if spelling.startswith('<') else spelling!r})"


class Individual(Entity):
    """A named individual: it occurs in assertions only."""

    __slots__ = ()
    kind = "individual"


class Role(Entity):
    """A binary relation between individuals.

    Examples:
        >>> from boxsel.logic.concepts import Name
        >>> Role("hasChild").some(Name("Person"))
        Exists(Role('hasChild'), Name('Person'))
    """

    __slots__ = ()
    kind = "role"

    def some(self, filler: Concept) -> Exists:
        """The concept of everything that this role links to some instance of `filler`."""
        from boxsel.logic.concepts import Exists

        return Exists(self, filler)

    def __le__(self, other: Role) -> RoleInclusion:
        from boxsel.logic.axioms import RoleInclusion

        return RoleInclusion(self, other)
