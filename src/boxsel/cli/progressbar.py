"""How far work is that takes longer than a moment: a bar on a terminal, else lines now and then."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from threading import Event, Lock, Thread
from typing import TYPE_CHECKING, Any, Final

from boxsel.machine.progress import note_reader, watched_by

if TYPE_CHECKING:
    from rich.progress import Progress

SECONDS_BEFORE_BAR: Final = 0.5
"""Seconds of work before a bar appears: short work shows none and loads no library for it."""

EACH_SHOWN: Final = 10_000
"""Up to so many items may each take long, and each is shown as it passes; of more, some are."""

SECONDS_BETWEEN_LINES: Final = 5.0
"""Seconds between two lines where there is no terminal."""

_STRIDE: Final = 1024
_acting: Final = Lock()
"""Held by whoever shows something: one at a time."""


def on_standard_error() -> AbstractContextManager[None]:
    """Show bars on standard error if it is a terminal, else a line now and then."""
    return watched_by(bar if sys.stderr.isatty() else lines)


def bar(items: Iterable[Any], task: str, total: int) -> Iterator[Any]:
    """The same items, with a bar on standard error once they take longer than `SECONDS_BEFORE_BAR`.

    A thread shows it, not the next item: the first one may take long. Work inside of work that is
    shown has no bar of its own.
    """
    shown: list[Progress] = []
    said, passed, stride = note_reader(), 0, 1 if total <= EACH_SHOWN else _STRIDE

    def show() -> None:
        if not shown:
            progress = _progress()
            progress.add_task("", total=total)
            progress.start()
            shown.append(progress)
        shown[0].update(shown[0].task_ids[0], completed=passed, description=_told(task, said()))

    try:
        with _repeated(show, SECONDS_BEFORE_BAR) as ours:
            for item in items:
                yield item
                passed += 1
                if ours and shown and passed % stride == 0:
                    show()
    finally:  # now nobody is about to show anything
        for progress in shown:
            progress.stop()


def lines(items: Iterable[Any], task: str, total: int) -> Iterator[Any]:
    """The same items, with a line on standard error every few seconds, if it says something new."""
    said, passed, last = note_reader(), 0, ""

    def tell() -> None:
        nonlocal last
        count = f" ({passed:,} of {total:,})" if total > 1 else ""
        line = f"{_told(task, said())}{count} …\n"
        if line != last:
            sys.stderr.write(line)
            sys.stderr.flush()
        last = line

    with _repeated(tell, SECONDS_BETWEEN_LINES):
        for item in items:
            yield item
            passed += 1


@contextmanager
def _repeated(act: Callable[[], None], seconds: float) -> Iterator[bool]:
    """Act every so many seconds, unless somebody does so already; whether it is us who act."""
    if not _acting.acquire(blocking=False):
        yield False
        return
    done = Event()

    def wait() -> None:
        while not done.wait(seconds):
            act()

    thread = Thread(target=wait, daemon=True)
    thread.start()
    try:
        yield True
    finally:
        done.set()
        thread.join()  # it may be about to act
        _acting.release()


def _told(task: str, note: str) -> str:
    return f"{task}: {note}" if note else task


def _progress() -> Progress:
    from rich.console import Console
    from rich.progress import Progress

    return Progress(console=Console(stderr=True), transient=True)
