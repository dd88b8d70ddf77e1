"""OBO: what its stanzas say, what they cannot say, and what the parser would get wrong."""

from __future__ import annotations

import pytest

from boxsel.errors import ReadError
from boxsel.formats.owl import obo
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
from boxsel.logic.concepts import Individual, Name, Role
from boxsel.logic.kb import KB
from boxsel.logic.names import Prefixes
from boxsel.logic.statements import Note

OBO = "http://purl.obolibrary.org/obo/"
one, two, three = (Name(f"{OBO}HP_{number}") for number in (1, 2, 3))
part_of, overlaps = Role(f"{OBO}BFO_0000050"), Role(f"{OBO}RO_0002131")
me, you = Individual(f"{OBO}I_1"), Individual(f"{OBO}I_2")


def read(clauses: str, header: str = "") -> KB:
    text = f"format-version: 1.4\n{header}ontology: x\n{clauses}"
    return obo.read(Source("onto.obo", text.encode()))


def term(*clauses: str) -> KB:
    return read("\n[Term]\nid: HP:1\n" + "".join(f"{clause}\n" for clause in clauses))


def relation(*clauses: str) -> KB:
    return read("\n[Typedef]\nid: BFO:0000050\n" + "".join(f"{clause}\n" for clause in clauses))


def lost(kb: KB) -> list[tuple[str, int]]:
    return [(drop.kind, drop.count) for drop in kb.dropped if drop.logical]


@pytest.mark.parametrize(
    ("clauses", "expected"),
    [
        (["is_a: HP:2 ! two"], {Inclusion(one, two)}),
        (["relationship: BFO:0000050 HP:2"], {Inclusion(one, part_of.some(two))}),
        (
            ['relationship: BFO:0000050 HP:2 {minCardinality="1"}'],
            {Inclusion(one, part_of.some(two))},
        ),
        (
            ["intersection_of: HP:2", "intersection_of: BFO:0000050 HP:3"],
            {Equivalence(one, two & part_of.some(three))},
        ),
        (["equivalent_to: HP:2"], {Equivalence(one, two)}),
        (["disjoint_from: HP:2"], {Disjointness(one, two)}),
        (
            ['is_a: HP:2 {gci_relation="BFO:0000050", gci_filler="HP:3"}'],
            {Inclusion(one & part_of.some(three), two)},
        ),
    ],
)
def test_clauses_of_terms(clauses: list[str], expected: set[Axiom]) -> None:
    kb = term(*clauses)
    assert set(kb.axioms) == expected
    assert not kb.dropped


@pytest.mark.parametrize(
    ("clauses", "expected"),
    [
        (["is_a: RO:0002131"], {RoleInclusion(part_of, overlaps)}),
        (["domain: HP:1", "range: HP:2"], {Domain(part_of, one), Range(part_of, two)}),
    ],
)
def test_clauses_of_relations(clauses: list[str], expected: set[Axiom]) -> None:
    assert set(relation(*clauses).axioms) == expected


def test_instances_labels_and_prefixes() -> None:
    kb = read(
        '\n[Term]\nid: HP:1\nname: the first\nsynonym: "x" EXACT []\n'
        "\n[Instance]\nid: I:1\nname: me\ninstance_of: HP:1\nrelationship: BFO:0000050 I:2\n"
    )
    assert set(kb.axioms) == {ConceptAssertion(one, me), RoleAssertion(part_of, me, you)}
    assert dict(kb.labels) == {one.iri: "the first", me.iri: "me"}
    assert one.text(kb.prefixes) == "HP:1"
    assert [(drop.kind, drop.logical) for drop in kb.dropped] == [("AnnotationAssertion", False)]


def test_sources_of_clauses() -> None:
    kb = term('is_a: HP:2 {source="PMID:1"}', 'is_a: HP:3 {xref="PMID:2", comment="c"}')
    notes = {statement.note for statement in kb}
    assert notes == {Note(source="PMID:1"), Note(source="PMID:2", comment="c")}


@pytest.mark.parametrize(
    ("clause", "kind"),
    [
        ('relationship: BFO:0000050 HP:2 {all_only="true"}', "relationship"),
        ('relationship: BFO:0000050 HP:2 {all_some="true", all_only="true"}', "relationship"),
        ('relationship: BFO:0000050 HP:2 {maxCardinality="1"}', "relationship"),
        ('relationship: BFO:0000050 HP:2 {minCardinality="0", maxCardinality="1"}', "relationship"),
        ('relationship: BFO:0000050 HP:2 {cardinality="2"}', "relationship"),
        ('disjoint_from: HP:2 {gci_relation="BFO:0000050", gci_filler="HP:3"}', "disjoint_from"),
        ('is_a: HP:2 {gci_relation="BFO:0000050"}', "is_a"),
        ("union_of: HP:2\nunion_of: HP:3", "EquivalentClasses"),
    ],
)
def test_what_terms_say_beyond_sel_is_left_out(clause: str, kind: str) -> None:
    """The parser takes most of these for something stronger."""
    kb = term(clause)
    assert not kb.statements
    assert lost(kb) == [(kind, 1)]


