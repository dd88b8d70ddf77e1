"""Concepts are values: flat, order-free conjunctions; sizes and depths as the theory has them."""

from __future__ import annotations

import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxsel.errors import InvalidStatementError
from boxsel.logic.concepts import (
    MAX_DEPTH,
    TOP,
    And,
    Bottom,
    Concept,
    Exists,
    Individual,
    Name,
    Role,
    Top,
    conjunction,
    conjuncts,
    entities,
    names,
)
from tests.strategies import concepts

A, B, C = names("A B C")
r = Role("r")


@given(st.lists(concepts(bottom=True), min_size=1, max_size=4), st.randoms())
def test_conjunction_ignores_order_nesting_and_repetition(
    parts: list[Concept], random: object
) -> None:
    whole = conjunction(*parts)
    shuffled = list(parts)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    nested = conjunction(conjunction(*shuffled), *parts[:2])
    assert whole == nested
    assert hash(whole) == hash(nested)
    assert not any(isinstance(part, And) for part in conjuncts(whole))
    assert len(set(conjuncts(whole))) == len(conjuncts(whole))


@given(concepts(bottom=True), concepts(bottom=True))
def test_equality_is_that_of_the_text_up_to_the_order_of_conjuncts(
    one: Concept, two: Concept
) -> None:
    assert (one == two) == (_canonical(one) == _canonical(two))
    if one == two:
        assert hash(one) == hash(two)
        assert one.size == two.size
        assert one.depth == two.depth


@given(concepts(bottom=True))
def test_size_and_depth_follow_their_definitions(concept: Concept) -> None:
    assert concept.size == _size(concept)
    assert concept.depth == _depth(concept)
    assert concept.mentions_bottom == ("owl:Nothing" in str(concept))
    assert {str(entity) for entity in entities(concept)} <= set(_words(concept))


@given(concepts(bottom=True))
def test_concepts_survive_pickling(concept: Concept) -> None:
    assert pickle.loads(pickle.dumps(concept)) == concept


def test_operators_build_concepts_and_axioms() -> None:
    assert conjunction(C, B, A) == (A & B & C)
    assert str(A & r.some(B & r.some(TOP))) == "A and r some (B and r some owl:Thing)"
    assert str(A & B <= C) == "A and B SubClassOf C"
    assert str(r <= Role("s")) == "r SubPropertyOf s"
    assert A & A == A


def test_names_of_different_kinds_are_different() -> None:
    assert Name("x") != Role("x")
    assert len({Name("x"), Role("x"), Individual("x")}) == 3


def test_values_cannot_be_changed() -> None:
    values: list[Any] = [A, A & B, r.some(A), TOP]
    for value in values:
        with pytest.raises(AttributeError, match="immutable"):
            value.iri = "x"


@pytest.mark.parametrize("operands", [(), (A,), (A, A), (A, B & C)])
def test_and_refuses_what_is_no_flat_conjunction(operands: tuple[Concept, ...]) -> None:
    with pytest.raises(InvalidStatementError, match=r"conjunction\(\)"):
        And(*operands)


def test_nesting_has_a_limit_that_equality_and_printing_can_take() -> None:
    def tower(height: int) -> Concept:
        concept: Concept = A
        for _ in range(height):
            concept = r.some(concept)
        return concept

    assert tower(MAX_DEPTH) == tower(MAX_DEPTH)
    assert str(tower(MAX_DEPTH)).count("some") == MAX_DEPTH
    with pytest.raises(InvalidStatementError, match="nested more than"):
        tower(MAX_DEPTH + 1)


@pytest.mark.parametrize("iri", ["http://a b", "http://<x>", "owl:x y", ""])
def test_what_is_no_iri_is_refused(iri: str) -> None:
    with pytest.raises(InvalidStatementError):
        Name(iri)


def test_top_and_bottom_are_not_names() -> None:
    with pytest.raises(InvalidStatementError, match="not names"):
        Name("http://www.w3.org/2002/07/owl#Thing")


def test_notebooks_show_escaped_text() -> None:
    assert (
        A & Name("<x> & co")
    )._repr_html_() == "<code>A and &#x27;&lt;x&gt; &amp; co&#x27;</code>"


def _canonical(concept: Concept) -> object:
    if isinstance(concept, And):
        return frozenset(_canonical(part) for part in concept)
    if isinstance(concept, Exists):
        return (concept.role.iri, _canonical(concept.filler))
    return str(concept)


def _size(concept: Concept) -> int:
    """By the recursive definition over binary conjunctions."""
    if isinstance(concept, And):
        first, *rest = concept.operands
        return 1 + _size(first) + _size(conjunction(*rest))
    return 1 + _size(concept.filler) if isinstance(concept, Exists) else 1


def _depth(concept: Concept) -> int:
    if isinstance(concept, And):
        return max(map(_depth, concept.operands))
    return 1 + _depth(concept.filler) if isinstance(concept, Exists) else 0


def _words(concept: Concept) -> list[str]:
    if isinstance(concept, And):
        return [word for part in concept for word in _words(part)]
    if isinstance(concept, Exists):
        return [str(concept.role), *_words(concept.filler)]
    return [] if isinstance(concept, Top | Bottom) else [str(concept)]
