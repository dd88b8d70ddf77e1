"""Turtle, and with it what RDF graphs of other tools look like."""

from __future__ import annotations

import pytest

from boxsel.errors import ReadError
from boxsel.formats.owl import turtle
from boxsel.formats.source import Source
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
from boxsel.logic.concepts import BOTTOM, TOP, Individual, Role, names
from boxsel.logic.kb import KB
from boxsel.logic.statements import Note

A, B, C, D = names("A B C D")
r, s = Role("r"), Role("s")
a, b = Individual("a"), Individual("b")

SKOS = "http://www.w3.org/2004/02/skos/core#"
HEAD = f"""@prefix : <urn:boxsel:> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix skos: <{SKOS}> .
"""


def read(text: str) -> KB:
    return turtle.read(Source("onto.ttl", (HEAD + text).encode()))


def lost(kb: KB) -> list[tuple[str, int, bool]]:
    return [(drop.kind, drop.count, drop.logical) for drop in kb.dropped]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (":A rdfs:subClassOf :B .", {Inclusion(A, B)}),
        (":A owl:equivalentClass :B .", {Equivalence(A, B)}),
        (":A owl:disjointWith :B .", {Disjointness(A, B)}),
        ("[] a owl:AllDisjointClasses ; owl:members (:A :B :C) .", {Disjointness(A, B, C)}),
        (
            ":A rdfs:subClassOf [ a owl:Restriction ; owl:onProperty :r ;"
            " owl:someValuesFrom :B ] .",
            {Inclusion(A, r.some(B))},
        ),
        # The order of triples and a forgotten type do not matter.
        (
            ":A rdfs:subClassOf [ owl:someValuesFrom :B ; owl:onProperty :r ] .",
            {Inclusion(A, r.some(B))},
        ),
        ("[ owl:intersectionOf (:A :B) ] rdfs:subClassOf :C .", {Inclusion(A & B, C)}),
        (":A rdfs:subClassOf [ owl:intersectionOf (:B) ] .", {Inclusion(A, B)}),
        (
            ":A rdfs:subClassOf [ owl:onProperty :r ; owl:minCardinality 1 ] .",
            {Inclusion(A, r.some(TOP))},
        ),
        (
            ":A rdfs:subClassOf [ owl:onProperty :r ; owl:minQualifiedCardinality 1 ;"
            " owl:onClass :B ] .",
            {Inclusion(A, r.some(B))},
        ),
        (":A rdfs:subClassOf owl:Nothing .", {Inclusion(A, BOTTOM)}),
        # OWL 1 describes named classes directly.
        (":A a owl:Class ; owl:intersectionOf (:B :C) .", {Equivalence(A, B & C)}),
        (
            "_:x owl:intersectionOf (:A :B) . _:x rdfs:subClassOf :C , :D .",
            {Inclusion(A & B, C), Inclusion(A & B, D)},
        ),
        (":r rdfs:subPropertyOf :s .", {RoleInclusion(r, s)}),
        (":r owl:equivalentProperty :s .", {RoleInclusion(r, s), RoleInclusion(s, r)}),
        (":r rdfs:domain :A ; rdfs:range :B .", {Domain(r, A), Range(r, B)}),
        (":r a owl:ObjectProperty . :a :r :b .", {RoleAssertion(r, a, b)}),
        # Data without an ontology: a thing with a class is an individual.
        (":a a :A ; :r :b .", {ConceptAssertion(A, a), RoleAssertion(r, a, b)}),
        (
            ":a a [ owl:onProperty :r ; owl:hasValue :b ] .",
            {RoleAssertion(r, a, b)},
        ),
        (
            ":a a [ owl:onProperty :r ; owl:someValuesFrom :A ] .",
            {ConceptAssertion(r.some(A), a)},
        ),
    ],
)
def test_read_without_loss(text: str, expected: set[Axiom]) -> None:
    kb = read(text)
    assert set(kb.axioms) == expected
    assert not kb.dropped


