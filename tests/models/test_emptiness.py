"""Names that must be empty: found by logic, reported if numbers are to blame."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boxsel import Reasoner, parse
from boxsel.logic.axioms import Axiom, ConceptAssertion, RoleAssertion
from boxsel.logic.concepts import Name, names
from boxsel.logic.kb import KB
from boxsel.models.emptiness import NoModelError, empty_names, without_empty
from tests.depth import cases
from tests.interpretations import Interpretation
from tests.models.functional import (
    NAMES,
    assertions,
    certain,
    concept_axioms,
    interpretations,
    role_axioms,
)

A, B, C = names("A B C")
certain_axioms = st.one_of(
    concept_axioms(certain), concept_axioms(certain), role_axioms, assertions
)


@settings(max_examples=cases(60))
@given(st.lists(certain_axioms, min_size=1, max_size=6))
def test_the_exact_reasoner_finds_the_same_empty_names(axioms: list[Axiom]) -> None:
    kb = KB.of(*axioms)
    reasoner = Reasoner(kb)
    if not reasoner.consistent:
        with pytest.raises(NoModelError, match="no model"):
            empty_names(kb)
    else:
        assert empty_names(kb) == set(reasoner.empty_names)


@settings(max_examples=cases(60))
@given(st.lists(st.one_of(concept_axioms(), assertions), min_size=1, max_size=4))
def test_what_is_called_a_contradiction_is_one(axioms: list[Axiom]) -> None:
    kb = KB.of(*axioms)
    try:
        found = empty_names(kb)
    except NoModelError:
        assert not Reasoner(kb).coherent
    else:
        assert found <= set(Reasoner(kb).empty_names)


@given(
    concept_axioms() | role_axioms | assertions, st.frozensets(st.sampled_from(NAMES)), st.data()
)
def test_an_axiom_without_empty_names_says_the_same(
    axiom: Axiom, empty: frozenset[Name], data: st.DataObject
) -> None:
    interpretation = data.draw(interpretations())
    emptied: Interpretation = interpretation.extended(dict.fromkeys(empty, frozenset()))
    if isinstance(axiom, ConceptAssertion) and any(entity in empty for entity in axiom.entities()):
        return  # such a knowledge base has no model
    left = list(without_empty(axiom, empty))
    assert emptied.satisfies(axiom) == all(map(emptied.satisfies, left))
    assert not any(one in empty for other in left for one in other.entities())
    if isinstance(axiom, RoleAssertion):
        assert left == [axiom]


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("(C | A)[0, 0.5]", ""),
        ("(C | A)[0.1, 0.5]", "A SubClassOf owl:Nothing"),
        ("(A | B and C)[0.1]", ""),
        ("A SubClassOf B and C", "A SubClassOf owl:Nothing"),
        ("r some C SubClassOf B", ""),
        ("DisjointClasses: A, B, C", "DisjointClasses: A, B"),
        ("DisjointClasses: A, C", ""),
        ("A EquivalentTo C", "A SubClassOf owl:Nothing"),
        ("r Range: C", "r some owl:Thing SubClassOf owl:Nothing"),
        ("r Domain: B", "r Domain: B"),
    ],
)
def test_what_is_left_when_a_name_is_empty(text: str, left: str) -> None:
    (axiom,) = parse(text).axioms
    assert list(without_empty(axiom, {C})) == (list(parse(left).axioms) if left else [])


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("A SubClassOf owl:Nothing", {A}),
        ("DisjointClasses: B, C\nA SubClassOf B\nA SubClassOf C", {A}),
        ("(B | A)[0]\n(B | A)[1]", {A}),
        ("A SubClassOf r some B\nr Range: C\nDisjointClasses: B, C", {A}),
        ("(B | A)[0.2]\n(B | A)[0.2, 0.8]", set()),
    ],
)
def test_empty_by_inclusions(text: str, found: set[Name]) -> None:
    assert empty_names(parse(text)) == found


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("(B | A)[0.2]\n(B | A)[0.8]", "A must be empty"),
        ("(B | A)[0.2]\n(B | A)[1]\nC SubClassOf A", "A, C must be empty"),
        ("(B | A)[0.2]\nB SubClassOf owl:Nothing", "A must be empty"),
        ("(B | A)[0.2]\n(B | A)[0.8]\n(A | C)[0.1]", "A, C must be empty"),
        ("(B | A)[0.2]\n(B | A)[0.8]\nA(alice)", "alice would be in an empty concept"),
        ("A SubClassOf owl:Nothing\nA(alice)\nB(bob)", "alice would be in an empty concept"),
        ("(A | owl:Thing)[0.2]\n(A | owl:Thing)[0.3]", "has no model"),
    ],
)
def test_contradictions_are_told_by_name(text: str, said: str) -> None:
    with pytest.raises(NoModelError, match=said) as caught:
        empty_names(parse(text))
    assert "bob" not in str(caught.value)
    assert "boxsel check" in str(caught.value)


def test_labels_are_told() -> None:
    kb = parse("(B | A)[0.2]\n(B | A)[0.8]")
    labelled = KB(kb.statements, labels={A.iri: "heart attack"})
    with pytest.raises(NoModelError, match="heart attack must be empty"):
        empty_names(labelled)
