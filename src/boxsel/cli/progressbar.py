"""A progress bar for work that takes longer than a moment, on a terminal only."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from threading import Timer
from typing import TYPE_CHECKING, Any, Final

from boxsel.machine.progress import latest_note, watched_by

if TYPE_CHECKING:
    from rich.progress import Progress

PATIENCE: Final = 0.5
"""Seconds of work before a bar appears: short work shows none and loads no library for it."""

FEW: Final = 10_000
"""Up to so many items may each take long, and each is shown as it passes."""

_STRIDE: Final = 1024


def on_terminal() -> AbstractContextManager[None]:
    """Show bars on standard error if it is a terminal."""
    return watched_by(bar) if sys.stderr.isatty() else nullcontext()


def bar(items: Iterable[Any], task: str, total: int) -> Iterator[Any]:
    """The same items, with a bar on standard error once they take longer than `PATIENCE`."""
    if total <= FEW:
        yield from _few(items, task, total)
        return
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
    with _progress() as progress:
        shown = progress.add_task(task, total=total, completed=passed)
        for item in items:
            yield item
            passed += 1
            if passed % _STRIDE == 0:
                progress.update(shown, completed=passed)


def _few(items: Iterable[Any], task: str, total: int) -> Iterator[Any]:
    """Items that may take long, the first one too: a timer shows the bar, not the next item."""
    shown: list[Progress] = []
    passed = 0

    def show() -> None:
        progress = _progress()
        progress.add_task(_described(task), total=total, completed=passed)
        progress.start()
        shown.append(progress)

    timer = Timer(PATIENCE, show)
    timer.daemon = True
    timer.start()
    try:
        for item in items:
            yield item
            passed += 1
            for progress in shown:
                progress.update(
                    progress.task_ids[0], completed=passed, description=_described(task)
                )
    finally:
        timer.cancel()
        timer.join()  # it may be about to show the bar
        for progress in shown:
            progress.stop()


def _described(task: str) -> str:
    noted = latest_note()
    return f"{task}: {noted}" if noted else task


def _progress() -> Progress:
    from rich.console import Console
    from rich.progress import Progress

    return Progress(console=Console(stderr=True), transient=True)
