"""Time may run out at any look at the clock: what is said then is true, and nothing is spoilt."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from random import Random

import pytest

from boxsel.advice.measuring import next_measurements
from boxsel.answer.ask import Asker
from boxsel.checker.verify import verify
from boxsel.errors import BoxselError
from boxsel.exact.bounds import bounds
from boxsel.exact.diagnosis.conflicts import conflicts
from boxsel.exact.diagnosis.repair import repair
from boxsel.exact.possible import find_possible
from boxsel.exact.reasoner import Reasoner
from boxsel.exact.typical import find_typical
from boxsel.logic.kb import KB
from boxsel.logic.proportions import Interval
from boxsel.logic.statements import Query
from boxsel.machine.budget import Budget, OutOfTimeError
from boxsel.people.sample import sample
from tests.depth import cases
from tests.exact.brute_force import Answer, answer, empty_names, is_consistent
from tests.exact.knowledge_bases import random_kb
from tests.ticking import Ticks, ticking

STOPS = 4
"""At so many looks each work is cut short."""


@dataclass(frozen=True)
class Case:
    """A knowledge base, a query, and what is true of it."""

    kb: KB
    query: Query
    truth: Answer

    def contains(self, inner: Interval | None) -> bool:
        """Whether all these shares are possible."""
        lower, upper = self.truth.lower, self.truth.upper
        if inner is None or lower is None or upper is None:
            return inner is None
        return lower <= inner.lower <= inner.upper <= upper

    def lies_in(self, lower: Fraction | None, upper: Fraction | None) -> bool:
        """Whether no model leaves an interval."""
        least, most = self.truth.lower, self.truth.upper
        if lower is None or upper is None or least is None or most is None:
            return True
        return lower <= least <= most <= upper


def bounding(case: Case, budget: Budget) -> None:
    reasoner = Reasoner(case.kb, budget=budget)
    found = bounds(case.kb, case.query, reasoner=reasoner)
    assert found.status in ("budget", case.truth.status)
    assert case.contains(found.inner)
    assert case.lies_in(found.lower, found.upper)
    assert not found.certificate or verify(case.kb, found.certificate).valid
    whole(reasoner, case)


def naming(case: Case, budget: Budget) -> None:
    reasoner, empty = Reasoner(case.kb, budget=budget), empty_names(case.kb)
    with suppress(OutOfTimeError):
        assert reasoner.consistent == is_consistent(case.kb)
    for name in case.kb.signature.concepts:
        with suppress(OutOfTimeError):
            assert reasoner.satisfiable(name) == (name not in empty)
    with suppress(OutOfTimeError):
        assert empty == {*reasoner.empty_names}
    assert empty.isdisjoint(reasoner.realised)
    whole(reasoner, case)


def whole(reasoner: Reasoner, case: Case) -> None:
    """With more time, everything is known as if it had been there before."""
    reasoner.budget.seconds = None
    reasoner.budget.renew()
    reasoner.try_again()
    assert {*reasoner.empty_names} == empty_names(case.kb)
    found = bounds(case.kb, case.query, reasoner=reasoner)
    assert (found.status, found.lower, found.upper) == (
        case.truth.status,
        case.truth.lower,
        case.truth.upper,
    )
    assert found.exact


def asking(case: Case, budget: Budget) -> None:
    reasoner = Reasoner(case.kb, budget=budget)
    with Asker(case.kb, estimate="never", reasoner=reasoner) as asker:
        for seconds in (budget.seconds, None):
            found = asker.ask(
                case.query, budget=seconds, sensitivity=True, population=True, hints=True
            )
            assert found.text
            assert found.to_json()
            inner = found.inner and Interval(found.inner.lower, found.inner.upper)
            assert case.contains(inner)
            if found.outer is not None:
                assert case.lies_in(found.outer.lower, found.outer.upper)
                assert not found.exact or inner == found.outer.interval
            assert found.status in ("budget", case.truth.status)
    assert found.status == case.truth.status


def showing(case: Case, budget: Budget) -> None:
    for inner, _ in find_possible(Reasoner(case.kb, budget=budget), case.query):
        assert case.contains(Interval(inner.lower, inner.upper))


def repairing(case: Case, budget: Budget) -> None:
    found = repair(case.kb, budget=budget)
    assert found.text
    assert found.least <= found.total
    if found.conflict is not None:
        alone = KB(found.conflict.statements)
        assert not is_consistent(alone) or empty_names(alone)
    elif found.finished:
        assert is_consistent(found.kb)
        assert not empty_names(found.kb)


def blaming(case: Case, budget: Budget) -> None:
    body = case.query.body
    if case.truth.status == "vacuous":
        with suppress(OutOfTimeError):
            for found in conflicts(Reasoner(case.kb), body, limit=5, budget=budget).found:
                alone = KB(found.statements)
                assert answer(alone, Query(body, body)).status != "bounded"


def taking(case: Case, budget: Budget) -> None:
    with suppress(BoxselError):
        people = sample(case.kb, 12, budget=budget)
        assert people.text
        assert len(people) == 12
        assert not people.exact or people.population.is_model(case.kb.axioms)


def advising(case: Case, budget: Budget) -> None:
    found = next_measurements(case.kb, case.query, budget=budget)
    assert found.text
    assert found.status in ("budget", case.truth.status)
    assert case.lies_in(found.lower, found.upper)


def evening(case: Case, budget: Budget) -> None:
    with suppress(BoxselError):
        share = find_typical(case.kb, budget=budget).share(case.query)
        assert share is None or 0 <= share <= 1


WORK = (bounding, naming, asking, showing, repairing, blaming, taking, advising, evening)


@pytest.mark.parametrize("work", WORK)
def test_what_time_cuts_short_says_nothing_wrong(work: Callable[[Case, Budget], None]) -> None:
    for seed in range(cases(15, 3)):
        random = Random(seed)
        kb, query = random_kb(random, random.choice((3, 4, 5)))
        case = Case(kb, query, answer(kb, query))
        clock = Ticks()
        work(case, Budget(1e9, clock))
        for looks in random.choices(range(int(clock.now) + 1), k=STOPS):
            work(case, ticking(looks))
