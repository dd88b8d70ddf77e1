"""`boxsel build graph`: the report, every output format, and what cannot be built."""

from __future__ import annotations

import shutil
import subprocess
from importlib.resources import files
from pathlib import Path

import pytest

import boxsel
from boxsel.build.graphs.running import Running, opened
from boxsel.logic.proportions import Count, Interval
from tests.build.graphs.graph_files import SMALL_FOR_SPARK
from tests.cli.inside import Inside
from tests.cli.test_commands import RUN

UNIVERSITY = Path(str(files("boxsel.examples").joinpath("university.tsv")))


@pytest.fixture
def inside(capsys: pytest.CaptureFixture[str]) -> Inside:
    return Inside(capsys)


def test_the_report_and_the_file_agree(inside: Inside, tmp_path: Path) -> None:
    target = tmp_path / "university.sel"
    content = inside.answer("build", "graph", UNIVERSITY, "--root", "Person", "-o", target)
    kb = boxsel.read(target)
    assert content["statements"] == len(kb)
    assert sum(content["conditionals"].values()) == sum(1 for _ in kb.conditionals)
    assert content["axioms"] == len(kb) - sum(content["conditionals"].values()) == 5
    assert content["root"] == "Person"
    assert content["concepts"]["Doctoral"] == 4
    assert content["roles"] == {"attends": 10, "teaches": 5, "advises": 3}
    assert kb.labels == {"urn:boxsel:Doctoral": "Doctoral student"}
    assert kb.check().coherent


@pytest.mark.parametrize("name", ["kb.json", "kb.owl", "kb.ttl", "kb.csv", "kb.parquet"])
def test_every_format_holds_the_same_conditionals(
    inside: Inside, tmp_path: Path, name: str
) -> None:
    for target in ("kb.sel", name):
        assert inside("build", "graph", UNIVERSITY, "-o", tmp_path / target).code == 0
    expected = set(boxsel.read(tmp_path / "kb.sel").conditionals)
    assert set(boxsel.read(tmp_path / name).conditionals) == expected
    assert all(isinstance(conditional.proportion, Count) for conditional in expected)


def test_without_a_file_the_knowledge_base_goes_to_standard_output(inside: Inside) -> None:
    done = inside("build", "graph", UNIVERSITY, "--top-roles", "0", "--shape", "PNF1")
    assert done.code == 0
    assert "(Staff | Student)[2 of 12]\n" in done.out
    assert boxsel.parse(done.out).signature.roles == ()
    assert "left out 15 (0, as a more general one" in done.said


def test_confidence_gives_intervals_and_keeps_every_zero_and_one(
    inside: Inside, tmp_path: Path
) -> None:
    plain, sampled = tmp_path / "plain.sel", tmp_path / "sampled.sel"
    inside.answer("build", "graph", UNIVERSITY, "-o", plain)
    content = inside.answer("build", "graph", UNIVERSITY, "--confidence", "0.95", "-o", sampled)
    assert content["coverage"]["counts"] == sum(content["conditionals"].values())
    assert all(
        shape["disjoint"] == shape["included"] == 0 for shape in content["left_out"].values()
    )
    assert len(boxsel.read(sampled)) > len(boxsel.read(plain))
    assert all(
        isinstance(conditional.proportion, Interval)
        for conditional in boxsel.read(sampled).conditionals
    )


def test_what_is_left_out_can_be_kept(inside: Inside, tmp_path: Path) -> None:
    target = tmp_path / "all.sel"
    content = inside.answer("build", "graph", UNIVERSITY, "--keep", "all", "-o", target)
    assert all(not any(shape.values()) for shape in content["left_out"].values())
    # 7 concepts, 3 roles: 7·6, 7·6/2·5, and twice 3·7·7.
    assert content["conditionals"] == {"PNF1": 42, "PNF2": 105, "PNF3": 147, "PNF4": 147}
    undefined = [
        conditional
        for conditional in boxsel.read(target).conditionals
        if not isinstance(conditional.proportion, Count)
    ]
    assert {conditional.proportion for conditional in undefined} == {Interval.of(0, 1)}


