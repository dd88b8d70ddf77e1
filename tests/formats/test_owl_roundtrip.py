"""Writing then reading is the identity, in every serialisation of OWL."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boxsel.errors import WriteError
from boxsel.formats.owl.iris import meant, spelling
from boxsel.formats.registry import format_named, recognise
from boxsel.formats.source import Source
from boxsel.logic.axioms import (
    ConceptAssertion,
    Conditional,
    Disjointness,
    Equivalence,
    Inclusion,
    RoleAssertion,
    RoleInclusion,
    conditional,
)
from boxsel.logic.concepts import (
    MAX_DEPTH,
    TOP,
    Concept,
    Individual,
    Name,
    Role,
    conjunction,
    names,
)
from boxsel.logic.kb import KB, Dropped
from boxsel.logic.names import IRI_PATTERN, Prefixes, bare_iri
from boxsel.logic.proportions import Interval
from boxsel.logic.statements import Note, Statement
from tests.depth import cases
from tests.strategies import kbs

SERIALISATIONS = ["owl", "owx", "ofn", "ttl", "obo"]
XML = ["owl", "owx"]
A, B, C, D = names("A B C D")
r, s = Role("r"), Role("s")
alice, bob = Individual("alice"), Individual("bob")

every_serialisation = pytest.mark.parametrize("serialisation", SERIALISATIONS)


def reread(kb: KB, serialisation: str) -> KB:
    codec = format_named(serialisation).codec
    return codec.read(Source("kb", codec.write(kb).encode()))


@every_serialisation
@settings(max_examples=cases(40))
@given(kb=kbs())
def test_round_trip(serialisation: str, kb: KB) -> None:
    assert reread(kb, serialisation) == kb


@every_serialisation
@settings(max_examples=cases(25))
@given(kb=kbs())
def test_what_is_written_is_recognised_and_written_the_same_again(
    serialisation: str, kb: KB
) -> None:
    form = format_named(serialisation)
    text = form.codec.write(kb)
    assert recognise(Source("noname", text.encode())) is form
    once = form.codec.read(Source("kb", text.encode()))
    assert form.codec.read(Source("kb", form.codec.write(once).encode())).statements == (
        once.statements
    )


# IRIs that Name takes, valid or not by the rules of RDF.
iris = st.one_of(
    st.from_regex(rf"\A(?:urn:x:|http://e\.org/|a:){IRI_PATTERN}\Z").filter(lambda t: len(t) < 40),
    st.text(min_size=1, max_size=8).map(bare_iri),
    st.sampled_from(
        [
            "a:",
            "http://[::1]/x",
            "http://e.org:port/",
            "http://e.org/a#b#c",
            "urn:boxsel:iri:urn%3Ax",
            "http://www.w3.org/2002/07/owl#Class",
            "http://www.w3.org/2002/07/owl#topObjectProperty",
            "http://www.w3.org/1999/02/22-rdf-syntax-ns#type",
            "urn:boxsel:lower",
            "urn:boxsel:dropped",
            "http://e.org/123",
            "http://e.org/a%20b",
            "http://e.org/",
            "http://e.org/a/../b",
            "http://purl.obolibrary.org/obo/HP_0001250",
            "http://purl.obolibrary.org/obo/HP_x_y",
            "http://purl.org/dc/terms/source",
        ]
    ),
)


@given(iri=iris)
def test_spelling_an_iri_loses_nothing(iri: str) -> None:
    assert meant(spelling(iri)) == iri


@every_serialisation
@settings(max_examples=cases(40))
@given(three=st.lists(iris, min_size=3, max_size=3, unique=True))
def test_every_iri_survives_as_every_kind_of_name(serialisation: str, three: list[str]) -> None:
    concept, role, individual = Name(three[0]), Role(three[1]), Individual(three[2])
    other, link, someone = Name("urn:f:A"), Role("urn:f:r"), Individual("urn:f:a")
    kb = KB(
        (
            Statement(Inclusion(concept, role.some(concept))),
            Statement(Inclusion(other, concept), Note(source="PMID:1")),
            Statement(RoleInclusion(role, link)),
            Statement(ConceptAssertion(concept, individual)),
            Statement(RoleAssertion(role, individual, someone)),
            Statement(RoleAssertion(role, individual, someone), Note(label="again")),
            Statement(conditional(concept, given=other, exactly=0.5)),
        ),
        labels=dict.fromkeys(three, "a label"),
        prefixes=Prefixes({"e": "http://e.org/", "x": "urn:x:"}),
    )
    assert reread(kb, serialisation) == kb


@every_serialisation
@settings(max_examples=cases(40))
@given(text=st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=10))
def test_any_text_survives_or_is_refused(serialisation: str, text: str) -> None:
    note = Note(label=text, source=text, comment=text)
    kb = KB((Statement(A <= B, note),), labels={A.iri: text})
    try:
        assert reread(kb, serialisation) == kb
    except WriteError as error:
        assert serialisation in XML
        assert "XML cannot hold the character U+" in str(error)


@every_serialisation
def test_statements_that_differ_only_in_their_note_or_bounds_all_survive(
    serialisation: str,
) -> None:
    axioms = [
        A <= B,
        Inclusion(A, B & r.some(C)),
        A & C <= B,
        Equivalence(A, B),
        Equivalence(A, B, C),
        Disjointness(A, B),
        Disjointness(A, B, C),
        RoleInclusion(r, s),
        ConceptAssertion(A, alice),
        RoleAssertion(r, alice, bob),
        Conditional(A, B, Interval(Fraction(1, 3), Fraction(1, 2))),
        Conditional(A, B, Interval(Fraction(1, 4), Fraction(1, 2))),
        conditional(A, given=B, count=(1, 2)),
        conditional(A, given=B, count=(2, 4)),
        conditional(A, given=B, exactly=0.5),
        conditional(A & B, given=B, exactly=0.5),
        conditional(B, given=B, exactly=0.5),
        conditional(TOP, given=B, exactly=0.5),
        conditional(A, given=TOP, exactly=0.5),
        conditional(A, given=B & A, exactly=0.5),
        conditional(A & C, given=B & A, exactly=0.5),
    ]
    notes = [Note(), Note(label="one"), Note(source="one"), Note(source="two"), Note(comment="x")]
    kb = KB(tuple(Statement(axiom, note) for axiom in axioms for note in notes))
    assert len(set(kb.statements)) == len(axioms) * len(notes)
    assert reread(kb, serialisation) == kb


@every_serialisation
def test_equivalences_of_many_stay_one_and_apart(serialisation: str) -> None:
    kb = KB.of(Equivalence(A, B, r.some(C)), Equivalence(A, B, D), Equivalence(B, D), A <= D)
    assert set(reread(kb, serialisation).axioms) == set(kb.axioms)


@every_serialisation
def test_deepest_and_widest_concepts(serialisation: str) -> None:
    deep: Concept = A
    for level in range(MAX_DEPTH):
        deep = r.some(deep & B) if level else r.some(A)
    wide = conjunction(*(Name(f"N{number}") for number in range(3000)))
    kb = KB.of(Inclusion(A, deep), Inclusion(C, wide), conditional(deep, given=A, exactly=0.5))
    assert reread(kb, serialisation) == kb


@every_serialisation
def test_prefixes_are_kept_for_those_who_read_text(serialisation: str) -> None:
    kb = KB.of(Name("http://e.org/onto#A") <= B)
    kb = KB(kb.statements, prefixes=Prefixes({"ex": "http://e.org/onto#"}))
    assert reread(kb, serialisation).prefixes["ex"] == "http://e.org/onto#"


@every_serialisation
def test_the_empty_knowledge_base(serialisation: str) -> None:
    assert reread(KB(), serialisation) == KB()


@every_serialisation
def test_what_was_left_out_is_not_forgotten_when_more_is_left_out(serialisation: str) -> None:
    kb = KB(dropped=(Dropped("Rule", 3, 'a "reason"'), Dropped("Rule", 2, "", logical=False)))
    assert reread(reread(kb, serialisation), serialisation).dropped == kb.dropped


def test_no_owl_tool_reads_a_falsehood() -> None:
    """A conditional is a tautology to whoever does not know its annotations."""
    kb = KB.of(conditional(A, given=B, exactly=0.3), conditional(A, given=B & C, count=(1, 3)))
    text = format_named("ofn").codec.write(kb)
    bare = "\n".join(
        line if "Annotation(" not in line else _without_annotations(line)
        for line in text.splitlines()
    )
    plain = format_named("ofn").codec.read(Source("kb", bare.encode()))
    assert set(plain.axioms) == {A & B <= B, A & B & C <= B & C}


def _without_annotations(line: str) -> str:
    return re.sub(r'Annotation\(<[^>]*> "[^"]*"\) ', "", line)
