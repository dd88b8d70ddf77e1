"""One deadline for all parts of the work: whoever gets a budget that is spent stops at once."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest

from boxsel import examples
from boxsel.checker.verify import verify
from boxsel.exact.bounds import bounds
from boxsel.exact.certificate import certificate
from boxsel.exact.compile.problem import Clause, Problem
from boxsel.exact.diagnosis.conflicts import conflict
from boxsel.exact.diagnosis.explanation import minimal_statements
from boxsel.exact.diagnosis.groups import find_conflicts
from boxsel.exact.diagnosis.parts import Parts
from boxsel.exact.lp.solver import LinearProgramme
from boxsel.exact.reasoner import Reasoner
from boxsel.exact.types.enumeration import enumerate_types, without_subsumed
from boxsel.exact.ways import decomposed, separated
from boxsel.exact.ways.samples.calibrating import calibrate
from boxsel.exact.ways.samples.shares import Names, Ratio, Shares
from boxsel.exact.ways.way import Task as ExactTask
from boxsel.logic.axioms import Inclusion
from boxsel.logic.concepts import Name, conjunction
from boxsel.logic.kb import KB
from boxsel.logic.statements import Query
from boxsel.machine.budget import NO_LIMIT, UNLIMITED_MILLISECONDS, Budget, OutOfTimeError
from boxsel.models import fit as training
from boxsel.models.task import Task
from boxsel.normal.normalize import normalize
from boxsel.normal.saturation import saturate
from boxsel.reversals.simpson import simpson
from boxsel.rules.derivation import derive, propagate
from boxsel.rules.grounds import Grounds
from boxsel.syntax.parser import parse_kb, parse_query
from tests.ticking import spent, ticking

BERKELEY = examples.load("berkeley")
QUERY = parse_query("(Admitted | Woman)")
OUTCOME = Reasoner(BERKELEY).bounds(QUERY)
COUNTED = Problem(enumerate(parse_kb("(B | A)[1/3]\n(C | B)[1/4]\nA SubClassOf D").axioms))
SHARES = Shares([Ratio(1, 3, Fraction(1, 4), Fraction(1, 3))], Names(3))


def test_a_budget_is_spent_when_its_clock_says_so() -> None:
    budget = ticking(3)
    assert [budget.left for _ in range(4)] == [2, 1, 0, 0]
    assert budget.spent
    budget.renew()
    assert budget.left > 0
    with pytest.raises(OutOfTimeError):
        list(budget.watched(range(100)))
    assert list(NO_LIMIT.watched("abc", 2)) == ["a", "b", "c"]


def test_for_a_while_there_may_be_less_time_also_where_there_is_no_limit() -> None:
    unlimited = ticking(None)
    with unlimited.at_most(3.0):
        left = [unlimited.left for _ in range(4)]
    assert left == [2, 1, 0, 0]
    assert unlimited.left == float("inf")
    assert not unlimited.limited
    limited = ticking(5)
    with limited.at_most(1000.0):
        assert limited.limited
        assert limited.left < 5  # never more than there was


def test_a_part_of_a_budget_ends_earlier() -> None:
    budget = ticking(100)
    with budget.shortened(0.1):
        assert 0 < budget.left < 10
    assert budget.left > 90


def test_solvers_are_told_what_is_left() -> None:
    assert ticking(3).milliseconds == 2000
    assert spent().milliseconds == 1
    assert NO_LIMIT.milliseconds == UNLIMITED_MILLISECONDS
    assert not NO_LIMIT.limited
    stopped = Budget()
    stopped.stop()
    assert stopped.limited
    assert stopped.spent


PARTS: dict[str, Callable[[Budget], object]] = {
    "normalize": lambda budget: normalize(BERKELEY, budget=budget),
    "saturate": lambda budget: saturate(BERKELEY, budget=budget),
    "verify": lambda budget: verify(BERKELEY, certificate(OUTCOME), budget=budget),
    "reasoner": lambda budget: Reasoner(BERKELEY, budget=budget).bounds(QUERY),
    "conflicts of causes": lambda budget: find_conflicts(
        BERKELEY, BERKELEY.signature.concepts, budget
    ),
    "conflict": lambda budget: conflict(Reasoner(BERKELEY), budget=budget),
    "minimal evidence": lambda budget: minimal_statements(
        Parts(BERKELEY, budget), QUERY, "lower", OUTCOME.lower or pytest.fail(), 9
    ),
    "listing types": lambda budget: enumerate_types([], 1, 9, budget),
    "subsumption": lambda budget: without_subsumed([Clause(1, 2)], budget),
    "separation": lambda budget: separated.offer(ExactTask(COUNTED, budget)),
    "decomposition": lambda budget: decomposed.offer(ExactTask(COUNTED, budget)),
    "linear programme": lambda budget: LinearProgramme().solve(budget),
    "calibrating": lambda budget: calibrate(SHARES, np.ones((2, 2), bool), np.ones(2) / 2, budget),
}


@pytest.mark.parametrize("part", PARTS)
def test_no_part_goes_on_without_time(part: str) -> None:
    with pytest.raises(OutOfTimeError):
        PARTS[part](spent())
    PARTS[part](NO_LIMIT)


def test_rules_without_time_know_nothing_and_say_so() -> None:
    derivation = propagate(BERKELEY, [QUERY], budget=spent())
    assert not derivation.complete
    assert not derivation.inconsistent
    assert not derivation.empty
    assert str(derivation.interval(QUERY)) == "[0, 1]"
    assert derivation.steps(QUERY) == ((), ())
    assert derivation.why_empty(QUERY.body) == ()
    assert "nothing is known" in derivation.explain(QUERY)


@pytest.mark.parametrize("kept", [False, True], ids=["anew", "going on"])
def test_grounds_stop_wherever_they_are(kept: bool) -> None:
    unstated = Query(conjunction(Name("Stranger"), QUERY.head), QUERY.body)
    whole = propagate(BERKELEY, [unstated]).interval(unstated)
    grounds = Grounds(BERKELEY)
    for looks in range(1, 1000):
        grounds = grounds if kept else Grounds(BERKELEY)
        derivation = derive(grounds, unstated, ticking(looks))
        interval = derivation.interval(unstated)
        assert interval.lower <= whole.lower <= whole.upper <= interval.upper
        if derivation.complete:
            return
    pytest.fail("never complete")


def test_rules_stop_wherever_they_are_with_what_is_true() -> None:
    whole = propagate(BERKELEY, [QUERY]).interval(QUERY)
    for looks in range(1, 1000, 7):
        derivation = propagate(BERKELEY, [QUERY], budget=ticking(looks))
        assert whole.lower in derivation.interval(QUERY)
        assert whole.upper in derivation.interval(QUERY)
        if derivation.complete:
            return
    pytest.fail("never complete")


def test_an_answer_that_was_not_checked_in_time_is_not_called_exact() -> None:
    # Statements that have nothing to do with the query are checked, too.
    others = (Inclusion(Name(f"X{number}"), Name("Y")) for number in range(100))
    kb = KB.of(*BERKELEY.axioms, *others)
    met = set()
    for looks in (1, 20, 60, 100, 150, 200, 1000):
        found = bounds(kb, QUERY, budget=ticking(looks))
        assert found.exact == (found.status == "bounded") == found.certified
        met.add((found.status, found.outcome is not None))
        if found.status == "budget" and found.outcome is not None:
            assert found.lower == found.upper == Fraction(81, 100)
            assert found.inner is None
            assert "before the proof was checked" in found.text
    assert met == {("budget", False), ("budget", True), ("bounded", True)}


def test_reversals_without_time_are_undecided() -> None:
    reversal = simpson(BERKELEY, "Admitted", ["Woman", "Man"], ["DeptA", "DeptB"], budget=spent())
    assert reversal.status == "budget"
    assert "undecided" in reversal.text


def test_training_does_not_wait_for_a_check_without_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(training, "COHERENCE_SECONDS", 0.0)
    assert "not checked to the end" in training.require_coherent(Task.of(BERKELEY))
