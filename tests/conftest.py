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


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """One more than there are cores: some tests wait for processes."""
    return (os.cpu_count() or 1) + 1


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "deep: only with --deep, for what is said beside it")
    depth.choose(config.getoption("deep"))
    share_compiled_programs(config)


def share_compiled_programs(config: pytest.Config) -> None:
    """What one worker, or one process that a test starts, has compiled serves the others, too."""
    if hasattr(config, "cache") and not hasattr(config, "workerinput"):
        os.environ.setdefault("JAX_COMPILATION_CACHE_DIR", str(config.cache.mkdir("jax")))
        os.environ.setdefault("JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS", "0.1")
        os.environ.setdefault("JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES", "-1")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not config.getoption("deep"):
        chosen = [item for item in items if not is_deep(item)]
        if len(chosen) < len(items):
            config.hook.pytest_deselected(items=[item for item in items if is_deep(item)])
            items[:] = chosen


def is_deep(item: pytest.Item) -> bool:
    """Whether a test is for deep runs only: one that is marked so, or needs real data."""
    return bool(item.get_closest_marker("deep")) or "data" in getattr(item, "fixturenames", ())


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
