"""What is read from OWL, what is left out, and what is said about it."""

from __future__ import annotations

import pytest

from boxsel.errors import ReadError
from boxsel.formats.owl import functional, rdfxml, turtle
from boxsel.formats.source import Source
from boxsel.logic.axioms import (
    Axiom,
    ConceptAssertion,
    Disjointness,
    Domain,
    Equivalence,
    Inclusion,
    RoleAssertion,
    RoleInclusion,
)
from boxsel.logic.concepts import BOTTOM, TOP, Individual, Role, names
from boxsel.logic.kb import KB
from boxsel.logic.statements import Note

A, B, C, D = names("A B C D")
r, s, t = Role("r"), Role("s"), Role("t")
a, b = Individual("a"), Individual("b")

PREFIXES = """
Prefix(:=<urn:boxsel:>) Prefix(owl:=<http://www.w3.org/2002/07/owl#>)
Prefix(rdfs:=<http://www.w3.org/2000/01/rdf-schema#>) Prefix(x:=<http://e.org/>)
Prefix(dc:=<http://purl.org/dc/elements/1.1/>) Prefix(dct:=<http://purl.org/dc/terms/>)
Prefix(oio:=<http://www.geneontology.org/formats/oboInOwl#>)
Prefix(disponte:=<https://sites.google.com/a/unife.it/ml/disponte#>)
Prefix(pronto:=<http://clarkparsia.com/pronto#>)
"""


def read(axioms: str) -> KB:
    return functional.read(Source("onto.ofn", f"{PREFIXES} Ontology({axioms})".encode()))


def kept(axioms: str) -> set[Axiom]:
    return set(read(axioms).axioms)


def left_out(axioms: str) -> list[tuple[str, int, bool]]:
    return [(drop.kind, drop.count, drop.logical) for drop in read(axioms).dropped]


@pytest.mark.parametrize(
    ("axiom", "expected"),
    [
        ("EquivalentClasses(:A :B :C)", {Equivalence(A, B, C)}),
        ("EquivalentClasses(:A :B :A)", {Equivalence(A, B)}),
        ("EquivalentClasses(:A owl:Nothing)", {Inclusion(A, BOTTOM)}),
        ("EquivalentClasses(:A :B owl:Nothing)", {Inclusion(A, BOTTOM), Inclusion(B, BOTTOM)}),
        (
            "EquivalentClasses(:A ObjectSomeValuesFrom(:r owl:Nothing))",
            {Inclusion(A, BOTTOM)},
        ),
        ("DisjointClasses(:A :B :C)", {Disjointness(A, B, C)}),
        ("DisjointClasses(:A :A)", {Inclusion(A, BOTTOM)}),
        ("DisjointClasses(:A :A :B)", {Inclusion(A, BOTTOM), Disjointness(A, B)}),
        ("SubClassOf(:A ObjectMinCardinality(1 :r :B))", {Inclusion(A, r.some(B))}),
        ("SubClassOf(:A ObjectMinCardinality(1 :r))", {Inclusion(A, r.some(TOP))}),
        ("SubClassOf(ObjectMinCardinality(1 :r :B) :A)", {Inclusion(r.some(B), A)}),
        (
            "SubClassOf(:A ObjectIntersectionOf(:B ObjectIntersectionOf(:C :B)))",
            {Inclusion(A, B & C)},
        ),
        ("EquivalentObjectProperties(:r :s)", {RoleInclusion(r, s), RoleInclusion(s, r)}),
        (
            "EquivalentObjectProperties(:r :s :t)",
            {RoleInclusion(r, s), RoleInclusion(s, t), RoleInclusion(t, r)},
        ),
        ("ClassAssertion(ObjectHasValue(:r :b) :a)", {RoleAssertion(r, a, b)}),
        ("ClassAssertion(owl:Nothing :a)", {Inclusion(TOP, BOTTOM)}),
        ("ObjectPropertyDomain(:r ObjectIntersectionOf(:A :B))", {Domain(r, A & B)}),
    ],
)
def test_read_without_loss(axiom: str, expected: set[Axiom]) -> None:
    assert kept(axiom) == expected
    assert not read(axiom).dropped


