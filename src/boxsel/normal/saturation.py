"""What the deterministic part of a knowledge base entails: EL saturation.

Inclusions, equivalences, disjointness, conditionals with proportion 0 or 1, role inclusions,
domains, ranges and assertions count; other conditionals do not. For these the saturation is
sound and complete: it derives a subsumption if and only if every model has it.

It also tells which knowledge bases are *safe*. ⊤ has no finite box of its own: a representation
without a universe can only serve knowledge bases in which no conditional that is not
deterministic has a head or a body that is equivalent to ⊤.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from boxsel.errors import InvalidStatementError, WrongKindError
from boxsel.logic.axioms import Conditional, Inclusion
from boxsel.logic.concepts import TOP, Concept, Individual, Name, expect_individuals
from boxsel.logic.expecting import expect_several
from boxsel.logic.kb import KB
from boxsel.logic.statements import Statement
from boxsel.machine.budget import NO_LIMIT, Budget, Limit
from boxsel.machine.collecting import without_cycle_collection
from boxsel.normal.completion import Completion, complete, holds, start_of
from boxsel.normal.definitions import Atom
from boxsel.normal.normalize import NormalForm, is_deterministic, normalize
from boxsel.normal.tables import BOTTOM_ID, Rules, compile_rules


@dataclass(frozen=True, eq=False)
class Saturation:
    """What follows for the names of a knowledge base.

    An inconsistent knowledge base entails everything: then every name is empty.
    """

    normal: NormalForm
    rules: Rules
    completion: Completion

    @cached_property
    def names(self) -> frozenset[Name]:
        """The names of the knowledge base; fresh ones of its normal form are left out."""
        return frozenset(_original_names(self.normal))

    @cached_property
    def consistent(self) -> bool:
        """Whether the deterministic part has a model: one with an element, and every individual."""
        existing = [self._context(TOP), *self.completion.by_individual.values()]
        return not any(BOTTOM_ID in self.completion.members[context] for context in existing)

    @cached_property
    def contradictory_individuals(self) -> frozenset[Individual]:
        """The individuals that would have to be in an empty concept."""
        members = self.completion.members
        contexts = self.completion.by_individual.items()
        return frozenset(
            individual for individual, context in contexts if BOTTOM_ID in members[context]
        )

    def knows(self, concept: Concept | str) -> bool:
        """Whether it was told of a concept, so that it can be asked about it."""
        try:
            self._context(concept)
        except InvalidStatementError:
            return False
        return True

    def subsumers(self, concept: Concept | str) -> frozenset[Name]:
        """The names that include a concept, itself among them if it is one."""
        return self._names_in(self._context(concept))

    def types(self, individual: Individual) -> frozenset[Name]:
        """The names that an individual must be an instance of."""
        expect_individuals("types", individual)
        try:
            return self._names_in(self.completion.by_individual[individual])
        except KeyError:
            raise InvalidStatementError(f"there is no individual {individual}") from None

    def is_empty(self, concept: Concept | str) -> bool:
        """Whether no model has an instance of the concept."""
        return self._is_impossible(self._context(concept))

    def is_top(self, concept: Concept | str) -> bool:
        """Whether every element is an instance of the concept in every model."""
        return self.entails(Inclusion(TOP, self.normal.kb.concept(concept)))

    def entails(self, axiom: Inclusion | Statement | str) -> bool:
        """Whether an inclusion holds in every model.

        The left side is a name, ⊤ or a concept that `saturate` was told of; the right side is
        any concept.
        """
        stated = self.normal.kb.axiom(axiom)
        if not isinstance(stated, Inclusion):
            raise WrongKindError(f"saturation tells which inclusions are entailed, not {stated}")
        context = self._context(stated.left)
        if self._is_impossible(context):
            return True
        if stated.right.mentions_bottom:
            return False
        return holds(stated.right, context, self.completion, self.rules)

    @cached_property
    def empty_names(self) -> frozenset[Name]:
        """The names that no model has an instance of."""
        return frozenset(name for name in self.names if self.is_empty(name))

    @cached_property
    def top_names(self) -> frozenset[Name]:
        """The names that are equivalent to ⊤."""
        return self.subsumers(TOP)

    def _names_in(self, context: int) -> frozenset[Name]:
        if self._is_impossible(context):
            return self.names
        concepts = (self.rules.concepts[number] for number in self.completion.members[context])
        return frozenset(
            concept for concept in concepts if isinstance(concept, Name) and concept in self.names
        )

    def _is_impossible(self, context: int) -> bool:
        return BOTTOM_ID in self.completion.members[context] or not self.consistent

    def _context(self, said: Concept | str) -> int:
        concept = self.normal.kb.concept(said)
        try:
            return self.completion.by_start[start_of(self._id(concept))]
        except KeyError:
            raise InvalidStatementError(f"saturate was not told of {concept}: use also=") from None

    def _id(self, concept: Concept) -> int:
        try:
            return self.rules.ids[self.normal.atom(concept)]
        except KeyError:
            raise InvalidStatementError(f"the knowledge base has no concept {concept}") from None


def saturate(kb: KB, *, also: Iterable[Concept | str] = (), budget: Limit = None) -> Saturation:
    """Saturate the deterministic part of a knowledge base.

    Every name can be asked about, and the complex concepts in `also`. A part says nothing: with a
    budget that is spent on the way, `OutOfTimeError`.

    Examples:
        >>> from boxsel.logic.concepts import Role, names
        >>> Mother, Woman, Parent, Person = names("Mother Woman Parent Person")
        >>> has_child = Role("hasChild")
        >>> kb = KB.of(
        ...     Mother.equivalent_to(Woman & has_child.some(Person)),
        ...     has_child.some(TOP) <= Parent,
        ... )
        >>> sorted(str(name) for name in saturate(kb).subsumers(Mother))
        ['Mother', 'Parent', 'Woman']
    """
    limit = Budget.of(budget)
    concepts = tuple(map(kb.concept, expect_several("concepts", also)))
    normal = normalize(deterministic_part(kb), also=concepts, budget=limit)
    return _saturate(normal, (*_original_names(normal), *map(normal.atom, concepts)), limit)


def saturate_top(kb: KB) -> Saturation:
    """Saturate only as far as it matters for ⊤ and the individuals: no name can be asked about."""
    return _saturate(normalize(deterministic_part(kb)), (), NO_LIMIT)


def deterministic_part(kb: KB) -> KB:
    """The same names with the deterministic statements only."""
    return kb.with_statements(
        statement
        for statement in kb.statements
        if not isinstance(statement.axiom, Conditional)
        or is_deterministic(statement.axiom.proportion)
    )


def _saturate(normal: NormalForm, asked: Iterable[Atom], budget: Budget) -> Saturation:
    budget.check()
    rules = compile_rules(normal.kb)
    with without_cycle_collection():
        completion = complete(rules, [rules.ids[atom] for atom in asked], budget)
    return Saturation(normal, rules, completion)


def _original_names(normal: NormalForm) -> Iterator[Name]:
    return (name for name in normal.kb.signature.concepts if name not in normal.origin)


def unsafe(kb: KB, saturation: Saturation | None = None) -> tuple[Statement, ...]:
    """The conditionals whose head or body must be everything by the deterministic part.

    Who has the saturation of the knowledge base gives it, so that it is not computed again.

    Examples:
        >>> from boxsel.logic.axioms import conditional
        >>> from boxsel.logic.concepts import TOP, names
        >>> Person, Woman = names("Person Woman")
        >>> kb = KB.of(TOP <= Person, conditional(Woman, given=Person, exactly=0.5))
        >>> [str(statement) for statement in unsafe(kb)]
        ['(Woman | Person)[0.5]']
    """
    uncertain = [
        statement
        for statement in kb.statements
        if isinstance(statement.axiom, Conditional)
        and not is_deterministic(statement.axiom.proportion)
    ]
    sides = {side for statement in uncertain for side in statement.axiom.concepts()}
    if saturation is None:
        saturation = saturate_top(kb)
    everything = set(filter(saturation.is_top, sides))
    return tuple(
        statement
        for statement in uncertain
        if everything and not everything.isdisjoint(statement.axiom.concepts())
    )
