"""Bars appear for long work on a terminal, lines elsewhere; the work is the same."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxsel.cli import progressbar
from boxsel.machine.progress import during, note, track, watched_by


@given(
    st.integers(0, 3000) | st.integers(progressbar.EACH_SHOWN, progressbar.EACH_SHOWN + 3000),
    st.sampled_from([0.0, 60.0]),
)
def test_every_item_passes_once_and_in_order(count: int, patience: float) -> None:
    with pytest.MonkeyPatch.context() as patch, watched_by(progressbar.bar):
        patch.setattr(progressbar, "SECONDS_BEFORE_BAR", patience)
        assert list(track(range(count), "counting", count)) == list(range(count))


def test_long_work_tells_a_line_now_and_then_where_there_is_no_terminal(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progressbar, "SECONDS_BETWEEN_LINES", 0.01)
    told = ""

    def work(number: int) -> None:
        nonlocal told
        note(f"step {number}")
        told = ""
        while f"working: step {number} ({number} of 2) …\n" not in told:  # however slow we are
            told += capfd.readouterr().err
        assert told.count(f"step {number} ({number} of 2)") == 1  # what is no news is not told

    with watched_by(progressbar.lines):
        for number in track(range(2), "working", 2):
            work(number)
            for _ in track(range(3), "inside", 3):
                assert "inside" not in capfd.readouterr().err


def test_short_work_tells_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    with watched_by(progressbar.lines):
        assert during(lambda: 42, "thinking") == 42
    assert capfd.readouterr().err == ""


def _on_a_terminal(tmp_path: Path, patience: float) -> str:
    """What standard error shows while a file is read, with standard error a terminal."""
    kb = tmp_path / "kb.sel"
    kb.write_text("".join(f"(A{n} | B{n})[0.5]\n" for n in range(20_000)))
    code = (
        "import sys; from boxsel.cli import app, progressbar;"
        f"progressbar.SECONDS_BEFORE_BAR = {patience};"
        f"sys.argv = ['boxsel', 'show', {str(kb)!r}]; app.main()"
    )
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-c", code],
        stdout=subprocess.DEVNULL,
        stderr=theirs,
        env={**os.environ, "TERM": "xterm"},
    ) as process:
        os.close(theirs)
        shown = b""
        try:
            while piece := os.read(ours, 4096):
                shown += piece
        except OSError:  # how a terminal says that the other side has hung up
            pass
    os.close(ours)
    assert process.returncode == 0
    return shown.decode()


def test_long_work_shows_a_bar_on_a_terminal(tmp_path: Path) -> None:
    shown = _on_a_terminal(tmp_path, patience=0.0)
    assert "reading" in shown
    assert "%" in shown


def test_short_work_shows_none(tmp_path: Path) -> None:
    assert _on_a_terminal(tmp_path, patience=60.0) == ""
