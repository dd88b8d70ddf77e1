"""A union states what its parts state, and joins names only where it is told to, or may."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given

from boxsel.errors import InvalidStatementError
from boxsel.formats.sel import read, write
from boxsel.formats.source import Source
from boxsel.logic.concepts import Name
from boxsel.logic.kb import KB
from boxsel.logic.names import BARE_NAMESPACE
from boxsel.logic.population import Pattern, Population
from boxsel.logic.renaming import Renaming
from boxsel.syntax.parser import parse_kb
from boxsel.union import Part, Union, find_twins, unite
from tests.strategies import kbs

ONTOLOGY = """
Prefix: fam: <http://example.org/family#>
fam:Grandfather SubClassOf fam:Man
fam:Man SubClassOf fam:hasParent some fam:Man
"""


def united(*texts: str, match: str | None = None) -> Union:
    parts = [Part(f"part{place}.sel", parse_kb(text)) for place, text in enumerate(texts, start=1)]
    return unite(parts, match)  # type: ignore[arg-type]


def lines(found: Union) -> list[str]:
    return [statement.axiom.text(found.kb.prefixes) for statement in found.kb]


@given(kbs(), kbs())
def test_a_union_states_what_its_parts_state(first: KB, second: KB) -> None:
    try:
        kb = unite([Part("first", first), Part("second", second)]).kb
    except InvalidStatementError as error:
        assert "first, second do not fit together" in str(error)
        return
    assert set(kb.axioms) == {*first.axioms, *second.axioms}
    assert set(kb.signature) == {*first.signature, *second.signature}
    assert kb.ignored_axioms == first.ignored_axioms + second.ignored_axioms
    assert all(statement.note.source for statement in kb)


@given(kbs())
def test_renaming_there_and_back_changes_nothing(kb: KB) -> None:
    there = {entity.iri: f"http://example.org/renamed/{n}" for n, entity in enumerate(kb.signature)}
    renaming, back = Renaming(there), Renaming({new: old for old, new in there.items()})
    renamed = [renaming.axiom(axiom) for axiom in kb.axioms]
    assert all(
        entity.iri.startswith("http://example.org/renamed/")
        for axiom in renamed
        for entity in axiom.entities()
    )
    assert [back.axiom(axiom) for axiom in renamed] == list(kb.axioms)


def test_statements_have_their_parts_as_sources() -> None:
    union = united("(B | A)[0.5]\nA SubClassOf C", "A SubClassOf C\n(B | A)[0.5]  ## source: mine")
    sources = [statement.note.source for statement in union.kb]
    assert sources == ["part1.sel", "part1.sel, part2.sel", "mine"]


def test_names_that_a_part_keeps_apart_are_apart() -> None:
    spaces = "Prefix: x: <http://example.org/x#>\nPrefix: y: <http://example.org/y#>\n"
    both = spaces + "x:Dog SubClassOf y:Dog"
    union = united(both, spaces + "x:Dog SubClassOf x:Animal")
    assert not union.apart
    assert not union.notices("--match {}")
    third = united(both, "(Dog | Animal)[0.3]")  # which of the two?
    (notice,) = third.notices("--match {}")
    assert notice.startswith("not matched, since one file has several: Dog (")


def test_names_that_are_alike_are_told_and_stay_apart() -> None:
    union = united("(Happy | Grandfather)[0.5]", ONTOLOGY)
    assert not union.joined
    assert [twins.called for twins in union.apart] == ["Grandfather"]
    (notice,) = union.notices("--match {}")
    assert "Grandfather in part1.sel" in notice
    assert "--match local" in notice
    silent = united("(Happy | Grandfather)[0.5]", ONTOLOGY, match="none")
    assert silent.notices("--match {}") == []
    assert silent.kb == union.kb


def test_names_are_joined_under_the_iri_of_the_ontology() -> None:
    for texts in (("(Man | Grandfather)[0.5]", ONTOLOGY), (ONTOLOGY, "(Man | Grandfather)[0.5]")):
        union = united(*texts, match="local")
        assert not any(entity.iri.startswith(BARE_NAMESPACE) for entity in union.kb.signature)
        assert "(fam:Man | fam:Grandfather)[0.5]" in lines(union)
        assert "2 names matched" in union.notices("")[0]


def test_labels_join_names_that_are_spelt_otherwise() -> None:
    ontology = parse_kb("<http://example.org/C7> SubClassOf <http://example.org/C1>")
    labelled = KB(ontology.statements, labels={"http://example.org/C7": "Type 2 diabetes"})
    parts = [Part("a.csv", parse_kb("(Obese | 'type 2 Diabetes')[0.4]")), Part("b.owl", labelled)]
    assert find_twins(parts, "local") == []
    assert "--match label" in unite(parts).notices("--match {}")[0]
    union = unite(parts, "label")
    assert union.kb.label(Name("http://example.org/C7")) == "Type 2 diabetes"
    assert Name("http://example.org/C7") in next(union.kb.conditionals).concepts()


def test_what_one_part_has_twice_is_not_joined() -> None:
    both = "<http://a.org/A> SubClassOf <http://b.org/A>"
    union = united("(B | A)[0.5]", both, match="local")
    assert not union.joined
    assert "one file has several" in union.notices("--match {}")[0]


def test_a_role_is_no_twin_of_a_concept() -> None:
    union = united("(hasParent | A)[0.5]", ONTOLOGY, match="local")
    assert not union.joined


def test_prefixes_with_two_meanings_get_numbers_and_bare_names_stay_bare() -> None:
    first = "Prefix: ex: <http://a.org/>\nPrefix: : <http://d.org/>\nex:A SubClassOf D"
    second = "Prefix: ex: <http://b.org/>\nex:A SubClassOf Bare"
    union = united(first, second)
    assert lines(union) == ["ex:A SubClassOf part1:D", "ex2:A SubClassOf Bare"]
    assert read(Source("all.sel", write(union.kb).encode())) == union.kb


def test_data_are_kept_if_one_part_has_them_under_new_names() -> None:
    patterns = (Pattern(2, (0, 1)), Pattern(2, (0,)))
    data = Population((Name("A"), Name("B")), (), patterns)
    counted = replace(parse_kb("(B | A)[0.5]"), data=data)
    parts = [Part("a", counted), Part("b", parse_kb("<http://a.org/A> SubClassOf owl:Thing"))]
    kb = unite(parts, "local").kb
    assert kb.witness is not None
    assert unite([Part("a", counted), Part("b", counted)]).kb.data is None