@pytest.mark.parametrize(
    ("axiom", "expected", "dropped"),
    [
        (
            "SubClassOf(:A ObjectIntersectionOf(:B ObjectUnionOf(:C :D)))",
            {Inclusion(A, B)},
            [("ObjectUnionOf", 1, True)],
        ),
        (
            "SubClassOf(:A ObjectSomeValuesFrom(:r ObjectComplementOf(:B)))",
            {Inclusion(A, r.some(TOP))},
            [("ObjectComplementOf", 1, True)],
        ),
        ("SubClassOf(ObjectUnionOf(:A :B) :C)", set(), [("SubClassOf", 1, True)]),
        ("SubClassOf(owl:Nothing :C)", set(), [("SubClassOf", 1, False)]),
        ("EquivalentClasses(:A :A)", set(), [("EquivalentClasses", 1, False)]),
        (
            "EquivalentClasses(:A ObjectIntersectionOf(:B ObjectAllValuesFrom(:r :C)))",
            {Inclusion(A, B)},
            [("EquivalentClasses", 1, True)],
        ),
        (
            "DisjointClasses(:A :B ObjectOneOf(:a))",
            {Disjointness(A, B)},
            [("DisjointClasses", 1, True)],
        ),
        (
            "DisjointUnion(:A :B :C)",
            {Disjointness(B, C), Inclusion(B, A), Inclusion(C, A)},
            [("DisjointUnion", 1, True)],
        ),
        (
            "SubObjectPropertyOf(ObjectPropertyChain(:r :s) :t)",
            set(),
            [("SubObjectPropertyOf", 1, True)],
        ),
        (
            "SubObjectPropertyOf(:r owl:topObjectProperty)",
            set(),
            [("SubObjectPropertyOf", 1, True)],
        ),
        (
            "SubClassOf(:A ObjectSomeValuesFrom(ObjectInverseOf(:r) :B))",
            set(),
            [("SubClassOf", 1, True)],
        ),
        ("ClassAssertion(:A _:x)", set(), [("ClassAssertion", 1, True)]),
        ("ObjectPropertyAssertion(:r :a _:x)", set(), [("ObjectPropertyAssertion", 1, True)]),
        ("Import(<http://e.org/other>)", set(), [("Import", 1, True)]),
        ("TransitiveObjectProperty(:r)", set(), [("TransitiveObjectProperty", 1, True)]),
        ('AnnotationAssertion(rdfs:comment :A "x")', set(), [("AnnotationAssertion", 1, False)]),
        ('Annotation(rdfs:comment "x")', set(), [("OntologyAnnotation", 1, False)]),
        ('DataPropertyAssertion(:p :a "x")', set(), [("DataPropertyAssertion", 1, True)]),
        ("Declaration(DataProperty(:p))", set(), [("DeclareDataProperty", 1, False)]),
        ("Declaration(AnnotationProperty(:p))", set(), []),
        (
            'SubClassOf(Annotation(x:p "q") :A :B)',
            {Inclusion(A, B)},
            [("Annotation", 1, False)],
        ),
    ],
)
def test_read_in_part(
    axiom: str, expected: set[Axiom], dropped: list[tuple[str, int, bool]]
) -> None:
    assert kept(axiom) == expected
    assert left_out(axiom) == dropped


def test_losses_are_counted_by_kind_and_reason() -> None:
    kb = read(
        "TransitiveObjectProperty(:r) TransitiveObjectProperty(:s) SymmetricObjectProperty(:r)"
        "SubClassOf(:A ObjectOneOf(:a)) SubClassOf(:B ObjectOneOf(:a))"
        "SubClassOf(ObjectHasSelf(:r) :A)"
    )
    assert [(drop.kind, drop.count, drop.reason) for drop in kb.dropped] == [
        ("SubClassOf", 1, "uses ObjectHasSelf, not part of SEL"),
        ("SubClassOf", 2, "uses ObjectOneOf, not part of SEL"),
        ("SymmetricObjectProperty", 1, "not part of SEL"),
        ("TransitiveObjectProperty", 2, "not part of SEL"),
    ]
    assert kb.ignored_axioms == 6


@pytest.mark.parametrize("belief", ["0.7", "0.99999", "0", "1e-3"])
def test_degrees_of_belief_are_not_proportions(belief: str) -> None:
    kb = read(f'SubClassOf(Annotation(disponte:probability "{belief}") :A :B) SubClassOf(:B :C)')
    assert set(kb.axioms) == {B <= C}
    (drop,) = kb.dropped
    assert (drop.kind, drop.count, drop.logical) == ("SubClassOf", 1, True)
    assert drop.reason == (
        "degree of belief (DISPONTE): a probability that the axiom is true, not a proportion"
    )


def test_belief_of_one_is_certainty_and_other_systems_are_known() -> None:
    assert kept('SubClassOf(Annotation(disponte:probability "1.000") :A :B)') == {A <= B}
    assert kept('SubClassOf(Annotation(pronto:certainty "1;1") :A :B)') == {A <= B}
    pronto = read('SubClassOf(Annotation(pronto:certainty "0.5;0.9") :A :B)')
    assert not pronto.statements
    assert "(Pronto)" in pronto.dropped[0].reason
    other = read('DisjointClasses(Annotation(<http://e.org/x#probability> "0.2") :A :B)')
    assert other.dropped[0].reason.startswith("degree of belief: ")
    # A word is no number: the annotation is only a remark.
    assert kept('SubClassOf(Annotation(<http://e.org/x#certainty> "high") :A :B)') == {A <= B}


def test_notes_and_where_they_come_from() -> None:
    kb = read(
        'SubClassOf(Annotation(rdfs:label "l") Annotation(rdfs:comment "c")'
        ' Annotation(dct:source "d") Annotation(dc:source "e")'
        ' Annotation(oio:hasDbXref "PMID:1") Annotation(oio:hasDbXref x:f) :A :B)'
    )
    (statement,) = kb.statements
    assert statement.note == Note("l", "e; d; PMID:1; http://e.org/f", "c")
    assert not kb.dropped


