"""The worker processes, and the requests that wait for one."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Coroutine, Mapping
from typing import Any, Final

from boxsel.serve.handle import Reply, Told, Worker
from boxsel.serve.limits import Limits
from boxsel.serve.problems import ProblemError
from boxsel.serve.queue import Queue, Turn

GRACE_SECONDS: Final = 0.5
"""How long a task that nobody waits for may go on: a short one need not cost its worker."""
ATTEMPTS: Final = 3
"""After so many failed starts in a row those who wait are told, if there is no other worker."""
FIRST_PAUSE, LONGEST_PAUSE = 0.1, 30.0
"""Seconds before a worker that failed to start is started again; doubled each time."""

log = logging.getLogger("boxsel.serve")


class Pool:
    """Runs tasks in worker processes; each worker that dies or must be killed is replaced.

    `kind` is what it starts. `start` it before the first task and `stop` it after the last one.
    """

    def __init__(self, limits: Limits, kind: type[Worker] = Worker) -> None:
        self.limits = limits
        self._kind = kind
        self.for_long_work = asyncio.Semaphore(limits.job_workers)
        """Whoever asks for long work holds this, so that questions find a worker meanwhile."""
        self._idle: list[Worker] = []
        self._all: set[Worker] = set()
        self._queue = Queue(limits)
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
        self._queue.close()
        await asyncio.gather(*(worker.end() for worker in self._all))
        self._all.clear()
        self._idle.clear()

    @property
    def idle(self) -> int:
        """How many workers have nothing to do."""
        return len(self._idle)

    @property
    def live(self) -> int:
        """How many workers there are that can work, busy ones among them."""
        return sum(worker.usable and worker.alive for worker in self._all)

    @property
    def waiting(self) -> int:
        """How many requests wait for a worker."""
        return len(self._queue)

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
        client: str = "",
    ) -> dict[str, Any]:
        """The answer of a task, within so many seconds (those of a request, if not said).

        `told` is called with its progress. Clients share the workers among them. Whoever cancels
        this also ends the task.

        Raises:
            ProblemError: There is no answer, and why.
        """
        reply = await self.reply(
            task, asked, upload=upload, seconds=seconds, told=told, client=client
        )
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
        client: str = "",
    ) -> Reply:
        """The same as text, for whoever only passes it on."""
        limit = self.limits.seconds if seconds is None else seconds
        turn = Turn.of(asked, upload, client, job=seconds is not None)
        for last in (False, True):
            worker = await self._borrowed(turn)
            try:
                return await self._asked(worker, task, asked, upload, limit, told)
            except ProblemError as problem:
                # One that was killed an instant ago has not begun: another one is asked instead.
                if problem.kind != "worker-died" or worker.took or last:
                    raise
            finally:
                self._queue.leave(turn)
                self._settle()
        raise AssertionError("the last try has an answer or a problem")

    async def _asked(
        self,
        worker: Worker,
        task: str,
        asked: Mapping[str, Any],
        upload: bytes,
        limit: float,
        told: Told | None,
    ) -> Reply:
        working = worker.begin(task, asked, upload, limit, told)
        grace = GRACE_SECONDS
        try:
            done, _ = await asyncio.wait({working}, timeout=limit)
            if not done:
                grace = 0
                if worker.held is not None:
                    return worker.held
                raise ProblemError(
                    "out-of-time",
                    f"the work was ended after {limit:g} seconds: ask a smaller question,"
                    " or as a job, which may take longer",
                    limit=limit,
                )
            return working.result()
        finally:
            self._behind(self._give_back(worker, working, grace))

    async def _borrowed(self, turn: Turn) -> Worker:
        """A worker; better one that knows the knowledge base already."""
        if self._failed:
            raise ProblemError("no-workers", self._failed)
        waiter = self._queue.join(turn)
        self._settle()
        try:
            worker = await self._queue.wait_for(waiter)
        except asyncio.CancelledError:
            if waiter.given is not None:
                self._queue.leave(turn)
                self._offer(waiter.given)
            raise
        worker.recent = turn.subject
        return worker

    def _settle(self) -> None:
        """Give workers that have nothing to do to those whose turn it is."""
        for dead in [worker for worker in self._idle if not worker.alive]:
            self._idle.remove(dead)
            self._behind(self._replace(dead))
        while self._idle and (waiter := self._queue.next()) is not None:
            subject = waiter.turn.subject
            chosen = next(
                (worker for worker in self._idle if worker.recent == subject), self._idle[0]
            )
            self._idle.remove(chosen)
            waiter.give(chosen)

    def _offer(self, worker: Worker) -> None:
        """Let a worker do what comes next."""
        self._idle.append(worker)
        self._settle()

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
        """Start a worker, and try again until there is one; those who wait are told of it."""
        failures, pause = 0, FIRST_PAUSE
        while True:
            worker = self._kind(self.limits)
            self._all.add(worker)
            try:
                await worker.start()
            except (ProblemError, OSError) as error:
                log.warning("a worker did not start: %s", error)
                await worker.end()
                self._all.discard(worker)
                failures += 1
                if failures >= ATTEMPTS and not self.live:
                    self._failed = str(error)
                    self._queue.refuse(ProblemError("no-workers", self._failed))
                await asyncio.sleep(pause)
                pause = min(2 * pause, LONGEST_PAUSE)
                continue
            self._failed = ""
            self._offer(worker)
            return

    def _behind(self, work: Coroutine[Any, Any, None]) -> None:
        """Do something that nobody waits for."""
        if self._stopped:
            work.close()
            return
        task = asyncio.get_running_loop().create_task(work)
        self._background.add(task)
        task.add_done_callback(self._background.discard)
