"""A progress bar for work that takes longer than a moment, on a terminal only."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Final

from boxsel.progress import watched_by

PATIENCE: Final = 0.5
"""Seconds of work before a bar appears: short work shows none and loads no library for it."""

_STRIDE: Final = 1024


def on_terminal() -> AbstractContextManager[None]:
    """Show bars on standard error if it is a terminal."""
    return watched_by(bar) if sys.stderr.isatty() else nullcontext()


def bar(items: Iterable[Any], task: str, total: int) -> Iterator[Any]:
    """The same items, with a bar on standard error once they take longer than `PATIENCE`."""
    start = time.monotonic()
    remaining = iter(items)
    passed = 0
    for item in remaining:
        yield item
        passed += 1
        if passed % _STRIDE == 0 and time.monotonic() - start > PATIENCE:
            break
    else:
        return
    yield from _shown(remaining, task, passed, total)


def _shown(items: Iterator[Any], task: str, passed: int, total: int) -> Iterator[Any]:
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as progress:
        shown = progress.add_task(task, total=total, completed=passed)
        for item in items:
            yield item
            passed += 1
            if passed % _STRIDE == 0:
                progress.update(shown, completed=passed)
