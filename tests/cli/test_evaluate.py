"""`boxsel evaluate`: what it prints, what it refuses, and how it goes on after an interrupt."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from boxsel.cli.exits import INTERRUPTED, Interrupted
from boxsel.evaluation import cells as running
from boxsel.evaluation.cells import Prediction, Work
from boxsel.evaluation.evaluate import STEPS
from boxsel.evaluation.ontologies.registry import ONTOLOGIES
from boxsel.evaluation.scopes import Choices
from boxsel.evaluation.splits.split import Split
from boxsel.schemas import schema
from tests.cli.inside import Inside
from tests.cli.test_commands import RUN
from tests.evaluation.tiny import quickly_trained

TINY = (
    "--quick", "--variant", "thin-10", "--study", "main", "--seeds", "1", "--members", "3",
    "--queries", "1", "--budget", "0.2", "--jobs", "1", "--device", "cpu",
)  # fmt: skip


@pytest.fixture(scope="module", autouse=True)
def quick_training() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        quickly_trained(patch)
        yield


@pytest.fixture
def inside(capsys: pytest.CaptureFixture[str]) -> Inside:
    return Inside(capsys)


def test_the_help(inside: Inside, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    done = inside("evaluate", "--help")
    assert done.code == 0
    assert "Example: boxsel evaluate --quick" in done.out
    whole = Choices()
    for name in ("seeds", "members", "queries"):
        (line,) = [line for line in done.out.splitlines() if f"--{name} " in line]
        assert f"[default: ({getattr(whole, name)})]" in line
    assert "[default: (5s)]" in done.out
    assert whole.budget == 5


def test_the_answer_fits_its_schema_and_the_folder(inside: Inside, tmp_path: Path) -> None:
    target = tmp_path / "out"
    content = inside.answer("evaluate", *TINY, "-o", target)
    assert content["folder"] == str(target)
    assert content["ontologies"] == ["small"]
    assert (content["runs"], content["missing"], content["failed"]) == (4, 0, 0)
    assert content["truths"] > 0
    assert list(content["seconds"]) == list(STEPS)
    assert all((target / name).is_file() for name in content["files"])
    again = inside("evaluate", *TINY, "-o", target)
    assert again.code == 0
    assert "computed now: 0 exact intervals, 0 runs\n" in again.out
    assert f"report: {target / 'report.html'}\n" in again.out
    steps = inside.answer("evaluate", *TINY, "-o", target, "--step", "truths")
    assert (steps["files"], list(steps["seconds"])) == ([], ["ontologies", "truths"])
    next((target / "cells").rglob("*-kde-*")).unlink()
    waiting = inside("evaluate", *TINY, "-o", target, "--step", "report")
    assert "1 run not finished: tables wait for them\n" in waiting.out


def test_the_schema_knows_the_steps() -> None:
    properties = schema("evaluate")["properties"]
    assert isinstance(properties, dict)
    assert properties["seconds"]["propertyNames"]["enum"] == list(STEPS)


def test_a_failed_run_is_a_no(
    inside: Inside, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(work: Work, split: Split) -> Prediction:
        reason = "there is no memory left" if work.method.name == "boxsel" else ""
        return Prediction.failed(len(split.queries), (0, 3), reason)

    monkeypatch.setattr(running, "_predicted", failing)
    done = inside("evaluate", *TINY, "-o", tmp_path / "out")
    assert done.code == 1
    assert "failed: the report says which, and why\n" in done.out
    assert "there is no memory left" in (tmp_path / "out" / "report.md").read_text()


BAD = {
    "--ontology yago": "there is no ontology 'yago': choose one of yago-person",
    "--variant thin": "--variant thin: choose one of paper",
    "--study sizes": "--study sizes: choose one of main",
    "--study main": "--study: one of main, main is given twice",
    "--seeds 0": "--seeds must be at least 1, not 0",
    "--members -1": "--members must be at least 1, not -1",
    "--queries 0": "--queries must be at least 1, not 0",
    "--study-seeds 0": "--study-seeds must be at least 1, not 0",
    "--trials 0": "--trials must be at least 1, not 0",
    "--budget soon": "'soon' is not a budget",
    "--budget 0": "'0' is not a budget",
    "--jobs 0": "the number of processes must be at least 1, not 0",
    "--step run": "there is no step 'run': choose one of ontologies",
    "--ontology hpo": "say in which folder",
    "--ontology codex-person --data none": "there is no such folder",
}


@pytest.mark.parametrize("options", BAD)
def test_bad_options(inside: Inside, tmp_path: Path, options: str) -> None:
    said = inside.complaint("evaluate", *TINY, "-o", tmp_path / "out", *options.split())
    assert BAD[options] in said
    assert not list(tmp_path.rglob("cells"))
    assert not list(tmp_path.rglob("*.lock"))


def test_options_that_are_no_numbers(inside: Inside, tmp_path: Path) -> None:
    for options in (("--seeds", "x"), ("--device", "tpu"), ("--runs-at-once", "0")):
        assert inside("evaluate", "-o", tmp_path / "out", *options).code == 2
    assert inside("evaluate").code == 2
    assert not (tmp_path / "out").exists()


def test_what_needs_data_is_left_out_aloud(inside: Inside, tmp_path: Path) -> None:
    done = inside("evaluate", "-o", tmp_path / "out", "--step", "ontologies")
    assert done.code == 0
    there = {path.stem for path in (tmp_path / "out" / "ontologies").iterdir()}
    assert there == {*Choices.without_data(tmp_path)}
    # Long work says how far it is: on a busy machine there are more lines.
    (line,) = [one for one in done.said.splitlines() if one.startswith("without --data")]
    assert "these are left out: " in line
    left_out = {*line.partition(": ")[2].split(", ")}
    assert left_out | there | {"small"} == {*ONTOLOGIES}
    assert not left_out & there
    quiet = inside("evaluate", *TINY, "-o", tmp_path / "out", "--step", "ontologies")
    assert quiet.said == ""


def test_interrupted_inside(
    inside: Inside, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = running._predicted

    def interrupted(work: Work, split: Split) -> Prediction:
        if work.method.name == "kde":
            raise Interrupted
        return plain(work, split)

    target = tmp_path / "out"
    with monkeypatch.context() as patch:
        patch.setattr(running, "_predicted", interrupted)
        done = inside("evaluate", *TINY, "-o", target)
    assert done.code == INTERRUPTED
    assert done.out == ""
    assert done.said.splitlines()[-1].startswith("error: interrupted; what is finished is kept")
    finished = len(list((target / "cells").rglob("*.npz")))
    assert 0 < finished < 4
    assert inside.answer("evaluate", *TINY, "-o", target)["runs"] == 4 - finished


@pytest.mark.parametrize(
    "end", [signal.SIGINT, pytest.param(signal.SIGKILL, marks=pytest.mark.deep)]
)
def test_stopped_by_a_signal_it_goes_on(
    inside: Inside, tmp_path: Path, end: signal.Signals
) -> None:
    target = tmp_path / "out"
    # Baselines come first and take no time: the ensembles of many members are what is cut short.
    options = (*TINY, "--members", "400", "--step", "runs", "-o", str(target))
    with subprocess.Popen(
        [*RUN, "evaluate", *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        while len(list((target / "cells").rglob("*.npz"))) < 3:
            assert process.poll() is None, process.communicate()
            time.sleep(0.02)
        time.sleep(1)
        busy = inside.complaint("evaluate", *TINY, "-o", target, "--step", "runs")
        assert "another process is evaluating into this folder" in busy
        process.send_signal(end)
        out, said = process.communicate(timeout=60)
    assert out == b""
    if end == signal.SIGINT:
        assert process.returncode == INTERRUPTED
        assert said.count(b"the same command goes on from there") == 1
        assert b"Traceback" not in said
    names = {path.name.split("-")[3] for path in (target / "cells").rglob("*") if path.is_file()}
    assert names == {"fixed", "random", "kde"}
    content = inside.answer("evaluate", *TINY, "-o", target, "--step", "runs")
    assert content["runs"] == 1, "what is finished is not computed again"
    assert json.loads((target / "plan.json").read_text())["members"] == 3
