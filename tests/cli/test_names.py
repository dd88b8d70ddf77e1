"""`boxsel show --names` lists names, and finds those that somebody half remembers."""

from __future__ import annotations

import json
import re
from pathlib import Path

import jsonschema
import pytest

import boxsel
from boxsel.schemas import schema
from tests.cli.inside import Inside

TEXT = """\
Prefix: hp: <http://example.org/HP_>
('Survived=Yes' | 'Sex=Female')[0.7]
hp:1 SubClassOf part some Adult
Label: hp:1 "Type 2 diabetes"
"""


@pytest.fixture
def inside(capsys: pytest.CaptureFixture[str]) -> Inside:
    return Inside(capsys)


@pytest.fixture
def kb(tmp_path: Path) -> Path:
    file = tmp_path / "kb.sel"
    file.write_text(TEXT)
    return file


@pytest.mark.parametrize(
    ("words", "names"),
    [
        (("KB", "--names"), ["Adult", "'Sex=Female'", "'Survived=Yes'", "hp:1", "part"]),
        (("--names", "KB"), ["Adult", "'Sex=Female'", "'Survived=Yes'", "hp:1", "part"]),
        (("KB", "--names", "DIABETES"), ["hp:1"]),
        (("KB", "--names", "example.org"), ["hp:1"]),
        (("KB", "--names", "urn:"), []),
        (("--names", "example.org", "KB"), ["hp:1"]),
        (("KB", "--names=female"), ["'Sex=Female'"]),
        (("--names=qq", "KB"), []),
    ],
)
def test_names_are_listed_and_searched(
    inside: Inside, kb: Path, words: tuple[str, ...], names: list[str]
) -> None:
    command = ("show", *(kb if word == "KB" else word for word in words))
    printed = inside(*command, "--json")
    content = json.loads(printed.out)
    jsonschema.validate(content, schema("show-names"))
    listed = [*content["concepts"], *content["roles"], *content["individuals"]]
    assert sorted(one["name"] for one in listed) == sorted(names)
    shown = inside(*command)
    assert shown.code == 0
    lines = [line.split("  ") for line in shown.out.splitlines() if line.startswith("  ")]
    assert sorted(line[1] for line in lines) == sorted(names)
    signature = boxsel.read(kb).find(content["text"])
    assert sorted(entity.iri for entity in signature) == sorted(one["iri"] for one in listed)
    assert all(one["label"] == "Type 2 diabetes" for one in listed if one["name"] == "hp:1")


def test_a_list_of_names_needs_a_knowledge_base(inside: Inside) -> None:
    assert inside("show", "--names").code == 2


LABELLED = """\
(Q1 | Q2)[0.2, 0.5]
(Q3 | Q2)[0.4]
Q4 SubClassOf Q2
(Q1 | Q4)[0.9]
(Q1 | Q4)[0.1]
Label: Q1 "city"
Label: Q2 "old town"
Label: Q3 "port"
Label: Q4 "ruin"
"""


@pytest.mark.parametrize(
    "words",
    [
        ("ask", "KB", "(Q1 and Q3 | Q2)", "--sensitivity", "--population", "--estimate=never"),
        ("bounds", "KB", "(Q1 | Q4)"),
        ("bounds", "KB", "(Q1 and Q3 | Q2)"),
        ("explain", "KB", "(Q1 and Q3 | Q2)"),
        ("compare", "KB", "(Q1 | Q2)", "(Q3 | Q2)"),
        ("next", "KB", "(Q1 and Q3 | Q2)"),
        ("check", "KB", "--all"),
        ("repair", "KB"),
        ("simpson", "KB", "--outcome=Q1", "--groups=Q2,Q3", "--strata=Q2,Q3", "--budget=1s"),
        ("sample", "KB", "-n", "7", "--query", "(Q1 | Q2)"),
    ],
)
def test_people_read_labels_and_programs_names(
    inside: Inside, tmp_path: Path, words: tuple[str, ...]
) -> None:
    file = tmp_path / "kb.sel"
    file.write_text(LABELLED)
    command = [file if word == "KB" else word for word in words]
    label, name = re.compile(r"\b(city|old town|port|ruin)\b"), re.compile(r"\bQ\d\b")
    shown, as_written = inside(*command).out, inside(*command, "--iris").out
    assert label.search(shown)
    assert not name.search(shown)
    assert name.search(as_written)
    assert not label.search(as_written)
    for more in ((), ("--iris",)):
        printed = inside(*command, "--json", *more).out
        assert name.search(printed)
        assert not label.search(printed)


@pytest.mark.parametrize(("more", "columns"), [((), "city,old town"), (("--iris",), "Q1,Q2")])
def test_people_in_a_table_have_labels(
    inside: Inside, tmp_path: Path, more: tuple[str, ...], columns: str
) -> None:
    kb, people = tmp_path / "kb.sel", tmp_path / "people.csv"
    kb.write_text('(Q1 | Q2)[0.5]\nLabel: Q1 "city"\nLabel: Q2 "old town"\n')
    assert inside("sample", kb, "-n", "4", "-o", people, *more).code == 0
    assert columns in people.read_text().splitlines()[0]
