"""`boxsel build rules` as a user runs it."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from boxsel import read
from boxsel.schemas import schema
from tests.cli.inside import Inside

RULES = """\
42\t3\t0.0714\tjob(X,actor) <= born(X,Rome)
40\t30\t0.75\ttype(X,Italian) <= born(X,A), in(A,Italy)
10\t9\t0.9\tspouse(X,Y) <= spouse(Y,X)
broken
"""


@pytest.fixture
def boxsel(capsys: pytest.CaptureFixture[str]) -> Inside:
    return Inside(capsys)


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    path = tmp_path / "rules.txt"
    path.write_text(RULES)
    return path


def test_rules_become_conditionals_and_the_others_are_listed(
    boxsel: Inside, rules: Path, tmp_path: Path
) -> None:
    unused = tmp_path / "unused.tsv"
    done = boxsel("build", "rules", rules, "--unused", unused)
    assert done.code == 0
    assert done.out.splitlines() == [
        "'born=Rome' SubClassOf born some owl:Thing",
        "('job=actor' | 'born=Rome')[3 of 42]  ## source: rules.txt:1",
        "(Italian | born some 'in=Italy')[30 of 40]  ## source: rules.txt:2",
    ]
    assert "1 rules are no conditionals of Statistical EL:" in done.said
    assert "there are 1 columns, expected 4" in done.said
    assert unused.read_text().splitlines()[1].startswith("3\tthe head has two variables")


def test_the_report_fits_its_schema(boxsel: Inside, rules: Path, tmp_path: Path) -> None:
    kb = tmp_path / "kb.sel"
    for options in ([], ["--confidence", "0.95"], ["--min-support", "10", "--no-values"]):
        done = boxsel("build", "rules", rules, "-o", kb, "--json", *options)
        assert done.code == 0, done.said
        content = json.loads(done.out)
        jsonschema.validate(content, schema("build-rules"))
        assert content["statements"] == len(read(kb))
        assert content["kind"] == "anyburl"


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--strict"], "rules.txt:4: there are 1 columns, expected 4: broken"),
        (["--min-confidence", "most"], "'most' is not a number"),
        (["--min-confidence", "2"], "the least confidence 2 is not between 0 and 1"),
        (["--type", ""], "a name is empty"),
        (["--unused", "nowhere/unused.tsv"], "cannot be written"),
    ],
)
def test_bad_input_gives_one_message(
    boxsel: Inside, rules: Path, options: list[str], expected: str
) -> None:
    assert expected in boxsel.complaint("build", "rules", rules, *options)


def test_a_file_of_something_else_is_refused(boxsel: Inside, tmp_path: Path) -> None:
    path = tmp_path / "facts.tsv"
    path.write_text("alice\tknows\tbob\n")
    said = boxsel.complaint("build", "rules", path)
    assert "there are no rules of AMIE or AnyBURL in this file" in said
    assert "--kind" in said
