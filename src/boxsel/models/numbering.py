"""Which row of a table belongs to which name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeVar

from boxsel.errors import InvalidStatementError
from boxsel.logic.concepts import Concept, Entity, Individual, Name, Role, Top
from boxsel.normal.definitions import Atom

Named = TypeVar("Named")

EVERYTHING = 0
"""The row of ⊤ among the names."""

NO_ROLE = 0
"""The row of the identity among the roles: a name in a table of `∃r.A` has this role."""


@dataclass(frozen=True)
class Numbering:
    """Names, roles and individuals in the order of their rows.

    Row 0 of names is ⊤ and row 0 of roles is the identity; the first name has row 1. `atoms`
    gives the fresh names that stand for complex concepts.

    Examples:
        >>> from boxsel.logic.concepts import TOP, names
        >>> A, B = names("A B")
        >>> numbering = Numbering((A, B))
        >>> numbering.name(B), numbering.name(TOP)
        (2, 0)
    """

    names: tuple[Name, ...]
    roles: tuple[Role, ...] = ()
    individuals: tuple[Individual, ...] = ()
    atoms: Mapping[Concept, Atom] = field(default_factory=dict)

    def name(self, atom: Concept) -> int:
        """The row of a name or of ⊤."""
        if isinstance(atom, Top):
            return EVERYTHING
        try:
            return self._names[atom]
        except KeyError:
            raise InvalidStatementError(f"the model has no concept {atom}") from None

    def role(self, role: Role) -> int:
        """The row of a role."""
        try:
            return self._roles[role]
        except KeyError:
            raise InvalidStatementError(f"the model has no role {role}") from None

    def individual(self, individual: Individual) -> int:
        """The row of an individual."""
        return self._individuals[individual]

    def filler(self, concept: Concept) -> int | None:
        """The row of a concept that is an atom or has a name of its own; none for others."""
        atom = self.atoms.get(concept, concept)
        if isinstance(atom, Top):
            return EVERYTHING
        return self._names.get(atom)

    @cached_property
    def _names(self) -> Mapping[Concept, int]:
        return {name: row for row, name in enumerate(self.names, start=1)}

    @cached_property
    def _roles(self) -> Mapping[Entity, int]:
        return {role: row for row, role in enumerate(self.roles, start=1)}

    @cached_property
    def _individuals(self) -> Mapping[Individual, int]:
        return {individual: row for row, individual in enumerate(self.individuals)}
