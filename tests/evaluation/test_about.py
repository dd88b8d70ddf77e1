"""What a report says about its run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from boxsel._version import __version__
from boxsel.evaluation import about as module
from boxsel.evaluation.about import PACKAGES, about, split_sizes, versions
from boxsel.evaluation.ontologies.folder import prepared, read_manifest
from boxsel.evaluation.ontologies.synthetic import DRAWINGS, drawn
from boxsel.evaluation.report.parts import RunInfo
from boxsel.evaluation.scopes import Choices
from boxsel.evaluation.splits.variants import splits_of
from boxsel.evaluation.studies import planned
from boxsel.models.settings import Settings
from tests.evaluation.tiny import CHOICES, small


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[int, RunInfo]:
    folder: Path = tmp_path_factory.mktemp("about")
    ontology = prepared(folder, ["small"])["small"]
    entry = read_manifest(folder)["small"]
    scope = CHOICES.scope({"small": ontology.digest()})
    return {
        unfinished: about(
            CHOICES,
            scope,
            [(ontology, entry)],
            devices=["cpu", "gpu: H200"],
            date="2026-01-02",
            unfinished=unfinished,
        )
        for unfinished in (0, 1234)
    }


def test_a_run_can_be_repeated_from_what_is_said(told: dict[int, RunInfo]) -> None:
    info = told[0]
    assert info.date == "2026-01-02"
    assert info.device == "cpu, gpu: H200"
    assert info.seeds == (0,)
    assert info.quick
    settings = json.loads(json.dumps(info.settings))
    lists = ("ontologies", "variants", "studies")
    chosen: dict[str, Any] = {
        name: tuple(one) if name in lists else one for name, one in settings["choices"].items()
    }
    assert Choices(**chosen) == CHOICES
    run = {
        plan.cell.method: plan.work.method.settings
        for plan in planned(CHOICES.scope({"small": "0"}), ["main"])
    }
    for name in ("boxsel", "paper"):
        assert Settings.from_json(settings["methods"]["small"][name]) == run[name]
    (ontology,) = info.ontologies
    assert ontology.digest == small().digest()
    assert ontology.concepts == 12


def test_what_is_not_finished_is_noted(told: dict[int, RunInfo]) -> None:
    assert not any("not finished" in note for note in told[0].notes)
    assert any(note.startswith("1,234 runs are not finished") for note in told[1234].notes)


def test_the_sizes_are_those_of_all_variants(told: dict[int, RunInfo]) -> None:
    wanted = [
        size
        for variant in CHOICES.variants
        for split in splits_of(small(), variant, 0)
        for size in split_sizes(split)
    ]
    assert list(told[0].splits) == wanted
    for variant in CHOICES.variants:
        for split in splits_of(small(), variant, 0):
            mine = [size for size in wanted if (size.variant, size.part) == (variant, split.part)]
            learned = sum(size.learned + size.root for size in mine)
            assert learned == len(split.learning)
            assert sum(size.pairs for size in mine) == len(split.pairs)


def test_the_papers_numbers_stand_beside_those_that_compare() -> None:
    ontology = drawn("synthetic-country", DRAWINGS["synthetic-country"])
    beside = {}
    for variant in ("paper", "strict"):
        for split in splits_of(ontology, variant, 0):
            for size in split_sizes(split):
                beside[variant, size.part, size.shape] = size
    first = beside["paper", "root", "PNF1"]
    assert first.published is not None
    assert (first.learned, first.published.learned) == (638, 638)
    assert (first.pairs, first.published.asked) == (176, 176)
    assert all(one.published is None for key, one in beside.items() if key[0] == "strict")
    assert all(
        one.published is None
        for split in splits_of(small(), "paper", 0)
        for one in split_sizes(split)
    )


def test_versions(monkeypatch: pytest.MonkeyPatch) -> None:
    found = versions()
    assert found["boxsel"] == __version__
    assert {*PACKAGES, "boxsel", "python"} == set(found)
    assert "not installed" not in {found["numpy"], found["jax"]}
    monkeypatch.setattr(module, "PACKAGES", ("no-such-package",))
    assert versions()["no-such-package"] == "not installed"
