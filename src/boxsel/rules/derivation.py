"""Propagation as a whole: from a knowledge base and queries to intervals and their reasons."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from boxsel.logic.axioms import Inclusion
from boxsel.logic.concepts import BOTTOM, Concept
from boxsel.logic.kb import KB, Queries
from boxsel.logic.names import NO_PREFIXES, Prefixes
from boxsel.logic.proportions import ONE, ZERO, Interval
from boxsel.logic.statements import Query
from boxsel.machine.budget import Budget, Limit, OutOfTimeError
from boxsel.machine.collecting import without_cycle_collection
from boxsel.rules.all_rules import RULES
from boxsel.rules.figures import Rule, included
from boxsel.rules.grounds import Grounds, Start, concepts_of, read
from boxsel.rules.knowledge import EVERYTHING, Knowledge, Region
from boxsel.rules.propagation import Propagation
from boxsel.rules.shares import Certain, add_goals, add_totals, close_triangles
from boxsel.rules.steps import NO_INSTANCE, SATURATION, Retelling, Step, certainty


class Chains(NamedTuple):
    """The steps behind the lower and the upper end of an interval."""

    lower: tuple[Step, ...]
    upper: tuple[Step, ...]


@dataclass(frozen=True, eq=False)
class Derivation:
    """What the rules derived from a knowledge base.

    Attributes:
        kb: the knowledge base.
        queries: the queries that were given.
        complete: whether nothing more follows by these rules; else the budget or the number of
            rounds ended the work, and what there is is sound.
        rounds: how many rounds of applications it took.
    """

    kb: KB
    queries: tuple[Query, ...]
    complete: bool
    rounds: int
    _knowledge: Knowledge | None
    """What saturation says; nothing, if there was no time for it."""
    _run: Propagation | None
    """Nothing also if there is no model."""

    def interval(self, query: Query | str) -> Interval:
        """Bounds of a share in every model in which the body is not empty.

        [0, 1] if nothing is known, and if the body is empty in every model.
        """
        query = self.kb.query(query)
        run, share = self._run, self._share(query)
        if run is None or share is None or share is Certain.VACUOUS or self.is_empty(query.body):
            return Interval(ZERO, ONE)
        if isinstance(share, Certain):
            return Interval.point(1 if share is Certain.ALL else 0)
        return Interval(*(ends[share] for ends in run.bounds))

    @property
    def tightened(self) -> int:
        """How many times a rule moved an end."""
        return 0 if self._run is None else len(self._run.trail.bounds)

    @cached_property
    def inconsistent(self) -> bool:
        """Whether the knowledge base was found to have no model."""
        if self._knowledge is None:
            return False
        if self._run is None:
            return True
        cause = self._run.emptiness.cause
        individuals = self._knowledge.individuals()
        return any(
            cause(closure) is not None
            for closure in (EVERYTHING, *(closure for _, closure in individuals))
        )

    def is_empty(self, concept: Concept | str) -> bool:
        """Whether a concept was found to be empty in every model."""
        concept = self.kb.concept(concept)
        return self.inconsistent or self._cause(concept) is not None

    @cached_property
    def empty(self) -> frozenset[Concept]:
        """The names, bodies and heads that were found to be empty in every model."""
        known = frozenset[Concept]()
        if self._knowledge is not None:
            known |= self._knowledge.saturation.empty_names
        sides = {side for axiom in self.kb.conditionals for side in axiom.concepts()}
        concepts = sides.union(
            self.kb.signature.concepts, *(_sides(query) for query in self.queries)
        )
        return known.union(concept for concept in concepts if self.is_empty(concept))

    def steps(self, query: Query | str) -> Chains:
        """The steps behind each end, down to what is stated; none behind 0 and 1 themselves.

        For a body that is empty both chains show that it is.
        """
        query = self.kb.query(query)
        run, share = self._run, self._share(query)
        if run is None or share is None:
            return Chains((), ())
        if share is Certain.VACUOUS or self.is_empty(query.body):
            told = self.why_empty(query.body)
            return Chains(told, told)
        if isinstance(share, Certain):
            step = (certainty(query, share),)
            return Chains(step, step)
        return Chains(
            Retelling(run).end(share, is_upper=False), Retelling(run).end(share, is_upper=True)
        )

    def why_empty(self, concept: Concept | str) -> tuple[Step, ...]:
        """The steps that show that a concept is empty; none if it was not found to be."""
        concept = self.kb.concept(concept)
        nothing = Inclusion(concept, BOTTOM)
        cause = self._cause(concept)
        if cause is None:
            return ()
        if isinstance(cause, Certain):
            return (Step(SATURATION, (), (nothing,), nothing),)
        assert self._run is not None
        assert self._knowledge is not None
        told = Retelling(self._run).emptiness(cause)
        last = told[-1].conclusion
        if last == nothing:
            return told
        region = self._knowledge.concept(cause)
        because = tuple(included(concept, region))
        return (*told, Step(NO_INSTANCE, (Inclusion(region, BOTTOM),), because, nothing))

    def explain(self, query: Query | str, prefixes: Prefixes = NO_PREFIXES) -> str:
        """The interval and the steps behind it, in words."""
        query = self.kb.query(query)
        if self.is_empty(query.body):
            lines = [f"{query.text(prefixes)}: the body is empty in every model"]
            lines += [f"  {step.text(prefixes)}" for step in self.why_empty(query.body)]
            return "\n".join(lines)
        lines = [f"{query.text(prefixes)} {self.interval(query)}"]
        for end, steps in zip(("at least", "at most"), self.steps(query), strict=True):
            lines.append(f"  {end}: {'nothing is known' if not steps else ''}".rstrip())
            lines += [f"    {step.text(prefixes)}" for step in steps]
        return "\n".join(lines)

    def _share(self, query: Query) -> int | Certain | None:
        return None if self._run is None else self._run.shares.known(query)

    def _cause(self, concept: Concept) -> Region | Certain | None:
        """Why a concept is empty: an empty region around it, or what saturation says."""
        if self._knowledge is None:
            return None
        if self._run is None:
            return Certain.VACUOUS
        try:
            region = self._knowledge.region(concept)
        except KeyError:
            return None
        if region is None:
            return Certain.VACUOUS
        return self._run.emptiness.cause(self._knowledge.closure(region))


def propagate(
    kb: KB,
    queries: Queries = (),
    *,
    rules: Iterable[Rule] = RULES,
    budget: Limit = None,
) -> Derivation:
    """Apply local rules to all shares that the knowledge base and the queries speak of.

    Every interval is sound: in each model the share lies in it, or the body is empty. It need
    not be the smallest such interval. With a budget, in seconds, the work stops when it is
    spent, with what was derived by then: nothing before saturation, which comes first, has ended.

    Examples:
        >>> from boxsel.syntax.parser import parse_kb
        >>> kb = parse_kb('''
        ... Admitted SubClassOf Applicant
        ... DeptA SubClassOf Applicant
        ... (DeptA | Applicant)[0.20, 0.25]
        ... (Admitted | DeptA)[0.8]
        ... ''')
        >>> derivation = propagate(kb, ["(Admitted | Applicant)"])
        >>> print(derivation.interval("(Admitted | Applicant)"))
        [0.16, 0.96]
        >>> print(derivation.steps("(Admitted | Applicant)").lower[-1].rule)
        modus ponens
    """

    def start(plain: Sequence[Query], limit: Budget) -> Start:
        return read(kb, Knowledge(kb, concepts_of(plain), limit), limit)

    limit = Budget.of(budget)
    return _derive(kb, kb.queries(queries), start, rules, limit)


def derive(grounds: Grounds, query: Query, budget: Budget) -> Derivation:
    """What `propagate` says of a query, from what was made once for the knowledge base.

    Examples:
        >>> from boxsel.syntax.parser import parse_kb
        >>> grounds = Grounds(parse_kb("(B | A)[0.5]"))
        >>> print(derive(grounds, grounds.kb.query("(B | A)"), Budget()).interval("(B | A)"))
        [0.5]
    """
    return _derive(grounds.kb, (query,), grounds.start, RULES, budget)


def _derive(
    kb: KB,
    asked: tuple[Query, ...],
    start_from: Callable[[Sequence[Query], Budget], Start],
    rules: Iterable[Rule],
    limit: Budget,
) -> Derivation:
    with without_cycle_collection():
        # Rules know no Boolean combinations, and say nothing about them.
        plain = [query for query in asked if not query.is_boolean]
        try:
            start = start_from(plain, limit)
        except OutOfTimeError:
            return Derivation(kb, asked, False, 0, None, None)
        knowledge, shares = start.knowledge, start.shares
        if shares is None:
            return Derivation(kb, asked, True, 0, knowledge, None)
        numbers = [shares.number(query) for query in plain]
        with suppress(OutOfTimeError):
            add_goals(shares, (number for number in numbers if isinstance(number, int)), limit)
            add_totals(shares, limit)
            close_triangles(shares, limit)
        run = Propagation(shares, tuple(rules), limit)
        run.run(start.refuted)
    complete = start.complete and run.fixpoint
    return Derivation(kb, asked, complete, run.rounds, knowledge, run)


def _sides(query: Query) -> tuple[Concept, Concept]:
    return query.head, query.body
