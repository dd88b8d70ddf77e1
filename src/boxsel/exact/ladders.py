"""A ladder for each module that was asked about: questions about one module share what it found."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property, partial

from boxsel.exact.coherence.survey import find_canonical
from boxsel.exact.compile.modules import Module, Modules
from boxsel.exact.diagnosis.parts import Parts
from boxsel.exact.ladder import Ladder, rungs
from boxsel.exact.ways.way import Limits
from boxsel.logic.concepts import Concept, Entity, Role, conjuncts, entities
from boxsel.logic.kb import KB
from boxsel.logic.statements import Query
from boxsel.machine.budget import Budget
from boxsel.machine.collecting import without_cycle_collection

_Key = tuple[Module, frozenset[Entity], frozenset[Concept]]


class Ladders:
    """The ladders of a knowledge base, all with the same ways, limits and budget.

    Raises:
        BoxselError: There is no way of some name.
    """

    def __init__(self, kb: KB, budget: Budget, ways: Sequence[str], limits: Limits) -> None:
        rungs(ways)  # their names are checked before any work is done
        self.kb, self.budget = kb, budget
        self.ways, self.limits = tuple(ways), limits
        self._ladders: dict[_Key, Ladder] = {}

    @cached_property
    def modules(self) -> Modules:
        """The modules of the knowledge base, indexed when they are first needed."""
        return Modules(self.kb)

    def around(self, *concepts: Concept, roles: Iterable[Role] = ()) -> Ladder:
        """The ladder for the module of some concepts: the same for the same module and names."""
        key = self._key(concepts, roles)
        if key[2]:  # each combination has bits of its own: they would become ever more
            for other in [other for other in self._ladders if other[2] and other != key]:
                del self._ladders[other]
        known = self._ladders.get(key)
        if known is not None and _covers(known, concepts):
            return known
        also = (*(known.problem.vocabulary.basics if known else ()), *concepts)
        with without_cycle_collection():
            statements = [(number, self.kb.statements[number].axiom) for number in key[0]]
            ladder = Ladder(
                statements,
                also,
                self.budget,
                ways=self.ways,
                limits=self.limits,
                data=self.kb.witness,
                canonical=partial(find_canonical, parts=Parts),
            )
        self._ladders[key] = ladder
        return ladder

    def met(self, query: Query) -> Ladder | None:
        """The ladder for a query's module, if there is one yet that knows its concepts."""
        concepts = (query.head, query.body)
        ladder = self._ladders.get(self._key(concepts))
        return ladder if ladder is not None and _covers(ladder, concepts) else None

    def _key(self, concepts: Iterable[Concept], roles: Iterable[Role] = ()) -> _Key:
        """The module of some concepts and roles, their names outside it, and combinations."""
        signature: list[Entity] = list(roles)
        combined: set[Concept] = set()
        for concept in concepts:
            signature.extend(entities(concept))
            if concept.is_boolean:
                combined.update(part for part in conjuncts(concept) if part.is_boolean)
        module = self.modules.around(signature)
        return module, self.modules.outside(module, signature), frozenset(combined)


def _covers(ladder: Ladder, concepts: Iterable[Concept]) -> bool:
    """Whether a ladder has bits for all of some concepts."""
    return all(map(ladder.problem.vocabulary.covers, concepts))
