"""Checks proofs, for all types at once: how large is a linear form over them at most?"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import chain

from boxsel.checker.certificates import End, Multiplier, Proof, WitnessStep
from boxsel.checker.meanings import meanings
from boxsel.checker.search import is_attained
from boxsel.checker.types import (
    Basics,
    Clause,
    Clauses,
    Form,
    UndecidedError,
    basics,
    clauses,
    existentials,
)
from boxsel.checker.wrong import WrongError, shown
from boxsel.logic.axioms import (
    Axiom,
    ConceptAssertion,
    Conditional,
    Range,
    RoleAssertion,
    RoleInclusion,
    Supposed,
)
from boxsel.logic.concepts import BOTTOM, Concept, Individual, Role
from boxsel.logic.statements import Query
from boxsel.machine.budget import Budget

_Pair = tuple[Individual, Concept]
_Pairs = frozenset[_Pair]
"""What is true of whom."""


class ProofTypes:
    """The types that obey a proof's axioms and its steps, each of which is checked first."""

    def __init__(
        self,
        budget: Budget,
        asked: Iterable[Clause],
        axioms: Sequence[Axiom],
        steps: Iterable[WitnessStep],
    ) -> None:
        self.budget = budget
        self._inclusions = [axiom for axiom in axioms if isinstance(axiom, RoleInclusion)]
        self._ranges = [axiom for axiom in axioms if isinstance(axiom, Range)]
        supposed = (axiom for axiom in axioms if isinstance(axiom, Supposed))
        defined = meanings(concept for axiom in supposed for concept in axiom.concepts())
        self.clauses = Clauses(chain(asked, defined, *map(clauses, axioms)))
        self.clauses.add((basics(BOTTOM), frozenset()))
        for number, step in enumerate(steps):
            try:
                self._check_step(step)
            except (WrongError, UndecidedError) as error:
                raise WrongError(f"steps[{number}]: {error}") from None
            self.clauses.add((basics(step.exists), frozenset(step.unless)))
        self.mentioned = [concept for axiom in axioms for concept in axiom.concepts()]
        self.mentioned += (basic for clause in self.clauses for side in clause for basic in side)

    def supers(self, role: Role) -> frozenset[Role]:
        """A role and all that include it."""
        supers = frozenset({role})
        while more := {axiom.sup for axiom in self._inclusions if axiom.sub in supers} - supers:
            supers |= more
        return supers

    def range(self, role: Role) -> Basics:
        """What every object of a role has."""
        supers = self.supers(role)
        return basics(*(axiom.concept for axiom in self._ranges if axiom.role in supers))

    def can(
        self, form: Form, least: int, has: Basics = frozenset(), lacks: Sequence[Basics] = ()
    ) -> bool:
        """Whether a form is at least so large at a type that has and lacks some concepts."""
        self.budget.check()
        if any(lacked <= has for lacked in lacks) or max(form.values(), default=0) <= 0 < least:
            return False
        demands = [(Basics(), Basics({basic})) for basic in has]
        demands += ((lacked, Basics()) for lacked in lacks)
        around = self.clauses.around(has.union(*lacks, *form))
        return is_attained([*around, *demands], [form], least, self.budget)

    def check_absent(
        self, multipliers: Iterable[Multiplier], has: Basics, lacks: Sequence[Basics] = ()
    ) -> None:
        """In a model y·a sums to 0 or more: if it is nowhere above 0, nothing is below 0."""
        form = _combine(multipliers, self.budget)
        if self.can(form, 1):
            raise WrongError("the multipliers are above 0 somewhere")
        if self.can(form, 0, has, lacks):
            raise WrongError("the multipliers are not below 0 for all that is to be excluded")

    def _check_step(self, step: WitnessStep) -> None:
        """A witness has the filler and the range, but no filler of what its subject lacks."""
        role, lacks = step.exists.role, [basics(exists.filler) for exists in step.unless]
        if not self.supers(role).issuperset(exists.role for exists in step.unless):
            raise WrongError(f"{role} does not imply the roles of all exceptions")
        self.check_absent(step.multipliers, basics(step.exists.filler) | self.range(role), lacks)


