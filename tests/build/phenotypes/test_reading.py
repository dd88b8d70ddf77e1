"""Files of the ontology and of annotations are read, and what is wrong in them is said."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from boxsel.build.built import Rejects
from boxsel.build.phenotypes.annotations import Annotations, read_annotations
from boxsel.build.phenotypes.building import build_hpo
from boxsel.build.phenotypes.ontology import Ontology, read_ontology
from boxsel.errors import BoxselError, ReadError
from boxsel.formats.source import Source
from tests.build.phenotypes.small import ontology, row, write_files

OBO = """format-version: 1.4

[Term]
id: HP:1
name: All

[Term]
id: HP:2
name: Seizure {source="x"} ! remark
alt_id: HP:20
is_a: HP:1 {is_inferred="true"} ! All
is_a: HP:1 ! again
is_a: HP:9 {gci_relation="part_of", gci_filler="HP:1"} ! in one part only

[Term]
id: HP:3
name: obsolete Fit
is_a: HP:1
is_obsolete: true
replaced_by: HP:20

[Term]
id: HP:4
name: obsolete Thing
is_obsolete: true

[Typedef]
id: part_of
is_a: HP:1
"""


def _ontology(text: str, file: str = "hp.obo", labels: str | None = None) -> Ontology:
    given = None if labels is None else Source("labels.tsv", labels.encode())
    return read_ontology(Source(file, text.encode()), given, Rejects())


def _annotations(text: str, rejects: Rejects | None = None) -> Annotations:
    source = Source("rows.tsv", text.encode())
    return read_annotations([source], ontology(), rejects or Rejects())


def test_an_obo_file_gives_live_terms_labels_and_former_identifiers() -> None:
    found = _ontology(OBO)
    assert found.parents == {"HP:1": (), "HP:2": ("HP:1",)}
    assert found.labels == {"HP:1": "All", "HP:2": "Seizure"}
    assert [found.current(one) for one in ("HP:2", "HP:20", "HP:3", "HP:4", "HP:5")] == [
        "HP:2",
        "HP:2",
        "HP:2",
        None,
        None,
    ]
    assert found.obsolete == {"HP:3", "HP:4"}


def test_tables_of_links_and_labels_give_the_same_hierarchy() -> None:
    found = _ontology("child\tparent\nHP:2\tHP:1\n", "isa.tsv", "HP:1\tAll\nHP:2\tSeizure\n")
    assert found.parents == {"HP:2": ("HP:1",), "HP:1": ()}
    assert found.labels == _ontology(OBO).labels


def test_circles_end() -> None:
    found = _ontology("HP:1\tHP:2\nHP:2\tHP:3\nHP:3\tHP:1\nHP:4\tHP:1\n", "isa.tsv")
    assert found.ancestors("HP:1") == {"HP:2", "HP:3"}
    assert found.circular(found.parents) == ("HP:1", "HP:2", "HP:3")
    assert Ontology({}, {}, {"HP:1": "HP:2", "HP:2": "HP:1"}).current("HP:1") is None


@pytest.mark.parametrize(
    ("text", "file", "problem"),
    [
        ("", "hp.obo", "no terms"),
        ("[Term]\nname: x\n", "hp.obo", "hp.obo:1: this term has no identifier"),
        ("a,b,c\n", "isa.tsv", "isa.tsv:1: found 1 columns"),
        ("a\tb\tc\n", "isa.tsv", "isa.tsv:1: found 3 columns"),
    ],
)
def test_what_is_no_ontology_is_refused(text: str, file: str, problem: str) -> None:
    with pytest.raises(ReadError, match=problem):
        _ontology(text, file)


def test_the_three_tables_say_the_same() -> None:
    official = row("D:1", "T:2", "1/4", sex="female") + "\n" + row("D:1", "T:3", qualifier="NOT")
    seven = "D:1\tDisease one\tT:2\t1/4\t\tFEMALE\tPMID:1\n"
    five = "D:1\tDisease one\tT:3\tNOT\tPMID:1\n"
    header = "database_id\tdisease_name\tqualifier\thpo_id\treference\tevidence\tonset\tfrequency"
    header += "\tsex\tmodifier\taspect\tbiocuration\n"
    rows = _annotations(official).rows
    assert len(rows) == 2
    assert _annotations(seven).rows + _annotations(five).rows == rows
    assert _annotations("#comment\r\n" + header + official + "\r\n").rows == rows


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (row("D:1", "T:2", "5/4"), "numerator is above"),
        (row("D:1", "T:2", "0/0"), "share of 0 patients"),
        (row("D:1", "T:2", "often"), "neither one of the six"),
        (row("D:1", "T:7", "1/4"), "the ontology has no such HPO term"),
        (row("D:1", "T:2", "1/4", sex="X"), "neither MALE nor FEMALE"),
        (row("D:1", "T:2", "1/4", qualifier="not"), "neither NOT nor empty"),
        (row("D:1", "T:2", "1/4", qualifier="NOT"), "gives a frequency above 0"),
        (row("D 1", "T:2", "1/4"), "the disease is not an identifier"),
        (row("T:1", "T:2", "1/4"), "the disease is a term of the ontology"),
        ("D:1\tx\tT:2", "there are 3 columns, expected 12"),
    ],
)
def test_rows_that_cannot_be_used_are_counted_with_the_reason(line: str, reason: str) -> None:
    rejects = Rejects()
    text = f"{row('D:1', 'T:1', '1/2')}\n{line}\n{line}\n"
    assert len(_annotations(text, rejects).rows) == 1
    (rejected,) = rejects.listed()
    assert reason in rejected.reason
    assert rejected.count == 2
    assert rejected.examples[0].startswith("rows.tsv:2: ")
    with pytest.raises(ReadError, match=f"rows.tsv:2: .*{reason}"):
        _annotations(text, Rejects(strict=True))


def test_rows_without_a_frequency_state_nothing_but_can_be_asked_about(tmp_path: Path) -> None:
    files = write_files(
        tmp_path, row("D:1", "T:2", "1/4"), row("D:1", "T:5"), row("D:1", "T:1", aspect="I")
    )
    built = build_hpo(*files)
    assert built.report.rows.without_frequency == 1
    assert built.report.rows.other_aspects == 1
    assert len(list(built.kb.conditionals)) == 1
    bounds = built.kb.bounds("(hasPhenotype some T:5 | D:1)")
    assert (bounds.lower, bounds.upper) == (Fraction(0), Fraction(1, 4))


def test_not_with_a_sample_keeps_the_sample() -> None:
    (only,) = _annotations(row("D:1", "T:2", "0/12", qualifier="NOT")).rows
    assert only.given == "NOT 0/12"
    assert str(only.frequency) == "[0 of 12]"


def test_former_identifiers_are_replaced_and_reported(tmp_path: Path) -> None:
    path = tmp_path / "hp.obo"
    path.write_text(OBO, "utf-8")
    _, found = write_files(tmp_path, row("D:1", "HP:20", "1/4"), row("D:1", "HP:3", "1/4"))
    built = build_hpo(path, found)
    assert built.report.replaced == {("HP:20", "HP:2"): 1, ("HP:3", "HP:2"): 1}
    assert "HP:20 → HP:2" in built.report.text
    (only,) = built.kb.conditionals
    assert only.text(built.kb.prefixes) == "(hasPhenotype some HP:2 | D:1)[1 of 4]"


def test_diseases_are_chosen_by_identifier_or_name(tmp_path: Path) -> None:
    files = write_files(
        tmp_path,
        row("D:1", "T:2", "1/4", name="First"),
        row("D:2", "T:2", "1/4", name="Second"),
        row("D:2", "T:2", "broken", name="Second"),
        row("D:3", "T:2", "1/4", name="second"),
    )
    built = build_hpo(*files, diseases=["first"], strict=True)  # the broken row is another's
    assert built.report.diseases == 1
    assert built.report.labels["D:1"] == "First"
    assert build_hpo(*files, diseases=["D:2", "D:1"]).report.rejected[0].count == 1
    with pytest.raises(BoxselError, match=r"several diseases are called 'second': .*D:2, D:3"):
        build_hpo(*files, diseases=["second"])
    with pytest.raises(BoxselError, match=r"no row is about the disease 'firsst'\n.*mean first"):
        build_hpo(*files, diseases=["firsst"])


def test_a_file_of_something_else_is_refused(tmp_path: Path) -> None:
    links, path = write_files(tmp_path)
    with pytest.raises(BoxselError, match="there is no row to use"):
        build_hpo(links, path)
    with pytest.raises(
        ReadError, match=r"isa.tsv:1: found 2 columns(.|\n)*expected phenotype.hpoa"
    ):
        build_hpo(links, links)
