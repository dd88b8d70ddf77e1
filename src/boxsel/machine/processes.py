"""Work in several processes at once: each task is a generator, and its items come as they are made.

Processes are spawned, since solvers and their threads do not survive a fork. They end with the
one that started them, however it ends: their work must be such that it may be cut short.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import sys
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from threading import Lock, Thread
from typing import Any, TypeVar

from boxsel.errors import BoxselError

Item = TypeVar("Item")
Work = Callable[..., Iterable[Item]]


def side_by_side(
    work: Work[Item], tasks: Sequence[tuple[Any, ...]], jobs: int
) -> Generator[Item, None, None]:
    """The items of `work(*task)` for all tasks, in the order in which they are made.

    At most so many `jobs` run at once; a single one needs no further process. `work` and the tasks
    must be such that they can be sent to another process.

    Raises:
        BoxselError: A task failed, or its process was killed. The others are stopped.
    """
    if min(jobs, len(tasks)) <= 1:
        for task in tasks:
            yield from work(*task)
        return
    waiting = deque(tasks)
    running: dict[Connection, SpawnProcess] = {}
    try:
        while waiting or running:
            while waiting and len(running) < jobs:
                connection, process = _started(work, waiting.popleft())
                running[connection] = process
            for ready in wait(list(running)):
                assert isinstance(ready, Connection)
                items = received(ready, running[ready])
                if items is None:
                    running.pop(ready).join()
                    ready.close()
                else:
                    yield from items
    finally:
        for process in running.values():
            process.terminate()
        for connection, process in running.items():
            process.join()
            connection.close()


def spawned(target: Callable[[Connection], None]) -> tuple[Connection, SpawnProcess]:
    """A process that runs `target` with one end of a connection, and the other end."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_run, args=(theirs, target), daemon=True)
    # Ctrl-C reaches all processes of a terminal: ours decides what happens, theirs never see it.
    # The tracker is started first, as its start lets the signal through again.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        with _by_itself(target):
            process.start()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
    theirs.close()  # so that its end is seen when the process ends
    return ours, process


_starting = Lock()


@contextmanager
def _by_itself(target: Callable[[Connection], None]) -> Iterator[None]:
    """Let a process start without what surrounds us.

    It would run the user's script again, which is of no use unless its work is defined there. In a
    process of joblib it would be told of a way to start that only joblib knows. And those of Dask
    may have no children, lest they be left behind: ours end with whoever started them.
    """
    needed = b"__main__" in pickle.dumps(target)
    main = {} if needed else vars(sys.modules["__main__"])
    with _starting:
        if multiprocessing.get_start_method(allow_none=True) == "loky":
            multiprocessing.set_start_method("spawn", force=True)
        hidden: dict[str, Any] = {
            name: main[name] for name in ("__spec__", "__file__") if name in main
        }
        main.update(dict.fromkeys(hidden))
        settings: dict[str, Any] = vars(multiprocessing.current_process())["_config"]
        daemon = settings.get("daemon")
        settings["daemon"] = False
        try:
            yield
        finally:
            main.update(hidden)
            settings["daemon"] = daemon


def _started(work: Work[Item], task: tuple[Any, ...]) -> tuple[Connection, SpawnProcess]:
    ours, process = spawned(partial(_tell, work))
    # Sent when it runs, not as an argument: if it dies at once, a large argument would wait for
    # ever to be read.
    with suppress(OSError):
        ours.send(task)
    return ours, process


def received(connection: Connection, process: SpawnProcess) -> tuple[Any, ...] | None:
    """Items that were sent: none at the end.

    Raises:
        BoxselError: The task failed, or its process was killed.
    """
    try:
        said, value = connection.recv()
    except (EOFError, OSError):
        process.join()
        raise BoxselError(_death(process.exitcode or 0)) from None
    if said == "failed":
        raise BoxselError(value)
    return (value,) if said == "item" else None


def _death(code: int) -> str:
    if code == -signal.SIGKILL:
        return "a process was killed, perhaps for want of memory: use fewer jobs"
    return f"a process ended before its work was done (exit status {code})"


def _run(connection: Connection, target: Callable[[Connection], None]) -> None:
    """What a process does: its work, for as long as somebody waits for it.

    A mistake in the input is told; anything else ends the process, and that is seen.
    """
    Thread(target=_end_with_parent, daemon=True).start()
    try:
        target(connection)
    except BoxselError as error:
        with suppress(OSError):
            connection.send(("failed", str(error)))


def _tell(work: Work[Item], connection: Connection) -> None:
    """Work on a task that is sent, and tell of its items."""
    for item in work(*connection.recv()):
        connection.send(("item", item))
    connection.send(("done", None))


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)