def check_bound(types_of: Callable[..., ProofTypes], end: End, query: Query, sign: int) -> None:
    """c(t) + y·a(t) ≤ π·n(t) for all types t; for a lower bound with −c and −π."""
    types = types_of(end.proof.axioms, end.proof.steps)
    form = _combine(end.proof.multipliers, types.budget)
    for key, number in ((basics(query.body, query.head), 1), (basics(query.body), -end.bound)):
        form[key] = form.get(key, Fraction(0)) + sign * number
    if types.can(form, 1):
        raise WrongError(f"the multipliers do not prove {shown(end.bound)}")


def check_empty(types_of: Callable[..., ProofTypes], proof: Proof, body: Concept) -> None:
    """No type of a body is in a model."""
    types = types_of(proof.axioms, proof.steps)
    types.check_absent(proof.multipliers, basics(body))


def check_assertions(types_of: Callable[..., ProofTypes], proof: Proof) -> None:
    """Each cut is nowhere above 0, so 0 at the types that a model has: no such types are left."""
    types = types_of(proof.axioms, proof.steps)
    cuts = [_combine(cut, types.budget) for cut in proof.cuts]
    if any(types.can(cut, 1) for cut in cuts):
        raise WrongError("the multipliers of a cut are above 0 somewhere")
    stated = list(_assertions(types, proof.axioms))
    inside = frozenset[Concept]().union(*(key for cut in cuts for key in cut))
    known = {individual: {*inside} for axiom in proof.axioms for individual in axiom.individuals()}
    for individual, concept in chain.from_iterable(body | heads for body, heads in stated):
        known[individual].add(concept)
    for individual, concepts in known.items():
        around = types.clauses.around(concepts)
        stated += ((_of(individual, body), _of(individual, heads)) for body, heads in around)
    forms = [
        {_of(individual, key): cut[key] for key in cut} for individual in known for cut in cuts
    ]
    if is_attained(stated, forms, 0, types.budget):
        raise WrongError("types are left with which the assertions hold")


def _assertions(types: ProofTypes, axioms: Iterable[Axiom]) -> Iterator[tuple[_Pairs, _Pairs]]:
    """What assertions say about the types of their individuals, as clauses."""
    duties = existentials(types.mentioned)
    for axiom in axioms:
        if isinstance(axiom, ConceptAssertion):
            yield from _have(axiom.individual, basics(axiom.concept))
        elif isinstance(axiom, RoleAssertion):
            supers = types.supers(axiom.role)
            yield from _have(axiom.object, types.range(axiom.role))
            for duty in duties:
                if duty.role in supers:
                    yield _of(axiom.object, basics(duty.filler)), _of(axiom.subject, [duty])


def _have(individual: Individual, concepts: Iterable[Concept]) -> Iterator[tuple[_Pairs, _Pairs]]:
    """That an individual has each of some concepts."""
    return ((_Pairs(), _of(individual, [concept])) for concept in concepts)


def _of(individual: Individual, concepts: Iterable[Concept]) -> _Pairs:
    return _Pairs([(individual, concept) for concept in concepts])


def _combine(multipliers: Iterable[Multiplier], budget: Budget) -> dict[Basics, Fraction]:
    """The form y·a: the sum of `[C ⊓ D] − l·[C]` or `u·[C] − [C ⊓ D]`, each times its number."""
    form: dict[Basics, Fraction] = {}
    for multiplier in budget.watched(multipliers):
        axiom, number = multiplier.axiom, multiplier.number
        if not isinstance(axiom, Conditional) or number < 0:
            raise WrongError(f"{axiom} cannot be multiplied by {shown(number)}")
        bounds, body = axiom.bounds, basics(axiom.body)
        share, y = (bounds.lower, number) if multiplier.side == "lower" else (bounds.upper, -number)
        for key, factor in ((body | basics(axiom.head), y), (body, -share * y)):
            form[key] = form.get(key, Fraction(0)) + factor
    return form
