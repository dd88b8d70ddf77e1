"""The manifest: what it says of an ontology, and what is no manifest."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given

from boxsel.errors import BoxselError
from boxsel.evaluation.ontologies.folder import (
    MANIFEST,
    Entry,
    read_manifest,
    write_manifest,
)
from tests.evaluation.populations import Counting, countings


@given(countings())
def test_an_entry_counts_the_conditionals(counting: Counting) -> None:
    ontology = counting.ontology
    entry = Entry.of(ontology, {"facts.tsv": "0" * 64})
    assert sum(entry.listed.values()) == len(ontology.listed())
    assert sum(entry.defined.values()) == int((ontology.listed().total > 0).sum())
    assert entry.population == len(counting.population.members)


def test_a_manifest_is_read_as_it_was_written(tmp_path: Path) -> None:
    assert read_manifest(tmp_path) == {}
    entry = Entry("small", "words with ∃", "ab", 2, 2, 1, None, 9, {"PNF1": 2}, {"PNF1": 1}, {})
    write_manifest(tmp_path, {"small": entry})
    assert read_manifest(tmp_path) == {"small": entry}
    assert json.loads((tmp_path / MANIFEST).read_text("utf-8"))["ontologies"]["small"]["roles"] == 1


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{", "null", '{"manifest": 1}', '{"manifest": 1, "ontologies": {"x": {"y": 1}}}',
     '{"manifest": 1, "ontologies": []}'],
)  # fmt: skip
def test_other_files_are_no_manifests(tmp_path: Path, text: str) -> None:
    (tmp_path / MANIFEST).write_text(text)
    with pytest.raises(BoxselError, match="not a manifest"):
        read_manifest(tmp_path)


@pytest.mark.parametrize(
    ("key", "value"),
    [("listed", 7), ("defined", {"PNF1": None}), ("population", "9"), ("digest", 0),
     ("sources", []), ("sources", {"facts.tsv": 1})],
)  # fmt: skip
def test_what_an_entry_says_has_its_kind(tmp_path: Path, key: str, value: object) -> None:
    entry = Entry("small", "words", "ab", 2, 2, 1, None, 9, {"PNF1": 2}, {"PNF1": 1}, {})
    write_manifest(tmp_path, {"small": replace(entry, **{key: value})})  # type: ignore[arg-type]
    with pytest.raises(BoxselError, match="not a manifest"):
        read_manifest(tmp_path)


def test_a_folder_with_an_impossible_name(tmp_path: Path) -> None:
    with pytest.raises(BoxselError, match="cannot be read: File name too long"):
        read_manifest(tmp_path / ("x" * 300))


def test_a_manifest_of_another_version_is_refused(tmp_path: Path) -> None:
    (tmp_path / MANIFEST).write_text('{"manifest": 2, "ontologies": {}}')
    with pytest.raises(BoxselError, match="another version"):
        read_manifest(tmp_path)
