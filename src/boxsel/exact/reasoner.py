"""The exact reasoner: many questions about one knowledge base."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from math import inf

from boxsel.errors import WrongKindError
from boxsel.exact.answers import (
    AssertionProof,
    End,
    Multiplier,
    Outcome,
    Proof,
    Step,
)
from boxsel.exact.compile.counted import Counted
from boxsel.exact.compile.modules import Module, Modules
from boxsel.exact.compile.nearness import Nearness
from boxsel.exact.compile.problem import Goal
from boxsel.exact.compile.vocabulary import Basic, Mask, Type, Vocabulary, has
from boxsel.exact.individuals import Individuals, Misplacement, Placement
from boxsel.exact.ladder import WAYS, Ladder, rungs
from boxsel.exact.lp.optimum import Elimination, Impossible, Optimum
from boxsel.exact.ways.trees.joining import present
from boxsel.exact.ways.way import Limits
from boxsel.exact.weighted_model import WeightedModel, build, build_parts, build_placed
from boxsel.logic.axioms import Axiom, ConceptAssertion, Conditional, Inclusion, RoleAssertion
from boxsel.logic.concepts import TOP, Concept, Entity, Exists, Name, Role, entities
from boxsel.logic.kb import KB
from boxsel.logic.proportions import Interval
from boxsel.logic.statements import Query, Statement
from boxsel.machine.budget import Budget, OutOfTimeError


class Reasoner:
    """Answers questions about a knowledge base, and remembers what it found for the next one.

    `ways` are the names of the ways to exact bounds that may be tried (all, if none are given),
    `limits` say how far they go. `known` are models as far as they are known: how many members have
    which names and existentials, as in the data that the knowledge base was counted from. They are
    checked, and only make large problems faster.
    """

    def __init__(
        self,
        kb: KB,
        *,
        budget: Budget | None = None,
        ways: Sequence[str] = WAYS,
        limits: Limits | None = None,
        known: Iterable[Counted] = (),
    ) -> None:
        rungs(ways)  # their names are checked before any work is done
        self.kb = kb
        self.budget = budget or Budget()
        self.limits = limits or Limits()
        self._ways, self._models = tuple(ways), tuple(known)
        self._modules = Modules(kb)
        self._ladders: dict[tuple[Module, frozenset[Entity]], Ladder] = {}
        self._realised: set[Basic] = set()
        self._placed = False  # whether types for all individuals were found
        self._known_steps: dict[Elimination, Step] = {}
        self._hard: float = inf  # the size of a module for which no model was found in time
        self._shared: dict[tuple[int, ...], tuple[Axiom, ...]] = {}

    def bounds(self, query: Query | str) -> Outcome:
        """The least and the largest share that a query can have."""
        query = self.kb.query(query)
        self.budget.check()
        start = time.perf_counter()
        answer = self._misplaced(query) or self._bounds(query)
        return replace(answer, seconds=time.perf_counter() - start)

    @cached_property
    def consistent(self) -> bool:
        """Whether there is a model."""
        return self.bounds(Query(TOP, TOP)).status != "inconsistent"

    @cached_property
    def empty_names(self) -> tuple[Name, ...]:
        """The names that are empty in every model; all of them if there is no model."""
        names = self.kb.signature.concepts
        if self.consistent:
            self._realise_together(names)
        return tuple(name for name in names if not self.satisfiable(name))

    @property
    def coherent(self) -> bool:
        """Whether there is a model, and every name can be non-empty."""
        return self.consistent and not self.empty_names

    def satisfiable(self, concept: Concept | str) -> bool:
        """Whether a concept is non-empty in some model.

        Examples:
            >>> from boxsel.syntax.parser import parse_kb
            >>> reasoner = Reasoner(parse_kb("(B | A)[0.2]"))
            >>> reasoner.satisfiable("A and B"), reasoner.entails("(B | A)[0, 0.3]")
            (True, True)
        """
        concept = self.kb.concept(concept)
        if not self.consistent:
            return False
        if isinstance(concept, Name) and concept in self._realised:
            return True
        ladder = self._ladder(concept)
        mask = ladder.problem.vocabulary.mask(concept)
        if mask is None:
            return False
        result = ladder.realise(Goal(mask))
        if isinstance(result, Impossible):
            return False
        self._realised.update(ladder.problem.vocabulary.true_in(present(result.weights)))
        return True

    def _realise_together(self, names: Iterable[Name]) -> None:
        """Find one population in which all names have members that can, nearly.

        Along a tree that is one programme. Names that it leaves empty are asked about one by one.
        """
        ladder = self._ladder(*names)
        if ladder.is_narrow:
            anybody = ladder.realise(Goal(0))
            if isinstance(anybody, Optimum):
                realised = ladder.problem.vocabulary.true_in(present(anybody.weights))
                self._realised.update(realised)

    def subsumes(self, larger: Concept | str, smaller: Concept | str) -> bool:
        """Whether every model puts all of one concept into another."""
        return self.entails(Inclusion(self.kb.concept(smaller), self.kb.concept(larger)))

    def entails(self, axiom: Conditional | Inclusion | Statement | str) -> bool:
        """Whether a conditional or an inclusion holds in every model."""
        stated = self.kb.axiom(axiom)
        if isinstance(stated, Inclusion):
            if stated.right.mentions_bottom:
                return not self.satisfiable(stated.left)
            answer = self.bounds(Query(stated.right, stated.left))
            return answer.lower is None or answer.lower.bound == 1
        if not isinstance(stated, Conditional):
            raise WrongKindError(f"conditionals and inclusions are entailed or not, not {stated}")
        answer = self.bounds(Query(stated.head, stated.body))
        if answer.lower is None or answer.upper is None:
            return True
        lower, upper = stated.bounds.lower, stated.bounds.upper
        return lower <= answer.lower.bound and answer.upper.bound <= upper

    def module(self, query: Query | str) -> tuple[Statement, ...]:
        """The statements that can matter for a query, assertions aside."""
        query = self.kb.query(query)
        signature = (*entities(query.head), *entities(query.body))
        return tuple(self.kb.statements[number] for number in self._modules.around(signature))

    def is_narrow(self, query: Query | str) -> bool:
        """Whether what matters for a query hangs together like a tree: then it takes little time.

        No individuals are looked at.
        """
        query = self.kb.query(query)
        return self._ladder(query.head, query.body).is_narrow

    @cached_property
    def nearness(self) -> Nearness:
        """The statements by the concepts in them."""
        return Nearness(self.kb)

    def pinned(self, query: Query | str, lower: End, upper: End) -> Outcome | None:
        """The answer if both ends are one number: then any model that has the body attains it.

        None if the body is empty in every model. The time for finding a model is spent once: if it
        was not enough, later such questions about as large a module give up at once.
        """
        query = self.kb.query(query)
        start = time.perf_counter()
        if self._misplaced(query) is not None:
            return None
        ladder = self._ladder(query.head, query.body)
        _, body = _masks(ladder, query)
        weights = next((one for one in ladder.weightings if _meets(one, body)), None)
        if weights is None:
            size = len(ladder.statements)
            if self.budget.seconds is not None and size >= self._hard:
                raise OutOfTimeError
            try:
                found = ladder.realise(Goal(body))
            except OutOfTimeError:
                self._hard = min(size, self._hard)
                raise
            if isinstance(found, Impossible):
                return None
            weights = found.weights

        def model() -> WeightedModel:
            return build(ladder, weights) + self._assertion_model

        ends = [replace(end, build=model) for end in (lower, upper)]
        seconds = time.perf_counter() - start
        return Outcome(query, "bounded", ends[0], ends[1], seconds=seconds)

    def try_again(self) -> None:
        """Forget for which modules no model was found in time: there is more of it now."""
        self._hard = inf

    def approached(self, query: Query | str) -> tuple[Fraction, Fraction]:
        """An interval around all shares, from a search for its ends that may have been stopped."""
        query = self.kb.query(query)
        ladder = self._met(query)
        if ladder is None:
            return Fraction(0), Fraction(1)
        head, body = _masks(ladder, query)
        lower, upper = (ladder.approached(body, head, sign) for sign in (-1, 1))
        return Fraction(0) if lower is None else lower, Fraction(1) if upper is None else upper

    def witnessed(self, query: Query | str) -> Interval | None:
        """The shares of a query in models that were met so far, from the least to the largest."""
        query = self.kb.query(query)
        ladder = self._met(query)
        if ladder is None or (self._assertions and not self._placed):
            return None
        head, body = _masks(ladder, query)
        shares = []
        for weighting in ladder.weightings:
            whole, part = (
                sum((weight for kind, weight in weighting.items() if has(kind, mask)), Fraction(0))
                for mask in (body, body | head)
            )
            if whole:
                shares.append(part / whole)
        return Interval(min(shares), max(shares)) if shares else None

    def _bounds(self, query: Query) -> Outcome:
        ladder = self._ladder(query.head, query.body)
        head, body = _masks(ladder, query)
        upper = ladder.extreme(body, head, 1)
        if isinstance(upper, Impossible):
            return self._without_body(query, ladder, upper)
        lower = ladder.extreme(body, head, -1)
        assert isinstance(lower, Optimum)
        return Outcome(query, "bounded", self._end(ladder, lower), self._end(ladder, upper))

    def _without_body(self, query: Query, ladder: Ladder, why: Impossible) -> Outcome:
        """The body is empty in every model, perhaps since there is no model at all."""
        anything = ladder.realise(Goal(0))
        if isinstance(anything, Impossible):
            proof = self._proof(ladder, anything)
            return Outcome(query, "inconsistent", empty=proof, route=anything.route)
        model = build(ladder, anything.weights) + self._assertion_model
        proof = self._proof(ladder, why)
        return Outcome(query, "vacuous", empty=proof, model=model, route=why.route)

    def _misplaced(self, query: Query) -> Outcome | None:
        """The answer if the assertions contradict the rest."""
        if self._placement is None:
            return None
        ladder, found = self._placement
        if isinstance(found, Placement):
            return None
        proof = self._proof(ladder, Impossible({}, steps=ladder.survivors.eliminations))
        cuts = tuple(self._multipliers(ladder, cut) for cut in found.cuts)
        assertions = tuple(
            axiom for axiom in self._assertions if found.individuals & {*axiom.individuals()}
        )
        why = AssertionProof(proof.axioms + assertions, proof.steps, cuts)
        return Outcome(query, "inconsistent", empty=why)

    @cached_property
    def _assertions(self) -> tuple[ConceptAssertion | RoleAssertion, ...]:
        return tuple(
            axiom for axiom in self.kb.axioms if isinstance(axiom, ConceptAssertion | RoleAssertion)
        )

    @cached_property
    def _placement(self) -> tuple[Ladder, Placement | Misplacement] | None:
        """Types for the individuals, if there are any."""
        if not self._assertions:
            return None
        roles = [role for axiom in self._assertions for role in axiom.roles()]
        concepts = dict.fromkeys(one for axiom in self._assertions for one in axiom.concepts())
        ladder = self._ladder(*concepts, roles=roles)
        found = Individuals(ladder, self.budget).place(self._assertions)
        self._placed = isinstance(found, Placement)
        return ladder, found

    @cached_property
    def _assertion_model(self) -> WeightedModel:
        if self._placement is None:
            return WeightedModel()
        ladder, placement = self._placement
        assert isinstance(placement, Placement)
        links = (axiom for axiom in self._assertions if isinstance(axiom, RoleAssertion))
        return build_placed(ladder, placement, links)

    def _ladder(self, *concepts: Concept, roles: Iterable[Role] = ()) -> Ladder:
        """The ladder for the module of some concepts: the same for the same module and names."""
        key = self._key(concepts, roles)
        known = self._ladders.get(key)
        if known is not None and all(known.problem.vocabulary.covers(one) for one in concepts):
            return known
        also = (*(known.problem.vocabulary.basics if known else ()), *concepts)
        statements = [(number, self.kb.statements[number].axiom) for number in key[0]]
        ladder = Ladder(
            statements,
            also,
            self.budget,
            ways=self._ways,
            limits=self.limits,
            known=self._models,
        )
        self._ladders[key] = ladder
        return ladder

    def _met(self, query: Query) -> Ladder | None:
        """The ladder for a query's module, if there is one yet that knows its concepts."""
        concepts = (query.head, query.body)
        ladder = self._ladders.get(self._key(concepts))
        known = ladder is not None and all(map(ladder.problem.vocabulary.covers, concepts))
        return ladder if known else None

    def _key(
        self, concepts: Iterable[Concept], roles: Iterable[Role] = ()
    ) -> tuple[Module, frozenset[Entity]]:
        """The module of some concepts and roles, and their names outside it."""
        signature: list[Entity] = list(roles)
        for concept in concepts:
            signature.extend(entities(concept))
        module = self._modules.around(signature)
        return module, self._modules.outside(module, signature)

    def _end(self, ladder: Ladder, optimum: Optimum) -> End:
        return End(
            optimum.value,
            self._proof(ladder, optimum),
            lambda: build(ladder, optimum.weights) + self._assertion_model,
            optimum.route,
            lambda: None if self._assertions else build_parts(ladder, optimum.weights),
        )

    def _proof(self, ladder: Ladder, why: Optimum | Impossible) -> Proof:
        steps = tuple(self._step(ladder, step) for step in why.steps or ())
        axioms = self._axioms(ladder.statements if why.statements is None else why.statements)
        return Proof(axioms, steps, self._multipliers(ladder, why.multipliers))

    def _step(self, ladder: Ladder, elimination: Elimination) -> Step:
        """An elimination; proofs that rest on the same share it."""
        if elimination not in self._known_steps:
            vocabulary = ladder.problem.vocabulary
            self._known_steps[elimination] = Step(
                _existentials(vocabulary, elimination.existential.bit)[0],
                _existentials(vocabulary, elimination.clause.heads),
                self._multipliers(ladder, elimination.multipliers),
            )
        return self._known_steps[elimination]

    def _axioms(self, statements: tuple[int, ...]) -> tuple[Axiom, ...]:
        """The axioms at some positions; proofs that rest on the same share them."""
        if statements not in self._shared:
            self._shared[statements] = tuple(
                self.kb.statements[number].axiom for number in statements
            )
        return self._shared[statements]

    def _multipliers(
        self, ladder: Ladder, multipliers: Mapping[int, Fraction]
    ) -> tuple[Multiplier, ...]:
        found = ((ladder.problem.rows[row], number) for row, number in multipliers.items())
        return tuple(
            Multiplier(
                self.kb.statements[row.statement].axiom, row.side, number * row.bound.denominator
            )
            for row, number in found
        )


def _existentials(vocabulary: Vocabulary, mask: Mask) -> tuple[Exists, ...]:
    return tuple(basic for basic in vocabulary.true_in(mask) if isinstance(basic, Exists))


def _meets(weights: Mapping[Type, Fraction], mask: Mask) -> bool:
    """Whether a weighting gives a mask weight."""
    return any(weight and has(kind, mask) for kind, weight in weights.items())


def _masks(ladder: Ladder, query: Query) -> tuple[Mask, Mask]:
    """The masks of a query's head and body."""
    head, body = (ladder.problem.vocabulary.mask(one) for one in (query.head, query.body))
    assert head is not None  # ⊥ is kept out of queries
    assert body is not None
    return head, body
