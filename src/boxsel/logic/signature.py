"""The signature: the names of a knowledge base, each of one kind."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain

from boxsel.errors import InvalidStatementError
from boxsel.logic.axioms import Axiom
from boxsel.logic.concepts import Concept, Entity, Individual, Name, Role, entities
from boxsel.wording import with_article


@dataclass(frozen=True)
class Signature:
    """The names of a knowledge base by kind, each in order of first occurrence."""

    concepts: tuple[Name, ...]
    roles: tuple[Role, ...]
    individuals: tuple[Individual, ...]

    def __iter__(self) -> Iterator[Entity]:
        yield from self.concepts
        yield from self.roles
        yield from self.individuals

    def __len__(self) -> int:
        return len(self.concepts) + len(self.roles) + len(self.individuals)


def signature_of(axioms: Iterable[Axiom], declared: Iterable[Entity]) -> Signature:
    """Every name that occurs or is declared.

    Raises:
        InvalidStatementError: A name is used as two kinds of thing.
    """
    named: dict[str, Entity] = {}
    also = sorted(declared, key=lambda entity: (entity.iri, entity.kind))
    for entity in chain(occurrences(axioms), also):
        known = named.setdefault(entity.iri, entity)
        if known is not entity and type(known) is not type(entity):
            kind, other = with_article(known.kind), with_article(entity.kind)
            raise InvalidStatementError(f"{entity} is used both as {kind} and as {other}")
    return Signature(
        concepts=tuple(entity for entity in named.values() if isinstance(entity, Name)),
        roles=tuple(entity for entity in named.values() if isinstance(entity, Role)),
        individuals=tuple(entity for entity in named.values() if isinstance(entity, Individual)),
    )


def occurrences(axioms: Iterable[Axiom]) -> Iterator[Entity]:
    """Every name in some axioms; those of a concept once, those of an axiom itself each time."""
    seen: set[Concept] = set()  # concepts repeat: a counted graph states each body many times
    for axiom in axioms:
        for concept in axiom.concepts():
            if concept not in seen:
                seen.add(concept)
                yield from entities(concept)
        yield from axiom.roles()
        yield from axiom.individuals()
