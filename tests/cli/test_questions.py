"""Every door that takes a question or a concept tells mistakes alike: the line, a caret, help."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

import boxsel
from boxsel.answer.many import answered_table
from boxsel.errors import BoxselError, Diagnostic, ReadError
from boxsel.serve.library import Library
from boxsel.serve.problems import unreadable
from boxsel.serve.tasks import TASKS, Desk
from tests.cli.inside import Inside

TEXT = """\
('Survived=Yes' | 'Sex=Female')[0.7]
(Adult | 'Sex=Female')[0.7]
Child SubClassOf part some Adult
"""
UNQUOTED = "(Survived=Yes | Sex=Female)"
CARET = """\
      | (Survived=Yes | Sex=Female)
      |          ^
  help: quote names with other characters: 'Survived=Yes'
"""


@pytest.fixture
def inside(capsys: pytest.CaptureFixture[str]) -> Inside:
    return Inside(capsys)


@pytest.fixture
def kb(tmp_path: Path) -> Path:
    file = tmp_path / "my kb.sel"
    file.write_text(TEXT)
    return file


@pytest.mark.parametrize("command", ["ask", "bounds", "explain"])
def test_questions_of_commands(inside: Inside, kb: Path, command: str) -> None:
    assert inside.complaint(command, kb, UNQUOTED) == (
        f"error: expected 'and', 'some', ')' or '|', found '='\n{CARET}"
    )


@pytest.mark.parametrize(
    "words",
    [
        ("ask", "(Adult | Adult)", "--assume", "(Survived=Yes | Adult)[0.5]"),
        ("check", "--concept", "Survived=Yes"),
        ("repair", "--concept", "Survived=Yes"),
        ("simpson", "--outcome", "Survived=Yes", "--groups", "Adult,Child", "--strata", "Adult"),
    ],
    ids=lambda words: words[0],
)
def test_concepts_and_assumptions_of_commands(
    inside: Inside, kb: Path, words: tuple[str, ...]
) -> None:
    message, excerpt, caret, advice = inside.complaint(words[0], kb, *words[1:]).splitlines()
    assert message.startswith("error: expected 'and', 'some'")
    assert excerpt[caret.index("^")] == "="
    assert advice == "  help: quote names with other characters: 'Survived=Yes'"


def test_questions_in_files_have_their_place(inside: Inside, kb: Path, tmp_path: Path) -> None:
    listed, table = tmp_path / "q.txt", tmp_path / "q.csv"
    listed.write_text(f"# asked\n  {UNQUOTED}\n")
    table.write_text("body,head\nSex=Female,Adult\nAdult,\n")
    said = inside.complaint("bounds", kb, "--queries", listed).splitlines()
    assert said[0].startswith(f"error: {listed}:2:12: expected")
    assert said[1:3] == [f"    2 |   {UNQUOTED}", "      |            ^"]
    said = inside.complaint("bounds", kb, "--queries", table).splitlines()
    assert said[0].startswith(f"error: {table}:2: column 'body': expected")
    assert said[1:3] == ["    2 | Sex=Female", "      |    ^"]
    assert said[4] == f"{table}:3: column 'head': the cell is empty"


def test_python_and_the_server(kb: Path) -> None:
    found = boxsel.read(kb)
    for door in (found.bounds, found.explain, lambda text: boxsel.ask(found, text)):
        with pytest.raises(ReadError) as caught:
            door(UNQUOTED)
        assert f"{caught.value}\n".endswith(CARET)
    with pytest.raises(ReadError, match="row 1 of the table: column 'body': expected"):
        answered_table(
            found, pd.DataFrame({"head": ["Adult"] * 2, "body": ["Adult", "Sex=Female"]})
        )
    for task in ("ask", "bounds", "explain", "sensitivity", "glance"):
        with pytest.raises(BoxselError) as refused:
            TASKS[task](Desk(Library(statements=9), 9), {"kb": TEXT, "query": UNQUOTED})
        problem = unreadable(refused.value).to_json()
        assert f"{problem['detail']}\n".endswith(CARET)
        assert [(error["line"], error["column"]) for error in problem["errors"]] == [(None, 10)]


def test_advice_names_the_file(inside: Inside, kb: Path) -> None:
    for words in (("ask", "(Qqqq | Adult)"), ("check", "--concept", "Qqqq")):
        said = inside.complaint(words[0], kb, *words[1:])
        assert said.endswith(f"  help: `boxsel show '{kb}' --names` lists what it mentions\n")


def test_a_diagnostic_without_a_line_has_no_place() -> None:
    assert str(Diagnostic("oops", column=3, text="abc")) == "oops\n      | abc\n      |   ^"
    assert Diagnostic("oops", "q.csv", 2, text="abc", caret=3).place == "q.csv:2"
