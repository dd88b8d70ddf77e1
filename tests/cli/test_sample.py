"""`boxsel sample` as a user runs it."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from boxsel.schemas import schema
from tests.cli.inside import Inside

APPLICANT = Path(__file__).parents[2] / "src" / "boxsel" / "examples" / "applicant.sel"


@pytest.fixture
def boxsel(capsys: pytest.CaptureFixture[str]) -> Inside:
    return Inside(capsys)


@pytest.mark.parametrize("extension", ["csv", "parquet", "nt", "ttl"])
def test_people_go_to_a_file(boxsel: Inside, tmp_path: Path, extension: str) -> None:
    path = tmp_path / f"people.{extension}"
    done = boxsel("sample", APPLICANT, "-n", "100", "-o", path)
    assert done.code == 0
    assert "every statement holds exactly" in done.out
    assert f"{path}: 100 people" in done.said
    assert path.stat().st_size


def test_the_report_fits_its_schema(boxsel: Inside, tmp_path: Path) -> None:
    asked = ("--query", "(Admitted | Applicant)", "--end", "lower")
    for size, options in ((100, asked), (7, asked), (7, ())):
        path = tmp_path / "people.csv"
        done = boxsel("sample", APPLICANT, "-n", str(size), *options, "-o", path, "--json")
        assert done.code == 0
        content = json.loads(done.out)
        jsonschema.validate(content, schema("sample"))
        assert content["members"] == size
        assert len(path.read_text().splitlines()) == size + 1
        assert content["exact"] == (size == 100)
    assert content["share"] is None


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (["-o", "people.txt"], "people are written as .csv, .parquet, .nt, .ttl"),
        (["-o", "nowhere/people.csv"], "cannot be written"),
        (["--end", "upper"], "give one with --query"),
        (["--query", "(Admitted | Nobody)"], "does not mention Nobody"),
        (["--budget", "never"], "not a budget"),
    ],
)
def test_mistakes_are_one_message(boxsel: Inside, options: list[str], problem: str) -> None:
    done = boxsel("sample", APPLICANT, *options)
    assert done.code == 2
    assert problem in done.said


def test_a_budget_that_is_spent_has_its_code(boxsel: Inside, tmp_path: Path) -> None:
    kb = tmp_path / "kb.sel"
    kb.write_text("(r some A | B)[1/2]\n")
    done = boxsel("sample", kb, "-n", "5", "--budget", "0.000001s")
    assert (done.code, done.out) == (3, "")
    assert "give more with --budget" in done.said
