"""What tests of the exact reasoner share."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest


@pytest.fixture(scope="session")
def generators() -> Iterator[ModuleType]:
    """The benchmarks' generators of larger knowledge bases."""
    path = Path(__file__).parents[2] / "benchmarks" / "_generators.py"
    spec = importlib.util.spec_from_file_location("_generators", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["_generators"] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    yield module
    del sys.modules["_generators"]
