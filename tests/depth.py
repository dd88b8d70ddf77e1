"""How deep the tests go.

Every property is tested in every run. `make test` looks at a part of the random cases, and they are
the same on every machine; `make test-all` (`pytest --deep`) looks at all of them, and finds others
in each run, unless it is CI's.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TypeVar

from hypothesis import HealthCheck, settings

Case = TypeVar("Case")

PART = 10
"""Of so many random cases one is in the quick run."""

LEAST = 5
"""No property is left with fewer cases than this, if it has as many."""

_deep = False


def choose(deep: bool) -> None:
    """Say how deep, before tests are collected: their decorators ask for numbers of cases."""
    global _deep
    _deep = deep
    settings.register_profile(
        "chosen",
        deadline=None,
        max_examples=cases(100),
        derandomize=not deep or "CI" in os.environ,
        suppress_health_check=[HealthCheck.too_slow],
    )
    settings.load_profile("chosen")
    # Programs are compiled in two thirds of the time, and are a bit slower then. As users have
    # them they are what `make test-numeric` runs.
    os.environ.setdefault("XLA_FLAGS", "--xla_backend_optimization_level=0")


def cases(all_of_them: int, least: int = LEAST) -> int:
    """How many of the cases of a test to look at."""
    return all_of_them if _deep else min(all_of_them, max(least, all_of_them // PART))


def some(all_of_them: Sequence[Case], least: int = LEAST) -> Sequence[Case]:
    """Some of the cases of a test, from all over: seeds, say, or kinds that are combined."""
    count = cases(len(all_of_them), least)
    return all_of_them[:: len(all_of_them) // count][:count]
