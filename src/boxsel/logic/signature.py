"""The names of a knowledge base: each of one kind, and spelt by its label where that tells it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain

from boxsel.errors import InvalidStatementError
from boxsel.logic.axioms import Axiom
from boxsel.logic.concepts import Concept, Entity, Individual, Name, Role, entities
from boxsel.logic.names import BOTTOM_IRI, TOP_IRI, Prefixes, bare_iri, spell_word
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
    for entity in chain(occurrences(axioms), _others(declared, named)):
        known = named.setdefault(entity.iri, entity)
        if known is not entity and type(known) is not type(entity):
            kind, other = with_article(known.kind), with_article(entity.kind)
            raise InvalidStatementError(f"{entity} is used both as {kind} and as {other}")
    return Signature(
        concepts=tuple(entity for entity in named.values() if isinstance(entity, Name)),
        roles=tuple(entity for entity in named.values() if isinstance(entity, Role)),
        individuals=tuple(entity for entity in named.values() if isinstance(entity, Individual)),
    )


def _others(declared: Iterable[Entity], named: Mapping[str, Entity]) -> Iterator[Entity]:
    """The declared names that were not met, in order: mostly few, and sorting takes time."""
    others = (entity for entity in declared if type(named.get(entity.iri)) is not type(entity))
    yield from sorted(others, key=lambda entity: (entity.iri, entity.kind))


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


class Labelled(Prefixes):
    """Prefixes that spell a name by its label, for people and never for files.

    A query in this spelling is still read as the same one: a label that several names of a kind
    share, or that is itself another name, is not used.

    Examples:
        >>> from boxsel.logic.concepts import Name
        >>> city, film = Name("Q515"), Name("Q11424")
        >>> table = Labelled(Prefixes(), {city.iri: "big city"}, [city, film])
        >>> city.text(table), film.text(table)
        ("'big city'", 'Q11424')
    """

    __slots__ = ("_kinds", "_labels", "_shared")

    def __init__(
        self, prefixes: Prefixes, labels: Mapping[str, str], entities: Iterable[Entity]
    ) -> None:
        super().__init__(prefixes)
        self._labels = labels
        self._kinds = {entity.iri: type(entity) for entity in entities}
        self._shared = Counter(
            (kind, labels.get(iri, "").casefold()) for iri, kind in self._kinds.items()
        )

    def _spell(self, iri: str) -> str:
        label = self._labels.get(iri, "")
        return spell_word(label) if label and self._tells(label, iri) else super()._spell(iri)

    def _tells(self, label: str, iri: str) -> bool:
        """Whether a label is read as the name that has it."""
        kind = self._kinds.get(iri)
        if kind is None or not label.isprintable() or self._shared[kind, label.casefold()] > 1:
            return False
        name = bare_iri(label, self.namespace)
        return name == iri or not (name in self._kinds or name in (TOP_IRI, BOTTOM_IRI))
