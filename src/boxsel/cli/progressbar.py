"""A progress bar for work that takes longer than a moment, on a terminal only."""

from __future__ import annotations

import sys
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
"""Up to so many items may each take long, and each is shown as it passes; of more, some are."""

_STRIDE: Final = 1024


def on_terminal() -> AbstractContextManager[None]:
    """Show bars on standard error if it is a terminal."""
    return watched_by(bar) if sys.stderr.isatty() else nullcontext()


def bar(items: Iterable[Any], task: str, total: int) -> Iterator[Any]:
    """The same items, with a bar on standard error once they take longer than `PATIENCE`.

    A timer shows it, not the next item: the first one may take long.
    """
    shown: list[Progress] = []
    passed, stride = 0, 1 if total <= FEW else _STRIDE

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
            if shown and passed % stride == 0:
                shown[0].update(
                    shown[0].task_ids[0], completed=passed, description=_described(task)
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
