"""Causes explain every empty name and nothing else, and are as small as they can be."""

from __future__ import annotations

from random import Random

import pytest

from boxsel.exact.diagnosis.causes import Cause, find_causes
from boxsel.exact.diagnosis.check import check
from boxsel.exact.reasoner import Reasoner
from boxsel.logic.concepts import Name
from boxsel.logic.kb import KB
from boxsel.machine.budget import OutOfTimeError
from boxsel.syntax.parser import parse_kb
from tests.depth import some
from tests.exact.brute_force import empty_names, is_consistent
from tests.exact.coherence.test_realising import taxonomy
from tests.exact.knowledge_bases import random_kb


def causes(text: str) -> tuple[Cause, ...]:
    return find_causes(Reasoner(parse_kb(text)))


@pytest.mark.parametrize("seed", some(range(1000, 1200)))
def test_causes_explain_all_empty_names_by_minimal_conflicts(seed: int) -> None:
    kb, _ = random_kb(Random(seed), 5)
    kb = KB(tuple(dict.fromkeys(kb.statements)))
    found = check(kb)
    assert found.consistent == is_consistent(kb)
    if not found.consistent:
        assert found.causes == ()
        return
    assert sorted(map(str, found.empty)) == sorted(map(str, empty_names(kb)))
    assert [name for cause in found.causes for name in cause.names] == list(found.empty)
    for cause in found.causes:
        concept, statements = cause.conflict.concept, cause.conflict.statements
        assert concept is not None
        assert not Reasoner(KB(statements, declared=kb.declared)).satisfiable(concept)
        for left_out in statements:
            fewer = tuple(statement for statement in statements if statement != left_out)
            rest = KB(fewer, declared=frozenset(kb.signature))
            assert Reasoner(rest).satisfiable(concept)


def test_a_pair_comes_before_what_follows_from_it() -> None:
    (cause,) = causes(
        "D SubClassOf C\nC SubClassOf A\n(D | E)[0.1]\nF SubClassOf r some E\n"
        "(B | A)[0.01, 0.03]\n(B | A)[0.5]\n(G | A)[0.2]"
    )
    assert cause.conflict.direct
    assert cause.conflict.concept == Name("A")
    assert {str(name) for name in cause.names} == {"A", "C", "D", "E", "F"}


def test_the_cause_that_explains_most_comes_first() -> None:
    first, second = causes(
        "(B | X)[0.1]\n(B | X)[0.2]\n(B | A)[0.1]\n(B | A)[0.2]\nC SubClassOf A\nD SubClassOf A"
    )
    assert (str(first.conflict.concept), len(first.names)) == ("A", 3)
    assert (str(second.conflict.concept), len(second.names)) == ("X", 1)


def test_contradictions_below_another_are_told_too() -> None:
    first, second = causes("(B | A)[0.1]\n(B | A)[0.2]\nC SubClassOf A\n(B | C)[0.3]\n(B | C)[0.6]")
    assert [str(name) for name in first.names] == ["A", "C"]
    assert (str(second.conflict.concept), second.names) == ("C", ())


def test_a_body_is_blamed_for_the_names_below_it() -> None:
    (cause,) = causes(
        "(B | A and C)[0.1]\n(B | A and C)[0.2]\n"
        "D SubClassOf A\nD SubClassOf C\nE SubClassOf A\nE SubClassOf C"
    )
    assert str(cause.conflict.concept) == "A and C"
    assert [str(name) for name in cause.names] == ["D", "E"]


def test_statements_without_numbers_have_causes_too() -> None:
    (cause,) = causes(
        "DisjointClasses: A, B\nC SubClassOf A\nC SubClassOf B\nD SubClassOf C\n"
        "E SubClassOf r some D\n(C | F)[0.5]\n(G | A)[0.5]"
    )
    assert len(cause.conflict.statements) == 3
    assert {str(name) for name in cause.names} == {"C", "D", "E", "F"}


def test_contradictions_over_several_bodies() -> None:
    (cause,) = causes(
        "DeptA SubClassOf Applicant\n(DeptA | Applicant)[0.20, 0.25]\n"
        "(Woman | Applicant)[0.4, 0.6]\n(Admitted | DeptA)[0.80]\n(Admitted | Applicant)[0, 0.10]\n"
        "Late SubClassOf Applicant"
    )
    assert len(cause.conflict.statements) == 4
    assert {str(name) for name in cause.names} == {"DeptA", "Applicant", "Late"}


@pytest.mark.parametrize("seed", some(range(4)))
def test_one_typo_in_a_large_taxonomy_is_named(seed: int) -> None:
    kb = taxonomy(seed, 200)
    said = next(
        conditional
        for conditional in kb.conditionals
        if 0 < conditional.bounds.lower and conditional.bounds.upper < 0.9
    )
    typo = parse_kb(f"({said.head} | {said.body})[0.95]").statements
    (cause,) = find_causes(Reasoner(kb.with_statements((*kb.statements, *typo))))
    assert cause.conflict.direct
    assert said.body in cause.names


def test_only_some_names() -> None:
    kb = parse_kb("(B | A)[0.1]\n(B | A)[0.2]\nC SubClassOf D")
    assert len(find_causes(Reasoner(kb), [Name("A")])) == 1
    assert check(kb).summary == "1 contradiction empties 1 name"


def test_counts_that_agree_as_intervals() -> None:
    assert check(parse_kb("(B | A)[7 of 10]\n(B | A)[5 of 10]")).coherent_at is not None
    assert check(parse_kb("(B | A)[70 of 100]\n(B | A)[5 of 100]")).coherent_at is None
    assert (
        check(parse_kb("(B | A)[7 of 10]\n(B | A)[5 of 10]\n(B | C)[0]\n(B | C)[1]")).coherent_at
        is None
    )
    assert check(parse_kb("(B | A)[7 of 10]")).coherent_at is None


def test_what_is_not_soon_known_of_confidence_leaves_the_check_finished(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def take_long(*given: object) -> None:
        raise OutOfTimeError

    monkeypatch.setattr("boxsel.exact.diagnosis.check._coherent_at", take_long)
    found = check(parse_kb("(B | A)[7 of 10]\n(B | A)[5 of 10]"))
    assert (found.finished, found.coherent, found.coherent_at) == (True, False, None)
