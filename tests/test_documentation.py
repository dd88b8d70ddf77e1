"""What the documentation shows is what the commands print."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
_BLOCK = re.compile(r"^```[a-z]*\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def _sessions(page: Path) -> Iterator[tuple[str, str]]:
    """Each `$ command` of a page with the output that is shown for it."""
    for block in _BLOCK.findall(page.read_text("utf-8")):
        for piece in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, shown = piece.partition("\n")
            yield command, shown


def _words(text: str) -> list[str]:
    return [" ".join(line.split()) for line in text.splitlines() if line.strip()]


WITH_COMMANDS = [page for page in PAGES if any(_sessions(page))]


@pytest.mark.parametrize("page", WITH_COMMANDS, ids=lambda page: str(page.relative_to(ROOT)))
def test_commands_print_what_the_page_shows(page: Path, tmp_path: Path) -> None:
    (tmp_path / "src").symlink_to(ROOT / "src")
    environment = {**os.environ, "COLUMNS": "200", "PYTHONIOENCODING": "utf-8"}
    environment["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{environment['PATH']}"
    for command, shown in _sessions(page):
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        printed = _words(done.stdout) + _words(done.stderr)
        missing = [line for line in _words(shown) if line not in printed]
        assert not missing, f"$ {command}\n{done.stdout}{done.stderr}"
        assert done.returncode in (0, 1) or "error:" in shown, f"$ {command}\n{done.stderr}"


def test_every_page_is_in_the_navigation() -> None:
    navigation = (ROOT / "mkdocs.yml").read_text("utf-8")
    pages = {page.relative_to(ROOT / "docs").as_posix() for page in (ROOT / "docs").rglob("*.md")}
    decisions = (ROOT / "docs" / "decisions" / "index.md").read_text("utf-8")
    for page in pages:
        name = page.removeprefix("decisions/")
        assert page in navigation or f"({name})" in decisions, page


def test_links_in_the_readme_lead_somewhere() -> None:
    for link in re.findall(r"\]\(([^)#:]+)\)", (ROOT / "README.md").read_text("utf-8")):
        assert (ROOT / link).exists(), link
