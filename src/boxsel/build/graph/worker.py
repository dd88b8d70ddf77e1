"""A thread for a database's work, so that Ctrl-C is heard at once.

Python hears signals between its own instructions only, and in the main thread only; a database
may be busy for long without any. So the main thread waits while another calls the database.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from typing import Final, TypeVar

Result = TypeVar("Result")

LISTEN: Final = 0.5
"""Where waiting itself does not hear signals, they are heard this often, in seconds."""


class Worker:
    """Does one thing at a time; `stop` ends the one that it is doing.

    Examples:
        >>> worker = Worker(stop=lambda: None)
        >>> worker.wait_for(lambda: 2 + 2)
        4
        >>> worker.close()
    """

    def __init__(self, stop: Callable[[], object]) -> None:
        self._stop = stop
        self._thread = ThreadPoolExecutor(1, "boxsel-database")

    def wait_for(self, work: Callable[[], Result]) -> Result:
        """The result of some work, or its error; stop it if the waiting is interrupted."""
        future = self._thread.submit(work)
        try:
            while not future.done():
                wait([future], timeout=LISTEN)
        except BaseException:
            # Again and again: the work may have been about to start.
            while not future.done():
                self._stop()
                wait([future], timeout=LISTEN / 10)
            raise
        return future.result()

    def close(self) -> None:
        """End the thread."""
        self._thread.shutdown()
