"""Shares with hundreds of digits: floats only guide, so that nothing depends on their range."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import jsonschema
import pytest

from boxsel import examples
from boxsel.answer.ask import ask
from boxsel.errors import WriteError
from boxsel.exact.bounds import bounds
from boxsel.exact.diagnosis.check import check
from boxsel.exact.diagnosis.explanation import explain
from boxsel.exact.diagnosis.repair import repair
from boxsel.exact.reasoner import Reasoner
from boxsel.formats.registry import FORMATS, Format
from boxsel.logic.axioms import Axiom, Conditional
from boxsel.logic.kb import KB
from boxsel.logic.proportions import Interval
from boxsel.logic.statements import Query
from boxsel.models.fit import fit
from boxsel.reversals.simpson import simpson
from boxsel.rules.derivation import propagate
from boxsel.schemas import schema
from boxsel.syntax.parser import parse_kb, parse_query
from tests.depth import some
from tests.exact.brute_force import answer
from tests.exact.knowledge_bases import random_kb

LONG = 7**450
"""Past the largest float, and no decimal."""
TINY = Fraction(1, 10**390)


def lengthened(kb: KB, digits: int = LONG) -> KB:
    """The same statements with ends that are a little larger, but for 0 and 1."""
    return KB.of(*(_lengthened(axiom, digits) for axiom in kb.axioms))


def _lengthened(axiom: Axiom, digits: int) -> Axiom:
    if not isinstance(axiom, Conditional):
        return axiom
    ends = (axiom.bounds.lower, axiom.bounds.upper)
    lower, upper = (end + Fraction(1, digits) if 0 < end < 1 else end for end in ends)
    return Conditional(axiom.head, axiom.body, Interval(lower, upper))


def minute(kb: KB) -> KB:
    """The same statements with all ends but 1 made so small that no float is as small."""
    return KB.of(*(_minute(axiom) for axiom in kb.axioms))


def _minute(axiom: Axiom) -> Axiom:
    if not isinstance(axiom, Conditional):
        return axiom
    ends = (axiom.bounds.lower, axiom.bounds.upper)
    return Conditional(
        axiom.head, axiom.body, Interval(*(end if end == 1 else end * TINY for end in ends))
    )


@pytest.mark.parametrize("seed", some(range(20)))
def test_bounds_are_those_of_exact_arithmetic(seed: int) -> None:
    plain, query = random_kb(Random(seed), max_basics=4)
    for kb in (lengthened(plain), minute(plain)):
        truth, found = answer(kb, query), bounds(kb, query)
        assert (found.status, found.lower, found.upper) == (truth.status, truth.lower, truth.upper)


@pytest.mark.parametrize("seed", some(range(20)))
def test_searched_types_give_the_same_as_listed_ones(seed: int) -> None:
    kb, query = random_kb(Random(seed), max_basics=5)
    long = lengthened(kb)
    listed = Reasoner(long).bounds(query)
    for ways in (("sampled", "generated"), ("generated",)):
        searched = Reasoner(long, ways=ways).bounds(query)
        assert listed.status == searched.status
        for one, other in ((listed.lower, searched.lower), (listed.upper, searched.upper)):
            assert (one and one.bound) == (other and other.bound)


@pytest.mark.parametrize("seed", some(range(8), 3))
def test_whatever_is_found_can_be_told(seed: int) -> None:
    plain, query = random_kb(Random(seed), max_basics=4)
    # The longest are longer than what Python spells.
    for kb in (lengthened(plain), minute(plain), lengthened(plain, 7**6000)):
        found = ask(kb, query, estimate="never", sensitivity=True, budget=None)
        jsonschema.validate(found.to_json(), schema("ask"))
        assert found.text
        assert "<svg" in found._repr_html_()
        jsonschema.validate(bounds(kb, query).to_json(), schema("bounds"))
        explanation = explain(Reasoner(kb), query)
        jsonschema.validate(explanation.to_json(), schema("explain"))
        assert explanation.text
        derived = propagate(kb, [query])
        assert derived.explain(query)
        checked = check(kb)
        jsonschema.validate(checked.to_json(), schema("check"))
        if not checked.coherent:
            repaired = repair(kb)
            jsonschema.validate({**repaired.to_json(), "output": None}, schema("repair"))
            assert repaired.text


def test_statements_that_floats_cannot_tell_apart_contradict_each_other() -> None:
    third = Fraction(1, 3)
    ends = (third, third + TINY)
    a, b = parse_query("(B | A)").body, parse_query("(B | A)").head
    kb = KB.of(*(Conditional(b, a, Interval(end, end)) for end in ends))
    query = Query(b, a)
    assert propagate(kb, [query]).is_empty(a)
    assert bounds(kb, query).status == "vacuous"
    assert not check(kb).coherent
    repaired = repair(kb)
    assert repaired.optimal
    assert repaired.total >= TINY


def test_numbers_that_can_be_read_are_certified() -> None:
    kb = parse_kb(
        "(B | A)[1e-400]\n(C | B)[3e-700, 1]\nC SubClassOf B\nB SubClassOf A\n(D | A)[1e-999, 0.5]"
    )
    found = bounds(kb, parse_query("(C | A)"))
    assert found.certified
    assert (found.lower, found.upper) == (Fraction(3, 10**1100), Fraction(1, 10**400))
    assert "between about 3e-1100 and 1e-400" in found.text
    spelt = found.to_json()
    assert (spelt["lower"], spelt["upper"]) == (0.0, 5e-324)


def test_numbers_that_cannot_be_read_are_proved_but_not_certified() -> None:
    kb = lengthened(examples.load("applicant"))
    found = bounds(kb, parse_query("(Admitted | Applicant)"))
    assert found.status == "bounded"
    assert not found.certified
    assert "not certified" in found.text


@pytest.mark.parametrize("entry", [one for one in FORMATS if one.written], ids=lambda one: one.name)
def test_numbers_that_cannot_be_read_are_not_written(entry: Format) -> None:
    kb = parse_kb("(B | A)[1/3]")
    assert entry.encode(kb)
    with pytest.raises(WriteError, match=r"a bound of \(B \| A\) has more than 400 characters"):
        entry.encode(lengthened(kb))


def test_assertions_are_weighed_in_numbers_of_any_length() -> None:
    text = "(B | A)[0.5, 1]\n(C | A)[0.5, 1]\nDisjointClasses: B, C\nD SubClassOf A\nD(x)\n"
    for more, status in (("", "bounded"), ("DisjointClasses: D, B\nDisjointClasses: D, C\n", "")):
        kb = lengthened(parse_kb(text + more))
        ways = (("listed",), ("sampled", "generated"))
        found = {Reasoner(kb, ways=some).bounds("(B | A)").status for some in ways}
        assert len(found) == 1
        assert status in found or found == {"inconsistent"}


def test_reversals_of_long_numbers() -> None:
    kb = lengthened(examples.load("berkeley"))
    reversal = simpson(kb, "Admitted", ["Woman", "Man"], ["DeptA", "DeptB"])
    jsonschema.validate(reversal.to_json(), schema("simpson"))
    assert reversal.text


def test_ensembles_are_trained_on_long_numbers() -> None:
    kb = lengthened(examples.load("applicant"))
    model = fit(kb, members=2, dim=2, epochs=1)
    assert model.ask("(Admitted | Applicant)").text
    model.inner("(Admitted | Applicant)")
