"""What every benchmark needs: the machine, the commit, and a place for the numbers."""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
from datetime import UTC, datetime
from pathlib import Path

FOLDER = Path(__file__).parent


def machine() -> dict[str, object]:
    """Where and on what a number was measured."""
    return {
        "cores": len(os.sched_getaffinity(0)),
        "processor": _processor(),
        "python": platform.python_version(),
        "date": datetime.now(UTC).date().isoformat(),
        "commit": _commit(),
    }


def add_data_option(options: argparse.ArgumentParser) -> None:
    """`--data FOLDER`: where the real data is; else BOXSEL_DATA, else beside the checkout."""
    beside = FOLDER.resolve().parents[1] / "shared" / "data"
    options.add_argument("--data", type=Path, default=Path(os.environ.get("BOXSEL_DATA", beside)))


def save(name: str, result: dict[str, object]) -> None:
    """Write a result as JSON to `benchmarks/out/NAME.json`, with the machine beside it."""
    path = FOLDER / "out" / f"{name}.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps({"machine": machine(), **result}, indent=2) + "\n", "utf-8")
    print(f"written to {path.relative_to(FOLDER.parent)}\n")


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        return next(line.split(":", 1)[1].strip() for line in lines if "model name" in line)
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def _commit() -> str:
    try:
        done = subprocess.run(
            ["git", "describe", "--always", "--dirty"],
            cwd=FOLDER,
            capture_output=True,
            text=True,
            check=True,
        )
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return done.stdout.strip()
