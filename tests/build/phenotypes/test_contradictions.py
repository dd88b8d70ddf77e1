"""The pairwise check finds what the exact reasoner finds."""

from __future__ import annotations

from hypothesis import given, settings

from boxsel.build.phenotypes.annotations import Annotation
from boxsel.build.phenotypes.contradictions import Checked, find_contradictions
from boxsel.build.phenotypes.curation import find
from boxsel.build.phenotypes.ontology import iri
from boxsel.build.phenotypes.stating import SEXES, Stated, state
from boxsel.exact.reasoner import Reasoner
from boxsel.logic.axioms import Inclusion, disjoint
from boxsel.logic.concepts import Name
from boxsel.logic.kb import KB
from tests.build.phenotypes.small import LINKS, annotation, ontology, some_rows
from tests.depth import cases

DISEASE = Name(iri("D:1"))


def knowledge(stated: list[Stated]) -> KB:
    """The statements over the hierarchy."""
    links = (Inclusion(Name(iri(down)), Name(iri(up))) for down, up in LINKS)
    return KB.of(disjoint(*SEXES.values()), *links, *(one.statement for one in stated))


def checked(*rows: Annotation) -> Checked:
    """The contradictions between rows, each on its own."""
    return find_contradictions(state(rows, pool=False)[0], ontology())


@given(some_rows())
@settings(max_examples=cases(150))
def test_a_disease_is_coherent_exactly_if_no_pair_contradicts(rows: list[Annotation]) -> None:
    for close_gaps in (False, True):
        stated, _ = state(rows, close_gaps=close_gaps)
        empty = not Reasoner(knowledge(stated)).satisfiable(DISEASE)
        assert bool(find_contradictions(stated, ontology()).contradictions) == empty


@given(some_rows(("", "Female")))
@settings(max_examples=cases(150))
def test_one_sex_is_empty_if_there_is_a_contradiction(rows: list[Annotation]) -> None:
    stated, _ = state(rows)
    contradictions = find_contradictions(stated, ontology()).contradictions
    reasoner = Reasoner(knowledge(stated))
    whole = [
        contradiction
        for contradiction in contradictions
        if contradiction.kind != "sex" and not contradiction.descendant.sex
    ]
    assert bool(whole) == (not reasoner.satisfiable(DISEASE))
    women = not reasoner.satisfiable(DISEASE & SEXES["Female"])
    if contradictions:
        assert women
    everybody = [one for one in stated if not one.sex]
    tight = any(
        low.lower == high.upper and low is not high for low in everybody for high in everybody
    )
    if not tight:  # else two phenotypes may have to be equally frequent: not checked
        assert women == bool(contradictions)


def test_women_may_differ_from_everybody_but_not_from_none_or_all() -> None:
    for share, given_for_women in (("1/3", "4/5"), ("4/5", "1/3"), ("0%", "0%"), ("100%", "100%")):
        rows = (annotation("T:2", share), annotation("T:2", given_for_women, "Female"))
        assert not checked(*rows).contradictions
    assert checked(annotation("T:2", "0%"), annotation("T:4", "1/3", "Female")).count("sex") == 1
    assert checked(annotation("T:4", "100%"), annotation("T:2", "1/3", "Female")).count("sex") == 1
    assert not checked(annotation("T:2", "100%"), annotation("T:4", "1/3", "Male")).contradictions


def test_pairs_are_counted_once_whatever_the_rows() -> None:
    found = checked(
        annotation("T:5", "4/5"),
        annotation("T:5", "2/4"),
        annotation("T:1", "1/3"),
        annotation("T:2", "25%"),
        annotation("T:2", "80%", "Female"),
    )
    assert found.pairs == 3  # T:5 below T:1 and T:2, T:2 below T:1
    assert found.count("hierarchy") == 2
    assert found.count("rows") == 1
    (worst, *_) = (
        contradiction
        for contradiction in found.contradictions
        if contradiction.ancestor.term == "T:2"
    )
    assert worst.descendant.given == "4/5"
    assert str(worst.gap) == "11/20"


def test_findings_say_which_milder_reading_settles_them() -> None:
    def agree(descendant: str, ancestor: str) -> str:
        found = checked(annotation("T:4", descendant), annotation("T:2", ancestor))
        (finding,) = find(found.contradictions, {"T:4": "Seizure", "T:2": "Sign"})
        assert "Who has Seizure has Sign" in finding.suggestion
        return finding.agree_with

    assert agree("HP:0040281", "HP:0040282") == "closed gaps"
    assert agree("4/5", "2/4") == "95% intervals"
    assert agree("HP:0040281", "HP:0040283") == ""
    assert agree("85%", "1/3") == "95% intervals"
    assert agree("80%", "HP:0040282") == "closed gaps"
    assert agree("80%", "25%") == ""
