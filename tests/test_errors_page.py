"""The page of errors says what the code says: every message is tried, every class is there."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import boxsel
from boxsel.errors import BoxselError
from tests.cli.inside import Inside

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / "docs" / "errors.md").read_text("utf-8")
MESSAGES = re.findall(r"^\| `((?:[^`|]|\\\|)+)` \| [^|]+(?:\\\|[^|]+)* \|$", PAGE, re.MULTILINE)
FILES = {
    "kb.sel": "(B | A)[0.5]\n",
    "empty.sel": "",
    "typo.sel": "A SubClasOf B\n",
    "above.sel": "(B | A)[30]\n",
    "order.sel": "(B | A)[0.5, 0.2]\n",
    "count.sel": "(B | A)[7 of 5]\n",
    "not.sel": "(not B | A)[0.3]\n",
    "binary.sel": "\0\1",
    "columns.csv": "foo,bar\n1,2\n",
    "cell.csv": "group,of,percent\nA,B,abc\n",
    "pairs.tsv": "a\tb\n",
    "change.csv": "group,of,percent\nA,B,130\nC,B,20\n",
    "date.csv": "group,of,share\nA,B,2020-03-01\n",
    "seen.csv": "seen,sex\n3/4/2020,f\n5/6/2021,m\n",
    "age.csv": "age,sex\n90+,f\n7,m\n",
    "page.owl": "<!DOCTYPE html>\n<html>",
}
BY_COMMAND = {
    "there is no such file": "check nowhere.sel",
    "the file is empty": "check empty.sel",
    "expected 'SubClassOf'": "check typo.sel",
    "is above 1: percentages need a % sign": "check above.sel",
    "the lower bound 0.5 is above the upper bound 0.2": "check order.sel",
    "the count 7 is above its total 5": "check count.sel",
    "stand in queries, not inside a conditional": "check not.sel",
    "does not mention": "ask kb.sel (X|A)",
    "found the end of the line": "ask kb.sel (B|A",
    "cannot stand in a query": "ask kb.sel (B|owl:Nothing)",
    "there is no column for head": "check columns.csv",
    "is not a number": "check cell.csv",
    "is above 100 %": "check change.csv",
    "spreadsheets make dates of fractions": "check date.csv",
    "could have the day or the month first": "build table seen.csv --bin seen=month",
    "neither numbers nor dates": "build table age.csv --bin age=18",
    "this seems to be": "check page.owl",
    "there is a NUL character": "check binary.sel",
    "there are 2 columns, expected three": "build graph pairs.tsv",
    "this is not JSON": "verify kb.sel kb.sel",
    "there is nothing to answer": "ask kb.sel",
    "there is no knowledge base": "ask (B|A)",
    "is neither a file nor a query": "ask kb.sel B",
    "two shares are compared": "compare kb.sel (B|A)",
    "both are": "compare kb.sel (B|A) (B|A)",
    "is not a budget": "ask kb.sel (B|A) --budget soon",
    "a picture ends in": "ask kb.sel (B|A) --plot a.bmp",
    "is not between 0 and 1: write 0.95": "check kb.sel --confidence 95",
    "--percent is for people": "ask kb.sel (B|A) --json --percent",
    "there is no example": "check example:nothing",
}


def test_every_message_of_the_page_is_tried() -> None:
    assert sorted(MESSAGES) == sorted(BY_COMMAND)


@pytest.mark.parametrize("message", BY_COMMAND)
def test_a_message_is_what_the_page_says(
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        Path(name).write_text(text)
    assert message in Inside(capsys).complaint(*BY_COMMAND[message].split())


def classes() -> dict[str, set[str]]:
    """The exceptions of the source, with the names of their bases."""
    found: dict[str, set[str]] = {}
    for file in (ROOT / "src" / "boxsel").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.ClassDef) and node.name.endswith("Error"):
                found[node.name] = {base.id for base in node.bases if isinstance(base, ast.Name)}
    return found


def test_every_error_that_users_meet_is_on_the_page() -> None:
    bases, ours = classes(), {BoxselError.__name__}
    while more := {name for name, own in bases.items() if own & ours} - ours:
        ours |= more
    assert len(ours) > 8
    missing = {name for name in ours | {"OutOfTimeError"} if f"`{name}`" not in PAGE}
    assert not missing
    told = set(re.findall(r"`(\w+Error)`", PAGE))
    assert told <= ours | {"OutOfTimeError"}
    assert {"BoxselError", "ReadError", "WriteError"} <= {*dir(boxsel)}
