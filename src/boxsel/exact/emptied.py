"""Bodies that few statements are easily seen to empty: answered, and proved, from these alone.

What says nothing about that, and may take long, is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Final

from boxsel.errors import InvalidStatementError
from boxsel.exact.coherence.emptying import Unemptied, find_emptying
from boxsel.exact.compile.modules import Module
from boxsel.exact.compile.nearness import Nearness, neighbourhoods
from boxsel.exact.diagnosis.parts import Parts
from boxsel.exact.ladder import Ladder
from boxsel.exact.ladders import Ladders
from boxsel.exact.lp.optimum import Impossible
from boxsel.logic.axioms import Axiom, Conditional
from boxsel.logic.booleans import expand
from boxsel.logic.concepts import TOP, Concept, conjuncts

if TYPE_CHECKING:
    from boxsel.rules.derivation import Derivation
    from boxsel.rules.steps import Step

NEARBY: Final = 2
"""So many neighbourhoods are asked whether they empty the body: 5 ms where they do not."""
RULES_SECONDS: Final = 1.0
"""So long rules are asked about everything: 20 ms for 400 shares of a survey."""


def said_in(steps: Iterable[Step]) -> list[Axiom]:
    """What rules concluded, and what that rests on beside numbers."""
    return [axiom for step in steps for axiom in (step.conclusion, *step.because)]


class Emptied:
    """Looks for few statements that empty a concept, among those that matter for a question."""

    def __init__(self, ladders: Ladders) -> None:
        self._ladders = ladders
        self._derivation: Derivation | None = None
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

    def try_again(self) -> None:
        """Ask rules once more, if they had no time to say all: there is more of it now."""
        if self._derivation is not None and not self._derivation.complete:
            self._derivation = None

    @cached_property
    def nearness(self) -> Nearness:
        """The statements by the concepts in them."""
        return Nearness(self._ladders.kb)

    def refute(self, concept: Concept) -> tuple[Ladder, Impossible] | None:
        """Why the statements that rules went by empty a concept, by the ladder of these."""
        few = self.behind(concept)
        if few:
            ladder, result = self.parts.realise(few, concept)
            if isinstance(result, Impossible):
                return ladder, result
        return None

    def behind(self, concept: Concept) -> tuple[int, ...]:
        """The positions of statements from which rules derived that nobody has a concept, if so."""
        steps = self._steps(concept)
        return self.nearness.behind(said_in(steps), concept) if steps else ()

    def _steps(self, concept: Concept) -> tuple[Step, ...]:
        """The steps by which rules find a concept empty, or a part of it; none if they do not."""
        if self._derivation is None:
            from boxsel.rules.derivation import propagate

            with self._ladders.budget.at_most(RULES_SECONDS):
                self._derivation = propagate(self._ladders.kb, budget=self._ladders.budget)
        known = (
            part for part in conjuncts(concept) if not part.is_boolean and not part.mentions_bottom
        )
        whys = map(self._derivation.why_empty, known)
        return next((why for why in whys if why), ())

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
