"""How deep the tests go.

Every property is tested in every run. `make test` looks at a part of the random cases, and they are
the same on every machine; `make test-all` (`pytest --deep`) looks at all of them, and finds others
in each run, unless it is CI's.
"""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

PART = 5
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


def cases(all_of_them: int) -> int:
    """How many of the random cases of a test to look at."""
    return all_of_them if _deep else min(all_of_them, max(LEAST, all_of_them // PART))


def some(cases_of_it: range) -> range:
    """The first of them: seeds, say, that a test goes through."""
    return cases_of_it[: cases(len(cases_of_it))]