def test_labels_are_chosen_by_language_not_by_chance() -> None:
    kb = read(
        'AnnotationAssertion(rdfs:label :A "Ah"@de) AnnotationAssertion(rdfs:label :A "a"@en)'
        'AnnotationAssertion(rdfs:label :B "b"@en-GB) AnnotationAssertion(rdfs:label :B "bé"@fr)'
        'AnnotationAssertion(rdfs:label :C "plain") AnnotationAssertion(rdfs:label :C "c"@en)'
        'AnnotationAssertion(rdfs:label :D "x"@fr) AnnotationAssertion(rdfs:label :D "x"@de)'
        'Declaration(AnnotationProperty(:p)) AnnotationAssertion(rdfs:label :p "a property")'
    )
    assert dict(kb.labels) == {A.iri: "a", B.iri: "b", C.iri: "plain", D.iri: "x"}
    assert [(drop.count, drop.logical) for drop in kb.dropped] == [(4, False)]


def test_a_name_that_is_several_kinds_of_thing() -> None:
    kb = read(
        "SubClassOf(:A :B) SubClassOf(:B :A) ClassAssertion(:B :A) ClassAssertion(:B :a)"
        "SubObjectPropertyOf(:A :r) Declaration(NamedIndividual(:A))"
        "Declaration(ObjectProperty(:C))"
        "SubClassOf(:D ObjectSomeValuesFrom(:C :C))"
    )
    assert set(kb.axioms) == {A <= B, B <= A, ConceptAssertion(B, a)}
    assert [(drop.kind, drop.count) for drop in kb.dropped] == [
        ("ClassAssertion", 1),
        ("SubClassOf", 1),
        ("SubObjectPropertyOf", 1),
    ]
    assert "an individual that is also a concept" in kb.dropped[0].reason


def test_the_order_of_the_file_does_not_matter() -> None:
    axioms = [
        "SubClassOf(:A :B)",
        "SubClassOf(:A ObjectIntersectionOf(:B :C))",
        "SubClassOf(:A ObjectIntersectionOf(:C :B))",
        "DisjointClasses(:A :B)",
        "ClassAssertion(:A :a)",
    ]
    texts = [str(statement) for statement in read("".join(axioms))]
    assert texts == [str(statement) for statement in read("".join(reversed(axioms)))]
    assert len(texts) == 4


@pytest.mark.parametrize(
    "text",
    [
        "x",
        "[]",
        '{"kind": "X"}',
        '{"kind": 1, "count": 1, "reason": "", "logical": true}',
        "[" * 9999,
    ],
)
def test_a_broken_record_of_what_was_left_out(text: str) -> None:
    escaped = text.replace('"', '\\"')
    with pytest.raises(ReadError, match=r"urn:boxsel:dropped.*expected a JSON object"):
        read(f'Annotation(<urn:boxsel:dropped> "{escaped}")')


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("Ontology(\nSubClassOf(:A :B)\n)", "onto.ofn:2: this is not valid: undefined prefix :A"),
        ("Ontology(\nSubClassOf(<a> <b>))", "onto.ofn:2:13: expected an absolute IRI"),
        ("Ontology(\nSubClassOf(<urn:a:b>))", "onto.ofn:2:21: expected a class expression"),
        (
            "Ontology(\nSubClassOf(<urn:a:b> <urn:a:c>)",
            "expected an axiom or the end of the ontology",
        ),
        (
            "Ontology(\nSubClassOf(<urn:a:b> ObjectMaxCardinality(99999999999 <urn:a:r>)))",
            "onto.ofn:2: a cardinality is too large",
        ),
        ("hello", "onto.ofn:1:1: expected an ontology in functional syntax"),
    ],
)
def test_mistakes_in_functional_syntax(text: str, complaint: str) -> None:
    with pytest.raises(ReadError) as caught:
        functional.read(Source("onto.ofn", text.encode()))
    assert str(caught.value).splitlines()[0].startswith(complaint) or complaint in str(caught.value)


def test_bad_names_are_shown_with_their_line() -> None:
    text = (
        '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"\n'
        ' xmlns:owl="http://www.w3.org/2002/07/owl#">\n<owl:Class rdf:about="http://e.org/a b"/>'
        "\n</rdf:RDF>"
    )
    with pytest.raises(ReadError, match=r"onto.owl:3: 'http://e.org/a b' is not an IRI"):
        rdfxml.read(Source("onto.owl", text.encode()))
    with pytest.raises(ReadError, match=r"<#A> is a relative IRI"):
        rdfxml.read(Source("onto.owl", text.replace("http://e.org/a b", "#A").encode()))
    with pytest.raises(ReadError, match=r"<A> is a relative IRI"):
        turtle.read(Source("o", b"<A> a <http://www.w3.org/2002/07/owl#Class>."))
