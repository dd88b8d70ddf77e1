"""Reversals in all models of a knowledge base: rates as intervals, and verdicts that are proved."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Literal

from boxsel.exact.answers import Outcome
from boxsel.exact.reasoner import Reasoner
from boxsel.exact.schedule import Known, within
from boxsel.logic.axioms import Axiom, Disjointness, Inclusion
from boxsel.logic.concepts import BOTTOM, TOP, Concept, conjunction
from boxsel.logic.kb import KB
from boxsel.logic.proportions import Interval
from boxsel.logic.statements import Query
from boxsel.machine.budget import Budget, OutOfTimeError
from boxsel.reversals.conditions import Box
from boxsel.reversals.layout import Rate, Rates
from boxsel.reversals.question import FIRST, GROUPS, SECOND, Question, fresh_name
from boxsel.reversals.search import Found, extended, meets, search, search_any
from boxsel.reversals.standard import Goal, full, not_full, not_partial, partial
from boxsel.reversals.verdicts import Verdict, verdict
from boxsel.wording import several

OVERLAP = (
    "strata are not known to be disjoint: with somebody in two of them, the total is no average of"
    " the rates by stratum weighted by the shares"
)
GAPS = (
    "strata are not known to cover both groups: the rate of those in none of them can be anything"
)
SHARED = "the groups are not known to be disjoint: who is in both counts in both"


@dataclass(frozen=True)
class Partition:
    """What is known about groups and strata in all models."""

    disjoint: bool
    covering: bool
    apart: bool

    @property
    def parted(self) -> bool:
        """Whether everybody of both groups is in exactly one stratum."""
        return self.disjoint and self.covering

    @property
    def remarks(self) -> tuple[str, ...]:
        """What is not known, in sentences."""
        known = ((self.disjoint, OVERLAP), (self.covering, GAPS), (self.apart, SHARED))
        return tuple(remark for yes, remark in known if not yes)


def partition(kb: KB, question: Question, reasoner: Reasoner) -> Partition:
    """Whether strata are disjoint and cover both groups, and whether these are disjoint.

    What there is no time to know is not known.
    """
    return Partition(
        _known(lambda: disjoint_strata(reasoner, question)),
        _known(lambda: covering_strata(kb, question, reasoner)),
        _known(lambda: not reasoner.satisfiable(conjunction(*question.groups))),
    )


def disjoint_strata(reasoner: Reasoner, question: Question) -> bool:
    """Whether in every model nobody of the groups is in two strata."""
    return not any(
        reasoner.satisfiable(conjunction(question.groups[group], *two))
        for group in GROUPS
        for two in combinations(question.strata, 2)
    )


def covering_strata(kb: KB, question: Question, reasoner: Reasoner) -> bool:
    """Whether in every model all of both groups are in strata.

    A new name for somebody outside is empty in every model only then.
    """
    outside = fresh_name("outside", [entity.iri for entity in kb.signature])
    for group in GROUPS:
        axioms = [
            Inclusion(outside, question.groups[group]),
            *(Disjointness(outside, stratum) for stratum in question.strata),
        ]
        if Reasoner(extended(kb, axioms), budget=reasoner.budget).satisfiable(outside):
            return False
    return True


def _known(fact: Callable[[], bool]) -> bool:
    try:
        return fact()
    except OutOfTimeError:
        return False


Status = Literal["answered", "vacuous", "inconsistent", "budget"]

RATES_PART = 0.4
"""The part of the time that may go to rates and remarks."""


@dataclass(frozen=True)
class Analysis:
    """What is known about the reversals of a question in the models of a knowledge base."""

    question: Question
    status: Status
    rates: Rates = field(default_factory=dict)
    verdicts: tuple[Verdict, ...] = ()
    remarks: tuple[str, ...] = ()
    empty: tuple[Concept, ...] = ()
    seconds: float = 0.0


def analyse(kb: KB, question: Question, budget: Budget) -> Analysis:
    """The rates of a question, and whether they reverse: in all models, in some, or in none."""
    start = time.perf_counter()

    def answer(
        status: Status,
        rates: Rates,
        verdicts: tuple[Verdict, ...] = (),
        said: tuple[str, ...] = (),
        empty: tuple[Concept, ...] = (),
    ) -> Analysis:
        seconds = time.perf_counter() - start
        return Analysis(question, status, rates, verdicts, said, empty, seconds)

    near = _module(kb, question, budget)
    reasoner = Reasoner(near, budget=budget)
    with budget.shortened(RATES_PART):
        rates = _rates(reasoner, (*question.rates, *question.mixture))
        if rates is None:
            return answer("inconsistent", {})
        empty = tuple(
            question.groups[group]
            for group in GROUPS
            if rates[question.total(group)].status == "vacuous"
        )
        if empty:
            return answer("vacuous", rates, empty=empty)
        known = partition(near, question, reasoner)
    said = known.remarks
    if kb.ignored_axioms:
        said += (f"models ignore {several(kb.ignored_axioms, 'axiom')} left out on reading",)
    verdicts = _Verdicts(near, question, rates, budget).all(parted=known.parted)
    _check(kb, verdicts)
    undecided = any(one.answer == "undecided" for one in verdicts)
    return answer("budget" if undecided else "answered", rates, verdicts, said)


def _module(kb: KB, question: Question, budget: Budget) -> KB:
    """The statements that can matter: each box of the search is a knowledge base around them.

    With individuals that is everything, as they have to be somewhere in a model.
    """
    if kb.signature.individuals:
        return kb
    concepts = (question.outcome, *question.groups, *question.strata)
    standard = TOP if question.standard is None else question.standard
    matters = Reasoner(kb, budget=budget).module(Query(conjunction(*concepts), standard))
    return KB(matters, dropped=kb.dropped)


def _check(kb: KB, verdicts: Sequence[Verdict]) -> None:
    """Nothing is shown that is no model of the whole knowledge base."""
    for one in verdicts:
        for shown in (one.reversing, one.other):
            if shown is not None and not shown.population.is_model(kb):
                raise ArithmeticError("a population that was found is no model")


def _rates(reasoner: Reasoner, queries: Sequence[Query]) -> dict[Query, Rate] | None:
    """What each share can be; none if there is no model.

    Every query has its part of the time. What others leave goes to those that need more: the first
    one also pays for all that is compiled and loaded.
    """
    rates: dict[Query, Rate] = {}
    for _ in range(2):
        reasoner.try_again()
        late = [query for query in queries if query not in rates or rates[query].status == "budget"]
        for number, query in enumerate(late):
            outcome: Outcome | Known = Known()
            if reasoner.budget.left > 0:
                with reasoner.budget.shortened(1 / (len(late) - number)):
                    outcome = within(reasoner, query)
            elif query in rates:
                continue
            rate = _rate(reasoner, query, outcome)
            if rate is None:
                return None
            rates[query] = rate
    return rates


def _rate(reasoner: Reasoner, query: Query, outcome: Outcome | Known) -> Rate | None:
    """A share as it is known; none if there is no model."""
    sound = not reasoner.kb.ignored_axioms
    if isinstance(outcome, Known):
        return Rate(query, Interval(outcome.lower, outcome.upper), "budget", exact=False)
    if outcome.status == "inconsistent":
        return None
    if outcome.lower is None or outcome.upper is None:
        return Rate(query, None, "vacuous", exact=sound)
    return Rate(query, Interval(outcome.lower.bound, outcome.upper.bound), exact=sound)


class _Verdicts:
    """The searches for models that reverse and for models that do not."""

    def __init__(self, kb: KB, question: Question, rates: Rates, budget: Budget) -> None:
        self._question, self._budget = question, budget
        pooled = (Inclusion(group, question.pool) for group in question.groups)
        self._kb = extended(kb, pooled)
        self._known: Box = {
            query: rate.interval for query, rate in rates.items() if rate.interval is not None
        }
        # A stratum that a group never has anybody in can never be compared.
        self._hopeless = any(rate.interval is None for rate in rates.values())

    def all(self, *, parted: bool) -> tuple[Verdict, ...]:
        """Both verdicts; the time is shared out."""
        question, budget = self._question, self._budget
        if self._hopeless:
            return Verdict("full", "excluded"), Verdict("partial", "excluded")
        with budget.shortened(0.2):
            empty = self._somebody_missing()
        with budget.shortened(0.5):
            goals = [full(question, above, parted=parted) for above in (FIRST, SECOND)]
            found = self._reversing(goals, (Found(), Found()))
            other = self._failing(not_full(question), empty)
            first = verdict("full", question, found, other)
        # With both groups together as the standard, a full reversal is a partial one.
        goals = [partial(question, above, parted=parted) for above in (FIRST, SECOND)]
        found = self._reversing(goals, found)
        other = self._failing(not_partial(question), self._without_standard(empty))
        return first, verdict("partial", question, found, other)

    def _reversing(self, goals: Sequence[Goal], known: tuple[Found, Found]) -> tuple[Found, Found]:
        """Models that reverse in both ways; those that are known may do."""
        found = []
        for goal, result, part in zip(goals, known, (1 / 3, 1 / 2), strict=True):
            if result.population is not None and meets(result.population, goal):
                found.append(result)
                continue
            with self._budget.shortened(part):
                found.append(search(self._kb, goal, self._known, self._budget))
        return found[0], found[1]

    def _failing(self, goals: Sequence[Goal], empty: Found) -> Found:
        """A model that does not reverse; with an empty stratum, if there is such a one."""
        if empty.shown:
            return empty
        result = search_any(self._kb, goals, self._known, self._budget)
        return result if result.shown or empty.complete else empty

    def _somebody_missing(self) -> Found:
        """A model in which both groups have members, but one has none in some stratum."""
        return self._emptied(
            [
                self._question.within(group, stratum)
                for stratum in self._question.strata
                for group in GROUPS
            ]
        )

    def _without_standard(self, empty: Found) -> Found:
        """The same if the standard may be empty too: then nothing can be standardised."""
        if self._question.standard is None or empty.shown:
            return empty
        result = self._emptied([self._question.standard])
        return result if result.shown or empty.complete else empty

    def _emptied(self, concepts: Sequence[Concept]) -> Found:
        """A model in which both groups have members, and one of some concepts has none."""
        complete = True
        goal = Goal((), tuple(map(self._question.total, GROUPS)))
        for concept in concepts:
            if self._budget.left <= 0:
                return Found(complete=False)
            axiom: Axiom = Inclusion(concept, BOTTOM)
            result = search(extended(self._kb, [axiom]), goal, self._known, self._budget)
            if result.shown:
                return result
            complete = complete and result.complete
        return Found(None, complete)
