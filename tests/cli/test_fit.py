"""`boxsel fit`: the report, what cannot be trained, interruptions, and two runs at once."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path

import jax
import numpy as np
import pytest

from boxsel import examples
from boxsel.cli import fit as command
from boxsel.models.loading import load
from boxsel.models.settings import Settings
from tests.cli.inside import Inside
from tests.cli.test_commands import RUN

QUICK = ("--members", "4", "--dim", "2", "--epochs", "600", "--device", "cpu")


def names_in(folder: Path) -> list[str]:
    return sorted(entry.name for entry in folder.iterdir())


@pytest.fixture
def inside(capsys: pytest.CaptureFixture[str]) -> Inside:
    return Inside(capsys)


@pytest.fixture
def applicant(tmp_path: Path) -> Path:
    path = tmp_path / "applicant.sel"
    path.write_text(examples.text("applicant"), "utf-8")
    return path


@pytest.fixture
def target(tmp_path: Path) -> Path:
    (tmp_path / "out").mkdir()
    return tmp_path / "out" / "model"


def test_the_report_and_the_model_agree(inside: Inside, applicant: Path, target: Path) -> None:
    content = inside.answer("fit", applicant, "-o", target, *QUICK, "--tolerance", "0.05")
    model = load(target)
    assert model.kb == examples.load("applicant")
    assert content["kept"] == model.kept.sum() > 0
    assert content["violation"]["largest"] == model.scores.largest.max()
    assert content["error"] == pytest.approx(model.scores.errors[model.kept].mean())
    assert content["settings"] == model.settings.to_json()
    assert content["parameters"] == {"names": 3 * 2 * 2, "roles": 0, "individuals": 0}
    assert content["provenance"]["device"] == "cpu"
    said = inside("fit", applicant, "-o", target, *QUICK, "--tolerance", "0.05")
    assert said.code == 0
    assert f"{model.kept.sum()} of 4 members kept" in said.out
    assert said.said == ""
    assert names_in(target.parent) == ["model"]
    again = load(target)
    assert np.array_equal(again.parameters["names"]["extent"], model.parameters["names"]["extent"])


def test_no_member_kept_is_a_no_with_advice(inside: Inside, applicant: Path, target: Path) -> None:
    done = inside("fit", applicant, "-o", target, *QUICK, "--tolerance", "0", "--epochs", "1")
    assert done.code == 1
    assert "0 of 4 members kept" in done.out
    assert "violated most:\n" in done.out
    assert "    (Admitted | DeptA)[0.8]  by 0." in done.out
    assert "no member is kept" in done.said
    assert "boxsel check" in done.said
    assert "boxsel ask" in done.said
    assert not load(target).kept.any(), "it is saved nevertheless"


def test_what_was_left_out_is_said(inside: Inside, tmp_path: Path, target: Path) -> None:
    kb = tmp_path / "kb.sel"
    kb.write_text(
        '(B | A)[0.5]\nC SubClassOf owl:Nothing\nDropped: 3 "ObjectUnionOf" "not in SEL"\n'
    )
    done = inside("fit", kb, "-o", target, *QUICK)
    assert "left out, since they must be empty: C\n" in done.out
    assert "ignores 3 axioms" in done.out
    content = inside.answer("fit", kb, "-o", target, *QUICK, code=done.code)
    assert content["empty"] == ["C"]
    assert content["ignored_axioms"] == 3


def test_counts_are_read_as_asked(inside: Inside, tmp_path: Path, target: Path) -> None:
    kb = tmp_path / "kb.sel"
    kb.write_text("(B | A)[7 of 10]\n")
    content = inside.answer("fit", kb, "-o", target, *QUICK, "--confidence", "0.95")
    assert content["coverage"]["counts"] == 1
    (conditional,) = load(target).kb.conditionals
    assert conditional.bounds.lower < 0.4


def test_the_help_tells_the_defaults(inside: Inside, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    shown = inside("fit", "--help").out
    defaults = {**Settings().to_json(), "representation": "auto"}
    for name, value in defaults.items():
        if value is not None and name not in ("side", "margin"):
            (line,) = [line for line in shown.splitlines() if f"--{name} " in line]
            assert f"[default: ({value})]" in line


BAD = {
    "": (("", 2), "is empty"),
    "# nothing\n": (("", 2), "there is nothing to train"),
    "A(a)\nA SubClassOf owl:Nothing\n": (("", 1), "has no model"),
    "(B | A)[0.2]\n(B | A)[0.8]\n": (("", 1), "A must be empty (`boxsel check` shows why"),
    "(B | owl:Thing)[0.5]\n": (("--preset paper", 2), "the preset 'paper' has no box"),
    "A SubClassOf B\n": (("--preset papers", 2), "there is no preset 'papers'"),
    "A SubClassOf C\n": (("--representation boxs", 2), "did you mean boxes?"),
    "A SubClassOf D\n": (("--roles affin", 2), "did you mean affine?"),
    "A SubClassOf E\n": (("--members 0", 2), "members must be at least 1, not 0"),
    "A SubClassOf F\n": (("--rate nan", 2), "rate must be a positive number"),
    "A SubClassOf G\n": (("--tolerance -1", 2), "tolerance must be at least 0"),
    "A SubClassOf H\n": (("--checkpoint-every nan", 2), "--checkpoint-every must be"),
    "A SubClassOf I\n": (("--device gpu", 2), "there is no gpu"),
    "A SubClassOf J\n": (("--members 1000000 --dim 1000000", 2), "lower --members, --dim or"),
}


@pytest.mark.parametrize("text", BAD)
def test_bad_input(inside: Inside, tmp_path: Path, target: Path, text: str) -> None:
    (options, code), message = BAD[text]
    if "gpu" in options and jax.default_backend() == "gpu":
        pytest.skip("there is one here")
    kb = tmp_path / "kb.sel"
    kb.write_text(text)
    assert message in inside.complaint("fit", kb, "-o", target, *options.split(), code=code)
    assert names_in(target.parent) == [], "nothing was written"


def test_places_that_cannot_be_written(inside: Inside, applicant: Path, tmp_path: Path) -> None:
    assert "holds other things" in inside.complaint("fit", applicant, "-o", tmp_path)
    assert "not a folder" in inside.complaint("fit", applicant, "-o", applicant)
    assert "not a folder" in inside.complaint("fit", applicant, "-o", "/dev/full")
    assert "does not exist" in inside.complaint("fit", applicant, "-o", tmp_path / "no" / "model")
    assert "cannot be written" in inside.complaint("fit", applicant, "-o", "/proc/model")
    assert names_in(tmp_path) == [applicant.name]


def test_another_run_is_not_continued(
    inside: Inside, applicant: Path, target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(command._Stop, "is_asked", lambda _: True)
        done = inside("fit", applicant, "-o", target, *QUICK)
    assert done.code == 130
    assert "stopped after epoch" in done.said
    assert "the same command goes on from there" in done.said
    said = inside.complaint("fit", applicant, "-o", target, *QUICK, "--seed", "7")
    assert "seed was 0, now 7" in said
    assert "--restart" in said
    assert inside("fit", applicant, "-o", target, *QUICK, "--seed", "7", "--restart").code < 2
    assert names_in(target.parent) == ["model"]


def test_a_budget_ends_with_a_checkpoint(inside: Inside, applicant: Path, target: Path) -> None:
    done = inside("fit", applicant, "-o", target, *QUICK, "--budget", "1e-9s")
    assert done.code == 3
    assert "the same command goes on from there" in done.said
    assert inside("fit", applicant, "-o", target, *QUICK, "--budget", "1h").code < 2
    assert names_in(target.parent) == ["model"]


@pytest.mark.deep
def test_stopped_and_killed_it_ends_with_the_same_bits(
    inside: Inside, applicant: Path, target: Path
) -> None:
    # A tolerance of 0 keeps members from coming to rest: the run takes some seconds.
    options = ("--members", "2", "--dim", "2", "--epochs", "40000", "--tolerance", "0")
    start = [*RUN, "fit", str(applicant), "-o", str(target), *options, "--checkpoint-every", "0.1"]
    checkpoint = target.with_name("model.checkpoint")

    def started() -> subprocess.Popen[bytes]:
        before = checkpoint.stat().st_mtime_ns if checkpoint.exists() else 0
        process = subprocess.Popen(start, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        while not checkpoint.exists() or checkpoint.stat().st_mtime_ns == before:
            assert process.poll() is None, process.communicate()
            time.sleep(0.02)
        return process

    process = started()
    assert "another process" in inside.complaint("fit", applicant, "-o", target, *options)
    process.send_signal(signal.SIGINT)
    out, said = process.communicate(timeout=60)
    assert process.returncode == 130, said
    assert out == b""
    assert b"stopping at the end of this epoch" in said
    assert b"the same command goes on from there" in said
    process = started()
    process.kill()
    process.communicate()
    assert not target.exists()
    resumed = inside("fit", applicant, "-o", target, *options)
    assert resumed.code == 1, "the tolerance of 0"
    assert "resumed after epoch" in resumed.out
    straight = target.with_name("straight")
    inside("fit", applicant, "-o", straight, *options)
    for name in ("weights.safetensors", "kb.sel"):
        assert (target / name).read_bytes() == (straight / name).read_bytes()
    assert names_in(target.parent) == ["model", "straight"]


def test_a_bar_on_a_terminal(applicant: Path, target: Path) -> None:
    options = ("--members", "2", "--dim", "2", "--epochs", "3000", "--tolerance", "0")
    code = (
        "import sys; from boxsel.cli import app, progressbar; progressbar.SECONDS_BEFORE_BAR = 0.0;"
        f"sys.argv = {['boxsel', 'fit', str(applicant), '-o', str(target), *options]!r};"
        "app.main()"
    )
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-c", code],
        stdout=subprocess.PIPE,
        stderr=theirs,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "120"},
    ) as process:
        os.close(theirs)
        shown = b""
        try:
            while piece := os.read(ours, 4096):
                shown += piece
        except OSError:  # how a terminal says that the other side has hung up
            pass
        out, _ = process.communicate()
    os.close(ours)
    assert process.returncode == 1
    assert b"training" in shown
    assert b"of 3000, loss" in shown
    assert b"0 of 2 members kept" in out


def test_what_was_chosen_is_said(inside: Inside, tmp_path: Path, target: Path) -> None:
    kb = tmp_path / "berkeley.sel"
    kb.write_text(examples.text("berkeley"), "utf-8")
    few = ("--members", "1", "--dim", "2", "--epochs", "1", "--polish", "never")
    done = inside("fit", kb, "-o", target, *few, "--representation", "auto")
    why = "8 of 8 proportions are points, and there is no inclusion"
    assert f"  chosen      populations: {why}\n" in done.out
    assert ", --representation boxes or a higher --dim" in done.said, "no member is kept"
    found = inside.answer("fit", kb, "-o", target, *few, "--representation", "auto", code=done.code)
    assert found["settings"]["representation"] == "populations"
    assert found["provenance"]["chosen"] == why == load(target).provenance["chosen"]
    found = inside.answer("fit", kb, "-o", target, *few, code=1)
    assert found["settings"]["representation"] == "boxes", "a dimension is given"
    assert "chosen" not in found["provenance"]


def test_what_a_representation_has_no_place_for_is_said(inside: Inside, tmp_path: Path) -> None:
    kb = tmp_path / "links.sel"
    kb.write_text("(r some B | A)[0.2, 0.8]\nr(a, b)\nA(a)\n")
    done = inside("fit", kb, "-o", tmp_path / "m", *QUICK, "--roles", "dual-boxes")
    assert "ignores 1 role assertion: dual-boxes cannot link individuals" in done.out
    content = inside.answer("fit", kb, "-o", tmp_path / "m", *QUICK)
    assert content["ignored_assertions"] == 0
    assert content["breached"] + content["kept"] <= 4


def test_the_constants_of_the_paper_can_be_set(
    inside: Inside, applicant: Path, target: Path
) -> None:
    options = ("--members", "2", "--dim", "2", "--epochs", "1", "--device", "cpu")
    paper = ("--preset", "paper", "--side", "10", "--margin", "0.1")
    content = inside.answer("fit", applicant, "-o", target, *options, *paper, code=1)
    assert (content["settings"]["side"], content["settings"]["margin"]) == (10, 0.1)
    assert "side must be a positive number" in inside.complaint(
        "fit", applicant, "-o", target, *options, "--preset", "paper", "--side", "-1"
    )
