"""What few statements are said to empty is empty, and proved to be from these alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest

from boxsel.checker.verify import verify
from boxsel.exact.answers import Proof
from boxsel.exact.certificate import certificate
from boxsel.exact.coherence.emptying import Unemptied, find_emptying
from boxsel.exact.reasoner import Reasoner
from boxsel.exact.ways.way import Limits
from boxsel.logic.axioms import ConceptAssertion, RoleAssertion
from boxsel.logic.concepts import Concept
from boxsel.logic.kb import KB
from boxsel.logic.statements import Query, Statement
from boxsel.machine.budget import Budget
from boxsel.syntax.parser import parse_kb
from tests.depth import some
from tests.exact.brute_force import answer
from tests.exact.knowledge_bases import random_kb
from tests.exact.test_booleans import combination

ASSERTIONS = ConceptAssertion | RoleAssertion


@pytest.mark.parametrize("seed", some(range(300), 100))
def test_few_statements_are_enough(seed: int) -> None:
    kb, query = random_kb(Random(seed), 5)
    kb = replace(kb, data=None)
    few = find_emptying(kb.statements, query.body, Budget())
    if not isinstance(few, Unemptied):
        assert answer(KB(tuple(kb.statements[n] for n in few)), query).status != "bounded"
    outcome = Reasoner(kb, limits=Limits(few=0)).vacuous(query)
    if outcome is not None:
        assert outcome.status == answer(kb, query).status != "bounded"
        assert verify(kb, certificate(outcome)).valid


@pytest.mark.parametrize("seed", some(range(300), 100))
def test_combinations_of_what_is_emptied(seed: int) -> None:
    random = Random(seed)
    kb, plain = random_kb(random, 5)
    names = [*kb.signature.concepts, plain.body]
    query = Query(plain.head, combination(random, names, random.choice((1, 2))))
    outcome = Reasoner(kb, limits=Limits(few=0)).vacuous(query)
    if outcome is not None:
        assert outcome.status == answer(kb, query).status != "bounded"
        assert verify(kb, certificate(outcome)).valid


def test_a_combination_is_empty_if_all_that_it_adds_up_from_is() -> None:
    kb = parse_kb(
        "(B | A)[0.2]\n(B | A)[0.8]\n(B | C)[0.1]\n(B | C)[0.3]\nD SubClassOf C\n(D | B)[0.5]"
    )
    reasoner = Reasoner(kb, limits=Limits(few=0))
    for body in ("A or D", "A and not B", "at least 2 of (A, B, C)", "not (not A or B)"):
        outcome = reasoner.vacuous(f"(B | {body})")
        assert outcome is not None
        assert verify(kb, certificate(outcome)).valid
    for body in ("A or B", "not A", "at least 2 of (B, not A, not C)"):
        assert reasoner.vacuous(f"(D | {body})") is None


@pytest.mark.parametrize("seed", some(range(300), 100))
def test_what_is_not_emptied_is_not_for_any_question(seed: int) -> None:
    kb, query = random_kb(Random(seed), 5)
    statements = kb.statements
    unemptied = find_emptying(statements, query.body, Budget())
    if isinstance(unemptied, Unemptied):
        for name in KB(statements).signature.concepts:
            again = find_emptying(statements, name, Budget())
            assert isinstance(again, Unemptied) == (name in unemptied.concepts)


@pytest.mark.parametrize("seed", some(range(300), 100))
def test_who_is_shown_can_have_members(seed: int) -> None:
    kb, query = random_kb(Random(seed), 5)
    kb = replace(kb, data=None)
    unemptied = find_emptying(kb.statements, query.body, Budget())
    if isinstance(unemptied, Unemptied) and unemptied.find_members(query.body):
        alone = (one for one in kb.statements if not isinstance(one.axiom, ASSERTIONS))
        assert answer(KB(tuple(alone)), query).status == "bounded"


def test_one_population_shows_who_has_members() -> None:
    kb = parse_kb("(B | A)[0.2, 0.4]\n(r some B | A)[0.7]\nC SubClassOf r some A")
    names = (kb.name("A"), kb.name("C"))
    unemptied = find_emptying(kb.statements, names[0], Budget())
    assert isinstance(unemptied, Unemptied)
    assert unemptied.find_members(*names) == {*names}


def test_a_module_is_looked_through_once(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[Concept] = []

    def look(
        statements: Sequence[Statement], concept: Concept, budget: Budget
    ) -> tuple[int, ...] | Unemptied:
        looked.append(concept)
        return find_emptying(statements, concept, budget)

    monkeypatch.setattr("boxsel.exact.emptied.find_emptying", look)
    kb = parse_kb("(B | A)[0.2]\n(A | B)[0.8]\n(C | B)[0.2]\n(C | D)[0.2]\n(C | D)[0.4]\n")
    reasoner = Reasoner(kb, limits=Limits(few=0))
    assert reasoner.vacuous("(B | A)") is None
    assert reasoner.vacuous("(C | B)") is None
    assert list(map(str, looked)) == ["A"]
    assert reasoner.vacuous("(A | D)") is not None


def test_it_is_found_across_heads_and_witnesses() -> None:
    kb = parse_kb(
        "(B | A)[0.2]\n(B | A)[0.8]\n(A | C)[0.5]\nD SubClassOf r some C\n(E | D)[0.1]\n"
        "F SubClassOf D"
    )
    outcome = Reasoner(kb, limits=Limits(few=0)).vacuous("(E | F)")
    assert outcome is not None
    assert isinstance(outcome.empty, Proof)
    assert len(outcome.empty.premises) == 5  # all but the share of E
    assert verify(kb, certificate(outcome)).valid
