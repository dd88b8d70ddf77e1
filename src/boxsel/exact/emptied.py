"""Bodies that few statements are easily seen to empty: answered, and proved, from these alone.

What says nothing about that, and may take long, is left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final

from boxsel.errors import InvalidStatementError
from boxsel.exact.coherence.emptying import Unemptied, find_emptying
from boxsel.exact.compile.modules import Module
from boxsel.exact.compile.nearness import neighbourhoods
from boxsel.exact.diagnosis.parts import Parts
from boxsel.exact.ladder import Ladder
from boxsel.exact.ladders import Ladders
from boxsel.exact.lp.optimum import Impossible
from boxsel.logic.axioms import Conditional
from boxsel.logic.booleans import expand
from boxsel.logic.concepts import TOP, Concept

NEARBY: Final = 2
"""So many neighbourhoods are asked whether they empty the body: 5 ms where they do not."""


class Emptied:
    """Looks for few statements that empty a concept, among those that matter for a question."""

    def __init__(self, ladders: Ladders) -> None:
        self._ladders = ladders
        self._unemptied: dict[Module, frozenset[Concept]] = {}

    @property
    def parts(self) -> Parts:
        """Some of the statements, on their own."""
        return Parts(self._ladders.kb, self._ladders.budget)

    def find(self, concept: Concept, places: Module) -> tuple[Ladder, Impossible] | None:
        """Why few of some statements empty a concept, by the ladder of these, if they are seen."""
        for few in self._few(concept, places):
            ladder, result = self.parts.realise(few, concept)
            if isinstance(result, Impossible):
                return ladder, result
        return None

    def _few(self, concept: Concept, places: Module) -> Iterator[tuple[int, ...]]:
        """Statements that saturation shows to empty a concept, and those that stand beside it.

        With the latter a typing mistake mostly clashes.
        """
        statements = [self._ladders.kb.statements[place] for place in places]
        bounded = sum(isinstance(statement.axiom, Conditional) for statement in statements)
        if bounded > self._ladders.limits.few:
            saturated = self._by_saturation(concept, places)
            if saturated is not None and len(saturated) < len(places):
                yield saturated
        for near in islice(neighbourhoods(statements, concept), NEARBY):
            yield tuple(places[position] for position in near)

    def _by_saturation(self, concept: Concept, places: Module) -> tuple[int, ...] | None:
        """Few of some statements that empty a concept, if they are seen to empty all its parts.

        A combination is as large as a sum of conjunctions: without those that are added, it is
        empty.
        """
        try:
            parts = [part for part, factor in expand(concept).items() if factor > 0]
        except InvalidStatementError:  # too many to look at
            return None
        few: set[int] = set()
        statements = [self._ladders.kb.statements[place] for place in places]
        for part in parts:
            unemptied = self._unemptied.get(places, frozenset())
            if part == TOP or part in unemptied:
                return None
            found = find_emptying(statements, part, self._ladders.budget)
            if isinstance(found, Unemptied):
                self._unemptied[places] = unemptied | found.concepts
                return None
            few.update(places[position] for position in found)
        return tuple(sorted(few))
