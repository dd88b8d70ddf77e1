"""What is planned: every run is one that can be made, and no two are taken for the same."""

from __future__ import annotations

from collections import Counter, defaultdict

import pytest

from boxsel.errors import BoxselError
from boxsel.evaluation.cells import COUNTS, Work, counts_for
from boxsel.evaluation.methods import BASELINES
from boxsel.evaluation.ontologies.registry import ONTOLOGIES
from boxsel.evaluation.scopes import Choices
from boxsel.evaluation.splits.variants import VARIANTS
from boxsel.evaluation.studies import STUDIES, TUNING_SEED, Planned, Scope, planned


def scope(quick: bool, members: int = 60) -> Scope:
    if quick:
        return Choices.fast(members=members).scope({"small": "0"})
    digests = {name: str(place) for place, name in enumerate(ONTOLOGIES)}
    return Choices(members=members).scope(digests)


@pytest.fixture(params=[True, False], ids=["quick", "whole"], scope="module")
def everything(request: pytest.FixtureRequest) -> tuple[Scope, list[Planned]]:
    found = scope(request.param)
    return found, planned(found, STUDIES)


def test_every_run_can_be_made(everything: tuple[Scope, list[Planned]]) -> None:
    whole, cells = everything
    for cell in cells:
        work, settings = cell.work, cell.work.method.settings
        assert work.digest == whole.digests[work.ontology]
        assert work.variant in VARIANTS
        assert (work.ontology, work.variant, work.seed) == (
            cell.cell.ontology,
            cell.cell.variant,
            cell.cell.seed,
        )
        costly = work.method.directed > 0 or work.method.seconds is not None
        assert (work.sample is not None) == costly
        if work.method.seconds is not None:
            assert settings is None
            assert cell.reading in (0, "outer")
        elif settings is None:
            assert work.method.name in BASELINES
            assert cell.reading == 0
        else:
            assert settings.seed == work.seed
            assert cell.reading == "kept" or cell.reading in counts_for(settings.members)
            assert work.method.directed <= settings.members


@pytest.mark.parametrize("members", [1, 3, 15])
@pytest.mark.parametrize("quick", [True, False])
def test_few_members_can_be_directed(members: int, quick: bool) -> None:
    directed = [
        plan.work.method
        for plan in planned(scope(quick, members), ["presets"])
        if plan.work.method.directed
    ]
    assert directed
    for method in directed:
        assert method.settings is not None
        assert method.directed <= method.settings.members == members


def test_no_two_works_share_a_key(everything: tuple[Scope, list[Planned]]) -> None:
    by_key: dict[str, set[Work]] = defaultdict(set)
    for plan in everything[1]:
        by_key[plan.work.key].add(plan.work)
    assert all(len(works) == 1 for works in by_key.values())
    assert max(Counter(one.cell for one in everything[1]).values()) == 1


def test_the_tuning_split_is_in_no_other_study(everything: tuple[Scope, list[Planned]]) -> None:
    for plan in everything[1]:
        assert (plan.cell.study == "tuning") == (plan.work.seed == TUNING_SEED)
    assert TUNING_SEED not in everything[0].seeds


def test_studies_share_the_runs_of_the_main_table(everything: tuple[Scope, list[Planned]]) -> None:
    whole, cells = everything
    main = {cell.work for cell in cells if cell.cell.study == "main"}
    members = [cell for cell in cells if cell.cell.study == "members"]
    assert {member.work for member in members} <= main
    assert {member.cell.setting for member in members} == {*map(str, counts_for(whole.members))}
    assert whole.members < 60 or set(COUNTS) <= {member.reading for member in members}
    compared = [cell for cell in cells if cell.cell.study in ("presets", "roles", "regularisers")]
    again = {plan.cell.setting for plan in compared if plan.work in main}
    assert {"paper", "ours, random", "affine", "both"} <= again


def test_studies_change_one_thing_at_a_time(everything: tuple[Scope, list[Planned]]) -> None:
    """Runs of one study and method differ in the setting that the study is about, and no other."""
    varies = {"epochs": "epochs", "concepts": "representation", "roles": "roles"}
    groups = defaultdict(list)
    for plan in everything[1]:
        if plan.cell.study in varies:
            place = plan.cell.study, plan.cell.ontology, plan.cell.seed, plan.cell.method
            assert plan.work.method.settings is not None
            groups[place].append(plan.work.method.settings.to_json())
    assert {method for _, _, _, method in groups} == {"boxsel", "paper"}
    for (study, *_), settings in groups.items():
        differing = {
            key for key in settings[0] if len({str(setting[key]) for setting in settings}) > 1
        }
        assert differing == {varies[study]}
        assert {setting["polish"] for setting in settings} <= {"never", "near"}
    # The paper's preset has no last phase, and neither have balls: `near` is never reached there.
    last = {
        content["polish"]
        for (*_, method), all_ in groups.items()
        for content in all_
        if method == "boxsel"
    }
    assert last == {"never"}


def test_presets_are_compared_on_the_same_queries(
    everything: tuple[Scope, list[Planned]],
) -> None:
    whole, cells = everything
    for cell in cells:
        sampled = cell.cell.study in ("presets", "answers")
        assert cell.sample == (whole.pushed if sampled else None)


def test_answers_stand_beside_baselines_and_ensembles(
    everything: tuple[Scope, list[Planned]],
) -> None:
    whole, cells = everything
    plans = [cell for cell in cells if cell.cell.study == "answers"]
    assert {plan.cell.ontology for plan in plans} == set(whole.digests)
    assert {plan.cell.variant for plan in plans} == {*whole.answered_variants} & {*whole.variants}
    settings = {plan.cell.setting for plan in plans}
    for seconds in whole.patience:
        assert {f"ask, {seconds:g} s", f"ask, {seconds:g} s, outer"} <= settings
    assert {*BASELINES, "boxsel, random members"} <= settings
    main = {cell.work for cell in cells if cell.cell.study == "main"}
    assert all(plan.work in main for plan in plans if plan.work.method.seconds is None)


def test_every_study_varies_something(everything: tuple[Scope, list[Planned]]) -> None:
    settings = defaultdict(set)
    for plan in everything[1]:
        settings[plan.cell.study].add(plan.cell.setting)
    assert set(settings) == set(STUDIES)
    assert settings.pop("main") == {""}
    assert all(len(setting) > 1 and "" not in setting for setting in settings.values())


def test_the_main_table_has_all_methods() -> None:
    whole = scope(quick=False)
    found = defaultdict(set)
    for plan in planned(whole, ["main"]):
        found[plan.cell.ontology, plan.cell.variant, plan.cell.seed].add(plan.cell.method)
    assert len(found) == len(whole.digests) * len(whole.variants) * len(whole.seeds)
    for (_, variant, _), methods in found.items():
        papers = {"paper", "paper step"} if variant == "paper" else set()
        ours = {"boxsel", "populations"}
        assert methods == {*BASELINES, *ours, *(f"{name} kept" for name in ours)} | papers


def test_studies_come_in_their_own_order_and_must_be_known() -> None:
    whole = scope(quick=True)
    some = planned(whole, ["tuning", "main"])
    assert some == [*planned(whole, ["main"]), *planned(whole, ["tuning"])]
    with pytest.raises(
        BoxselError, match="there is no study 'sizes': choose one of main, answers, members"
    ):
        planned(whole, ["main", "sizes"])