@pytest.mark.parametrize(
    ("text", "dropped"),
    [
        (":r a owl:TransitiveProperty .", [("TransitiveObjectProperty", 1, True)]),
        (":r a owl:ObjectProperty, owl:FunctionalProperty .",
         [("FunctionalObjectProperty", 1, True)]),
        (":p a owl:DatatypeProperty, owl:FunctionalProperty .",
         [("DeclareDataProperty", 1, False), ("FunctionalDataProperty", 1, True)]),
        (":p rdfs:range xsd:string ; rdfs:domain :A .",
         [("DataPropertyDomain", 1, True), ("DataPropertyRange", 1, True)]),
        (":p a owl:AnnotationProperty ; rdfs:range :A . :q a owl:AnnotationProperty ."
         " :q rdfs:subPropertyOf :p .",
         [("AnnotationPropertyRange", 1, False), ("SubAnnotationPropertyOf", 1, False)]),
        (":r owl:inverseOf :s .", [("InverseObjectProperties", 1, True)]),
        (":r owl:propertyChainAxiom (:r :s) .", [("SubObjectPropertyOf", 1, True)]),
        ("[ owl:inverseOf :r ] rdfs:subPropertyOf :s .", [("SubObjectPropertyOf", 1, True)]),
        (":a owl:sameAs :b . :a owl:differentFrom :b .",
         [("DifferentIndividuals", 1, True), ("SameIndividual", 1, True)]),
        ("[] a owl:AllDifferent ; owl:distinctMembers (:a :b) .",
         [("DifferentIndividuals", 1, True)]),
        ("[] a owl:NegativePropertyAssertion ; owl:sourceIndividual :a ; owl:targetValue 1 .",
         [("NegativeDataPropertyAssertion", 1, True)]),
        (":A owl:hasKey (:r) .", [("HasKey", 1, True)]),
        ("<http://e.org/o> a owl:Ontology ; owl:imports <http://e.org/p> ; rdfs:comment 'x' .",
         [("Import", 1, True), ("OntologyAnnotation", 1, False)]),
        (":A rdfs:subClassOf [ owl:unionOf (:B :C) ] .", [("SubClassOf", 1, True)]),
        (":A rdfs:subClassOf [ owl:onProperty :p ; owl:someValuesFrom xsd:int ] .",
         [("SubClassOf", 1, True)]),
        (":D a rdfs:Datatype ; owl:equivalentClass [ a rdfs:Datatype ; owl:oneOf (1 2) ] .",
         [("DatatypeDefinition", 1, True), ("DeclareDatatype", 1, False)]),
        ("[] a :A .", [("ClassAssertion", 1, True)]),
        (":A rdfs:subClassOf [ a owl:Class ] .", [("SubClassOf", 1, True)]),
        (":A rdfs:subClassOf 'B' .", [("SubClassOf", 1, True)]),
        (":A owl:unheardOf :B .", [("triple", 1, True)]),
        (":A skos:broader :B ; rdfs:seeAlso :C .", [("AnnotationAssertion", 2, False)]),
        ("[] a <http://www.w3.org/2003/11/swrl#Imp> .", [("DLSafeRule", 1, True)]),
    ],
)  # fmt: skip
def test_what_is_left_out_is_counted(text: str, dropped: list[tuple[str, int, bool]]) -> None:
    kb = read(text)
    assert not kb.statements
    assert lost(kb) == dropped


def test_names_that_only_annotations_mention_are_no_names() -> None:
    kb = read(
        ":p a owl:AnnotationProperty ; rdfs:label 'p' . :A a owl:Class ; rdfs:label 'Ay' ; :p :B ."
    )
    assert [str(name) for name in kb.signature] == ["A"]
    assert dict(kb.labels) == {A.iri: "Ay"}


