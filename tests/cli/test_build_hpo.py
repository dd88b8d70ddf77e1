"""`boxsel build hpo` on the bundled example."""

from __future__ import annotations

import csv
import json
from html.parser import HTMLParser
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from boxsel import read
from boxsel.logic.axioms import Conditional
from boxsel.logic.proportions import Count
from boxsel.schemas import schema
from tests.cli.inside import Done, Inside

FOLDER = Path(str(files("boxsel.examples")))
GIVEN = ("--ontology", FOLDER / "phenotypes.obo", "--annotations", FOLDER / "phenotypes.hpoa")


class Hpo:
    """`boxsel build hpo` with the files of the example."""

    def __init__(self, run: Inside) -> None:
        self._run = run

    def __call__(self, *options: str | Path) -> Done:
        return self._run("build", "hpo", *GIVEN, *options)

    def answer(self, *options: str | Path, code: int = 0) -> dict[str, Any]:
        done = self(*options, "--json")
        assert done.code == code, done.said
        content = json.loads(done.out)
        jsonschema.validate(content, schema("build-hpo"))
        assert isinstance(content, dict)
        return content

    def complaint(self, *options: str | Path) -> str:
        done = self(*options)
        assert (done.code, done.out) == (2, "")
        assert done.said.count("error: ") == 1
        return done.said


@pytest.fixture
def hpo(capsys: pytest.CaptureFixture[str]) -> Hpo:
    return Hpo(Inside(capsys))


def test_one_disease_becomes_a_knowledge_base(hpo: Hpo, tmp_path: Path) -> None:
    path = tmp_path / "kb.sel"
    content = hpo.answer("--disease", "EX:9001", "-o", path)
    kb = read(path)
    assert content["statements"] == len(kb)
    assert content["rows"]["without_frequency"] == 1
    assert content["check"] is None
    answer = kb.bounds("(hasPhenotype some Seizure | 'Example syndrome')")
    assert [str(answer.lower), str(answer.upper)] == ["2/5", "99/100"]
    assert "(hasPhenotype some EX:0112 | EX:9001)[18 of 45]" in hpo("--disease", "EX:9001").out


def test_lists_of_diseases(hpo: Hpo, tmp_path: Path) -> None:
    path = tmp_path / "list.txt"
    path.write_text("# chosen\nEX:9001\n\nexample disease of heart and brain # by name\n", "utf-8")
    chosen = hpo.answer("--diseases", path, "-o", tmp_path / "a.sel")
    every = hpo.answer("--all", "-o", tmp_path / "b.sel")
    assert chosen["diseases"] == every["diseases"] == 2
    assert read(tmp_path / "a.sel") == read(tmp_path / "b.sel")


def test_check_alone_writes_no_knowledge_base(hpo: Hpo) -> None:
    clean = hpo.answer("--disease", "EX:9001", "--check")
    assert clean["output"] is None
    assert clean["check"]["contradictions"] == []
    content = hpo.answer("--all", "--check", code=1)
    assert content["check"]["kinds"] == {"hierarchy": 3, "rows": 0, "sex": 0}
    done = hpo("--all", "--check")
    assert done.code == 1
    assert "Absence seizure (EX:0113): 7 of 8 > Generalized seizure (EX:0112): 2 of 9" in done.out
    assert "SubClassOf" not in done.out


def test_milder_readings_leave_fewer_contradictions(hpo: Hpo) -> None:
    assert (
        hpo.answer("--all", "--check", "--close-gaps", code=1)["check"]["kinds"]["hierarchy"] == 2
    )
    content = hpo.answer("--all", "--check", "--confidence", "0.95", code=1)
    assert content["check"]["kinds"]["hierarchy"] == 1
    assert content["coverage"]["counts"] == 5
    assert hpo("--all", "--check", "--close-gaps", "--confidence", "0.95").code == 0


