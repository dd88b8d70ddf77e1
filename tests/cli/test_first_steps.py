"""The first five minutes: what help shows works from anywhere, and a first file can be asked."""

from __future__ import annotations

import shlex
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

import boxsel
from boxsel import examples
from boxsel.cli.app import FIRST_STEPS
from boxsel.cli.doctor import EXTRAS, NEEDED
from boxsel.cli.new import START
from boxsel.errors import BoxselError
from tests.cli.inside import Inside, piped
from tests.workbooks import Cell, xlsx


@pytest.fixture
def inside(capsys: pytest.CaptureFixture[str]) -> Inside:
    return Inside(capsys)


@pytest.mark.parametrize("words", [(), ("--help",)])
def test_help_shows_what_to_try(words: tuple[str, ...], inside: Inside) -> None:
    done = inside(*words)
    assert done.code == 0
    assert all(step in done.out for step in FIRST_STEPS)


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (("aks",), "no such command 'aks'"),
        (("build", "tabel"), "no such command 'tabel'"),
        (("ask",), "missing argument 'KB... [QUERY]...'\n  help: boxsel ask --help"),
        (("check", "example:clinic", "--jsn"), "no such option: --jsn"),
        (("annotate", "a.owl", "b.csv"), "missing option '--output'"),
        (("ask", "example:clinic", "--estimate", "maybe"), "'maybe' is not one of 'auto'"),
    ],
)
def test_words_that_are_wrong_are_one_message(
    words: tuple[str, ...], problem: str, inside: Inside
) -> None:
    said = inside.complaint(*words)
    command = " ".join(word for word in words[:1] if word != "aks")
    assert problem in said
    assert said.splitlines()[1:] == [
        f"  help: {f'boxsel {command}'.strip()} --help shows what there is"
    ]


def test_who_reads_only_the_beginning_is_no_failure() -> None:
    command = [sys.executable, "-m", "boxsel", "show", "example:clinic"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        assert running.stdout is not None
        running.stdout.close()
        assert running.stderr is not None
        assert running.stderr.read() == b""
    assert running.returncode == 0


def test_an_interruption_is_not_lost_while_garbage_is_collected() -> None:
    program = (
        "import gc, signal, time\n"
        "from boxsel.cli import app\n"
        "def collecting(phase, info):\n"
        "    gc.callbacks.clear()\n"
        "    signal.raise_signal(signal.SIGINT)\n"
        "def command(**_):\n"
        "    gc.callbacks.append(collecting)\n"
        "    gc.collect()\n"
        "    time.sleep(100)\n"
        "app.application = lambda words: command\n"
        "app.main()\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=False)
    assert done.stderr.decode() == "error: interrupted; nothing was written\n"
    assert done.returncode == 130


@pytest.mark.parametrize("step", [step for step in FIRST_STEPS if " serve " not in step])
def test_what_help_shows_works_from_anywhere(
    step: str, inside: Inside, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = inside(*shlex.split(step)[1:])
    assert done.code == 0
    assert done.out


@pytest.mark.parametrize("name", examples.names())
def test_examples_are_read_by_their_names(name: str) -> None:
    kb = examples.load(name)
    assert boxsel.read(f"example:{name}") == boxsel.read(f"example:{name}.sel") == kb


def test_data_are_examples_too() -> None:
    by_name, by_path = (
        boxsel.build.table(file, count="Freq").kb
        for file in ("example:admissions", examples.path("admissions.csv"))
    )
    assert by_name == by_path
    assert boxsel.build.graph("example:university").kb.statements


@pytest.mark.parametrize("name", ["nothing", "", "../__init__.py", "phenotypes"])
def test_what_is_no_example_or_several_is_told_with_those_there_are(name: str) -> None:
    with pytest.raises(BoxselError, match=r"choose one of .*phenotypes\.hpoa, phenotypes\.obo"):
        boxsel.read(f"example:{name}")


def test_a_new_file_reads_without_complaint_and_says_how_to_ask(
    inside: Inside, tmp_path: Path
) -> None:
    path = tmp_path / "mine.sel"
    assert inside("new", path).code == 0
    assert boxsel.read(path).check().coherent
    asked = [line for line in path.read_text("utf-8").splitlines() if "boxsel ask" in line]
    assert "mine.sel" in asked[0]
    assert boxsel.read(path).bounds(asked[0].split('"')[1]).upper is not None
    assert piped("new", "-").stdout.decode() == START


def test_a_new_file_replaces_nothing(inside: Inside, tmp_path: Path) -> None:
    path = tmp_path / "mine.sel"
    path.write_text("# my work\n")
    assert "there already" in inside.complaint("new", path)
    assert path.read_text() == "# my work\n"
    assert "try " in inside.complaint("new", tmp_path / "mine.owl")


def test_the_doctor_says_what_works(inside: Inside) -> None:
    content = inside.answer("doctor")
    assert content["works"]
    assert content["boxsel"] == boxsel.__version__
    assert {extra["name"] for extra in content["extras"]} == {*EXTRAS}
    shown = inside("doctor").out
    assert all(package in shown for package in NEEDED)


def test_the_doctor_finds_what_is_broken(inside: Inside, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(package: str) -> str:
        raise ImportError("a library is\nmissing")

    monkeypatch.setattr("boxsel.cli.doctor._load", broken)
    content = inside.answer("doctor", code=1)
    assert not content["works"]
    assert "ImportError: a library is missing" in {one["problem"] for one in content["needed"]}


def test_the_doctor_knows_all_that_is_needed() -> None:
    path = Path(__file__).resolve().parents[2] / "pyproject.toml"
    project: dict[str, Any] = tomllib.loads(path.read_text("utf-8"))["project"]
    assert [_name(dependency) for dependency in project["dependencies"]] == [*NEEDED]
    optional = project["optional-dependencies"]
    assert {*optional} == {*EXTRAS, "dev", "docs"}
    for extra, packages in EXTRAS.items():
        assert {*packages} == {_name(one) for one in optional[extra]} - {"jax"}


def _name(requirement: str) -> str:
    return requirement.partition(">")[0].partition("[")[0]


def test_a_template_can_be_asked_as_it_is(inside: Inside, tmp_path: Path) -> None:
    file = tmp_path / "study.csv"
    assert inside("template", str(file)).code == 0
    assert inside("template").out.encode() == file.read_bytes().removeprefix(b"\xef\xbb\xbf")
    assert inside("check", str(file)).code == 0
    asked = inside("ask", str(file), "(Smoker and Diabetes | Adult)")
    assert "= 0.0133 (exact)" in asked.out
    assert "columns: group is head, of is body" in asked.said
    assert "is there already" in inside("template", str(file)).said
    assert "is written as .csv: try" in inside("template", str(tmp_path / "study.xlsx")).said


def test_a_sheet_is_asked_as_it_is(inside: Inside, tmp_path: Path) -> None:
    file = tmp_path / "study.xlsx"
    rows: list[list[Cell]] = [["Disease", "Of", "2019", "2020"], ["Flu", "Adult", 12, 8.5]]
    file.write_bytes(xlsx({"Notes": [["nothing"]], "Shares": rows}))
    columns = ("--columns", "head=Disease,percent=2020")
    asked = inside("ask", str(file), "(Flu | Adult)", "--sheet", "shares", *columns)
    assert "(Flu | Adult) = 0.085 (exact)" in asked.out
    assert "columns that are not used: 2019" in asked.said
    assert "there is no column for head" in inside("show", str(file)).said
    assert "there is no column 'who'" in inside("show", str(file), "--columns", "who=A").said
