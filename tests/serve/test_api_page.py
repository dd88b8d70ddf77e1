"""What the page about the API shows is what happens."""

from __future__ import annotations

import doctest
import json
import re
import shlex
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from boxsel.serve.problems import KINDS
from tests.serve.serving import Serving

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "api.md").read_text("utf-8")
ADDRESS = "http://127.0.0.1:8080"
SHOWN = re.findall(r"^```sh\n([^`]*)^```\n\n```json\n([^`]*)^```$", PAGE, re.MULTILINE)
PYTHON = re.findall(r"^```python\n([^`]*)^```$", PAGE, re.MULTILINE)


def untimed(answer: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in answer.items() if key != "seconds"}


@pytest.mark.skipif(shutil.which("curl") is None, reason="needs curl")
@pytest.mark.parametrize(("command", "shown"), SHOWN)
def test_curl(command: str, shown: str, server: Serving) -> None:
    # Old versions of curl have no --json.
    said = command.replace(ADDRESS, server.client.address)
    said = said.replace("--json", "-H 'Content-Type: application/json' -d")
    done = subprocess.run(shlex.split(said), capture_output=True, text=True, check=True)
    assert untimed(json.loads(done.stdout)) == untimed(json.loads(shown))


def test_python(server: Serving) -> None:
    (session,) = PYTHON
    session = session.replace(ADDRESS, server.client.address)
    test = doctest.DocTestParser().get_doctest(session, {}, "api.md", "api.md", 0)
    said: list[str] = []
    assert doctest.DocTestRunner().run(test, out=said.append).failed == 0, "".join(said)


def test_every_problem_is_in_the_table() -> None:
    rows = [line for line in PAGE.splitlines() if line.startswith("|")]
    for kind, (status, _) in KINDS.items():
        if kind not in ("internal", "refused"):
            row = next(line for line in rows if f"`{kind}`" in line)
            assert str(status) in row.split("|")[1]


def test_both_kinds_of_examples_are_found() -> None:
    assert (len(SHOWN), len(PYTHON)) == (2, 1)
