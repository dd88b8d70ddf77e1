"""How many threads linear algebra takes."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

from threadpoolctl import ThreadpoolController


@contextmanager
def one_thread() -> Iterator[None]:
    """Let linear algebra take one thread, also SciPy's own, if that is loaded by now.

    Small products in several threads wait for each other: where the machine has other work, that
    took thirty times as long, and factors of equations a hundred times.
    """
    with _controller("scipy.linalg" in sys.modules).limit(limits=1, user_api="blas"):
        yield


@cache
def _controller(_: bool) -> ThreadpoolController:
    return ThreadpoolController()