def test_the_papers_enumeration_is_exact(inside: Inside, tmp_path: Path) -> None:
    target = tmp_path / "paper.csv"
    options = ("--root", "Person", "--paper-counts", "--conjoined", "4")
    content = inside.answer("build", "graph", UNIVERSITY, *options, "-o", target)
    assert content["conditionals"] == {"PNF1": 30, "PNF2": 24, "PNF3": 90, "PNF4": 90}
    assert content["statements"] == 234
    assert len(target.read_text().splitlines()) == 235


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--top", "-3"], "--top cannot be negative"),
        (["--concept", "Studnet"], "did you mean Student"),
        (["--role", "atends"], "did you mean attends"),
        (["--shape", "PNF5"], "--shape PNF5: choose one of PNF1, PNF2"),
        (["--keep", "zeros"], "--keep zeros: choose one of undefined"),
        (["--recipe", "person"], "the graph has no class wordnet_person_100007846"),
        (["--recipe", "city"], "choose one of person, country, hybrid"),
        (["--memory", "much"], "is not an amount of memory"),
        (["--memory", "1MB"], "--memory must be at least 300 MB"),
        (["--threads", "0"], "--threads must be at least 1"),
        (["--master", "local[2]"], "say --engine spark too"),
        (["--columns", "1,2"], "expected three"),
        (["--interval", "wilson"], "need --confidence"),
        (["--concept-from", "advices"], "advices"),
        (["-o", "nowhere/kb.sel"], "cannot be written"),
        (["-o", "kb.docx"], "the extension names no format"),
    ],
)
def test_mistakes_are_one_message(
    inside: Inside,
    options: list[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert message in inside.complaint("build", "graph", UNIVERSITY, *options)
    assert not list(tmp_path.iterdir())


def test_files_of_two_columns_are_what_they_are_called(inside: Inside, tmp_path: Path) -> None:
    facts, types, labels = (tmp_path / f"{name}.tsv" for name in ("facts", "types", "en-labels"))
    facts.write_text("a\tknows\tb\nb\tknows\ta\n")
    types.write_text("a\tQ1\nb\tQ2\n")
    labels.write_text("Q1\twoman\n")
    done = inside("build", "graph", facts, types, labels, "--min-instances=1")
    assert "(types 2)" in done.said
    assert "(labels 1)" in done.said
    assert boxsel.parse(done.out).label(boxsel.Name("urn:boxsel:Q1")) == "woman"
    (tmp_path / "pairs.tsv").write_text(types.read_text())
    told = inside.complaint("build", "graph", facts, tmp_path / "pairs.tsv")
    assert "say which, by --types" in told


def test_nothing_given_is_said(inside: Inside) -> None:
    assert "no file was given" in inside.complaint("build", "graph")


def test_broken_lines_are_counted_shown_and_with_strict_the_end(
    inside: Inside, tmp_path: Path
) -> None:
    path, target = tmp_path / "graph.tsv", tmp_path / "kb.sel"
    path.write_text("a\trdf:type\tA\na\trdf:type\tB\nbroken\nb\trdf:type\tA\n")
    done = inside("build", "graph", path, "-o", target)
    assert done.code == 0
    assert "left out 1 row" in done.said
    assert f"{path}:3: broken" in done.said
    target.unlink()
    said = inside.complaint("build", "graph", path, "--strict", "-o", target)
    assert f"{path}:3" in said
    assert not target.exists()


@pytest.mark.deep
def test_spark_builds_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pyspark", reason="needs Spark: pip install 'boxsel[spark]'")
    if shutil.which("java") is None:
        pytest.skip("needs Java")
    monkeypatch.setenv("PYSPARK_SUBMIT_ARGS", SMALL_FOR_SPARK)
    options = {"here.sel": [], "there.sel": ["--engine", "spark", "--master", "local[2]"]}
    for name, engine in options.items():
        target = str(tmp_path / name)
        command = [*RUN, "build", "graph", str(UNIVERSITY), "--root", "owl:Thing", "-o", target]
        done = subprocess.run([*command, *engine], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
    assert "with spark" in done.stderr
    assert "WARN" not in done.stderr
    assert (tmp_path / "here.sel").read_text() == (tmp_path / "there.sel").read_text()


def test_two_runs_in_one_folder_do_not_mix(tmp_path: Path) -> None:
    work = tmp_path / "work"
    with opened(Running(work=work)):
        command = [*RUN, "build", "graph", str(UNIVERSITY), "--work", str(work)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith(f"error: {work}: another process is at work here")
    assert len(done.stderr.splitlines()) == 1
