"""The assertions of a knowledge base: a model beside every other, or why there is no model at all.

Individuals never move a bound, so that this is done once for all questions.
"""

from __future__ import annotations

from functools import cached_property

from boxsel.exact.answers import AssertionProof, Outcome
from boxsel.exact.coherence.emptying import Unemptied, find_emptying
from boxsel.exact.individuals import Assertion, Individuals, Misplacement, Placement, gather
from boxsel.exact.ladder import Ladder
from boxsel.exact.ladders import Ladders
from boxsel.exact.lp.optimum import Impossible
from boxsel.exact.proving import Proving
from boxsel.exact.weighted_model import WeightedModel, build_placed
from boxsel.logic.axioms import ConceptAssertion, RoleAssertion, Supposed
from boxsel.logic.concepts import entities
from boxsel.logic.statements import Query


class Assertions:
    """Places the individuals when that is first asked about."""

    def __init__(self, ladders: Ladders, proving: Proving) -> None:
        self._ladders, self._proving = ladders, proving
        self.placed = False
        """Whether types for all individuals were found so far."""

    @cached_property
    def axioms(self) -> tuple[Assertion, ...]:
        """The assertions."""
        return tuple(
            axiom
            for axiom in self._ladders.kb.axioms
            if isinstance(axiom, ConceptAssertion | RoleAssertion)
        )

    @cached_property
    def model(self) -> WeightedModel:
        """The individuals, of further weight only, if they do not contradict the rest."""
        if self._placement is None:
            return WeightedModel()
        ladder, placement = self._placement
        assert isinstance(placement, Placement)
        links = (axiom for axiom in self.axioms if isinstance(axiom, RoleAssertion))
        return build_placed(ladder, placement, links)

    def refute(self, query: Query) -> Outcome | None:
        """The answer to a query if the assertions contradict the rest."""
        if self._placement is None:
            return None
        ladder, misplacement = self._placement
        if isinstance(misplacement, Placement):
            return None
        eliminated = Impossible({}, steps=ladder.survivors.eliminations)
        proof = self._proving.proof(ladder, eliminated)
        cuts = tuple(self._proving.multipliers(ladder, cut) for cut in misplacement.cuts)
        assertions = tuple(
            axiom for axiom in self.axioms if misplacement.individuals & {*axiom.individuals()}
        )
        why = AssertionProof(proof.axioms + assertions, proof.steps, cuts)
        return Outcome(query, "inconsistent", empty=why)

    @cached_property
    def _placement(self) -> tuple[Ladder, Placement | Misplacement] | None:
        """Types for the individuals, if there are any."""
        if not self.axioms:
            return None
        by_few = self._refuted_by_few()
        if by_few is not None:
            return by_few
        roles = [role for axiom in self.axioms for role in axiom.roles()]
        concepts = dict.fromkeys(concept for axiom in self.axioms for concept in axiom.concepts())
        ladder = self._ladders.around(*concepts, roles=roles)
        placement = Individuals(ladder, self._ladders.budget).place(self.axioms)
        self.placed = isinstance(placement, Placement)
        return ladder, placement

    def _refuted_by_few(self) -> tuple[Ladder, Misplacement] | None:
        """Individuals that cannot have types by few statements, which empty what they have.

        That is seen without types for everybody, which have to agree with everything, and may take
        minutes. Among 400 statements it takes 0.05 s.
        """
        known = self._ladders
        if known.kb.witness is not None:
            return None
        for concept, said in gather(self.axioms):
            around = known.modules.around(entities(concept))
            if len(around) > known.limits.large:
                continue
            # What is supposed may be a combination, which saturation does not know.
            numbered = [(place, known.kb.statements[place]) for place in around]
            module = [place for place, one in numbered if not isinstance(one.axiom, Supposed)]
            statements = [known.kb.statements[place] for place in module]
            few = find_emptying(statements, concept, known.budget)
            if isinstance(few, Unemptied):
                continue
            chosen = [(module[place], statements[place].axiom) for place in few]
            ladder = Ladder(chosen, [concept], known.budget, ways=known.ways, limits=known.limits)
            placement = Individuals(ladder, known.budget).place(said)
            if isinstance(placement, Misplacement):
                return ladder, placement
        return None