def test_an_annotation_property_that_is_a_role_too() -> None:
    """Frequent in files made from OBO: on classes it annotates, on individuals it links."""
    kb = read(
        ":r a owl:ObjectProperty, owl:AnnotationProperty . :A a owl:Class ; :r :B ."
        " :a a :A ; :r :b ."
    )
    assert set(kb.axioms) == {ConceptAssertion(A, a), RoleAssertion(r, a, b)}
    assert lost(kb) == [("AnnotationAssertion", 1, False)]


REIFIED = """
_:l owl:intersectionOf (:B :A) . _:l rdfs:subClassOf :B .
[] a owl:Axiom ; owl:annotatedSource {} ; owl:annotatedProperty rdfs:subClassOf ;
   owl:annotatedTarget :B ; :lower "0.25" ; :upper "0.5" ; rdfs:comment "c" .
"""


@pytest.mark.parametrize("source", ["_:l", "[ owl:intersectionOf (:B :A) ]"])
def test_a_conditional_of_another_tool(source: str) -> None:
    """Some tools repeat the anonymous class in the annotation instead of pointing at it."""
    kb = read(REIFIED.format(source))
    (statement,) = kb.statements
    assert statement.axiom == conditional(A, given=B, between=(0.25, 0.5))
    assert statement.note == Note(comment="c")


def test_two_annotations_of_one_triple_are_two_statements() -> None:
    block = (
        "[] a owl:Axiom ; owl:annotatedSource :A ; owl:annotatedProperty rdfs:subClassOf ;"
        ' owl:annotatedTarget :B ; rdfs:comment "{}" .'
    )
    kb = read(f":A rdfs:subClassOf :B . {block.format('one')} {block.format('two')}")
    assert {statement.note.comment for statement in kb} == {"one", "two"}


def test_an_annotated_axiom_without_its_triple_still_counts() -> None:
    block = (
        "[] a owl:Axiom ; owl:annotatedSource :A ; owl:annotatedProperty rdfs:subClassOf ;"
        ' owl:annotatedTarget :B ; rdfs:comment "x" .'
    )
    assert set(read(block).axioms) == {A <= B}
    assert lost(read("[] a owl:Axiom ; rdfs:comment 'x' .")) == [("Annotation", 1, False)]


def test_equivalences_are_joined_only_if_they_share_a_member() -> None:
    """A group of another file may have the same name by accident."""
    block = (
        ":{0} owl:equivalentClass :{1} . [] a owl:Axiom ; owl:annotatedSource :{0} ;"
        ' owl:annotatedProperty owl:equivalentClass ; owl:annotatedTarget :{1} ; :group "g" .'
    )
    apart = read(block.format("A", "B") + block.format("C", "D"))
    assert set(apart.axioms) == {Equivalence(A, B), Equivalence(C, D)}
    joined = read(block.format("A", "B") + block.format("C", "D") + block.format("D", "A"))
    assert set(joined.axioms) == {Equivalence(A, B, C, D)}


def test_prefixes_and_bases() -> None:
    kb = read("@base <http://e.org/> . @prefix e: <http://e.org/> . <A> rdfs:subClassOf <#B> .")
    assert [str(axiom) for axiom in kb.axioms] == ["<http://e.org/A> SubClassOf <http://e.org/#B>"]
    assert dict(kb.prefixes) == {"e": "http://e.org/", "skos": SKOS}


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (":A rdfs:subClassOf :B", "onto.ttl:6:"),
        (":A\n  rdfs:subClassOf x:B .", "onto.ttl:7:19: The prefix x: has not been declared"),
        ("<< :a :r :b >> :s :a .", "onto.ttl"),
        (":a :r <<( :a :r :b )>> .", "onto.ttl"),
    ],
)
def test_mistakes(text: str, complaint: str) -> None:
    with pytest.raises(ReadError) as caught:
        read(text)
    assert str(caught.value).startswith(complaint)
