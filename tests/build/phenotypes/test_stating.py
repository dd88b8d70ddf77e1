"""Rows about one phenotype of one disease become statements."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given

from boxsel.build.phenotypes.annotations import Annotation
from boxsel.build.phenotypes.building import build_hpo
from boxsel.build.phenotypes.stating import state
from boxsel.logic.axioms import Disjointness
from boxsel.logic.proportions import Count
from boxsel.syntax.parser import parse_kb
from tests.build.phenotypes.small import annotation, row, some_rows, write_files


def test_counts_are_added_up_and_the_note_says_so() -> None:
    (only,), several = state(
        [annotation("T:2", "1/4"), annotation("T:2", "2/3", reference="PMID:2")]
    )
    assert only.statement.text().endswith(
        "[3 of 7]  ## source: PMID:1; PMID:2"
        "  ## comment: pooled from 1/4 + 2/3, 2 rows of 2 references"
    )
    assert (several.pairs, several.apart, several.pooled, several.kept) == (1, 1, 1, 0)


def test_other_rows_are_kept_side_by_side() -> None:
    rows = [annotation("T:2", "1/4"), annotation("T:2", "HP:0040281"), annotation("T:2", "1/4")]
    stated, several = state(rows)
    assert [str(one.bounds) for one in stated] == ["[0.25]", "[0.8, 0.99]"]
    assert (several.pairs, several.apart, several.pooled, several.kept) == (1, 1, 0, 1)
    assert several.repeated == 1


def test_equal_frequencies_are_one_statement_with_both_references() -> None:
    rows = [annotation("T:2", "HP:0040281"), annotation("T:2", "HP:0040281", reference="PMID:2")]
    (only,), several = state(rows)
    assert only.source == "PMID:1; PMID:2"
    assert (several.apart, several.kept) == (0, 0)


@given(some_rows(("", "Female", "Male"), most=10))
def test_nothing_is_lost(rows: list[Annotation]) -> None:
    for pool in (True, False):
        stated, several = state(rows, pool=pool)
        assert {(one.sex, one.term) for one in rows} == {(one.sex, one.term) for one in stated}
        assert pool or not several.pooled
        counted = sum(one.frequency.total for one in set(rows) if isinstance(one.frequency, Count))
        kept = sum(one.frequency.total for one in stated if isinstance(one.frequency, Count))
        if pool and not several.kept:
            assert kept == counted


def test_the_knowledge_base_says_what_the_rows_say(tmp_path: Path) -> None:
    files = write_files(
        tmp_path,
        row("OMIM:1", "T:4", "HP:0040283", reference=""),
        row("OMIM:1", "T:2", "3/4", sex="FEMALE"),
        row("OMIM:1", "T:3", qualifier="NOT", reference=""),
    )
    kb = build_hpo(*files).kb
    assert kb == parse_kb(
        """
        Prefix: T: <https://bioregistry.io/t:>
        Prefix: OMIM: <https://omim.org/entry/>
        Label: OMIM:1 "Disease one"
        T:2 SubClassOf T:1
        T:3 SubClassOf T:1
        T:4 SubClassOf T:2
        T:4 SubClassOf T:3
        DisjointClasses: Female, Male
        (hasPhenotype some T:3 | OMIM:1)[0]  ## comment: NOT
        (hasPhenotype some T:4 | OMIM:1)[0.05, 0.29]  ## comment: Occasional (HP:0040283)
        (hasPhenotype some T:2 | OMIM:1 and Female)[3 of 4]  ## source: PMID:1
        """
    )
    everyone = build_hpo(*files, ignore_sex=True).kb
    assert not list(everyone.axioms_of(Disjointness))
    assert "(hasPhenotype some T:2 | OMIM:1)[3 of 4]" in {
        conditional.text(everyone.prefixes) for conditional in everyone.conditionals
    }


def test_only_what_the_diseases_need_is_kept_of_the_ontology(tmp_path: Path) -> None:
    files = write_files(tmp_path, row("D:1", "T:2", "1/4"))
    small, whole = build_hpo(*files), build_hpo(*files, whole_ontology=True)
    assert (small.report.terms, small.report.terms_used, small.report.inclusions) == (5, 2, 1)
    assert whole.report.terms_used == 5
    query = "(hasPhenotype some T:1 | D:1)"
    assert small.kb.bounds(query).lower == whole.kb.bounds(query).lower
