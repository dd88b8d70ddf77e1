"""How many threads linear algebra takes."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from threadpoolctl import ThreadpoolController


@contextmanager
def one_thread() -> Iterator[None]:
    """Let linear algebra take one thread, also SciPy's own, if that is loaded by now.

    Small products in several threads wait for each other: where the machine has other work, that
    took thirty times as long, and factors of equations a hundred times. Where training is installed
    alone, nothing is there that could tell it: then it takes what the environment says.
    """
    try:
        controller = _controller("scipy.linalg" in sys.modules)
    except ImportError:
        yield
        return
    with controller.limit(limits=1, user_api="blas"):
        yield


@cache
def _controller(_: bool) -> ThreadpoolController:
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
