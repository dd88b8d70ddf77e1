"""Choices: refused before any work if they make no sense."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from boxsel.errors import BoxselError
from boxsel.evaluation.ontologies.folder import Entry, write_manifest
from boxsel.evaluation.ontologies.registry import ONTOLOGIES, recipe_of
from boxsel.evaluation.scopes import BUNDLED, Choices
from boxsel.evaluation.splits.variants import VARIANTS
from boxsel.evaluation.studies import STUDIES

BAD: dict[str, dict[str, Any]] = {
    "there is no ontology 'yago': choose one of": {"ontologies": ("small", "yago")},
    "--variant thin: choose one of paper, strict": {"variants": ("paper", "thin")},
    "--study mains: choose one of main, answers": {"studies": ("mains",)},
    "--study: one of main, roles, main is given twice": {"studies": ("main", "roles", "main")},
    "--variant: one of paper, paper is given twice": {"variants": ("paper", "paper")},
    "--ontology: one of small, small is given twice": {"ontologies": ("small", "small")},
    "--seeds must be at least 1, not 0": {"seeds": 0},
    "--seeds must be at most 1000, not 1001": {"seeds": 1001},
    "--members must be at least 1, not -3": {"members": -3},
    "--queries must be at least 1, not 0": {"queries": 0},
    "--trials must be at least 1, not 0": {"trials": 0},
    "--study-seeds must be at least 1, not 0": {"study_seeds": 0},
}


@pytest.mark.parametrize("message", BAD)
@pytest.mark.parametrize("quick", [False, True])
def test_bad_choices(message: str, quick: bool) -> None:
    with pytest.raises(BoxselError, match=f"^{message}"):
        (Choices.fast if quick else Choices)(**BAD[message])


def test_a_whole_run_has_everything_but_the_small_one(tmp_path: Path) -> None:
    whole = Choices()
    assert {*whole.ontologies, BUNDLED} == set(ONTOLOGIES)
    assert whole.variants == tuple(VARIANTS)
    assert whole.studies == STUDIES
    free = Choices.without_data(tmp_path)
    assert {ONTOLOGIES[name].sources for name in free} == {None}
    assert 0 < len(free) < len(whole.ontologies)
    entry = Entry.of(recipe_of("small").build({}), {})
    write_manifest(tmp_path, {"hpo": replace(entry, name="hpo")})
    assert {*Choices.without_data(tmp_path)} == {*free, "hpo"}, "it was counted before"


def test_a_quick_look_has_every_study_and_needs_no_data() -> None:
    quick = Choices.fast()
    assert quick.quick
    assert quick.studies == STUDIES
    assert [ONTOLOGIES[name].sources for name in quick.ontologies] == [None]
    changed = Choices.fast(members=3, variants=("thin-3",))
    assert (changed.members, changed.variants, changed.quick) == (3, ("thin-3",), True)


def test_choices_say_all_of_themselves() -> None:
    spelt = json.loads(json.dumps(Choices.fast(trials=7).to_json()))
    assert set(spelt) == set(Choices.__dataclass_fields__)
    lists = ("ontologies", "variants", "studies")
    again: dict[str, Any] = {
        name: tuple(one) if name in lists else one for name, one in spelt.items()
    }
    assert Choices(**again) == Choices.fast(trials=7)


def test_the_studies_are_about_what_the_paper_has() -> None:
    names = tuple(name for name in ONTOLOGIES if name != BUNDLED)
    scope = Choices().scope(dict.fromkeys(names, "0"))
    kinds = {name.partition("-")[2] for name in scope.studied}
    assert kinds == {"person", "country", "hybrid"}
    assert {name.partition("-")[0] for name in scope.studied} == {"yago", "synthetic"}
    assert set(scope.tuned) == {f"yago-{kind}" for kind in kinds}
    assert scope.few == scope.seeds[: Choices().study_seeds]
    assert not scope.light


@pytest.mark.parametrize("seeds", [1, 2, 9])
def test_any_ontology_is_studied_and_tuned_where_there_is_no_other(seeds: int) -> None:
    scope = Choices.fast(seeds=seeds).scope({"small": "0", "hpo": "1"})
    assert scope.studied == ("small", "hpo")
    assert scope.tuned == ("small",)
    assert scope.seeds == tuple(range(seeds))
    assert set(scope.few) <= set(scope.seeds)
    assert scope.few
