"""The validator accepts every shape of the normal form, and nothing near it."""

from __future__ import annotations

import pytest
from hypothesis import given

from boxsel.logic.axioms import (
    Axiom,
    ConceptAssertion,
    Disjointness,
    Domain,
    Equivalence,
    Inclusion,
    Range,
    RoleAssertion,
    RoleInclusion,
    conditional,
)
from boxsel.logic.concepts import BOTTOM, TOP, And, Individual, names, roles
from boxsel.logic.kb import KB
from boxsel.normal.normalize import normalize
from boxsel.normal.validator import violations
from tests.strategies import kbs

A, B, C = names("A B C")
r, s = roles("r s")
a, b = Individual("a"), Individual("b")

NORMAL: list[Axiom] = [
    A <= B,
    TOP <= A,
    TOP <= BOTTOM,
    A <= BOTTOM,
    A & B <= C,
    A <= r.some(B),
    TOP <= r.some(A),
    A <= r.some(TOP),
    A <= r.some(A),
    r.some(A) <= B,
    r.some(TOP) <= B,
    r.some(A) <= A,
    r.some(A) <= BOTTOM,
    Disjointness(A, B),
    Disjointness(A, B, C),
    conditional(B, given=A, exactly=0.3),
    conditional(B, given=A, between=(0, 1)),
    conditional(B, given=A, between=(0.5, 1)),
    conditional(B, given=A, between=(0, 0.5)),
    conditional(B, given=A, count=(7, 12)),
    conditional(B, given=TOP, exactly=0.3),
    conditional(TOP, given=A, exactly=0.3),
    conditional(A, given=A, exactly=0.3),
    RoleInclusion(r, s),
    Range(r, A),
    ConceptAssertion(A, a),
    RoleAssertion(r, a, b),
    RoleAssertion(r, a, a),
]

NOT_NORMAL: list[tuple[Axiom, str]] = [
    (A <= A, "tautology"),
    (A <= TOP, "tautology"),
    (r.some(A) <= TOP, "tautology"),
    (A & B <= A, "tautology"),
    (A & B <= TOP, "tautology"),
    (A & B <= BOTTOM, "disjointness"),
    (A & B & C <= BOTTOM, "more than two"),
    (A & B & C <= r.some(A), "both sides"),
    (A & TOP <= B, "conjunct"),
    (A & r.some(B) <= C, "conjunct"),
    (A <= B & C, "conjunction"),
    (A <= B & BOTTOM, "conjunction"),
    (A <= r.some(BOTTOM), "filler"),
    (A <= r.some(B & C), "filler"),
    (A <= r.some(r.some(B)), "filler"),
    (r.some(B & C) <= A, "filler"),
    (r.some(r.some(B)) <= A, "filler"),
    (r.some(A) <= r.some(B), "both sides"),
    (A & B <= r.some(B), "both sides"),
    (Disjointness(A, B & C), "not a name"),
    (Disjointness(A, TOP), "not a name"),
    (Equivalence(A, B), "equivalence"),
    (Domain(r, A), "domain"),
    (Range(r, TOP), "range"),
    (Range(r, BOTTOM), "range"),
    (Range(r, A & B), "range"),
    (ConceptAssertion(TOP, a), "asserted"),
    (ConceptAssertion(A & B, a), "asserted"),
    (RoleInclusion(r, r), "tautology"),
    (conditional(B, given=A, exactly=1), "inclusion"),
    (conditional(B, given=A, exactly=0), "disjointness"),
    (conditional(B, given=A, count=(7, 7)), "inclusion"),
    (conditional(B, given=A, count=(0, 7)), "disjointness"),
    (conditional(B, given=A & C, exactly=0.3), "atom"),
    (conditional(r.some(B), given=A, exactly=0.3), "atom"),
]


@pytest.mark.parametrize("axiom", NORMAL, ids=str)
def test_shapes_of_the_normal_form_are_accepted_and_kept(axiom: Axiom) -> None:
    kb = KB.of(axiom)
    assert violations(kb) == []
    assert not violations(kb)
    assert normalize(kb).kb == kb


@pytest.mark.parametrize(("axiom", "reason"), NOT_NORMAL, ids=str)
def test_other_statements_are_rejected_with_the_reason(axiom: Axiom, reason: str) -> None:
    kb = KB.of(A <= C, axiom)
    [(statement, why)] = violations(kb)
    assert statement.axiom == axiom
    assert reason in why
    assert violations(kb)
    assert not violations(normalize(kb).kb)


@given(kbs())
def test_what_the_validator_accepts_the_normaliser_leaves_alone(kb: KB) -> None:
    bad = {statement for statement, _ in violations(kb)}
    good = kb.with_statements(statement for statement in kb if statement not in bad)
    normal = normalize(good)
    assert normal.kb == good
    assert not normal.origin


@given(kbs())
def test_one_changed_side_makes_a_normal_inclusion_complex(kb: KB) -> None:
    inclusions = [axiom for axiom in normalize(kb).kb.axioms if isinstance(axiom, Inclusion)]
    for axiom in inclusions:
        left = axiom.left if not isinstance(axiom.left, And) else axiom.left.operands[0]
        assert violations(KB.of(Inclusion(r.some(r.some(left)), axiom.right)))
        assert violations(KB.of(Inclusion(axiom.left, r.some(r.some(TOP)))))
