"""Safe: no conditional that is not deterministic is about everything."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxsel.logic.axioms import (
    Axiom,
    ConceptAssertion,
    Conditional,
    Disjointness,
    Equivalence,
    RoleInclusion,
    conditional,
)
from boxsel.logic.concepts import TOP, Concept, Individual, names, roles
from boxsel.logic.kb import KB
from boxsel.normal.normalize import normalize
from boxsel.normal.saturation import saturate, unsafe
from tests.strategies import concepts, kbs, plain_names, proportions

A, B, C, D, E = names("A B C D E")
r, s = roles("r s")


def half(head: Concept, body: Concept) -> Conditional:
    return conditional(head, given=body, exactly=0.5)


@pytest.mark.parametrize(
    "axioms",
    [
        [half(A, TOP)],
        [half(TOP, A)],
        [TOP <= A, half(A, B)],
        [TOP <= A, half(B, A & TOP)],
        [TOP <= A, A <= B, A & B <= C, half(r.some(A), C)],
        [TOP <= r.some(B), half(A, r.some(TOP))],
        [Equivalence(TOP, r.some(B)), RoleInclusion(r, s), half(A, s.some(B))],
        [conditional(A, given=TOP, exactly=1), half(A, B)],
        [conditional(A, given=TOP, count=(9, 9)), half(A, B)],
    ],
)
def test_a_conditional_about_everything_is_unsafe(axioms: list[Axiom]) -> None:
    kb = KB.of(half(D, E), *axioms)
    assert [statement.axiom for statement in unsafe(kb)] == [axioms[-1]]
    assert unsafe(kb)


@pytest.mark.parametrize(
    "axioms",
    [
        [],
        [half(A, B)],
        [TOP <= A, half(B, C)],
        [A <= TOP, half(A, r.some(TOP))],
        [conditional(A, given=TOP, exactly=1)],
        [conditional(A, given=TOP, exactly=0)],
        [conditional(A, given=TOP, count=(0, 9))],
        [ConceptAssertion(A, Individual("a")), half(A, B)],
        [Disjointness(A, B), half(A, C)],
    ],
)
def test_a_conditional_about_less_is_safe(axioms: list[Axiom]) -> None:
    kb = KB.of(*axioms)
    assert not unsafe(kb)
    assert unsafe(kb) == ()


@given(
    kbs(plain_names),
    st.builds(Conditional, concepts(plain_names), concepts(plain_names), proportions),
)
def test_unsafe_conditionals_are_those_with_a_side_that_is_top(kb: KB, said: Conditional) -> None:
    extended = kb.with_statements((*kb.statements, said.annotate(source="a survey")))
    probabilistic = said.bounds.lower < 1 and said.bounds.upper > 0
    saturation = saturate(extended, also=said.concepts())
    expected = probabilistic and any(map(saturation.is_top, said.concepts()))
    assert (said.annotate(source="a survey") in unsafe(extended)) == expected


@given(kbs(plain_names))
def test_a_saturation_at_hand_gives_the_same(kb: KB) -> None:
    assert unsafe(kb, saturate(kb)) == unsafe(kb)


@given(kbs(plain_names))
def test_normalising_keeps_a_knowledge_base_safe_or_unsafe(kb: KB) -> None:
    assert bool(unsafe(normalize(kb).kb)) == bool(unsafe(kb))
