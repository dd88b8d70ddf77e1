"""Conflicts are conflicts, minimal, and all of them if nothing else is said."""

from __future__ import annotations

import json
from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxsel.exact.diagnosis.conflicts import Conflict, conflict, conflicts
from boxsel.exact.diagnosis.parts import minimal
from boxsel.exact.reasoner import Reasoner
from boxsel.logic.axioms import Conditional
from boxsel.logic.concepts import Concept, Name
from boxsel.logic.kb import KB
from boxsel.logic.proportions import Interval
from boxsel.syntax.parser import parse_concept, parse_kb
from tests.depth import some
from tests.exact.brute_force import empty_names, is_consistent
from tests.exact.knowledge_bases import random_kb


@given(
    st.lists(st.frozensets(st.integers(0, 30), max_size=5), min_size=1, max_size=6), st.booleans()
)
def test_minimal_parts_are_enough_and_nothing_less_is(
    enough: list[frozenset[int]], with_cores: bool
) -> None:
    def suffices(part: tuple[int, ...]) -> frozenset[int] | None:
        found = [one for one in enough if one <= set(part)]
        return (found[0] if with_cores else frozenset(part)) if found else None

    found = minimal(range(31), suffices)
    assert suffices(found) is not None
    assert list(found) == sorted(found)
    for one in found:
        assert suffices(tuple(other for other in found if other != one)) is None


def test_few_of_many_take_few_questions() -> None:
    asked = []

    def suffices(part: tuple[int, ...]) -> tuple[int, ...] | None:
        asked.append(part)
        return part if {17, 600, 999} <= set(part) else None

    assert minimal(range(1000), suffices) == (17, 600, 999)
    assert len(asked) < 80


def test_minimal_refuses_what_is_not_enough() -> None:
    with pytest.raises(ValueError, match="not even all"):
        minimal([1, 2], lambda _: None)


def is_conflict(statements: KB, concept: Concept | None) -> bool:
    if concept is None:
        return not is_consistent(statements)
    assert isinstance(concept, Name)
    declared = KB(statements.statements, declared=frozenset({concept}))
    return concept in empty_names(declared)


@pytest.mark.parametrize("seed", some(range(60)))
def test_conflicts_are_minimal_and_complete(seed: int) -> None:
    kb, _ = random_kb(Random(seed), 5)
    kb = KB(tuple(dict.fromkeys(kb.statements))[:8])
    reasoner = Reasoner(kb)
    found = conflicts(reasoner, limit=40)
    empty = empty_names(kb)
    if not found.found:
        assert not empty
        assert is_consistent(kb)
        return
    concept = found.found[0].concept
    assert concept is None or concept in empty
    assert (concept is None) == (not is_consistent(kb))
    everything = [
        frozenset(part)
        for size in range(len(kb) + 1)
        for part in combinations(kb.statements, size)
        if is_conflict(KB(part), concept)
    ]
    least = {
        statements
        for statements in everything
        if not any(other < statements for other in everything)
    }
    parts = [frozenset(one.statements) for one in found.found]
    assert len(set(parts)) == len(parts)
    assert least.issuperset(parts)
    assert found.more or least.issubset(parts)


def lines(found: Conflict | None) -> list[str]:
    assert found is not None
    return [str(statement) for statement in found.statements]


def test_contradictory_conditionals_and_nothing_else() -> None:
    kb = parse_kb("A SubClassOf C\n(B | A)[0.2]  ## source: PMID:1\n(C | B)[0.5]\n(B | A)[0.8]")
    found = conflict(Reasoner(kb))
    assert lines(found) == ["(B | A)[0.2]  ## source: PMID:1", "(B | A)[0.8]"]
    assert found is not None
    assert found.to_json() == {
        "concept": "A",
        "statements": ["(B | A)[0.2]  ## source: PMID:1", "(B | A)[0.8]"],
    }


def test_an_inconsistency_comes_before_empty_names() -> None:
    kb = parse_kb("(B | A)[0.2]\n(B | A)[0.8]\nA(a)\nD SubClassOf owl:Nothing\nC(c)")
    found = conflict(Reasoner(kb), Name("D"))
    assert found is not None
    assert found.concept is None
    assert lines(found) == ["(B | A)[0.2]", "(B | A)[0.8]", "A(a)"]


def test_a_chosen_concept() -> None:
    kb = parse_kb("(B | A)[0.2]\n(B | A)[0.8]\nDisjointClasses: C, D\nE SubClassOf r some A")
    reasoner = Reasoner(kb)
    assert lines(conflict(reasoner, parse_concept("C and D"))) == ["DisjointClasses: C, D"]
    assert lines(conflict(reasoner, Name("E"))) == [
        "(B | A)[0.2]",
        "(B | A)[0.8]",
        "E SubClassOf r some A",
    ]
    assert conflict(reasoner, Name("C")) is None
    assert lines(conflict(reasoner, parse_concept("owl:Nothing"))) == []


def test_a_limit_leaves_more() -> None:
    kb = parse_kb("\n".join(f"(B | A)[0.{digit}]" for digit in range(1, 6)))
    some = conflicts(Reasoner(kb), limit=3)
    assert (len(some.found), some.more) == (3, True)
    every = conflicts(Reasoner(kb), limit=100)
    assert (len(every.found), every.more) == (10, False)
    assert json.loads(json.dumps(every.to_json()))["more"] is False


def test_a_conflict_among_a_thousand_conditionals() -> None:
    axioms = [
        Conditional(Name(f"B{n}"), Name(f"A{n // 4}"), Interval.of(0.2, 0.3)) for n in range(1000)
    ]
    axioms.insert(777, Conditional(Name("B500"), Name("A125"), Interval.of(0.35, 0.4)))
    found = conflict(Reasoner(KB.of(*axioms)), Name("A125"))
    assert lines(found) == ["(B500 | A125)[0.2, 0.3]", "(B500 | A125)[0.35, 0.4]"]


def test_conflicts_do_not_depend_on_the_order() -> None:
    statements = parse_kb(
        "(B | A)[0.2]\n(B | A)[0.8]\nC SubClassOf A\n(B | C)[1]\n(C | A)[0.5]\n(B | A)[0.9]"
    ).statements
    found = [
        {frozenset(one.statements) for one in conflicts(Reasoner(KB(order)), Name("A")).found}
        for order in (statements, statements[::-1], statements[3:] + statements[:3])
    ]
    assert found[0] == found[1] == found[2]
    assert len(found[0]) == 4
