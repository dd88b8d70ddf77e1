"""The diary of four new users: what they typed on their first day, and that it works.

An epidemiologist with a spreadsheet, an ontology engineer, an analyst with tables, and an engineer
of knowledge graphs. Each entry failed, or disappointed, once.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pandas as pd
import pytest

import boxsel
from tests.cli.inside import Inside
from tests.workbooks import Cell, xlsx

SURVEY: Sequence[Sequence[Cell]] = [
    ["Health survey 2020, weighted"],
    [],
    ["Condition", "Among", "Prevalence (%)", "n", "N", "Reference"],
    ["Diabetes", "Adult", 9.5, None, None, "PMID:1"],
    ["Type 2 diabetes", "Diabetes", 90, None, None, "PMID:2"],
    ["Smoker", "Type 2 diabetes", None, 112, 800, "PMID:3"],
]
TREE = "Diabetes SubClassOf Adult\n'Type 2 diabetes' SubClassOf Diabetes\n"
ONTOLOGY = """@prefix : <http://example.org/family#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
# Curated since 2009: please keep this line.
<http://example.org/family> a owl:Ontology ; owl:imports <http://example.org/people> .
:Grandfather a owl:Class ; rdfs:subClassOf :Man ; rdfs:label "grandfather"@en .
:Man a owl:Class .
:hasAncestor a owl:ObjectProperty , owl:TransitiveProperty .
"""


@pytest.fixture(autouse=True)
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty folder, with what people had in it."""
    monkeypatch.chdir(tmp_path)
    Path("survey.xlsx").write_bytes(xlsx({"Survey": SURVEY, "Notes": [["made by hand"]]}))
    Path("tree.sel").write_text(TREE)
    Path("family.ttl").write_text(ONTOLOGY)
    Path("shares.csv").write_text("group,of,percent\nGrandfather,Man,20\n")
    rows = ["age;treatment;outcome;seen"]
    for age, treatment, outcome, number in (
        (31, "new", "well", 81), (37, "new", "ill", 6), (44, "old", "well", 234),
        (52, "old", "ill", 36), (66, "new", "well", 192), (71, "new", "ill", 71),
        (79, "old", "well", 55), (85, "old", "k.A.", 1), (85, "old", "ill", 24),
    ):  # fmt: skip
        rows += [f"{age};{treatment};{outcome};2021-0{1 + one % 9}-01" for one in range(number)]
    Path("register.csv").write_text("\n".join(rows))


@pytest.fixture
def boxsel_(capsys: pytest.CaptureFixture[str]) -> Inside:
    return Inside(capsys)


# The epidemiologist.


def test_my_workbook_opens_with_its_title_its_percentages_and_its_names(boxsel_: Inside) -> None:
    done = boxsel_("ask", "survey.xlsx", "('Type 2 diabetes' | Diabetes)")
    assert "= 0.9 (exact)" in done.out
    assert "only the sheet 'Survey' is read, not Notes" in done.said
    assert "Condition is head, Among is body" in done.said


def test_my_spreadsheet_and_the_hierarchy_are_one_knowledge_base(boxsel_: Inside) -> None:
    done = boxsel_("ask", "survey.xlsx", "tree.sel", "(Smoker and 'Type 2 diabetes' | Adult)")
    assert "= 0.01197 (exact)" in done.out  # 9.5 % of 90 % of 14 %
    for source in ("PMID:1", "PMID:2", "PMID:3", "tree.sel"):
        assert f"## source: {source}" in done.out


def test_the_answer_goes_on_a_slide_in_percent(boxsel_: Inside) -> None:
    query = "('Type 2 diabetes' | Adult)"
    done = boxsel_("ask", "survey.xlsx", "tree.sel", query, "--percent", "--plot", "slide.svg")
    assert "= 8.55 % (exact)" in done.out
    assert "viewBox" in Path("slide.svg").read_text("utf-8")


def test_somebody_shows_me_how_a_table_should_look(boxsel_: Inside) -> None:
    boxsel_("template", "mine.csv")
    assert boxsel_("check", "mine.csv").code == 0


def test_thirty_is_not_taken_for_a_share_and_doubt_is_asked_about(boxsel_: Inside) -> None:
    Path("p.csv").write_text("group,of,percent\nA,B,0.5\n")
    assert "say --columns percent=percent, or --columns share=percent" in boxsel_.complaint(
        "ask", "p.csv", "(A | B)"
    )
    assert (
        "= 0.005 (exact)" in boxsel_("ask", "p.csv", "(A | B)", "--columns", "percent=percent").out
    )


def test_the_supplement_has_a_cover_and_headings_in_two_rows(boxsel_: Inside) -> None:
    rows: Sequence[Sequence[Cell]] = [
        ["Condition", "Among", "Prevalence (%)", None, None],
        [None, None, "Estimate", "Lower", "Upper"],
        ["Diabetes", "Adult", "9.5*", 8.9, 10.1],
        ["* weighted", None, None, None, None],
    ]
    Path("supplement.xlsx").write_bytes(xlsx({"Cover": [["Supplement"]], "Table 1": rows}))
    done = boxsel_("ask", "supplement.xlsx", "(Diabetes | Adult)", "--percent")
    assert "is between 8.9 % and 10.1 % (exact)" in done.out
    assert "only the sheet 'Table 1' is read, not Cover" in done.said
    assert "row 4 left out: no number is stated" in done.said


