"""Saturation derives what holds in every model (sound), and all of it (complete)."""

from __future__ import annotations

from itertools import pairwise, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boxsel.errors import InvalidStatementError
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
from boxsel.logic.concepts import BOTTOM, TOP, Concept, Individual, Name, Role, names, roles
from boxsel.logic.kb import KB
from boxsel.normal.saturation import Saturation, saturate
from boxsel.normal.tables import BOTTOM_ID
from tests.depth import cases
from tests.interpretations import Interpretation, interpretations
from tests.normal.el import deterministic, el_kbs
from tests.strategies import concepts, kbs, plain_names

A, B, C, D, E = names("A B C D E")
r, s, t = roles("r s t")
a, b = Individual("a"), Individual("b")

plain_kbs = kbs(plain_names, with_notes=False, with_dropped=False, max_size=10)
any_kbs = st.one_of(plain_kbs, el_kbs())


@given(st.data(), any_kbs)
@settings(max_examples=cases(300))
def test_no_model_refutes_what_is_derived(data: st.DataObject, kb: KB) -> None:
    model = data.draw(interpretations(kb.signature))
    true = kb.with_statements(statement for statement in kb if model.satisfies(statement.axiom))
    saturation = saturate(true)
    assert saturation.consistent
    for name in true.signature.concepts:
        assert all(model.names[name] <= model.names[sup] for sup in saturation.subsumers(name))
        assert not (saturation.is_empty(name) and model.names[name])
    assert all(model.names[name] == model.domain for name in saturation.top_names)
    for individual in true.signature.individuals:
        assert all(
            model.individuals[individual] in model.names[name]
            for name in saturation.types(individual)
        )


@given(any_kbs)
@settings(max_examples=cases(500))
def test_what_is_not_derived_is_refuted_by_the_canonical_model(kb: KB) -> None:
    certain = deterministic(kb)
    saturation = saturate(kb)
    if not saturation.consistent:
        assert saturation.empty_names == set(kb.signature.concepts)
        return
    model = canonical_model(saturation, kb)
    assert model.is_model(certain)
    for name in kb.signature.concepts:
        instances = model.extension(name)
        assert saturation.is_empty(name) == (not instances)
        for other in set(kb.signature.concepts) - saturation.subsumers(name):
            assert not instances <= model.extension(other)
    for one in kb.signature.individuals:
        actual = {name for name in model.names if model.individuals[one] in model.names[name]}
        assert actual == saturation.types(one)


def canonical_model(saturation: Saturation, kb: KB) -> Interpretation:
    """The contexts that can exist, each with exactly what was derived for it."""
    completion = saturation.completion
    domain = frozenset(
        context for context, known in enumerate(completion.members) if BOTTOM_ID not in known
    )
    pairs: dict[Role, set[tuple[int, int]]] = {role: set() for role in kb.signature.roles}
    for source in domain:
        for role, target in completion.links[source]:
            pairs[role].add((source, target))
    inclusions = list(kb.axioms_of(RoleInclusion))
    for _ in range(len(inclusions)):
        for axiom in inclusions:
            pairs[axiom.sup] |= pairs[axiom.sub]
    return Interpretation(
        domain,
        {
            name: frozenset(
                x for x in domain if saturation.rules.ids[name] in completion.members[x]
            )
            for name in kb.signature.concepts
        },
        {role: frozenset(linked) for role, linked in pairs.items()},
        completion.by_individual,
    )


@given(plain_kbs, st.lists(concepts(plain_names), min_size=2, max_size=3))
def test_complex_concepts_are_answered_like_names_for_them(kb: KB, asked: list[Concept]) -> None:
    fresh = [Name(f"Asked{number}") for number in range(len(asked))]
    defined = KB.of(*kb.statements, *map(Equivalence, fresh, asked))
    by_name, by_concept = saturate(defined), saturate(kb, also=asked)
    for (name, concept), (other, general) in product(zip(fresh, asked, strict=True), repeat=2):
        assert by_concept.entails(concept <= general) == by_name.entails(name <= other)
        assert by_concept.is_empty(concept) == by_name.is_empty(name)
        assert by_concept.is_top(concept) == by_name.is_top(name)


DERIVED: list[tuple[list[Axiom], Inclusion]] = [
    ([A <= B, B <= C], A <= C),
    ([A <= B, A <= C, B & C <= D], A <= D),
    ([A <= r.some(B), B <= C, r.some(C) <= D], A <= D),
    ([A <= r.some(B), Domain(r, C)], A <= C),
    ([A <= r.some(B), r <= s, s <= t, Domain(t, C)], A <= C),
    ([A <= r.some(B), r <= s, s <= r, t <= r, s.some(B) <= C], A <= C),
    ([A <= r.some(B), Range(r, C), r.some(B & C) <= D], A <= D),
    ([A <= r.some(B), r <= s, Range(s, C), r.some(C) <= D], A <= D),
    ([A <= r.some(TOP), Range(r, C), r.some(C) <= D], A <= D),
    ([A <= r.some(B), Range(r, C), Disjointness(B, C)], A <= BOTTOM),
    ([A <= r.some(B), Range(r, BOTTOM)], A <= BOTTOM),
    ([A <= r.some(B), B <= s.some(C), C <= BOTTOM], A <= BOTTOM),
    ([A <= B, A <= C, Disjointness(D, B, C)], A <= BOTTOM),
    ([A <= BOTTOM], A <= B),
    ([TOP <= B], A <= B),
    ([TOP <= r.some(B), r.some(B) <= C], TOP <= C),
    ([TOP <= r.some(TOP), Range(r, B), r.some(B) <= C], TOP <= C),
    ([TOP <= r.some(A), A <= BOTTOM], TOP <= BOTTOM),
    ([ConceptAssertion(A, a), A <= BOTTOM], B <= C),
    ([RoleAssertion(r, a, b), Range(r, A), A <= BOTTOM], B <= BOTTOM),
    ([conditional(B, given=A, exactly=1), conditional(C, given=B, count=(3, 3))], A <= C),
    ([A <= B, A <= C, conditional(B, given=C, exactly=0)], A <= BOTTOM),
    ([Equivalence(A, r.some(B), TOP), Equivalence(C & A & r.some(TOP), D)], C <= D),
    ([r <= s, Equivalence(r.some(TOP), TOP), A & s.some(TOP) <= BOTTOM], A <= BOTTOM),
    ([A.equivalent_to(B & r.some(C)), D <= B, D <= r.some(E), E <= C], D <= A),
]

