"""`boxsel build table` as a user runs it."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from boxsel import examples, read
from boxsel.logic.proportions import Interval
from boxsel.schemas import schema
from tests.cli.inside import Inside

ADMISSIONS = examples.path("admissions.csv")


@pytest.fixture
def boxsel(capsys: pytest.CaptureFixture[str]) -> Inside:
    return Inside(capsys)


def test_a_table_becomes_a_knowledge_base_that_answers(boxsel: Inside, tmp_path: Path) -> None:
    kb = tmp_path / "admissions.sel"
    done = boxsel("build", "table", ADMISSIONS, "--count", "Freq", "-o", kb)
    assert done.code == 0
    assert done.out == ""
    assert "24 rows, 4,526 individuals" in done.said
    assert f"{kb}: 141 statements as SEL text" in done.said
    asked = boxsel("bounds", kb, "('Admit=Admitted' | 'Gender=Female')")
    assert "557/1835" in asked.out


def test_counts_are_found_and_a_user_may_say_otherwise(boxsel: Inside, tmp_path: Path) -> None:
    kb = tmp_path / "admissions.sel"
    done = boxsel("build", "table", ADMISSIONS, "-o", kb)
    assert "24 rows, 4,526 individuals" in done.said
    assert "note: counts are taken from the column 'Freq'" in done.said
    done = boxsel("build", "table", ADMISSIONS, "--individuals", "-o", kb)
    assert "24 rows, 24 individuals" in done.said
    assert "note" not in done.said


def test_the_report_fits_its_schema(boxsel: Inside, tmp_path: Path) -> None:
    table = tmp_path / "t.csv"
    table.write_text(",a,b,n\n1,x,u,3\n2,y,,2\n3,z,v,0\nx\n")
    for options in ([], ["--confidence", "0.95"], ["--drop-incomplete"], ["--depth", "0"]):
        out = tmp_path / "kb.json"
        done = boxsel("build", "table", table, "--count", "n", "-o", out, "--json", *options)
        assert done.code == 0, done.said
        found = json.loads(done.out)
        jsonschema.validate(found, schema("build-table"))
        assert found["statements"] == len(read(out))
        assert found["rejected"][0]["count"] == 1
        assert found["unnamed"] == 1
        assert (found["coverage"] is None) == ("--confidence" not in options)


def test_counts_can_be_read_as_samples(boxsel: Inside, tmp_path: Path) -> None:
    kb = tmp_path / "kb.sel"
    options = ("--count", "Freq", "--confidence", "0.95", "--simultaneous")
    done = boxsel("build", "table", ADMISSIONS, *options, "-o", kb)
    assert "138 counts is read as a Clopper–Pearson interval" in done.said
    bounds = [one.proportion for one in read(kb).conditionals]
    assert all(isinstance(one, Interval) and not one.is_point for one in bounds)


def test_parquet_holds_the_conditionals(boxsel: Inside, tmp_path: Path) -> None:
    kb = tmp_path / "kb.parquet"
    done = boxsel("build", "table", ADMISSIONS, "--count", "Freq", "-o", kb)
    assert "left out: 3 disjointness statements" in done.said
    assert len(read(kb)) == 138
    shown = boxsel("show", kb)
    assert shown.code == 0
    assert "conditional" in shown.out
    back = tmp_path / "back.sel"
    assert boxsel("convert", kb, "-o", back).code == 0
    assert read(back) == read(kb)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--count", "Frequency"], "did you mean 'Freq'?"),
        (["--column", "Gendr"], "did you mean 'Gender'?"),
        (["--count", "Dept"], "admissions.csv:2: column 'Dept': a count is a whole number"),
        (["--max-values", "3"], "the column 'Dept' has 6 different values, more than 3"),
        (["--json"], "say with -o where the result should go"),
        (["-o", "nowhere/kb.sel"], "cannot be written"),
        (["--interval", "wilson"], "need --confidence"),
    ],
)
def test_bad_input_gives_one_message(boxsel: Inside, options: list[str], expected: str) -> None:
    assert expected in boxsel.complaint("build", "table", ADMISSIONS, *options)


def test_nothing_is_written_when_a_strict_reading_stops(boxsel: Inside, tmp_path: Path) -> None:
    table = tmp_path / "t.csv"
    table.write_text("a,b\nx\n")
    kb = tmp_path / "kb.sel"
    said = boxsel.complaint("build", "table", table, "--strict", "-o", kb)
    assert "t.csv:2: the row has fewer cells than the header: x" in said
    assert not kb.exists()
