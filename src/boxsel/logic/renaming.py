"""Giving names another IRI: the same statements about names that are called otherwise."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any, TypeVar

from boxsel.logic.axioms import Axiom, Disjointness, Equivalence
from boxsel.logic.concepts import And, Concept, Entity, Exists, conjunction
from boxsel.logic.population import Population

AnyEntity = TypeVar("AnyEntity", bound=Entity)


class Renaming:
    """What each IRI becomes; those that are not listed stay.

    Examples:
        >>> from boxsel.logic.concepts import Name
        >>> renaming = Renaming({"urn:boxsel:A": "http://example.org/A"})
        >>> print(renaming.axiom(Name("A") <= Name("B")))
        <http://example.org/A> SubClassOf B
    """

    def __init__(self, table: Mapping[str, str]) -> None:
        self._table = table
        self._concepts: dict[Concept, Concept] = {}

    def iri(self, iri: str) -> str:
        """What an IRI becomes."""
        return self._table.get(iri, iri)

    def entity(self, entity: AnyEntity) -> AnyEntity:
        """What a name becomes."""
        iri = self._table.get(entity.iri)
        return entity if iri is None else type(entity)(iri)

    def concept(self, concept: Concept) -> Concept:
        """What a concept becomes."""
        renamed = self._concepts.get(concept)
        if renamed is None:
            renamed = self._concepts[concept] = self._made(concept)
        return renamed

    def axiom(self, axiom: Axiom) -> Axiom:
        """What an axiom becomes."""
        if all(entity.iri not in self._table for entity in axiom.entities()):
            return axiom
        if isinstance(axiom, Equivalence | Disjointness):
            return type(axiom)(*map(self.concept, axiom.members))
        made: Any = axiom
        values = (getattr(axiom, field.name) for field in fields(made))
        renamed: Axiom = type(made)(*map(self._value, values))
        return renamed

    def population(self, data: Population) -> Population:
        """What the names of a population become."""
        concepts, roles = map(self.entity, data.concepts), map(self.entity, data.roles)
        return replace(data, concepts=tuple(concepts), roles=tuple(roles))

    def _made(self, concept: Concept) -> Concept:
        if isinstance(concept, And):
            return conjunction(*map(self.concept, concept.operands))
        if isinstance(concept, Exists):
            return Exists(self.entity(concept.role), self.concept(concept.filler))
        return self.entity(concept) if isinstance(concept, Entity) else concept

    def _value(self, value: Any) -> Any:
        if isinstance(value, Concept):
            return self.concept(value)
        return self.entity(value) if isinstance(value, Entity) else value
