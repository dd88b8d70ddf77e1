"""Propagation as a whole: never wrong, independent of order, and every step checkable."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boxsel.logic.axioms import Conditional
from boxsel.logic.concepts import conjunction
from boxsel.logic.kb import KB
from boxsel.logic.statements import Query
from boxsel.machine.budget import Budget
from boxsel.rules.all_rules import RULES
from boxsel.rules.derivation import derive, propagate
from boxsel.rules.grounds import Grounds
from tests.depth import cases
from tests.exact.brute_force import answer, empty_names
from tests.exact.knowledge_bases import described_populations, small_kbs
from tests.interpretations import Interpretation
from tests.rules.rechecking import recheck

TOLERANCE = Fraction(1, 10**6)


def asked(kb: KB, query: Query) -> list[Query]:
    return [query, *(Query(axiom.head, axiom.body) for axiom in kb.conditionals)]


@settings(max_examples=cases(300))
@given(small_kbs(max_basics=5))
def test_the_exact_answer_is_inside(case: tuple[KB, Query]) -> None:
    kb, query = case
    derivation = propagate(kb, [query])
    exact = answer(kb, query)
    if derivation.inconsistent:
        assert exact.status == "inconsistent"
    elif derivation.is_empty(query.body):
        assert exact.status != "bounded"
    elif exact.status == "bounded":
        assert exact.lower is not None
        assert exact.upper is not None
        interval = derivation.interval(query)
        assert interval.lower <= exact.lower
        assert exact.upper <= interval.upper
    assert empty_names(kb) >= derivation.empty & frozenset(kb.signature.concepts)


@settings(max_examples=cases(200))
@given(described_populations())
def test_the_shares_of_a_model_are_inside(case: tuple[KB, Query, Interpretation]) -> None:
    kb, query, model = case
    derivation = propagate(kb, [query])
    assert not derivation.inconsistent
    assert not any(model.extension(concept) for concept in derivation.empty)
    for question in asked(kb, query):
        share = model.share(question.head, question.body)
        assert share is None or share in derivation.interval(question)


@given(small_kbs(), st.randoms(use_true_random=False))
def test_the_order_of_axioms_and_rules_does_not_matter(
    case: tuple[KB, Query], random: Random
) -> None:
    kb, query = case
    axioms, rules = list(kb.axioms), list(RULES)
    random.shuffle(axioms)
    random.shuffle(rules)
    one, two = propagate(kb, [query]), propagate(KB.of(*axioms), [query], rules=rules)
    assert one.inconsistent == two.inconsistent
    assert one.empty == two.empty
    for question in asked(kb, query):
        assert one.interval(question) == two.interval(question)


@settings(max_examples=cases(100))
@given(small_kbs(max_basics=5), st.data())
def test_what_was_asked_before_does_not_matter(case: tuple[KB, Query], data: st.DataObject) -> None:
    kb, query = case
    known = {side for axiom in kb.axioms for side in axiom.concepts() if not side.mentions_bottom}
    atoms = sorted({*kb.signature.concepts, *known, query.head, query.body}, key=str)
    sides = st.lists(st.sampled_from(atoms), min_size=1, max_size=3).map(
        lambda of: conjunction(*of)
    )
    grounds = Grounds(kb)
    for question in (query, *data.draw(st.lists(st.builds(Query, sides, sides), max_size=3))):
        alone, together = propagate(kb, [question]), derive(grounds, question, Budget())
        assert alone.inconsistent == together.inconsistent
        assert alone.complete == together.complete
        if not alone.inconsistent:
            assert alone.empty == together.empty
        for other in asked(kb, question):
            assert alone.interval(other) == together.interval(other)
            if not together.inconsistent:
                recheck(kb, together.steps(other).lower)


@given(small_kbs(), st.data())
def test_more_axioms_never_loosen(case: tuple[KB, Query], data: st.DataObject) -> None:
    kb, query = case
    axioms = list(kb.axioms)
    kept = data.draw(st.lists(st.sampled_from(axioms), unique_by=id) if axioms else st.just([]))
    fewer, more = propagate(KB.of(*kept), [query]), propagate(kb, [query])
    assert more.inconsistent or not fewer.inconsistent
    if more.is_empty(query.body):
        return
    assert not fewer.is_empty(query.body)
    loose, tight = fewer.interval(query), more.interval(query)
    assert loose.lower <= tight.lower + TOLERANCE
    assert tight.upper <= loose.upper + TOLERANCE


@settings(max_examples=cases(200))
@given(small_kbs())
def test_every_step_can_be_checked(case: tuple[KB, Query]) -> None:
    kb, query = case
    derivation = propagate(kb, [query])
    if derivation.inconsistent:
        return
    for question in asked(kb, query):
        interval, chains = derivation.interval(question), derivation.steps(question)
        recheck(kb, chains.lower)
        recheck(kb, chains.upper)
        if derivation.is_empty(question.body):
            assert chains.lower[-1].conclusion == derivation.why_empty(question.body)[-1].conclusion
        else:
            assert bool(chains.lower) or interval.lower == 0
            assert bool(chains.upper) or interval.upper == 1
            for chain, end in ((chains.lower, "lower"), (chains.upper, "upper")):
                if chain:
                    last = chain[-1].conclusion
                    assert isinstance(last, Conditional)
                    assert getattr(last.bounds, end) == getattr(interval, end)
        assert str(interval) in derivation.explain(question) or derivation.is_empty(question.body)


@given(small_kbs())
def test_it_is_a_fixpoint(case: tuple[KB, Query]) -> None:
    kb, query = case
    derivation = propagate(kb, [query])
    assert derivation.complete
    if derivation.inconsistent or derivation.is_empty(query.body):
        return
    conditional = Conditional(query.head, query.body, derivation.interval(query))
    again = propagate(KB.of(*kb.axioms, conditional), [query])
    if again.is_empty(query.body):
        pytest.fail("stating what was derived emptied the body")
    for end in ("lower", "upper"):
        before, after = (getattr(one.interval(query), end) for one in (derivation, again))
        assert abs(before - after) <= TOLERANCE


@given(small_kbs())
def test_without_time_less_is_known_but_nothing_wrong(case: tuple[KB, Query]) -> None:
    kb, query = case
    full, none = propagate(kb, [query]), propagate(kb, [query], budget=0)
    assert none.complete is none.inconsistent
    assert full.inconsistent or not none.inconsistent
    if not full.is_empty(query.body):
        interval = full.interval(query)
        assert interval.lower in none.interval(query)
        assert interval.upper in none.interval(query)
