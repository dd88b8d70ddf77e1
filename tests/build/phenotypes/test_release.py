"""The figures of a whole release, 2025-01-16, where it is at hand."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import pytest

from boxsel.build.built import Rejects
from boxsel.build.phenotypes.annotations import Annotations, read_annotations
from boxsel.build.phenotypes.building import build_hpo
from boxsel.build.phenotypes.contradictions import find_contradictions
from boxsel.build.phenotypes.ontology import Ontology, read_ontology
from boxsel.build.phenotypes.stating import state
from boxsel.formats.source import load
from boxsel.logic.kb import KB
from boxsel.sampling import Reading, read_counts
from tests.conftest import DataFile


class Release(NamedTuple):
    """What the files say, row by row, whatever the sex."""

    ontology: Ontology
    found: Annotations


@pytest.fixture(scope="module")
def release(data: DataFile) -> Release:
    rejects = Rejects(strict=True)
    ontology = read_ontology(load(data("hpo/hp_isa.tsv.gz")), None, rejects)
    rows = [load(data("hpo/hpoa_frequencies.tsv.gz"))]
    return Release(ontology, read_annotations(rows, ontology, rejects, ignore_sex=True))


def test_counts_as_points_and_official_intervals(release: Release) -> None:
    assert (len(release.found.names), release.found.renamed) == (10_003, 54)
    assert len(release.found.rows) == 201_007
    stated, several = state(release.found.rows, pool=False)
    assert (several.pairs, several.apart) == (354, 234)
    checked = find_contradictions(stated, release.ontology)
    assert checked.pairs == 25_014
    assert (checked.count("hierarchy"), checked.count("rows")) == (3_066, 234)
    below = {
        contradiction.disease
        for contradiction in checked.contradictions
        if contradiction.kind == "hierarchy"
    }
    assert len(below) == 1_569


def test_confidence_intervals_and_closed_gaps(release: Release) -> None:
    stated, _ = state(release.found.rows, pool=False, close_gaps=True)
    kb, _ = read_counts(KB(tuple(one.statement for one in stated)), Reading("0.95"))
    intervals = [replace(one, statement=now) for one, now in zip(stated, kb, strict=True)]
    assert find_contradictions(intervals, release.ontology).count("hierarchy") == 429


def test_a_disease_of_the_release_is_coherent_after_its_repair(data: DataFile) -> None:
    built = build_hpo(
        data("hpo/hp_isa.tsv.gz"),
        data("hpo/hpoa_frequencies.tsv.gz"),
        labels=data("hpo/hp_labels.tsv.gz"),
        diseases=["15q26 overgrowth syndrome"],
        check=True,
        repair=True,
    )
    assert built.report.checked is not None
    (contradiction,) = built.report.checked.contradictions
    assert (contradiction.descendant.given, contradiction.ancestor.given) == ("4/5", "3/16")
    answer = built.kb.bounds("(hasPhenotype some 'Abnormal toe morphology' | DECIPHER:81)")
    assert answer.status == "bounded"
