"""What all tests share: the profile of Hypothesis, and real data where it is at hand."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "default", deadline=None, max_examples=100, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("default")

DataFile = Callable[[str], Path]


@pytest.fixture(scope="session")
def data() -> DataFile:
    """Find a real data set, or skip: none is committed.

    `BOXSEL_DATA` names the folder; without it, `../shared/data` beside the checkout is tried.
    """
    beside = Path(__file__).resolve().parents[2] / "shared" / "data"
    folder = Path(os.environ.get("BOXSEL_DATA", beside))

    def find(name: str) -> Path:
        path = folder / name
        if not path.exists():
            pytest.skip(f"needs the data set {name}: set BOXSEL_DATA to the folder that holds it")
        return path

    return find
