"""Normalisation: shape, traceable names, and what is identified, kept or left out."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boxsel.errors import InvalidStatementError
from boxsel.logic.axioms import (
    Axiom,
    ConceptAssertion,
    Conditional,
    Disjointness,
    Domain,
    Equivalence,
    Inclusion,
    Range,
    RoleInclusion,
    conditional,
)
from boxsel.logic.concepts import (
    BOTTOM,
    MAX_DEPTH,
    TOP,
    And,
    Concept,
    Exists,
    Individual,
    Name,
    Role,
    conjunction,
    entities,
    names,
    roles,
)
from boxsel.logic.kb import KB
from boxsel.logic.names import Prefixes
from boxsel.logic.proportions import Count
from boxsel.logic.statements import NO_NOTE, Statement
from boxsel.normal.definitions import LABELLED_PARTS
from boxsel.normal.normalize import NormalForm, normalize
from boxsel.normal.validator import violations
from tests.depth import cases
from tests.strategies import concepts, kbs

A, B, C, D = names("A B C D")
r, s = roles("r s")
a = Individual("a")
FIRST = Name("urn:boxsel:normal:1")


def normal_axioms(*statements: Axiom) -> set[Axiom]:
    return set(normalize(KB.of(*statements)).kb.axioms)


@given(kbs())
@settings(max_examples=cases(500))
def test_the_result_is_in_normal_form(kb: KB) -> None:
    assert violations(normalize(kb).kb) == []


@given(kbs())
@settings(max_examples=cases(500))
def test_normalising_again_changes_nothing(kb: KB) -> None:
    once = normalize(kb)
    again = normalize(once.kb)
    assert again.kb == once.kb
    assert not again.origin


@given(kbs())
def test_what_is_beside_the_statements_is_kept(kb: KB) -> None:
    normal = normalize(kb).kb
    assert kb.labels.items() <= normal.labels.items()
    assert kb.prefixes.items() <= normal.prefixes.items()
    assert normal.dropped == kb.dropped


@given(kbs())
def test_fresh_names_are_the_only_new_ones_and_stand_for_original_concepts(kb: KB) -> None:
    normal = normalize(kb)
    before = set(kb.signature)
    assert set(normal.kb.signature) - before == set(normal.origin)
    assert before <= set(normal.kb.signature)
    assert before.isdisjoint(normal.origin)
    for concept in normal.origin.values():
        assert set(entities(concept)) <= before
        assert isinstance(concept, And | Exists)
    assert len(set(normal.origin.values())) == len(normal.origin)


@given(kbs(with_notes=False), st.randoms(use_true_random=False))
def test_the_order_of_statements_only_changes_the_numbers(kb: KB, rng: Random) -> None:
    shuffled = list(kb.statements)
    rng.shuffle(shuffled)
    shuffled = [Statement(turned(statement.axiom)) for statement in shuffled]
    one, other = normalize(kb), normalize(kb.with_statements(shuffled))
    assert set(one.origin.values()) == set(other.origin.values())
    number = {concept: name for name, concept in other.origin.items()}
    renamed = {
        rename(axiom, {name: number[concept] for name, concept in one.origin.items()})
        for axiom in one.kb.axioms
    }
    assert renamed == set(other.kb.axioms)


def turned(axiom: Axiom) -> Axiom:
    """The same inclusion or conditional with the conjuncts in another order."""

    def turn(concept: Concept) -> Concept:
        if isinstance(concept, And):
            return And(*map(turn, reversed(concept.operands)))
        if isinstance(concept, Exists):
            return Exists(concept.role, turn(concept.filler))
        return concept

    if isinstance(axiom, Inclusion):
        return Inclusion(turn(axiom.left), turn(axiom.right))
    if isinstance(axiom, Conditional):
        return Conditional(turn(axiom.head), turn(axiom.body), axiom.proportion)
    return axiom


def rename(axiom: Axiom, table: dict[Name, Name]) -> Axiom:
    """A normal axiom with other fresh names."""

    def new(concept: Concept) -> Concept:
        if isinstance(concept, And):
            return conjunction(*map(new, concept.operands))
        if isinstance(concept, Exists):
            return Exists(concept.role, new(concept.filler))
        return table.get(concept, concept) if isinstance(concept, Name) else concept

    match axiom:
        case Inclusion():
            return Inclusion(new(axiom.left), new(axiom.right))
        case Conditional():
            return Conditional(new(axiom.head), new(axiom.body), axiom.proportion)
        case Disjointness():
            return Disjointness(*map(new, axiom.members))
        case Range():
            return Range(axiom.role, new(axiom.concept))
        case ConceptAssertion():
            return ConceptAssertion(new(axiom.concept), axiom.individual)
    return axiom


@given(kbs())
@settings(max_examples=cases(300))
def test_no_statement_is_repeated(kb: KB) -> None:
    twice = kb.with_statements((*kb.statements, *kb.statements))
    statements = normalize(twice).kb.statements
    assert len(set(statements)) == len(statements)
    assert set(statements) == set(normalize(kb).kb.statements)


@given(kbs())
def test_notes_stay_with_what_a_statement_says(kb: KB) -> None:
    for statement in kb:
        normal = normalize(KB.of(statement))
        said = [one for one in normal.kb if not is_definition(one.axiom, normal)]
        assert all(one.note == statement.note for one in said)
        definitions = [one for one in normal.kb if is_definition(one.axiom, normal)]
        assert all(definition.note == NO_NOTE for definition in definitions)
        assert said or not definitions


def is_definition(axiom: Axiom, normal: NormalForm) -> bool:
    """Whether an inclusion is a tautology once fresh names are read as their concepts."""
    if not isinstance(axiom, Inclusion):
        return False

    def expand(concept: Concept) -> Concept:
        if isinstance(concept, And):
            return conjunction(*map(expand, concept.operands))
        if isinstance(concept, Exists):
            return Exists(concept.role, expand(concept.filler))
        return normal.origin.get(concept, concept) if isinstance(concept, Name) else concept

    left, right = conjunction(expand(axiom.left)), expand(axiom.right)
    return conjunction(left, right) == left


@given(concepts(), concepts())
def test_certain_conditionals_are_inclusions(head: Concept, body: Concept) -> None:
    expected = normal_axioms(Inclusion(body, head))
    assert normal_axioms(conditional(head, given=body, exactly=1)) == expected
    assert normal_axioms(conditional(head, given=body, count=(7, 7))) == expected


@given(concepts(), concepts())
def test_impossible_conditionals_are_disjointness(head: Concept, body: Concept) -> None:
    if head != body:
        expected = normalize(KB.of(Disjointness(body, head))).kb
        assert normalize(KB.of(conditional(head, given=body, exactly=0))).kb == expected
        assert normalize(KB.of(conditional(head, given=body, count=(0, 7)))).kb == expected


def test_an_empty_conjunction_is_disjointness() -> None:
    assert normal_axioms(A & B <= BOTTOM) == {Disjointness(A, B)}
    assert normal_axioms(conditional(A, given=B, exactly=0)) == {Disjointness(A, B)}


@pytest.mark.parametrize(
    ("axiom", "expected"),
    [
        (Equivalence(A, B, C), {A <= B, B <= A, A <= C, C <= A}),
        (Equivalence(r.some(A), B), {B <= r.some(A), r.some(A) <= B}),
        (Equivalence(TOP, A), {TOP <= A}),
        (Equivalence(r.some(A), A & r.some(A)), {r.some(A) <= A}),
        (Equivalence(A & B, A & B & C), {A & B <= C}),
        (
            Equivalence(r.some(A), s.some(A)),
            {r.some(A) <= FIRST, FIRST <= r.some(A), s.some(A) <= FIRST, FIRST <= s.some(A)},
        ),
        (Equivalence(A, A & TOP), set()),
        (Equivalence(r.some(A), r.some(A & TOP)), set()),
        (A <= B & C & TOP, {A <= B, A <= C}),
        (A & TOP <= B, {A <= B}),
        (A <= r.some(B & TOP), {A <= r.some(B)}),
        (A <= r.some(s.some(BOTTOM)), {A <= BOTTOM}),
        (A <= B & BOTTOM, {A <= BOTTOM}),
        (r.some(A) <= r.some(BOTTOM), {r.some(A) <= BOTTOM}),
        (A & B <= r.some(BOTTOM), {Disjointness(A, B)}),
        (A & B & C <= A & C, set()),
        (r.some(A & B) <= r.some(A & B), set()),
        (r.some(A) <= TOP, set()),
        (Disjointness(TOP, A, r.some(B)), {A <= BOTTOM, r.some(B) <= BOTTOM}),
        (Disjointness(A, A & TOP), {A <= BOTTOM}),
        (Disjointness(A, A & TOP, B), {A <= BOTTOM, Disjointness(A, B)}),
        (conditional(A, given=A, exactly=0), {A <= BOTTOM}),
        (conditional(TOP, given=TOP, exactly=0), {TOP <= BOTTOM}),
        (conditional(A, given=TOP, exactly=0), {A <= BOTTOM}),
        (conditional(A & TOP, given=B, count=(3, 4)), {Conditional(A, B, Count(3, 4))}),
        (Domain(r, A & B), {r.some(TOP) <= A, r.some(TOP) <= B}),
        (Domain(r, TOP), set()),
        (Domain(r, BOTTOM & A), {r.some(TOP) <= BOTTOM}),
        (Range(r, A & B), {Range(r, A), Range(r, B)}),
        (Range(r, TOP), set()),
        (Range(r, s.some(BOTTOM)), {r.some(TOP) <= BOTTOM}),
        (Range(r, s.some(A)), {Range(r, FIRST), FIRST <= s.some(A)}),
        (ConceptAssertion(A & B, a), {ConceptAssertion(A, a), ConceptAssertion(B, a)}),
        (ConceptAssertion(TOP, a), set()),
        (ConceptAssertion(r.some(A), a), {ConceptAssertion(FIRST, a), FIRST <= r.some(A)}),
        (RoleInclusion(r, r), set()),
        (A <= r.some(B & C), {A <= r.some(FIRST), FIRST <= B, FIRST <= C}),
        (r.some(B & C) <= A, {r.some(FIRST) <= A, B & C <= FIRST}),
        (A & B & C <= D, {A & FIRST <= D, B & C <= FIRST}),
        (r.some(A) <= s.some(B), {r.some(A) <= FIRST, FIRST <= s.some(B)}),
    ],
    ids=lambda value: str(value) if isinstance(value, Axiom) else "",
)
def test_rules(axiom: Axiom, expected: set[Axiom]) -> None:
    kb = KB.of(axiom)
    normal = normalize(kb).kb
    assert set(normal.axioms) == expected
    assert set(kb.signature) <= set(normal.signature)


def test_heads_and_bodies_are_tied_by_equivalence_and_a_count_stays_one() -> None:
    statement = conditional(r.some(A), given=A & B, count=(7, 12))
    normal = normalize(KB.of(statement))
    head, body = normal.atom(r.some(A)), normal.atom(A & B)
    assert set(normal.kb.axioms) == {
        Conditional(head, body, Count(7, 12)),
        Inclusion(A & B, body),
        Inclusion(body, A),
        Inclusion(body, B),
        Inclusion(r.some(A), head),
        Inclusion(head, r.some(A)),
    }


def test_a_concept_has_one_name_wherever_it_occurs() -> None:
    filler = A & B
    normal = normalize(
        KB.of(
            conditional(C, given=r.some(filler), exactly=0.5),
            conditional(r.some(B & A), given=D, exactly=0.5),
            Disjointness(r.some(filler), C),
        )
    )
    assert sorted(map(str, normal.origin.values())) == ["A and B", "r some (A and B)"]


def test_conditionals_over_the_same_concepts_are_told_apart() -> None:
    said = [conditional(A, given=B, exactly=f"{n}/10") for n in range(1, 10)]
    noted = [one.annotate(source="survey") for one in said]
    kb = KB.of(*said, *noted, *said, *noted)
    normal = normalize(kb).kb
    assert len(normal) == 18
    assert normal == kb


def test_names_that_are_taken_are_skipped() -> None:
    taken = {number: f"urn:boxsel:normal:{number}" for number in range(1, 5)}
    kb = KB(
        KB.of(
            conditional(Name(taken[1]) & A, given=B, exactly=0.5),
            Inclusion(Exists(Role(taken[2]), A), B),
        ).statements,
        labels={taken[3]: "a label of a name that does not occur"},
        declared=frozenset({Individual(taken[4])}),
    )
    assert [name.iri for name in normalize(kb).origin] == ["urn:boxsel:normal:5"]


def test_a_fresh_name_is_labelled_with_its_concept() -> None:
    prefixes = Prefixes({"ex": "http://example.org/"})
    kb = KB(KB.of(Disjointness(Name("http://example.org/A") & B, C)).statements, prefixes=prefixes)
    normal = normalize(kb).kb
    assert normal.labels == {FIRST.iri: "ex:A and B"}
    assert FIRST.text(normal.prefixes) == "normal:1"


def test_a_label_that_another_name_has_is_not_given_again() -> None:
    kb = KB(KB.of(Disjointness(A & B, C)).statements, labels={D.iri: "A and B"})
    assert normalize(kb).kb.labels == {D.iri: "A and B"}


def test_a_prefix_of_the_user_is_kept() -> None:
    prefixes = Prefixes({"normal": "http://example.org/"})
    kb = KB(KB.of(Disjointness(A & B, C)).statements, prefixes=prefixes)
    normal = normalize(kb).kb
    assert normal.prefixes == prefixes
    assert FIRST.text(normal.prefixes) == "<urn:boxsel:normal:1>"


def test_no_label_is_longer_than_anyone_reads() -> None:
    wide = conjunction(*(Name(f"C{n}") for n in range(10 * LABELLED_PARTS)))
    normal = normalize(KB.of(Disjointness(wide, A)))
    assert wide in normal.origin.values()
    assert all(label.count(" and ") < LABELLED_PARTS for label in normal.kb.labels.values())


@pytest.mark.parametrize("position", ["left", "right", "both"])
def test_deep_and_wide_concepts(position: str) -> None:
    deep: Concept = A
    for _ in range(MAX_DEPTH):
        deep = r.some(deep & B)
    wide = conjunction(deep, *(Name(f"C{n}") for n in range(5000)))
    axiom: Axiom = {
        "left": Inclusion(wide, D),
        "right": Inclusion(D, wide),
        "both": conditional(wide, given=D, exactly=0.5),
    }[position]
    normal = normalize(KB.of(axiom))
    assert violations(normal.kb) == []
    assert normal.kb.size <= 8 * axiom.size


def test_concepts_can_be_given_names() -> None:
    normal = normalize(KB.of(A <= B), also=[r.some(A), A & TOP, TOP])
    assert normal.origin == {FIRST: r.some(A)}
    assert normal.atom(r.some(A & TOP)) == FIRST
    assert normal.atom(A & TOP) == A
    assert normal.atom(TOP) == TOP
    assert {Inclusion(FIRST, r.some(A)), Inclusion(r.some(A), FIRST)} <= set(normal.kb.axioms)


def test_concepts_without_a_name() -> None:
    with pytest.raises(InvalidStatementError, match=r"r some A has no name .* also="):
        normalize(KB.of(A <= r.some(A))).atom(r.some(A))
    with pytest.raises(InvalidStatementError, match="it needs no name"):
        normalize(KB(), also=[r.some(BOTTOM)])


def test_an_empty_knowledge_base() -> None:
    assert normalize(KB()).kb == KB()
