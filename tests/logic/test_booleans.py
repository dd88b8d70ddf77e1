"""Boolean combinations: what they mean, and what they refuse."""

from __future__ import annotations

import pickle
from fractions import Fraction

import pytest
from hypothesis import given

from boxsel.errors import InvalidStatementError
from boxsel.logic.booleans import MOST_TERMS, AtLeast, Not, Or, disjunction, expand, negation
from boxsel.logic.concepts import TOP, Concept, Name, Role, names
from boxsel.logic.interpretations import Interpretation, Weights
from tests.exact.brute_force import holds
from tests.strategies import PLAIN_CONCEPTS, combinations, plain_names

A, B, C, D = names("A B C D")
SUBSETS = [
    frozenset(name for place, name in enumerate(PLAIN_CONCEPTS) if bits >> place & 1)
    for bits in range(2 ** len(PLAIN_CONCEPTS))
]
EVERYBODY = Interpretation(tuple(SUBSETS))


@given(combinations(plain_names))
def test_a_combination_holds_where_its_parts_say_so(concept: Concept) -> None:
    having = {place for place, kind in enumerate(SUBSETS) if holds(concept, kind)}
    assert EVERYBODY.extension(concept) == having  # roles are empty on both sides


@given(combinations(plain_names))
def test_inclusion_and_exclusion_give_the_same_size(concept: Concept) -> None:
    weights = Weights([Fraction(1 + place) for place in range(len(SUBSETS))])
    size = sum(
        factor * weights.total(EVERYBODY.places(term)) for term, factor in expand(concept).items()
    )
    assert size == weights.total(EVERYBODY.places(concept))


@given(combinations())
def test_a_combination_survives_pickling(concept: Concept) -> None:
    copy = pickle.loads(pickle.dumps(concept))
    assert (copy, hash(copy), str(copy)) == (concept, hash(concept), str(concept))


def test_order_does_not_matter_and_operators_build() -> None:
    assert A | B | A == disjunction(B, A) == Or(B, A)
    assert AtLeast(2, A, B, C) == AtLeast(2, C, A, B) != AtLeast(1, A, B, C)
    assert ~~A == A
    assert str((A | B) & ~(C & D)) == "(A or B) and not (C and D)"
    assert Or(A, B) != AtLeast(1, A, B)


def test_what_makes_no_sense_is_refused() -> None:
    with pytest.raises(InvalidStatementError, match="at least 3 of 2"):
        AtLeast(3, A, B)
    with pytest.raises(InvalidStatementError, match="names a concept twice"):
        AtLeast(1, A, A)
    with pytest.raises(InvalidStatementError, match="use disjunction"):
        Or(Or(A, B), C)
    with pytest.raises(InvalidStatementError, match="use negation"):
        Not(Not(A))
    with pytest.raises(InvalidStatementError, match="after 'some'"):
        Role("r").some(A | B)
    with pytest.raises(InvalidStatementError, match="stand in queries, not in an inclusion"):
        _ = A <= ~B
    deep: Concept = A
    with pytest.raises(InvalidStatementError, match="nested more than 100"):
        for _ in range(200):
            deep = negation(deep & B)


def test_too_many_terms_are_refused() -> None:
    many = [Name(f"N{number}") for number in range(20)]
    with pytest.raises(InvalidStatementError, match=f"more than {MOST_TERMS:,} terms"):
        expand(disjunction(*many))
    assert expand(TOP | A) == {TOP: 1}
