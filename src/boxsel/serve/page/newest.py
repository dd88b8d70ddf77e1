"""Work of which only the newest matters: answers to what was typed or dragged since are skipped."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

log = logging.getLogger("boxsel.serve")

Work = Callable[[], Awaitable[None]]


class Newest:
    """Does one piece of work at a time; of those that come meanwhile, only the last.

    With `replacing` the one that runs is cancelled instead of waited for: for what takes long.
    """

    def __init__(self, *, replacing: bool = False) -> None:
        self._replacing = replacing
        self._next: Work | None = None
        self._task: asyncio.Task[None] | None = None

    @property
    def busy(self) -> bool:
        """Whether something is being done."""
        return self._task is not None and not self._task.done()

    @property
    def waiting(self) -> bool:
        """Whether something waits for what is being done."""
        return self._next is not None

    def submit(self, work: Work) -> None:
        """Do this next, and nothing that was submitted before and has not begun."""
        if self._replacing:
            self.cancel()
        self._next = work
        if not self.busy:
            self._task = asyncio.get_running_loop().create_task(self._run())

    def cancel(self) -> None:
        """End what is being done, and forget what waits."""
        self._next = None
        if self._task is not None:
            self._task.cancel()
            self._task = None

    async def _run(self) -> None:
        while self._next is not None:
            work, self._next = self._next, None
            try:
                await work()
            except asyncio.CancelledError:
                return
            except Exception:  # a mistake of ours must not end the work that comes later
                log.exception("work of the page failed")
