"""The exact reasoner: many questions about one knowledge base.

`ladders` has a ladder for each module that is asked about, `proving` its proofs in terms of axioms,
`assertions` the individuals beside every model, `coherence.members` who has members in some.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Final

from boxsel.errors import WrongKindError
from boxsel.exact.answers import End, Outcome
from boxsel.exact.assertions import Assertions
from boxsel.exact.attaining import Attaining, complete, find_stated
from boxsel.exact.coherence.members import Members
from boxsel.exact.compile.modules import Module
from boxsel.exact.compile.nearness import Nearness
from boxsel.exact.compile.problem import Goal
from boxsel.exact.compile.vocabulary import Basic, Type, has
from boxsel.exact.emptied import Emptied
from boxsel.exact.ladder import WAYS, Ladder
from boxsel.exact.ladders import Ladders
from boxsel.exact.lp.optimum import Bound, Impossible, Optimum
from boxsel.exact.nearly import Nearly, name_missed
from boxsel.exact.proving import Proving
from boxsel.exact.ways.way import Limits
from boxsel.exact.weighted_model import WeightedModel, build, build_data, build_parts
from boxsel.logic.axioms import Conditional, Inclusion
from boxsel.logic.booleans import Not, plain_part
from boxsel.logic.concepts import TOP, Concept, Name, entities
from boxsel.logic.kb import KB
from boxsel.logic.proportions import Interval
from boxsel.logic.statements import Query, Statement
from boxsel.machine.budget import Budget, Limit, OutOfTimeError

if TYPE_CHECKING:
    from boxsel.rules.grounds import Grounds


ALIKE: Final = 3
"""So many populations are taken from a question that is like another: the first, and two ends."""


class Reasoner:
    """Answers questions about a knowledge base, and remembers what it found for the next one.

    `ways` are the names of the ways to exact bounds that may be tried (all, if none are given),
    `limits` say how far they go. Data that the knowledge base was counted from are a model, if they
    are kept and every statement is still true of them (`kb.witness`): then no other is needed.
    """

    def __init__(
        self,
        kb: KB,
        *,
        budget: Limit = None,
        ways: Sequence[str] = WAYS,
        limits: Limits | None = None,
    ) -> None:
        self.kb = kb
        self._ladders = Ladders(kb, Budget.of(budget), ways, limits or Limits())
        self._proving = Proving(kb)
        self._assertions = Assertions(self._ladders, self._proving)
        self._members = Members(self._ladders)
        self._attaining = Attaining(self._ladders)
        self._emptied = Emptied(self._ladders)
        self._witness: WeightedModel | None = None

    @property
    def budget(self) -> Budget:
        """The time that there is."""
        return self._ladders.budget

    @property
    def limits(self) -> Limits:
        """How far the ways go."""
        return self._ladders.limits

    @cached_property
    def grounds(self) -> Grounds:
        """What rules start from, made once; not all questions need it."""
        from boxsel.rules.grounds import Grounds

        return Grounds(self.kb)

    def bounds(self, query: Query | str) -> Outcome:
        """The least and the largest share that a query can have."""
        query = self.kb.query(query)
        self.budget.check()
        start = time.perf_counter()
        answer = self.stated(query) or self._assertions.refute(query) or self._bounds(query)
        return replace(answer, seconds=time.perf_counter() - start)

    @cached_property
    def consistent(self) -> bool:
        """Whether there is a model.

        Where most statements speak about everybody, a population of all names is one, and it will
        be wanted next.
        """
        if self.witness is not None:
            return True
        if self._assertions.refute(Query(TOP, TOP)) is not None:
            return False
        ladder = self._ladders.around(TOP)
        if len(ladder.problem.rows) > self.limits.few and 2 * len(ladder.statements) > len(self.kb):
            if self.refuted(Query(TOP, TOP)) is not None:
                return False
            self.realise_together()
        return bool(self._members.realised) or isinstance(ladder.realise(Goal(0)), Optimum)

    @cached_property
    def empty_names(self) -> tuple[Name, ...]:
        """The names that are empty in every model; all of them if there is no model."""
        names = self.kb.signature.concepts
        if not self.consistent:
            return names
        if self.witness is None and not self.realise_along_tree():
            self._members.survey()
            emptied = self._members.emptied
            if not self._members.realised.issuperset(names):
                self.realise_together(*(name for name in names if name not in emptied))
        return tuple(name for name in names if not self.satisfiable(name))

    @property
    def realised(self) -> frozenset[Name]:
        """The names that some model that was met has members of."""
        return frozenset(basic for basic in self._members.realised if isinstance(basic, Name))

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
        if isinstance(concept, Name) and concept in self._members.realised:
            return True
        if self.witness is not None and self.witness.interpretation.places(concept):
            return True
        if concept in self._members.emptied:
            return False
        ladder = self._ladders.around(concept)
        mask = ladder.problem.vocabulary.mask(concept)
        if mask is None:
            return False
        result = ladder.realise(Goal(mask))
        if isinstance(result, Impossible):
            return False
        self._members.note(ladder, result.weights)
        return True

    def realise_along_tree(self) -> bool:
        """Whether one population has members of all names, if all hang together like a tree."""
        return self._members.grow()

    def realise_together(self, *wanted: Basic) -> None:
        """Draw a population in which all names have members that can, nearly; twice if wanted."""
        self._members.draw(*wanted)

    @property
    def crowds(self) -> list[WeightedModel]:
        """The models that were met in which many names at once have members."""
        return [self._model(*crowd) for crowd in self._members.crowds]

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
        return tuple(self.kb.statements[number] for number in self._module(query))

    def _module(self, query: Query | str) -> Module:
        query = self.kb.query(query)
        return self._ladders.modules.around((*entities(query.head), *entities(query.body)))

    def is_narrow(self, query: Query | str) -> bool:
        """Whether what matters for a query hangs together like a tree: then it takes little time.

        No individuals are looked at.
        """
        query = self.kb.query(query)
        return self._ladders.around(query.head, query.body).is_narrow

    @property
    def nearness(self) -> Nearness:
        """The statements by the concepts in them."""
        return self._emptied.nearness

    @property
    def witness(self) -> WeightedModel | None:
        """The data, if they are a model, with the individuals beside them; if there is time."""
        if self._witness is None and self.kb.witness is not None:
            with suppress(OutOfTimeError):
                if self._assertions.refute(Query(TOP, TOP)) is None:
                    self._witness = build_data(self.kb.witness) + self._assertions.model
        return self._witness

    def stated(self, query: Query | str) -> Outcome | None:
        """The answer if it is one number that is stated, and the data have members of the body."""
        query = self.kb.query(query)
        if self.witness is None or self._ladders.ways != WAYS:
            return None
        return find_stated(self.kb, query, self.witness)

    def pinned(self, query: Query | str, lower: End, upper: End) -> Outcome | None:
        """The answer if both ends are one number: then any model that has the body attains it.

        None if the body is empty in every model. The time for finding a model is spent once.
        """
        query = self.kb.query(query)
        start = time.perf_counter()
        if self._assertions.refute(query) is not None:
            return None
        if self.witness is not None and self.witness.share(query) is not None:
            known = self.witness
            return complete(query, lower, upper, lambda: known, start)
        attaining = self._attaining.find(query)
        if attaining is None:
            return None
        ladder, weights = attaining
        return complete(query, lower, upper, lambda: self._model(ladder, weights), start)

    def vacuous(self, query: Query | str) -> Outcome | None:
        """The answer if few statements are easily seen to empty the body: proved from these alone.

        No way to reason is asked about the others.
        """
        query = self.kb.query(query)
        if self.witness is not None or self._ladders.ways != WAYS:
            return None
        emptied = self._emptied.find(query.body, self._module(query))
        return None if emptied is None else self._emptied_answer(query, *emptied)

    def refuted(self, query: Query | str) -> Outcome | None:
        """The same if rules find the body empty, or everything: they are asked once."""
        query = self.kb.query(query)
        if self.witness is not None or self._ladders.ways != WAYS:
            return None
        emptied = self._emptied.refute(TOP) or self._emptied.refute(query.body)
        return None if emptied is None else self._emptied_answer(query, *emptied)

    def behind_empty(self, concept: Concept | str) -> tuple[int, ...]:
        """The positions of statements from which rules derived that nobody has a concept, if so."""
        return self._emptied.behind(self.kb.concept(concept))

    def _emptied_answer(self, query: Query, ladder: Ladder, why: Impossible) -> Outcome | None:
        if self._assertions.refute(query) is not None:
            return None
        everything = self._emptied.refute(TOP)
        if everything is not None:
            return self._without_body(query, *everything, everything[0])
        return self._without_body(query, ladder, why, self._ladders.around(TOP))

    def try_again(self) -> None:
        """Forget what was not found in time: there is more of it now."""
        self._attaining.try_again()
        self._emptied.try_again()

    def capped(self, query: Query | str, rows: int) -> tuple[End | None, End | None]:
        """Ends that the share does not pass, from bags of few names with so many rows around it.

        They have proofs, and no models: others may be tighter.
        """
        query = self.kb.query(query)
        ladder = self._ladders.around(query.head, query.body)
        lower, upper = (ladder.bound(query, sign, rows) for sign in (-1, 1))
        return self._proved_end(ladder, lower), self._proved_end(ladder, upper)

    def witnessed(self, query: Query | str) -> Interval | None:
        """The shares of a query in models that were met so far, from the least to the largest."""
        query = self.kb.query(query)
        known = None if self.witness is None else self.witness.share(query)
        shares = [] if known is None else [known]
        ladder = self._ladders.met(query)
        if ladder is None or (self._assertions.axioms and not self._assertions.placed):
            return _spanned(shares)
        body, head = ladder.mask(query.body), ladder.mask(query.head)
        for weighting in ladder.weightings:
            with suppress(OutOfTimeError):  # those along trees are spelt out when they are read
                whole, part = (
                    sum((share for kind, share in weighting.items() if has(kind, mask)), Fraction())
                    for mask in (body, body | head)
                )
                if whole:
                    shares.append(part / whole)
        return _spanned(shares)

    def populations(
        self, query: Query | str, tell: Callable[[Nearly], None] = lambda _: None
    ) -> Iterator[WeightedModel]:
        """Models that show which shares a query can have, found by drawing types, without proofs.

        Each has a smaller or a larger share than those before it. They come until the budget is
        spent, or nothing more is found; that none comes says nothing. As long as there is none,
        whoever wants to know is told what came nearest to one. Those who lack a head are the rest
        of those who have it: such a query needs no combinations, which take longer.
        """
        asked = self.kb.query(query)
        if isinstance(asked.head, Not):
            rest = Query(asked.head.operand, asked.body)
            return self.populations(rest, lambda near: tell(replace(near, share=1 - near.share)))
        return self._shown(asked, tell)

    def _shown(self, query: Query, tell: Callable[[Nearly], None]) -> Iterator[WeightedModel]:
        if query.is_boolean:  # chains go slowly where names are tied to combinations
            plain = Query(plain_part(query.head), plain_part(query.body))
            yield from islice(self._populations(plain, lambda _: None), ALIKE)
        yield from self._populations(query, tell)

    def _populations(self, query: Query, tell: Callable[[Nearly], None]) -> Iterator[WeightedModel]:
        with suppress(OutOfTimeError):
            if self._assertions.refute(query) is not None:
                return
            ladder = self._ladders.around(query.head, query.body)
            search, rows = ladder.search(query), ladder.problem.rows
            search.tell = lambda near: tell(name_missed(near, rows, self.kb.statements))
            for weights in search.run():
                yield self._model(ladder, weights)

    def _bounds(self, query: Query) -> Outcome:
        ladder = self._ladders.around(query.head, query.body)
        upper = ladder.extreme(query, 1)
        if isinstance(upper, Impossible):
            return self._without_body(query, ladder, upper, ladder)
        lower = ladder.extreme(query, -1)
        assert isinstance(lower, Optimum)
        return Outcome(query, "bounded", self._end(ladder, lower), self._end(ladder, upper))

    def _without_body(
        self, query: Query, ladder: Ladder, why: Impossible, whole: Ladder
    ) -> Outcome:
        """The body is empty in every model, perhaps since there is no model at all."""
        anything = whole.realise(Goal(0))
        if isinstance(anything, Impossible):
            proof = self._proving.proof(whole, anything)
            return Outcome(query, "inconsistent", empty=proof, route=anything.route)
        proof, model = self._proving.proof(ladder, why), self._model(whole, anything.weights)
        return Outcome(query, "vacuous", empty=proof, model=model, route=why.route)

    def _model(self, ladder: Ladder, weights: Mapping[Type, Fraction]) -> WeightedModel:
        """The model that a weighting describes, with the individuals beside it."""
        return build(ladder, weights) + self._assertions.model

    def _end(self, ladder: Ladder, optimum: Optimum) -> End:
        return End(
            optimum.value,
            self._proving.proof(ladder, optimum),
            lambda: self._model(ladder, optimum.weights),
            optimum.route,
            lambda: None if self._assertions.axioms else build_parts(ladder, optimum.weights),
        )

    def _proved_end(self, ladder: Ladder, bound: Bound | None) -> End | None:
        if bound is None:
            return None
        return End(bound.value, self._proving.proof(ladder, bound), _missing_model)


def _missing_model() -> WeightedModel:
    raise AssertionError("a bound that nobody attains has no model")


def _spanned(shares: Sequence[Fraction]) -> Interval | None:
    return Interval(min(shares), max(shares)) if shares else None
