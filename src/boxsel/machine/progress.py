"""Progress of long work: whoever works says how far it is, whoever watches may show it.

Without a watcher nothing happens and nothing is spent. The command line installs one on a
terminal; a notebook or a server may install its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar, cast

Item = TypeVar("Item")
Watcher = Callable[[Iterable[Any], str, int], Iterable[Any]]
"""Passes items on, told what the task is called and how many items there will be."""

_watcher: ContextVar[Watcher | None] = ContextVar("watcher", default=None)
_note: ContextVar[list[str]] = ContextVar("note")
"""The latest note, in a list, so that threads which show it see it change."""


def track(items: Iterable[Item], task: str, total: int) -> Iterable[Item]:
    """The same items; somebody may be watching them pass.

    Examples:
        >>> list(track([1, 2, 3], "counting", 3))
        [1, 2, 3]
    """
    watcher = _watcher.get()
    return items if watcher is None else cast(Iterable[Item], watcher(items, task, total))


def note(text: str) -> None:
    """Say how the work is going, in a few words; whoever watches may show them beside the task.

    Examples:
        >>> note("loss 0.25")
        >>> latest_note()
        'loss 0.25'
        >>> note("")
    """
    _noted()[0] = text


def latest_note() -> str:
    """What was noted last."""
    return _noted()[0]


def note_reader() -> Callable[[], str]:
    """Tells what was noted last, from any thread."""
    noted = _noted()
    return lambda: noted[0]


def _noted() -> list[str]:
    noted = _note.get(None)
    if noted is None:
        noted = [""]
        _note.set(noted)
    return noted


def during(work: Callable[[], Item], task: str) -> Item:
    """What some work of one piece gives; somebody may be watching how long it takes.

    Examples:
        >>> during(lambda: 6 * 7, "thinking")
        42
    """
    (result,) = [work() for _ in track([None], task, 1)]
    return result


@contextmanager
def watched_by(watcher: Watcher) -> Iterator[None]:
    """Let a watcher see the progress of all work inside the block; what was noted before is not.

    Examples:
        >>> def tell(items, task, total):
        ...     print(f"{task}: {total} items")
        ...     return items
        >>> with watched_by(tell):
        ...     sum(track([1, 2, 3], "adding", 3))
        adding: 3 items
        6
    """
    token, before = _watcher.set(watcher), _note.set([""])
    try:
        yield
    finally:
        _watcher.reset(token)
        _note.reset(before)