@pytest.mark.parametrize("encoding", ["cp1252", "utf-16", "utf-8-sig"])
def test_my_german_excel_saved_it(boxsel_: Inside, encoding: str) -> None:
    text = "Erkrankung;von;Anteil (%)\nDiabetes;Männer;9,5\n"
    Path("anteile.csv").write_text(text, encoding)
    done = boxsel_("ask", "anteile.csv", "(Diabetes | Männer)")
    assert "= 0.095 (exact)" in done.out
    assert ("read as Windows-1252 (Männer)" in done.said) == (encoding == "cp1252")


def test_which_of_two_groups_is_higher_and_what_to_measure(boxsel_: Inside) -> None:
    Path("two.sel").write_text("(Flu | Young)[0.1, 0.2]\n(Flu | Old)[0.3, 0.5]\n" + TREE)
    done = boxsel_("compare", "two.sel", "(Flu | Old)", "(Flu | Young)", "--plot", "two.svg")
    assert "always higher (exact, certified)" in done.out
    assert "the difference is between 0.1 and 0.4" in done.out
    assert Path("two.svg").exists()
    asked = boxsel_("next", "example:applicant", "(Admitted | Applicant)")
    assert "measuring (DeptA | Admitted) to within ±1 % would narrow it" in asked.out


def test_not_or_and_at_least_are_asked_and_slips_are_understood(boxsel_: Inside) -> None:
    words = ("ask", "survey.xlsx", "tree.sel")
    done = boxsel_(*words, "(not Smoker | 'Type 2 diabetes')")
    assert "= 0.86 (exact)" in done.out
    most = boxsel_(*words, "(at least 2 of (Diabetes, 'Type 2 diabetes') | Adult)", "--percent")
    assert "= 8.55 % (exact)" in most.out
    assert "did you mean 'not'?" in boxsel_.complaint(*words, "(NOT Smoker | Diabetes)")


# The ontology engineer.


def test_my_ontology_gets_shares_and_keeps_everything_else(boxsel_: Inside) -> None:
    assert boxsel_("annotate", "family.ttl", "shares.csv", "-o", "out.ttl").code == 0
    written = Path("out.ttl").read_text()
    assert written.startswith(ONTOLOGY.rstrip())
    assert "0.2" in boxsel_("ask", "out.ttl", "(Grandfather | Man)").out


def test_a_twin_under_another_iri_is_told_and_matched(boxsel_: Inside) -> None:
    words = ("ask", "shares.csv", "family.ttl", "(Grandfather | Man)")
    assert "--match local makes them one" in boxsel_(*words).said
    assert "is 0.2" in boxsel_(*words, "--match", "local").out.replace("=", "is")


def test_names_of_my_only_namespace_need_no_prefix(boxsel_: Inside) -> None:
    done = boxsel_("ask", "family.ttl", "(Man | Grandfather)")
    assert "= 1" in done.out


def test_what_is_no_owl_that_can_be_read_is_named(boxsel_: Inside) -> None:
    Path("family.omn").write_text(
        "Prefix: : <http://example.org/>\nOntology: <http://example.org/f>\n"
    )
    assert "an ontology in Manchester syntax" in boxsel_.complaint("check", "family.omn")
    Path("family.owl").write_text("<!DOCTYPE html>\n<html><body>raw file</body></html>")
    assert "a web page" in boxsel_.complaint("check", "family.owl")


# The analyst.


def test_ages_become_groups_and_missing_marks_are_said(boxsel_: Inside) -> None:
    words = ("build", "table", "register.csv", "--bin", "age=40,65", "--bin", "seen=quarter")
    done = boxsel_(*words, "--depth", "1", "-o", "register.sel")
    assert "taken for missing values: 'k.A.' in outcome" in done.said
    assert "247 of 343" in boxsel_("ask", "register.sel", "('outcome=well' | 'age=65+')").out


def test_my_export_has_names_german_numbers_and_german_dates(boxsel_: Inside) -> None:
    rows = ["name;income;seen;smoker"]
    for n in range(120):
        seen, smoker = f"{1 + n % 28}.{1 + n % 12}.202{n % 2}", "yes" if n % 4 else "unknown"
        rows.append(f"person {n};{1 + n % 3}.200,50;{seen};{smoker}")
    Path("export.csv").write_text("\n".join(rows), "cp1252")
    words = ("build", "table", "export.csv", "--bin", "income=2000,3000", "--bin", "seen=year")
    done = boxsel_(*words, "--depth", "1", "-o", "export.sel")
    assert "name (120)" in done.said
    found = boxsel_("ask", "export.sel", "('income=2000 to <3000' | owl:Thing)").out
    assert "= 1/3" in found
    assert "= 0.5 (exact)" in boxsel_("ask", "export.sel", "('seen=2021' | owl:Thing)").out


def test_simpsons_paradox_is_found_between_age_groups(boxsel_: Inside) -> None:
    done = boxsel_("simpson", "register.csv", "--bin", "age=60", "--outcome", "outcome=well")
    assert "full" in done.out
    assert "age" in done.out


def test_a_data_frame_is_a_knowledge_base_and_back() -> None:
    frame = pd.DataFrame({"head": ["Flu"], "body": ["Adult"], "percent": [8.5]})
    kb = boxsel.read(frame)
    assert str(kb.bounds("(Flu | Adult)").lower) == "17/200"
    assert boxsel.read(kb.to_frame()) == kb


# The engineer of knowledge graphs.


def test_a_graph_that_comes_along_is_built_and_asked_from_anywhere(boxsel_: Inside) -> None:
    assert boxsel_("build", "graph", "example:university", "-o", "university.sel").code == 0
    done = boxsel_("ask", "university.sel", "(teaches some Course | Student)")
    assert done.code == 0
    assert "(exact)" in done.out
