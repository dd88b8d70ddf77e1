"""The worker processes, and the requests that wait for one."""

from __future__ import annotations

import asyncio
import json
import logging
from collections import deque
from collections.abc import Coroutine, Mapping
from contextlib import suppress
from typing import Any, Final

from boxsel.serve.handle import Reply, Told, Worker
from boxsel.serve.limits import Limits
from boxsel.serve.problems import ProblemError

GRACE_SECONDS: Final = 0.5
"""How long a task that nobody waits for may go on: a short one need not cost its worker."""
ATTEMPTS: Final = 3
"""How often in a row a worker may fail to start."""

log = logging.getLogger("boxsel.serve")


class Pool:
    """Runs tasks in worker processes; each worker that dies or must be killed is replaced.

    `start` it before the first task and `stop` it after the last one.
    """

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.for_long_work = asyncio.Semaphore(limits.job_workers)
        """Whoever asks for long work holds this, so that questions find a worker meanwhile."""
        self._idle: list[Worker] = []
        self._all: set[Worker] = set()
        self._waiting: deque[asyncio.Future[Worker]] = deque()
        self._background: set[asyncio.Task[None]] = set()
        self._stopped = False
        self._failed = ""  # why no worker can be started

    async def start(self) -> None:
        """Start the workers; they get ready while requests may wait already."""
        for _ in range(self.limits.workers):
            self._behind(self._add())

    async def stop(self) -> None:
        """End all workers."""
        self._stopped = True
        for task in self._background:
            task.cancel()
        await asyncio.gather(*self._background, return_exceptions=True)
        for waiter in self._waiting:
            waiter.cancel()
        await asyncio.gather(*(worker.end() for worker in self._all))
        self._all.clear()
        self._idle.clear()

    @property
    def idle(self) -> int:
        """How many workers have nothing to do."""
        return len(self._idle)

    @property
    def waiting(self) -> int:
        """How many requests wait for a worker."""
        return len(self._waiting)

    @property
    def pids(self) -> tuple[int, ...]:
        """The numbers of the processes."""
        return tuple(worker.pid for worker in self._all if worker.pid is not None)

    async def run(
        self,
        task: str,
        asked: Mapping[str, Any],
        *,
        upload: bytes = b"",
        seconds: float | None = None,
        told: Told | None = None,
    ) -> dict[str, Any]:
        """The answer of a task, within so many seconds (those of a request, if not said).

        `told` is called with its progress. Whoever cancels this also ends the task.

        Raises:
            ProblemError: There is no answer, and why.
        """
        reply = await self.reply(task, asked, upload=upload, seconds=seconds, told=told)
        answer: dict[str, Any] = json.loads(reply.data)
        return answer

    async def reply(
        self,
        task: str,
        asked: Mapping[str, Any],
        *,
        upload: bytes = b"",
        seconds: float | None = None,
        told: Told | None = None,
    ) -> Reply:
        """The same as text, for whoever only passes it on."""
        limit = self.limits.seconds if seconds is None else seconds
        subject = hash((asked.get("kb"), asked.get("format")))
        worker = await self._borrowed(subject)
        worker.recent = subject
        working = worker.begin(task, asked, upload, limit, told)
        grace = GRACE_SECONDS
        try:
            done, _ = await asyncio.wait({working}, timeout=limit)
            if not done:
                grace = 0
                raise ProblemError(
                    "out-of-time",
                    f"the work was ended after {limit:g} seconds: ask a smaller question,"
                    " or as a job, which may take longer",
                    limit=limit,
                )
            return working.result()
        finally:
            self._behind(self._give_back(worker, working, grace))

    async def _borrowed(self, subject: int) -> Worker:
        """A worker; better one that knows the knowledge base already."""
        for dead in [worker for worker in self._idle if not worker.alive]:
            self._idle.remove(dead)
            self._behind(self._replace(dead))
        if self._idle:
            chosen = next((one for one in self._idle if one.recent == subject), self._idle[0])
            self._idle.remove(chosen)
            return chosen
        if self._failed:
            reason, self._failed = self._failed, ""
            self._behind(self._add())  # perhaps it works again for the next request
            raise ProblemError("no-workers", reason)
        if len(self._waiting) >= self.limits.queued:
            waiting = f"{len(self._waiting):,} requests wait already"
            raise ProblemError(
                "busy", f"{waiting}: try again in a moment", limit=self.limits.queued
            )
        waiter: asyncio.Future[Worker] = asyncio.get_running_loop().create_future()
        self._waiting.append(waiter)
        try:
            done, _ = await asyncio.wait({waiter}, timeout=self.limits.wait_seconds)
            if done:
                return waiter.result()
            seconds = f"{self.limits.wait_seconds:g} seconds"
            raise ProblemError(
                "busy", f"no worker was free within {seconds}: try again in a moment"
            )
        except asyncio.CancelledError:
            if waiter.done() and not waiter.cancelled() and waiter.exception() is None:
                self._offer(waiter.result())
            raise
        finally:
            waiter.cancel()
            with suppress(ValueError):
                self._waiting.remove(waiter)

    def _offer(self, worker: Worker) -> None:
        """Give a worker to whoever waits longest, or let it wait itself."""
        while self._waiting:
            waiter = self._waiting.popleft()
            if not waiter.done():
                waiter.set_result(worker)
                return
        self._idle.append(worker)

    async def _give_back(
        self, worker: Worker, working: asyncio.Future[Reply], grace: float
    ) -> None:
        """Take a worker back after its task, or replace it."""
        if not working.done():
            await asyncio.wait({working}, timeout=grace)
        if not working.done():
            worker.kill()
            await asyncio.wait({working})
        if worker.usable:
            self._offer(worker)
        else:
            await self._replace(worker)

    async def _replace(self, worker: Worker) -> None:
        await worker.end()
        self._all.discard(worker)
        await self._add()

    async def _add(self) -> None:
        """Start a worker; whoever waits gets an error if none can be started."""
        reason = ""
        for attempt in range(ATTEMPTS):
            worker = Worker(self.limits)
            self._all.add(worker)
            try:
                await worker.start()
            except (ProblemError, OSError) as error:
                log.warning("a worker did not start: %s", error)
                reason = str(error)
                await worker.end()
                self._all.discard(worker)
                await asyncio.sleep(attempt)
                continue
            self._failed = ""
            self._offer(worker)
            return
        if not self._all:
            self._failed = reason
            while self._waiting:
                waiter = self._waiting.popleft()
                if not waiter.done():
                    waiter.set_exception(ProblemError("no-workers", reason))

    def _behind(self, work: Coroutine[Any, Any, None]) -> None:
        """Do something that nobody waits for."""
        if self._stopped:
            work.close()
            return
        task = asyncio.get_running_loop().create_task(work)
        self._background.add(task)
        task.add_done_callback(self._background.discard)