def test_a_definition_is_left_out_as_a_whole() -> None:
    kb = term(
        "intersection_of: HP:2",
        'intersection_of: BFO:0000050 HP:3 {cardinality="2"}',
        "intersection_of: BFO:0000050 HP:2",
        "is_a: HP:3",
    )
    assert set(kb.axioms) == {Inclusion(one, three)}
    assert lost(kb) == [("intersection_of", 1)]


@pytest.mark.parametrize(
    ("clause", "kind"),
    [
        ("is_transitive: true", "TransitiveObjectProperty"),
        ("holds_over_chain: BFO:0000050 RO:0002131", "SubObjectPropertyOf"),
        ("transitive_over: RO:0002131", "SubObjectPropertyOf"),
        ("equivalent_to: RO:0002131", "equivalent_to"),
        ("disjoint_from: RO:0002131", "DisjointObjectProperties"),
        ("inverse_of: RO:0002131", "InverseObjectProperties"),
    ],
)
def test_what_relations_say_beyond_sel_is_left_out(clause: str, kind: str) -> None:
    kb = relation(clause)
    assert not kb.statements
    assert lost(kb) == [(kind, 1)]


def test_relations_between_classes_as_such_are_no_existentials() -> None:
    kb = read(
        "\n[Term]\nid: HP:1\nrelationship: BFO:0000050 HP:2\nrelationship: RO:0002131 HP:2\n"
        "\n[Typedef]\nid: BFO:0000050\nname: part of\nis_class_level: true\n"
        "\n[Typedef]\nid: RO:0002131\n"
    )
    assert set(kb.axioms) == {Inclusion(one, overlaps.some(two))}
    assert lost(kb) == [("relationship", 1)]


def test_headers() -> None:
    kb = read("", "import: http://e.org/other.owl\ntreat-xrefs-as-equivalent: MP\n")
    assert lost(kb) == [("Import", 1), ("treat-xrefs-as-equivalent", 1)]


@pytest.mark.parametrize(
    ("clauses", "complaint"),
    [
        (["is_a:"], "onto.obo:6: expected an identifier after is_a:"),
        (["is_a: ! two"], "onto.obo:6: expected an identifier after is_a:"),
        (["name: x", "relationship: BFO:1"], "onto.obo:7: expected two identifiers after relati"),
        (["is_a: HP:2 {source"], "onto.obo:6:13: expected a qualifier"),
        (["[Nonsense]"], "onto.obo:6:1: expected"),
    ],
)
def test_mistakes(clauses: list[str], complaint: str) -> None:
    with pytest.raises(ReadError) as caught:
        term(*clauses)
    assert str(caught.value).startswith(complaint)


def test_axioms_in_the_header() -> None:
    """OBO 1.4 carries in `owl-axioms` what it has no clause for."""
    axiom = (
        r"owl-axioms: Ontology(\nSubClassOf(Annotation(<urn:boxsel:count> \"1\") "
        r"Annotation(<urn:boxsel:total> \"3\") ObjectIntersectionOf(<urn:boxsel:B> <urn:boxsel:A>) "
        r"<urn:boxsel:B>)\n)" + "\n"
    )
    assert set(read("", axiom).axioms) == {conditional(Name("A"), given=Name("B"), count=(1, 3))}
    with pytest.raises(ReadError, match=r"onto.obo:2: in owl-axioms: expected"):
        read("", axiom.replace("Ontology(", "Ontology{"))


def test_obo_tools_see_the_hierarchy() -> None:
    """Plain statements are clauses; only the rest is in the header."""
    kb = KB(
        KB.of(
            one <= two,
            (one <= three).annotate(source="PMID:1"),
            Inclusion(one, part_of.some(two)),
            Equivalence(two, one & part_of.some(three)),
            Equivalence(two, one & part_of.some(one)),
            conditional(one, given=two, exactly=0.5),
            RoleInclusion(part_of, overlaps),
            Domain(part_of, Name("A")),
            ConceptAssertion(one, me),
            RoleAssertion(part_of, me, you),
        ).statements,
        labels={one.iri: "first", two.iri: "odd {label} !"},
        prefixes=Prefixes({"HP": f"{OBO}HP_"}),
    )
    text = obo.write(kb)
    header, *stanzas = text.split("\n\n")
    assert f"idspace: HP {OBO}HP_" in header
    assert header.count("SubClassOf(") == 1
    assert header.count("EquivalentClasses(") == 1
    assert header.count("AnnotationAssertion(") == 1
    assert stanzas == [
        '[Term]\nid: HP:1\nname: first\nis_a: HP:2\nis_a: HP:3 {source="PMID:1"}\n'
        "relationship: BFO:0000050 HP:2",
        "[Term]\nid: HP:2\nintersection_of: HP:1\nintersection_of: BFO:0000050 HP:3",
        "[Term]\nid: HP:3",
        "[Term]\nid: boxsel:A",
        "[Typedef]\nid: BFO:0000050\ndomain: boxsel:A\nis_a: RO:0002131",
        "[Typedef]\nid: RO:0002131",
        "[Instance]\nid: I:1\ninstance_of: HP:1\nrelationship: BFO:0000050 I:2",
        "[Instance]\nid: I:2\n",
    ]
    assert obo.read(Source("kb", text.encode())) == kb
    # Windows line ends change nothing.
    assert obo.read(Source("kb", text.replace("\n", "\r\n").encode())) == kb
