"""What the documentation shows is what the commands print."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.inside import piped

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


def _arguments(command: str) -> list[str] | None:
    """What `boxsel` is called with, if that is all that a command does: no pipe, no variable."""
    words = shlex.shlex(command, posix=True, punctuation_chars=True)
    words.wordchars += ":,=+%@"
    split = list(words)
    plain = split[0] == "boxsel" and "$" not in command and shlex.split(command) == split
    return split[1:] if plain and not any(set(word) <= set("();<>|&") for word in split) else None


def _run(command: str) -> tuple[int, str]:
    """The exit code and all that a command prints.

    One that calls us and nothing else is called here: so libraries are loaded and programs are
    compiled once, not once for each command.
    """
    arguments = _arguments(command)
    done = (
        subprocess.run(["bash", "-c", command], capture_output=True, check=False)
        if arguments is None
        else piped(*arguments)
    )
    return done.returncode, (done.stdout + b"\n" + done.stderr).decode()


@pytest.mark.parametrize("page", WITH_COMMANDS, ids=lambda page: str(page.relative_to(ROOT)))
def test_commands_print_what_the_page_shows(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "src").symlink_to(ROOT / "src")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setenv("PYTHONIOENCODING", "utf-8")
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent), prepend=os.pathsep)
    for command, shown in _sessions(page):
        code, printed = _run(command)
        missing = [line for line in _words(shown) if line not in _words(printed)]
        assert not missing, f"$ {command}\n{printed}"
        assert code in (0, 1) or "error:" in shown, f"$ {command}\n{printed}"


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
