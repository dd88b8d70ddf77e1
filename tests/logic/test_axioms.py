"""Axioms are values; ⊥ stands only on the right of an inclusion."""

from __future__ import annotations

import copy
import pickle
from fractions import Fraction

import pytest
from hypothesis import given

from boxsel.errors import InvalidStatementError
from boxsel.logic.axioms import (
    Axiom,
    ConceptAssertion,
    Conditional,
    Disjointness,
    Equivalence,
    Inclusion,
    RoleAssertion,
    conditional,
)
from boxsel.logic.concepts import BOTTOM, TOP, Concept, Individual, Role, names
from boxsel.logic.proportions import Interval
from boxsel.logic.statements import Note, Query
from tests.strategies import axioms

A, B, C = names("A B C")
r = Role("r")
HALF = Interval.point("1/2")


@given(axioms())
def test_axioms_are_hashable_values(axiom: Axiom) -> None:
    twin = pickle.loads(pickle.dumps(axiom))
    assert twin == axiom
    assert hash(twin) == hash(axiom)
    assert copy.copy(axiom) == axiom
    assert axiom.size == 1 + sum(c.size for c in axiom.concepts()) + len(
        [*axiom.roles(), *axiom.individuals()]
    )
    assert axiom.depth == max((c.depth for c in axiom.concepts()), default=0)


def test_an_inclusion_and_a_certain_conditional_are_different_values() -> None:
    values: set[Axiom] = {
        Inclusion(A, B),
        conditional(B, given=A, exactly=1),
        Disjointness(A, B),
        conditional(B, given=A, exactly=0),
    }
    assert len(values) == 4


def test_symmetric_axioms_have_no_order() -> None:
    assert Disjointness(A, B, C) == Disjointness(C, A, B)
    assert Equivalence(A, B) == Equivalence(B, A)
    assert Equivalence(A, B) != Disjointness(A, B)
    assert hash(Equivalence(A, B)) == hash(Equivalence(B, A))


@pytest.mark.parametrize("nothing", [BOTTOM, r.some(BOTTOM), A & r.some(B & BOTTOM)])
def test_bottom_is_refused_everywhere_but_on_the_right(nothing: Concept) -> None:
    assert Inclusion(A, nothing).right == nothing
    builders = (
        lambda: Inclusion(nothing, A),
        lambda: Conditional(nothing, A, HALF),
        lambda: Conditional(A, nothing, HALF),
        lambda: Disjointness(A, nothing),
        lambda: Equivalence(A, nothing),
        lambda: ConceptAssertion(nothing, Individual("a")),
        lambda: Query(nothing, A),
    )
    for build in builders:
        with pytest.raises(InvalidStatementError, match="owl:Nothing cannot stand"):
            build()


@pytest.mark.parametrize("members", [(), (A,), (A, A)])
def test_symmetric_axioms_need_different_members(members: tuple[Concept, ...]) -> None:
    for kind in (Equivalence, Disjointness):
        with pytest.raises(InvalidStatementError, match="two or more different"):
            kind(*members)


def test_conditionals_from_python_are_exact() -> None:
    assert conditional(A, given=B, between=(0.2, 0.25)).bounds == Interval(
        Fraction(1, 5), Fraction(1, 4)
    )
    assert conditional(A, given=TOP, exactly="1/3").bounds.lower == Fraction(1, 3)
    assert str(conditional(A, given=B, count=(7, 12))) == "(A | B)[7 of 12]"
    with pytest.raises(InvalidStatementError, match="exactly one"):
        conditional(A, given=B)
    with pytest.raises(InvalidStatementError, match="exactly one"):
        conditional(A, given=B, exactly=1, count=(1, 1))


def test_assertions_print_complex_concepts_in_parentheses() -> None:
    assert str(ConceptAssertion(A & r.some(B), Individual("a"))) == "(A and r some B)(a)"
    assert str(RoleAssertion(r, Individual("a"), Individual("b"))) == "r(a, b)"


def test_a_note_is_text_that_a_file_can_hold() -> None:
    assert Note(source="  x ") == Note(source="x")
    assert not Note()
    for text in ("a\0b", "\ud800"):
        with pytest.raises(InvalidStatementError, match="no text file"):
            Note(comment=text)
