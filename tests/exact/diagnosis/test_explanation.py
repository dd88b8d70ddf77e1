"""Explanations rest on minimal statements, and their derivations hold element by element."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import product
from random import Random

import pytest

from boxsel import examples
from boxsel.exact.diagnosis.explanation import EndReason, Explanation, explain
from boxsel.exact.reasoner import Reasoner
from boxsel.logic.axioms import Conditional
from boxsel.logic.concepts import entities
from boxsel.logic.kb import KB
from boxsel.logic.statements import Query
from boxsel.syntax.parser import parse_kb, parse_query
from tests.depth import some
from tests.exact.brute_force import answer
from tests.exact.knowledge_bases import random_kb
from tests.interpretations import Interpretation


def explained(kb: KB | str, query: str) -> Explanation:
    source = parse_kb(kb) if isinstance(kb, str) else kb
    return explain(Reasoner(source), parse_query(query))


@pytest.mark.parametrize("seed", some(range(100, 180)))
def test_the_statements_alone_give_the_bound_and_fewer_do_not(seed: int) -> None:
    kb, query = random_kb(Random(seed), 6)
    expected = answer(kb, query)
    explanation = explain(Reasoner(kb), query)
    assert explanation.status == expected.status
    json.dumps(explanation.to_json())
    if explanation.empty is not None:
        statements = explanation.empty.statements
        assert answer(KB(statements), query).status == expected.status
        for statement in statements:
            fewer = KB(tuple(other for other in statements if other != statement))
            assert answer(fewer, query).status not in ("inconsistent", expected.status)
        return
    for reason, side in ((explanation.lower, "lower"), (explanation.upper, "upper")):
        assert reason is not None
        bound = getattr(expected, side)
        assert reason.bound == bound
        assert getattr(answer(KB(reason.statements), query), side) == bound
        for statement in reason.statements:
            fewer = KB(tuple(other for other in reason.statements if other != statement))
            assert getattr(answer(fewer, query), side) != bound
        if not any(" some " in str(one) for one in (*reason.statements, query)):
            check_element_by_element(reason, query)


def check_element_by_element(reason: EndReason, query: Query) -> None:
    """Whatever an element is, the premises add up to no more for it than the bound."""
    names = list(
        dict.fromkeys(
            entity
            for concept in (
                *(
                    concept
                    for statement in reason.statements
                    for concept in statement.axiom.concepts()
                ),
                query.head,
                query.body,
            )
            for entity in entities(concept)
        )
    )
    premises = reason.derivation.premises
    stated = {one.statement.axiom for one in premises}
    for values in product([False, True], repeat=len(names)):
        everything = frozenset({0})
        element = Interpretation(
            everything,
            {
                name: everything if true else frozenset()  # type: ignore[misc]
                for name, true in zip(names, values, strict=True)
            },
        )
        certain = (
            statement.axiom for statement in reason.statements if statement.axiom not in stated
        )
        if not all(map(element.satisfies, certain)):
            continue

        total = Fraction(0)
        for premise in premises:
            axiom = premise.statement.axiom
            assert isinstance(axiom, Conditional)
            bound = getattr(axiom.bounds, premise.side)
            total += premise.factor * weigh(
                element, Query(axiom.head, axiom.body), premise.side, bound
            )
        assert total <= weigh(element, query, reason.side, reason.bound)


def weigh(element: Interpretation, query: Query, side: str, bound: Fraction) -> Fraction:
    """What an element counts for in an inequality, as what must not be negative."""
    inside = bool(element.extension(query.body))
    both = inside and bool(element.extension(query.head))
    return (both - bound * inside) * (1 if side == "lower" else -1)


def test_the_applicants() -> None:
    explanation = explained(examples.load("applicant"), "(Admitted and DeptA | Applicant)")
    assert explanation.text == (
        "(Admitted and DeptA | Applicant) is at least 0.16, by\n"
        "  Admitted SubClassOf Applicant\n"
        "  (DeptA | Applicant)[0.2, 0.25]\n"
        "  (Admitted | DeptA)[0.8]\n"
        "  |Applicant ⊓ DeptA| ≥ 0.2·|Applicant|, times 0.8\n"
        "  |DeptA ⊓ Admitted| ≥ 0.8·|DeptA|\n"
        "  together 0.8·|Applicant ⊓ DeptA| + |Admitted ⊓ DeptA|"
        " ≥ 0.16·|Applicant| + 0.8·|DeptA|\n"
        "  every possible element counts at least as much in the bound, so"
        " |Applicant ⊓ Admitted ⊓ DeptA| ≥ 0.16·|Applicant|\n"
        "\n"
        "(Admitted and DeptA | Applicant) is at most 0.2, by\n"
        "  DeptA SubClassOf Applicant\n"
        "  (DeptA | Applicant)[0.2, 0.25]\n"
        "  (Admitted | DeptA)[0.8]\n"
        "  |Applicant ⊓ DeptA| ≤ 0.25·|Applicant|, times 0.8\n"
        "  |DeptA ⊓ Admitted| ≤ 0.8·|DeptA|\n"
        "  together 0.2·|Applicant| ≥ |DeptA ⊓ Admitted|\n"
        "  that is the bound: |Applicant ⊓ Admitted ⊓ DeptA| ≤ 0.2·|Applicant|\n"
    )


def test_berkeley() -> None:
    kb = examples.load("berkeley")
    explanation = explained(kb, "(Admitted | Woman)")
    for reason in (explanation.lower, explanation.upper):
        assert reason is not None
        assert reason.bound == Fraction(81, 100)
        assert len(reason.statements) == 5
        assert not any("Man)" in str(statement) for statement in reason.statements)
        assert len(reason.derivation.premises) == 4


def test_trivial_ends() -> None:
    explanation = explained("(B | A)[0.2]\nC SubClassOf D", "(C | A)")
    assert explanation.text == (
        "(C | A) is at least 0: nothing stated says more\n"
        "\n"
        "(C | A) is at most 1: nothing stated says more\n"
    )
    assert "whatever is stated" in explained("(B | A)[0.2]", "(A | A and B)").text


def test_certain_ends() -> None:
    text = explained("Admitted SubClassOf Applicant", "(Applicant | Admitted)").text
    assert "so no element can be Admitted without Applicant" in text


def test_missing_witnesses_are_steps() -> None:
    kb = "(C | B)[0.2]\n(C | B)[0.8]\nA SubClassOf r some B\n(A | D)[1/2, 1]\n(E | D)[0.1]"
    explanation = explained(kb, "(E | D)")
    assert explanation.text == (
        "D is empty in every model, by\n"
        "  (C | B)[0.2]\n"
        "  (C | B)[0.8]\n"
        "  A SubClassOf r some B\n"
        "  (A | D)[0.5, 1]\n"
        "  nothing can be the B that `r some B` needs (|B ⊓ C| ≤ 0.2·|B|; |B ⊓ C| ≥ 0.8·|B|),"
        " so `r some B` is empty\n"
        "  |D ⊓ A| ≥ 0.5·|D|\n"
        "  no element counts in favour of that, and one of D counts against it\n"
    )
    kb = "r SubPropertyOf s\ns Range: B\n(r some A | C)[1/3]"
    text = explained(kb, "(r some (A and B) | C)").text
    assert "whatever has `r some A` has `r some (A and B)`, for want of another A" in text


def test_no_model() -> None:
    explanation = explained("A(a)\nB(a)\nDisjointClasses: A, B\n(C | A)[0.1]", "(C | A)")
    assert explanation.text == "there is no model, by\n  A(a)\n  B(a)\n  DisjointClasses: A, B\n"
    explanation = explained("(A | owl:Thing)[0.2]\n(A | owl:Thing)[0.3]", "(A | B)")
    assert "together 0 ≥ 0.1·|owl:Thing|" in explanation.text
    assert explanation.to_json()["empty"]["concept"] is None