NOT_DERIVED: list[tuple[list[Axiom], Inclusion]] = [
    ([Equivalence(r.some(TOP), TOP), Range(r, A)], TOP <= A),
    ([Equivalence(r.some(TOP), TOP, B), Range(r, A)], B <= A),
    ([A <= B], B <= A),
    ([A <= r.some(B), Range(r, C)], B <= C),
    ([r <= s, A <= s.some(B), r.some(B) <= C], A <= C),
    ([r <= s, A <= s.some(B), Range(r, C), s.some(C) <= D], A <= D),
    ([A <= r.some(B), B <= BOTTOM], C <= A),
    ([conditional(B, given=A, exactly=0.99)], A <= B),
    ([ConceptAssertion(A, a), ConceptAssertion(B, a)], A <= B),
    ([A <= r.some(B), A <= r.some(C), r.some(B & C) <= D], A <= D),
]


@pytest.mark.parametrize(("axioms", "conclusion"), DERIVED, ids=str)
def test_derived(axioms: list[Axiom], conclusion: Inclusion) -> None:
    declared = KB.of(*axioms, *(Disjointness(Name("X"), name) for name in (A, B, C, D, E)))
    assert saturate(declared).entails(conclusion)


@pytest.mark.parametrize(("axioms", "conclusion"), NOT_DERIVED, ids=str)
def test_not_derived(axioms: list[Axiom], conclusion: Inclusion) -> None:
    declared = KB.of(*axioms, *(Disjointness(Name("X"), name) for name in (A, B, C, D, E)))
    assert not saturate(declared).entails(conclusion)


def test_individuals_have_the_types_that_follow_from_their_links() -> None:
    saturation = saturate(
        KB.of(
            ConceptAssertion(A, a),
            RoleAssertion(r, a, b),
            r <= s,
            Range(s, B),
            s.some(B) <= C,
            Domain(s, D),
        )
    )
    assert saturation.types(a) == {A, C, D}
    assert saturation.types(b) == {B}


def test_empty_and_top_names() -> None:
    kb = KB.of(TOP <= A, A <= B, C <= BOTTOM, D <= r.some(C), conditional(E, given=A, exactly=0.5))
    saturation = saturate(kb)
    assert saturation.top_names == {A, B}
    assert saturation.empty_names == {C, D}
    assert saturation.subsumers(E) == {A, B, E}
    assert saturation.subsumers(C) == {A, B, C, D, E}


@pytest.mark.parametrize(
    "axioms",
    [
        [TOP <= BOTTOM],
        [TOP <= A, A <= BOTTOM],
        [ConceptAssertion(A, a), ConceptAssertion(B, a), Disjointness(A, B)],
        [RoleAssertion(r, a, b), Domain(r, BOTTOM)],
        [ConceptAssertion(A, a), A <= r.some(B), B <= BOTTOM],
    ],
)
def test_an_inconsistent_knowledge_base_entails_everything(axioms: list[Axiom]) -> None:
    saturation = saturate(KB.of(*axioms, Disjointness(C, D)))
    assert not saturation.consistent
    assert {C, D} <= saturation.empty_names & saturation.top_names
    assert saturation.entails(TOP <= C)


def test_what_is_not_in_the_knowledge_base_is_said() -> None:
    saturation = saturate(KB.of(A <= r.some(B)))
    with pytest.raises(InvalidStatementError, match="no concept C"):
        saturation.subsumers(C)
    with pytest.raises(InvalidStatementError, match="no concept C"):
        saturation.entails(A <= r.some(C))
    with pytest.raises(InvalidStatementError, match="also="):
        saturation.subsumers(r.some(B))
    with pytest.raises(InvalidStatementError, match="no individual a"):
        saturation.types(a)


def test_names_that_only_the_question_mentions() -> None:
    saturation = saturate(KB.of(TOP <= A), also=[B, r.some(C)])
    assert saturation.subsumers(B) == {A, B}
    assert saturation.subsumers(r.some(C)) == {A}
    assert saturation.names == {A, B, C}


def test_long_chains_of_links_and_roles() -> None:
    length = 3000
    chain = [Name(f"C{n}") for n in range(length)]
    hierarchy = [Role(f"r{n}") for n in range(length)]
    kb = KB.of(
        *(name <= hierarchy[0].some(next_one) for name, next_one in pairwise(chain)),
        *(role <= next_one for role, next_one in pairwise(hierarchy)),
        Range(hierarchy[-1], A),
        hierarchy[-1].some(A) <= B,
        chain[-1] <= BOTTOM,
    )
    assert saturate(kb).is_empty(chain[0])
