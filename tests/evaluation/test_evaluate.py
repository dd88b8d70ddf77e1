"""An evaluation from ontologies to a report: whole, resumed, refused."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from boxsel.errors import BoxselError, WriteError
from boxsel.evaluation.cells import Cells, Prediction
from boxsel.evaluation.evaluate import STEPS, Evaluated, evaluate
from boxsel.evaluation.methods import BASELINES as NAMES
from boxsel.evaluation.scopes import Choices
from boxsel.evaluation.splits.split import Split
from boxsel.evaluation.studies import planned
from boxsel.machine.locking import locked
from tests.evaluation.tiny import CHOICES, quickly_trained, small

DATE = "2026-01-02"
BASELINES = Choices.fast(
    variants=("thin-10",), studies=("main",), seeds=1, members=3, queries=1, budget=0.2
)


@pytest.fixture(scope="module", autouse=True)
def quick_training() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        quickly_trained(patch)
        yield


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Evaluated:
    return run(tmp_path_factory.mktemp("evaluation") / "one")


@pytest.fixture
def folder(first: Evaluated, tmp_path: Path) -> Path:
    """A copy of a finished evaluation."""
    shutil.copytree(first.folder, tmp_path / "two")
    return tmp_path / "two"


def run(folder: Path, choices: Choices = CHOICES, **options: Any) -> Evaluated:
    return evaluate(folder, choices, device="cpu", jobs=1, date=DATE, **options)


def contents(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_everything_is_there(first: Evaluated) -> None:
    folder = first.folder
    works = {plan.work for plan in planned(CHOICES.scope({"small": small().digest()}), ["main"])}
    assert first.ontologies == ("small",)
    assert first.runs == len(works)
    assert first.truths > 0
    assert (first.missing, first.failed) == (0, 0)
    assert all(Cells(folder).has(work) for work in works)
    assert len(list((folder / "cells").rglob("*"))) == len(works) + 1
    assert {"report.md", "report.html"} <= {path.name for path in first.files}
    assert all(path.exists() for path in first.files)
    assert set(first.seconds) == set(STEPS)
    assert json.loads((folder / "plan.json").read_text()) == CHOICES.to_json()
    methods = {quality.cell.method for quality in first.results.qualities}
    assert methods == {*NAMES, "boxsel", "boxsel kept", "paper", "paper step"}
    assert {quality.truth for quality in first.results.qualities} == {"pmp", "exact"}
    assert DATE in (folder / "report.md").read_text()
    assert [path.name for path in folder.parent.iterdir()] == [folder.name], "no lock is left"


def test_a_second_run_computes_nothing_and_says_the_same(first: Evaluated, folder: Path) -> None:
    before = contents(folder)
    again = run(folder)
    assert (again.truths, again.runs) == (0, 0)
    assert again.results == first.results
    assert contents(folder) == before
    for path in (folder / "report.md", folder / "report.html"):
        path.unlink()
    run(folder, steps=["report"])
    assert contents(folder) == before


def test_only_what_is_gone_is_computed_again(folder: Path) -> None:
    before = contents(folder)
    (one,) = (folder / "cells").rglob("paper-0-boxsel-*")
    (other,) = (folder / "cells").rglob("thin-10-0-kde-*")
    one.unlink()
    other.write_bytes(b"damaged")
    times = {path: path.stat().st_mtime_ns for path in (folder / "cells").rglob("*.npz")}
    told = run(folder, steps=["report"])
    assert (told.runs, told.missing) == (0, 2)
    assert "2 runs are not finished" in (folder / "report.md").read_text()
    again = run(folder)
    assert (again.runs, again.missing, again.truths) == (2, 0, 0)
    changed = {
        path
        for path in (folder / "cells").rglob("*.npz")
        if times.get(path) != path.stat().st_mtime_ns
    }
    assert changed == {one, other}
    after = contents(folder)
    name = str(other.relative_to(folder))
    assert after.keys() == before.keys()
    assert after[name] == before[name]


def test_truths_that_an_earlier_run_left_do_not_change_a_report(
    first: Evaluated, folder: Path
) -> None:
    assert CHOICES.queries is not None
    more = replace(CHOICES, queries=CHOICES.queries + 1)
    assert run(folder, more, steps=["truths"]).truths > 0
    assert run(folder, steps=["report"]).results == first.results
    assert run(folder, more, steps=["report"]).results != first.results


def test_steps_do_what_they_say(tmp_path: Path) -> None:
    target = tmp_path / "steps"
    only = run(target, BASELINES, steps=["ontologies"])
    assert (only.truths, only.runs, only.files) == (0, 0, ())
    assert {*contents(target)} == {"manifest.json", "plan.json", "ontologies/small.npz"}
    truths = run(target, BASELINES, steps=["truths"])
    assert truths.truths > 0
    assert not (target / "cells").exists()
    report = run(target, BASELINES, steps=["report"])
    assert report.missing == 4
    assert (target / "report.html").exists()
    runs = run(target, BASELINES, steps=["runs"])
    assert runs.runs == 4
    assert runs.files == ()


def test_more_choices_later_reuse_what_is_there(folder: Path) -> None:
    more = replace(CHOICES, studies=("main", "members"), variants=(*CHOICES.variants, "strict"))
    evaluation = run(folder, more, steps=["report"])
    assert evaluation.missing == 4, "only those of the new variant"
    assert {"members", "main"} == {quality.cell.study for quality in evaluation.results.qualities}


def test_failed_runs_are_counted_and_shown(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(split: Split, *_: object) -> Prediction:
        return Prediction.failed(len(split.queries), (3,), "there is no memory left")

    (path,) = (folder / "cells").rglob("paper-0-paper-[0-9a-f]*")
    path.unlink()
    monkeypatch.setattr("boxsel.evaluation.ensembles.predicted", failing)
    evaluation = run(folder)
    assert (evaluation.runs, evaluation.failed, evaluation.missing) == (1, 1, 0)
    assert "there is no memory left" in (folder / "report.md").read_text()


def test_names_that_are_not_known(tmp_path: Path) -> None:
    with pytest.raises(BoxselError, match="there is no step 'run': choose one of ontologies, "):
        run(tmp_path / "x", steps=["run"])
    for option, message in {
        "ontologies": "there is no ontology 'nothing'",
        "variants": "--variant nothing: choose",
        "studies": "--study nothing: choose",
    }.items():
        with pytest.raises(BoxselError, match=message):
            run(tmp_path / "x", replace(CHOICES, **{option: ("nothing",)}))  # type: ignore[arg-type]
    with pytest.raises(BoxselError, match="there is no device 'tpu'"):
        evaluate(tmp_path / "x", CHOICES, device="tpu", steps=["runs"])
    assert not list((tmp_path).rglob("cells"))


def test_only_one_at_a_time(folder: Path) -> None:
    before = contents(folder)
    with (
        locked(folder, "testing"),
        pytest.raises(BoxselError, match="another process is evaluating into this folder: wait"),
    ):
        run(folder, replace(CHOICES, ontologies=("small", "synthetic-country")))
    assert contents(folder) == before, "not even an ontology is counted"
    assert run(folder, steps=["ontologies"]).runs == 0


def test_places_that_cannot_be_written(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    long = tmp_path / ("x" * 300)
    for bad in (tmp_path / "file", tmp_path / "file" / "below", Path("/proc/nothing"), long):
        with pytest.raises(WriteError, match=r"cannot be (made|written)"):
            run(bad)
    for part, step in {"plan.json": "ontologies", "truths": "truths", "cells": "runs"}.items():
        whole = folder / part
        moved = folder.with_name("moved")
        whole.rename(moved)
        if part == "plan.json":
            whole.mkdir()
        else:
            whole.write_text("")
        with pytest.raises(WriteError, match=part):
            run(folder, steps=[step])
        whole.rmdir() if part == "plan.json" else whole.unlink()
        moved.rename(whole)


def test_no_name_is_not_the_folder_one_is_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BoxselError, match="has no name"):
        evaluate("", CHOICES)
    assert not list(tmp_path.iterdir())


def test_a_full_disk_is_said(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    before = contents(folder)
    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(WriteError, match=r"plan\.json: cannot be written: No space left on device"):
        run(folder)
    assert contents(folder) == before


def test_truths_of_another_ontology_are_noticed(folder: Path) -> None:
    path = next((folder / "truths").glob("small.thin-10.0.all*"))
    lines = path.read_text().splitlines(keepends=True)
    lines[0] = lines[0].replace(small().digest(), "0" * 64)
    path.write_text("".join(lines))
    with pytest.raises(BoxselError, match="another ontology or another split"):
        run(folder, steps=["report"])
    said: list[str] = []
    evaluation = run(folder, notice=said.append)
    assert evaluation.truths > 0
    assert "computed again" in said[0]
    assert str(path) in said[0]


def test_trials_without_optuna_are_refused_before_any_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "optuna", None)
    choices = replace(CHOICES, studies=("tuning",), trials=2)
    with pytest.raises(BoxselError, match="needs Optuna"):
        run(tmp_path / "x", choices)
    assert not (tmp_path / "x").exists()
    run(tmp_path / "x", choices, steps=["ontologies"])


def test_a_report_without_matplotlib_is_refused_before_any_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "boxsel.pictures.panels", raising=False)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(BoxselError, match="need matplotlib"):
        run(tmp_path / "x", CHOICES)
    assert not (tmp_path / "x").exists()


def test_a_search_is_resumed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("optuna")

    def cheaply(split: Split, settings: Any, *_: object) -> Prediction:
        failed = Prediction.failed(len(split.queries), (settings.members,), "")
        return replace(failed, effort={**effort, "mae": 1 / settings.dim})

    effort = {
        "members": 4, "kept": 0, "epochs": 1, "settled": 1, "parameters": 1, "seconds": 0.1,
        "last_seconds": 0.1, "counted": 1.0, "milliseconds_per_query": 0.1,
    }  # fmt: skip
    monkeypatch.setattr("boxsel.evaluation.ensembles.predicted", cheaply)
    choices = replace(CHOICES, studies=("tuning",), trials=2)
    first = run(folder, choices)
    settings = {one.cell.setting for one in first.results.efforts}
    assert settings == {"dim=8, rate=0.01, side=1", "dim=16, rate=0.01, side=1"}
    assert (first.runs, first.missing) == (2, 0)
    again = run(folder, choices)
    assert (again.runs, again.missing) == (0, 0)
    assert again.results == first.results


TRAINING = """
import sys
for name in (
    "duckdb", "lark", "ortools", "highspy", "matplotlib", "optuna", "joblib", "flint",
    "threadpoolctl", "pyoxigraph", "pyhornedowl",
):
    sys.modules[name] = None
from pathlib import Path
from boxsel.evaluation import studies
from boxsel.evaluation.evaluate import evaluate
from boxsel.evaluation.methods import Method
from boxsel.evaluation.scopes import Choices
from boxsel.models.settings import Settings
tiny = Settings(members=3, dim=2, epochs=1, batch=64)
studies._ensembles = lambda *_: [Method("boxsel", tiny)]
choices = Choices.fast(variants=("thin-10",), studies=("main",), seeds=1, members=3)
found = evaluate(Path(sys.argv[1]), choices, device="cpu", steps=["runs"])
assert found.runs == 4
"""


def test_training_needs_no_parser_solver_database_or_figures(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-c", TRAINING, str(tmp_path / "x")], check=True)