class _Cells(HTMLParser):
    """The cells of each row of a table."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[list[str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag not in ("script", "link", "img")
        assert not {"src"} & {name for name, _ in attrs}
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_data(self, data: str) -> None:
        if self.rows and self.rows[-1]:
            self.rows[-1][-1] += data.strip("\n")


def test_the_tables_for_curators_agree(hpo: Hpo, tmp_path: Path) -> None:
    plain, page = tmp_path / "found.csv", tmp_path / "found.html"
    assert hpo("--all", "--check", "--table", plain).code == 1
    assert hpo("--all", "--check", "--table", page).code == 1
    rows = list(csv.reader(plain.read_text("utf-8").splitlines()))
    cells = _Cells()
    cells.feed(page.read_text("utf-8"))
    assert cells.rows == rows
    first = dict(zip(rows[0], rows[1], strict=True))
    assert first["disease"] == "EX:9002"
    assert first["descendant frequency"] == "7 of 8"
    assert first["ancestor reference"] == "PMID:0000005"
    assert first["gap"] == "0.5"
    assert first["agree with"] == "95% intervals"


def test_names_cannot_break_out_of_the_tables(hpo: Hpo, tmp_path: Path) -> None:
    text = (FOLDER / "phenotypes.hpoa").read_text("utf-8")
    bad = tmp_path / "bad.hpoa"
    name = '=1+1<script>alert("x")</script>'
    bad.write_text(text.replace("Example disease of heart and brain", name), "utf-8")
    for path in (tmp_path / "t.csv", tmp_path / "t.html"):
        hpo("--all", "--check", "--table", path, "--annotations", bad)
    assert "<script" not in (tmp_path / "t.html").read_text("utf-8")
    rows = list(csv.DictReader((tmp_path / "t.csv").read_text("utf-8").splitlines()))
    assert {row["name"] for row in rows} == {f"'{name}"}


def test_repair_leaves_a_coherent_knowledge_base(hpo: Hpo, tmp_path: Path) -> None:
    path, changes = tmp_path / "kb.sel", tmp_path / "changes.csv"
    content = hpo.answer("--all", "--repair", "--changes", changes, "-o", path)
    assert content["repair"]["optimal"]
    assert read(path).check().coherent
    rows = list(csv.DictReader(changes.read_text("utf-8").splitlines()))
    assert len(rows) == len(content["repair"]["changes"]) == 2
    assert [row["new lower"] for row in rows] == ["0.222222", "0.79"]
    before = tmp_path / "before.sel"
    hpo.answer("--all", "-o", before)
    assert not read(before).check().coherent


def test_intervals_are_those_that_were_checked(hpo: Hpo, tmp_path: Path) -> None:
    path = tmp_path / "kb.json"
    options = ("--confidence", "0.9", "--simultaneous", "--repair", "-o", path)
    content = hpo.answer("--all", *options)
    assert content["coverage"]["counts"] == 5
    kb = read(path)
    assert kb.check().coherent
    assert not any(
        isinstance(axiom, Conditional) and isinstance(axiom.proportion, Count)
        for axiom in kb.axioms
    )


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ((), "which diseases?"),
        (("--all", "--disease", "EX:9001"), "--all takes every disease"),
        (("--disease", "EX:9009"), "did you mean EX:900"),
        (("--all", "--table", "t.csv"), "needs --check"),
        (("--all", "--changes", "t.csv"), "needs --repair"),
        (("--all", "--check", "--table", "t.xlsx"), "written as .csv or .html"),
        (("--all", "--check", "--table", "no/such/folder.csv"), "cannot be written"),
        (("--all", "--json"), "say with -o"),
        (("--all", "--interval", "wilson"), "need --confidence"),
        (("--all", "--confidence", "2"), "not between 0 and 1"),
        (("--all", "--not", FOLDER / "phenotypes.obo"), "found 1 columns"),
        (("--all", "--labels", FOLDER / "phenotypes.hpoa"), "a term and its label"),
        (("--diseases", "missing.txt"), "there is no such file"),
    ],
)
def test_mistakes_are_explained(hpo: Hpo, options: tuple[str | Path, ...], problem: str) -> None:
    assert problem in hpo.complaint(*options)


def test_strict_stops_at_the_first_row_that_cannot_be_used(hpo: Hpo, tmp_path: Path) -> None:
    bad = tmp_path / "bad.tsv"
    bad.write_text("EX:9001\tx\tEX:0110\t9/4\t\t\tPMID:1\n", "utf-8")
    options = ("--all", "--annotations", bad, "-o", tmp_path / "kb.sel")
    content = hpo.answer(*options)
    assert content["rejected"][0]["count"] == 1
    assert f"{bad}:1: " in hpo.complaint(*options, "--strict")
