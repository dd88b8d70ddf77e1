"""Data that were kept are a model: questions have a witness at once, and edits are noticed."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from boxsel.answer.ask import ask
from boxsel.checker.verify import verify
from boxsel.errors import ReadError
from boxsel.exact.bounds import bounds
from boxsel.exact.diagnosis.check import check
from boxsel.exact.reasoner import Reasoner
from boxsel.logic.axioms import conditional
from boxsel.logic.concepts import TOP, names
from boxsel.logic.kb import KB
from boxsel.logic.population import Pattern, Population
from boxsel.logic.statements import Query, Statement
from boxsel.machine.budget import Budget
from boxsel.syntax.parser import parse_kb
from tests.depth import some
from tests.exact.test_thinned import Graph

A, B, C = names("A B C")


def counted(seed: int, share: float = 1.0) -> tuple[Graph, KB]:
    graph = Graph(Random(seed), names=3, roles=1)
    kept = [axiom for axiom in graph.conditionals() if graph.random.random() < share]
    return graph, replace(KB.of(*kept), data=graph.data())


@pytest.mark.parametrize("seed", some(range(10)))
def test_what_is_stated_is_answered_by_the_statement_alone(seed: int) -> None:
    _, kb = counted(seed)
    reasoner = Reasoner(kb)
    for axiom in kb.conditionals:
        found = bounds(kb, Query(axiom.head, axiom.body), reasoner=reasoner)
        assert found.lower == found.upper == axiom.bounds.lower
        assert found.exact
        assert {route.way for route in found.routes.values()} == {"stated"}
        assert {*found.lower_axioms, *found.upper_axioms} <= {Statement(axiom)}


@pytest.mark.parametrize("seed", some(range(12)))
def test_answers_are_the_same_without_data(seed: int) -> None:
    graph, kb = counted(seed, 0.3)
    assert kb.witness is not None
    reasoner, plain = Reasoner(kb), Reasoner(replace(kb, data=None))
    for _ in range(4):
        query = graph.query()
        found, expected = bounds(kb, query, reasoner=reasoner), bounds(kb, query, reasoner=plain)
        assert (found.status, found.lower, found.upper) == (
            expected.status,
            expected.lower,
            expected.upper,
        )
        assert found.exact == expected.exact
    assert reasoner.empty_names == plain.empty_names
    assert check(kb).coherent == check(replace(kb, data=None)).coherent


@pytest.mark.parametrize("seed", some(range(6)))
def test_without_time_there_is_a_witness_that_can_be_checked(seed: int) -> None:
    graph, kb = counted(seed, 0.2)
    reasoner = Reasoner(kb, budget=Budget(0.0))
    for head in (*graph.names, *graph.existentials):
        query = Query(head, TOP)
        found = bounds(kb, query, reasoner=reasoner)
        share = graph.data().share(head, TOP)
        assert share is not None
        assert found.inner is not None
        assert share in found.inner
        assert found.status == "budget"
        if found.outcome is None:
            checked = verify(kb, found.certificate)
            assert checked.valid
            assert not checked.exact
            assert checked.possible == share
            assert f"can be {share}: proved, not exact" in checked.text()


def budgeted() -> tuple[KB, dict[str, Any]]:
    data = Population((A, B, C), (), (Pattern(3, (0,)), Pattern(1, (0, 1))))
    kb = replace(KB.of(conditional(B, given=A, between=("0.1", "0.5"))), data=data)
    found = bounds(kb, "(B | A)", budget=Budget(0.0))
    assert found.status == "budget"
    return kb, dict(found.certificate)


def test_a_witness_that_is_tampered_with_shows_nothing() -> None:
    kb, certificate = budgeted()
    assert verify(kb, certificate).possible == Fraction(1, 4)
    other = {**certificate, "witness": {**certificate["witness"], "share": "1/3"}}
    checked = verify(kb, other)
    assert not checked.valid
    assert checked.possible is None
    stricter = kb.with_statements([*kb.statements, Statement(conditional(A, given=TOP, exactly=0))])
    assert not verify(stricter, certificate).valid
    with pytest.raises(ReadError, match="witness"):
        verify(kb, {**certificate, "witness": {"share": "1/4"}})


def test_an_edited_knowledge_base_goes_without_its_data() -> None:
    data = Population((A, B), (), (Pattern(3, (0,)), Pattern(1, (0, 1))))
    kb = replace(parse_kb("(B | A)[1/3]"), data=data)
    assert Reasoner(kb).witness is None
    found = bounds(kb, "(B | A)")
    assert found.exact
    assert str(found.lower) == "1/3"
    assert "stated" not in {route.way for route in found.routes.values()}


@pytest.mark.parametrize("line", ["A(a)", "r(a, b)\nB(b)", "A(a)\nC(a)"])
def test_individuals_stand_beside_the_data(line: str) -> None:
    data = Population((A, B), (), (Pattern(3, (0,)), Pattern(1, (0, 1))))
    kb = replace(parse_kb(f"(B | A)[1/4]\nDisjointClasses: A, C\n{line}"), data=data)
    found = bounds(kb, "(B | A)")
    assert bounds(kb, "(B | A)", budget=Budget(0.0)).status in ("budget", "bounded")
    if "C(a)" in line:
        assert found.status == "inconsistent"
    else:
        assert found.exact
        assert verify(kb, found.certificate).exact


def test_ask_tells_the_data_as_possible() -> None:
    data = Population((A, B, C), (), (Pattern(3, (0, 2)), Pattern(1, (0, 1))))
    kb = replace(KB.of(conditional(B, given=A, exactly="1/4")), data=data)
    answer = ask(kb, Query(C, A), budget=0.001)
    assert answer.inner is not None
    assert answer.inner.lower <= Fraction(3, 4) <= answer.inner.upper


def test_both_ends_share_one_model_in_a_certificate() -> None:
    _, kb = counted(3)
    axiom = next(one for one in kb.conditionals if 0 < one.bounds.lower < 1)
    certificate = bounds(kb, Query(axiom.head, axiom.body)).certificate
    assert certificate["upper"]["model"] == "lower"
    assert verify(kb, certificate).exact
    alone = {key: one for key, one in certificate.items() if key != "lower"}
    with pytest.raises(ReadError, match=r"upper\.model"):
        verify(kb, {**alone, "status": "budget"})
