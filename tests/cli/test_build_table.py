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
        content = json.loads(done.out)
        jsonschema.validate(content, schema("build-table"))
        assert content["statements"] == len(read(out))
        assert content["rejected"][0]["count"] == 1
        assert content["unnamed"] == 1
        assert (content["coverage"] is None) == ("--confidence" not in options)


def test_counts_can_be_read_as_samples(boxsel: Inside, tmp_path: Path) -> None:
    kb = tmp_path / "kb.sel"
    options = ("--count", "Freq", "--confidence", "0.95", "--simultaneous")
    done = boxsel("build", "table", ADMISSIONS, *options, "-o", kb)
    assert "138 counts is read as a Clopper–Pearson interval" in done.said
    bounds = [conditional.proportion for conditional in read(kb).conditionals]
    assert all(isinstance(bound, Interval) and not bound.is_point for bound in bounds)


def test_parquet_holds_the_statements(boxsel: Inside, tmp_path: Path) -> None:
    kb = tmp_path / "kb.parquet"
    done = boxsel("build", "table", ADMISSIONS, "--count", "Freq", "-o", kb)
    assert "left out: 24 patterns of data" in done.said
    assert len(read(kb)) == 141
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
        (
            ["--max-values", "3", "--column", "Dept"],
            "the column 'Dept' has 6 different values, more than 3",
        ),
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


def test_data_are_kept_told_and_left_out_on_request(boxsel: Inside, tmp_path: Path) -> None:
    kb, plain, other = (tmp_path / name for name in ("kb.sel", "plain.sel", "kb.ttl"))
    done = boxsel("build", "table", ADMISSIONS, "-o", kb)
    assert "the data are kept: 4,526 members of 24 patterns (--no-data" in done.said
    assert "4,526 members of 24 patterns" in boxsel("show", kb).out
    assert boxsel("build", "table", ADMISSIONS, "-o", plain, "--no-data").code == 0
    assert boxsel("convert", kb, other).code == 0
    assert read(other).data == read(kb).data
    assert boxsel("convert", other, tmp_path / "less.sel", "--no-data").code == 0
    assert read(tmp_path / "less.sel").data is read(plain).data is None
    assert "- data: 4,526 members of 24 patterns" in boxsel("diff", kb, plain).out
    with kb.open("a") as file:
        file.write("('Admit=Admitted' | 'Gender=Male')[0.9]\n")
    assert "statements have changed since: not used" in boxsel("show", kb).out


def test_damaged_data_are_told_with_their_line(boxsel: Inside, tmp_path: Path) -> None:
    kb = tmp_path / "kb.sel"
    kb.write_text("A SubClassOf B\nDataClasses: A, B\nData: 3 of 0 1\nData: 3 times 0\n")
    done = boxsel("check", kb)
    assert done.code == 2
    assert f"{kb}:4:1: this line of data holds no pattern" in done.said
    kb.write_text("A SubClassOf B\nDataClasses: A, B\nData: 3 of 0 2\n")
    assert "there is no concept 2" in boxsel("check", kb).said
