"""What all tests share: how deep they go, and real data where it is at hand."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests import depth

DataFile = Callable[[str], Path]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--deep", action="store_true", help="look at all random cases")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "deep: only with --deep, for what is said beside it")
    depth.choose(config.getoption("deep"))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not config.getoption("deep"):
        late = [item for item in items if item.get_closest_marker("deep")]
        if late:
            config.hook.pytest_deselected(items=late)
            items[:] = [item for item in items if not item.get_closest_marker("deep")]


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
