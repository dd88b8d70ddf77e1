"""What is in the report: numbers beside the paper's, failures, and what is left out."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxsel.evaluation.published import published_quality
from boxsel.evaluation.records import Cell, Effort, Quality, Results
from boxsel.evaluation.report import RunInfo
from boxsel.evaluation.report.aggregate import Runs, Spread, Summary
from boxsel.evaluation.report.main import verdicts
from boxsel.evaluation.report.parts import Compared, Points, Report, Section, Table
from boxsel.evaluation.report.spelling import markdown
from boxsel.evaluation.report.tuning import hyperparameters
from boxsel.evaluation.report.writing import composed
from tests.evaluation.report_data import REASON, STUDIES, info, made_up

EMPTY = RunInfo("An empty run", "2026-11-15")
CELL = Cell("main", "yago3-person", "paper", 0, "boxsel")


def report_of(results: Results) -> Report:
    return composed(results, info(results))


def section(report: Report, key: str) -> Section:
    (found,) = (one for one in report.sections if one.key == key)
    return found


def left_out(report: Report) -> tuple[str, ...]:
    (points,) = section(report, "left-out").blocks
    assert isinstance(points, Points)
    return points.items


def table(report: Report, key: str) -> Table:
    (found,) = (one for one in report.tables if one.key == key)
    return found


def column(found: Table, key: str) -> list[object]:
    place = [one.key for one in found.columns].index(key)
    return [row[place] for row in found.rows]


def quality(cell: Cell, soundness: float, error: float, gap: float) -> Quality:
    return Quality(cell, "total", "pmp", 100, 0, 100, soundness, error, gap, 0.7, 0.5)


@pytest.fixture(scope="module")
def results() -> Results:
    return made_up(seeds=2, failing=0.1)


@pytest.fixture(scope="module")
def report(results: Results) -> Report:
    return report_of(results)


def test_keys_of_tables_charts_and_sections_are_different(report: Report) -> None:
    for parts in (report.tables, report.charts, report.sections):
        keys = [part.key for part in parts]
        assert len(set(keys)) == len(keys)


def test_every_table_says_against_what_and_over_how_many_seeds(report: Report) -> None:
    for one in report.tables:
        assert one.basis.endswith(".")
        if one.key.startswith(("main", "shapes", "members", "epochs", "concepts", "roles")):
            assert "PMP intervals and exact intervals" in one.basis
            assert "over 2 seeds (0, 1)" in one.basis


def test_the_papers_variant_comes_first(report: Report) -> None:
    keys = [one.key for one in report.tables]
    assert keys[:4] == ["main-paper", "main-strict", "main-thin-3", "main-thin-20"]
    assert keys[4] == "telling"


def test_baselines_are_told_beside_what_they_can_hardly_miss() -> None:
    """The share of pairs whose interval is [0, 1], and the soundness of every method there."""
    every = [quality(replace(CELL, method=name), 0.9, 0.01, 0.2) for name in ("random", "boxsel")]
    told = [replace(one, shape="informative", items=25, soundness=0.6) for one in every]
    found = table(report_of(Results((*every, *told))), "telling")
    (share,) = column(found, "open")
    assert isinstance(share, Spread)
    assert share.mean == 0.75
    for key in ("sa_random", "sa_boxsel"):
        (mean,) = column(found, key)
        assert isinstance(mean, Spread)
        assert mean.mean == pytest.approx(0.9)
    nothing = [one for one in every if one.cell.method == "boxsel"]
    (whole,) = column(table(report_of(Results((*nothing,))), "telling"), "open")
    assert isinstance(whole, Spread)
    assert whole.mean == 1.0, "no pair says anything"


def test_main_means_are_those_of_the_records(results: Results, report: Report) -> None:
    found = table(report, "main-thin-3")
    for ontology, method, cell in zip(
        column(found, "ontology"), column(found, "method"), column(found, "ag_exact"), strict=True
    ):
        if method != "BoxSEL (ours)":
            continue
        gaps = [
            one.gap
            for one in results.qualities
            if one.cell.study == "main"
            and (one.cell.ontology, one.cell.variant) == (ontology, "thin-3")
            and (one.cell.method, one.truth, one.shape) == ("boxsel", "exact", "total")
        ]
        assert isinstance(cell, Compared)
        assert isinstance(cell.ours, Spread)
        assert cell.ours.mean == pytest.approx(sum(gaps) / len(gaps))
        assert cell.ours.seeds == len(gaps) == 2


def test_the_papers_numbers_are_beside_ours_under_its_own_protocol_alone(report: Report) -> None:
    for one in report.tables:
        if one.key.startswith("main"):
            beside = [cell for cell in column(one, "ag_pmp") if isinstance(cell, Compared)]
            known = sum(cell.published is not None for cell in beside)
            assert known == (15 if one.key == "main-paper" else 0)
            exact = [cell for cell in column(one, "ag_exact") if isinstance(cell, Compared)]
            assert all(cell.published is None for cell in exact)


def test_every_failure_is_shown_with_its_reason(results: Results, report: Report) -> None:
    failed = [effort.cell for effort in results.efforts if effort.reason]
    assert failed
    found = table(report, "failures")
    assert len(found.rows) == len(failed)
    assert set(column(found, "reason")) == {REASON}
    assert f"{len(failed)} of {len(results.efforts)} cells" in report.warning
    told = sum(
        len(runs.failures)
        for one in report.tables
        if one.key not in ("runtime", "failures") and any(c.key == "runs" for c in one.columns)
        for runs in column(one, "runs")
        if isinstance(runs, Runs)
    )
    assert told == len(failed)
    assert f"failed 1 of 2: {REASON}" in markdown(report)


@given(st.floats(0, 1), st.floats(0, 1), st.floats(0, 1))
def test_verdicts_say_where_we_are_better_and_where_not(
    soundness: float, error: float, gap: float
) -> None:
    (sentence,) = verdicts(Summary(Results((quality(CELL, soundness, error, gap),))))
    theirs = published_quality("main", "Person", "boxsel")
    assert theirs is not None
    # What is compared is what was printed: three digits.
    signs = {
        "SA": round(soundness, 3) - theirs.soundness,
        "SE": theirs.error - round(error, 3),
        "AG": theirs.gap - round(gap, 3),
    }
    parts = sentence.split("not better in")
    for word, sign in signs.items():
        behind = len(parts) > 1 and f"{word} (" in parts[1]
        assert behind == (sign < -1e-9)
        assert f"{word} (" in sentence


def test_a_verdict_names_failures_and_what_exact_intervals_allow() -> None:
    pmp = quality(CELL, 0.95, 0.001, 0.4)
    exact = replace(pmp, truth="exact", width=0.3, gap=0.05)
    failed = Effort(CELL, None, None, 60, 0, 0, None, 0, 0, 0, 0, "CPU", "out of memory")
    (sentence,) = verdicts(Summary(Results((pmp, exact), (failed,))))
    assert "not better in AG" in sentence
    assert "failed 1 of 1: out of memory" in sentence
    assert "against the exact ones AG is 0.050" in sentence


def test_without_the_papers_ontologies_there_is_no_verdict() -> None:
    found = report_of(made_up(seeds=1, ontologies=("hpo",), studies=(), failing=0))
    assert not [block for block in section(found, "main").blocks if isinstance(block, Points)]


def test_what_was_not_run_is_left_out_and_named() -> None:
    report = composed(Results(), EMPTY)
    titles = {item.partition(":")[0] for item in left_out(report)}
    assert {"Main results", "Tuning", "Regularisers", "Splits", "Runtime"} <= titles
    assert not report.charts


@pytest.mark.parametrize("study", STUDIES)
def test_a_study_that_was_run_is_not_left_out(study: str) -> None:
    given_results = made_up(seeds=1, ontologies=("hpo",), variants=("paper",), failing=0)
    chosen = Results(
        tuple(one for one in given_results.qualities if one.cell.study == study),
        tuple(effort for effort in given_results.efforts if effort.cell.study == study),
    )
    report = report_of(chosen)
    assert section(report, study)
    # Besides this study the sizes of splits are known.
    assert len(left_out(report)) == len(left_out(composed(Results(), EMPTY))) - 2


def test_a_quick_run_says_so(results: Results) -> None:
    assert "quick run" in composed(results, info(results, quick=True)).warning
    assert "quick run" not in composed(results, info(results)).warning


def test_rows_that_were_asked_other_things_are_not_ranked(report: Report) -> None:
    found = table(report, "presets")
    cells = [cell for cell in column(found, "ag_exact") if isinstance(cell, Compared)]
    assert not any(cell.best for cell in cells)
    assert all("rows differ" in text for text in found.about_groups.values())
    assert {"queries", "pairs"} <= {found.columns[place].key for place in found.visible}


def test_the_best_of_each_group_is_marked(report: Report) -> None:
    found = table(report, "regularisers")
    groups: dict[object, list[Compared]] = {}
    for name, cell in zip(column(found, "ontology"), column(found, "sa_exact"), strict=True):
        assert isinstance(cell, Compared)
        groups.setdefault(name, []).append(cell)
    for cells in groups.values():
        means = [cell.ours.mean for cell in cells if cell.ours]
        best = [cell.ours.mean for cell in cells if cell.best and cell.ours]
        assert best == [max(means)]


def test_the_best_configuration_has_the_least_score(report: Report) -> None:
    found = table(report, "tuning")
    rows: dict[object, list[tuple[float, object]]] = {}
    for name, score, chosen in zip(
        column(found, "ontology"), column(found, "score"), column(found, "chosen"), strict=True
    ):
        assert isinstance(score, Spread)
        rows.setdefault(name, []).append((score.mean, chosen))
    for scores in rows.values():
        assert [chosen for _, chosen in sorted(scores, key=lambda one: one[0])] == [
            "best", *[""] * (len(scores) - 1),
        ]  # fmt: skip


def test_sensitivity_varies_one_hyperparameter_around_the_best(report: Report) -> None:
    configurations, found = table(report, "tuning"), table(report, "tuning-sensitivity")
    scores = {
        (name, setting): score.mean
        for name, setting, score in zip(
            column(configurations, "ontology"),
            column(configurations, "configuration"),
            column(configurations, "score"),
            strict=True,
        )
        if isinstance(score, Spread)
    }
    for name, varied, mean in zip(
        column(found, "ontology"), column(found, "hyperparameter"), column(found, "mean"),
        strict=True,
    ):  # fmt: skip
        mine = {setting: score for (owner, setting), score in scores.items() if owner == name}
        best = hyperparameters(str(min(mine, key=lambda setting: mine[setting])))
        around = [
            score
            for setting, score in mine.items()
            if all(
                value == best[key]
                for key, value in hyperparameters(str(setting)).items()
                if key != varied
            )
        ]
        assert len(around) > 1
        assert mean == pytest.approx(sum(around) / len(around))


def test_settings_are_all_in_a_file_and_few_are_printed(report: Report) -> None:
    assert "choices.members" in column(table(report, "settings"), "what")
    assert "methods.hpo.boxsel.dim" not in column(table(report, "settings"), "what")
    whole = table(report, "all-settings")
    assert whole.long
    assert ("methods.hpo.boxsel.dim", "32") in whole.rows


def test_shapes_have_the_papers_gap_beside_them(report: Report) -> None:
    found = table(report, "shapes-ag-paper")
    for ontology, method, cell in zip(
        column(found, "ontology"), column(found, "method"), column(found, "pnf3_pmp"), strict=True
    ):
        assert isinstance(cell, Compared)
        wanted = {"yago3-person": 0.30, "yago3-country": 0.28, "yago3-hybrid": 0.33}
        ours = str(method).startswith("BoxSEL")
        assert cell.published == (wanted.get(str(ontology)) if ours else None)
    assert all(
        isinstance(cell, Compared) and cell.published is None and cell.ours is not None
        for cell in column(found, "informative_pmp")
    )
