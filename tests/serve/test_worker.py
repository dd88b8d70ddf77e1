"""Worker processes: what they load, and what the server need not load."""

from __future__ import annotations

import subprocess
import sys

import pytest

from boxsel.machine.progress import note, track, watched_by
from boxsel.serve.worker import telling


def loaded(module: str) -> set[str]:
    code = f"import sys, {module}; print(*{{name.partition('.')[0] for name in sys.modules}})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_the_server_loads_no_solver_and_the_worker_no_web() -> None:
    solvers = {"ortools", "jax", "numpy", "scipy", "duckdb", "pyhornedowl"}
    assert not loaded("boxsel.serve.app, boxsel.serve.page.workbench") & solvers
    assert not loaded("boxsel.serve.worker") & {"fastapi", "starlette", "nicegui", "uvicorn"}


def test_progress_is_told_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr("time.monotonic", lambda: now)
    told: list[dict[str, object]] = []
    passed = []
    note("what an earlier task has said")
    with watched_by(telling(told.append)):
        for item in track("abcdefghij", "reading", 10):
            now += 0.125
            passed.append(item)
    note("")
    assert "".join(passed) == "abcdefghij"
    assert [content["done"] for content in told] == [2, 4, 6, 8]
    assert told[0] == {"said": "progress", "task": "reading", "done": 2, "total": 10, "note": ""}
