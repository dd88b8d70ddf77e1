"""Long work: jobs that are created, looked at now and then, and cancelled if need be."""

from __future__ import annotations

import asyncio
import json
import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final, Literal

from boxsel.serve import lists
from boxsel.serve.pool import Pool
from boxsel.serve.problems import ProblemError

State = Literal["queued", "running", "done", "failed", "cancelled"]

SHORTEST_SECONDS: Final = 0.1
"""What a query has of a list whose time is over: enough to be told that it is."""


@dataclass
class Job:
    """One piece of long work, as it is now."""

    task: str
    id: str = field(default_factory=lambda: secrets.token_urlsafe(16))
    state: State = "queued"
    created: datetime = field(default_factory=lambda: datetime.now(UTC))
    progress: dict[str, Any] | None = None
    result: bytes | None = None
    problem: ProblemError | None = None
    started: float | None = None
    ended: float | None = None

    @property
    def over(self) -> bool:
        """Whether nothing will change any more."""
        return self.ended is not None

    def to_json(self) -> bytes:
        """The job as a JSON text; seconds count from when a worker took it up.

        The result is passed on as the worker wrote it: it may be large.
        """
        seconds = 0.0
        if self.started is not None:
            seconds = (self.ended or time.monotonic()) - self.started
        told = {
            "id": self.id,
            "task": self.task,
            "state": self.state,
            "created": self.created.isoformat(timespec="milliseconds"),
            "seconds": round(seconds, 3),
            "progress": self.progress,
            "problem": self.problem and self.problem.to_json(),
        }
        head = json.dumps(told).encode().removesuffix(b"}")
        return head + b', "result": ' + (self.result or b"null") + b"}"


class Jobs:
    """The jobs of a server: so many at most, and for some time only."""

    def __init__(self, pool: Pool) -> None:
        self._pool, self._limits = pool, pool.limits
        self._jobs: dict[str, Job] = {}
        self._work: dict[str, asyncio.Task[None]] = {}
        self._free = pool.for_long_work

    def create(self, task: str, asked: Mapping[str, Any]) -> Job:
        """A new job; one that is over makes room for it if there are many.

        Raises:
            ProblemError: Too many jobs are not over yet.
        """
        if len(self._jobs) >= self._limits.jobs:
            over = [job for job in self._jobs.values() if job.over]
            if not over:
                raise ProblemError(
                    "too-many-jobs",
                    f"{len(self._jobs):,} jobs are not over yet: cancel one, or try again later",
                    limit=self._limits.jobs,
                )
            self._forget(min(over, key=lambda job: job.ended or 0).id)
        job = Job(task)
        self._jobs[job.id] = job
        work = asyncio.get_running_loop().create_task(self._do(job, asked))
        self._work[job.id] = work
        return job

    def find(self, identifier: str) -> Job:
        """A job by its identifier.

        Raises:
            ProblemError: There is no such job, or no longer.
        """
        if identifier not in self._jobs:
            raise ProblemError(
                "not-found", "there is no such job: it never was, or it was forgotten"
            )
        return self._jobs[identifier]

    def cancel(self, identifier: str) -> Job:
        """End a job, and whatever is being done for it; one that is over stays as it is."""
        job = self.find(identifier)
        if not job.over:
            self._end(job, "cancelled")
            self._work[identifier].cancel()
        return job

    async def stop(self) -> None:
        """End all jobs."""
        work = [*self._work.values()]
        for identifier in [*self._jobs]:
            self.cancel(identifier)
        await asyncio.gather(*work, return_exceptions=True)

    async def _do(self, job: Job, asked: Mapping[str, Any]) -> None:
        try:
            async with self._free:
                job.state, job.started = "running", time.monotonic()
                job.result = await self._result(job, asked)
            self._end(job, "done")
            self._make_room(job)
        except ProblemError as problem:
            job.problem = problem
            self._end(job, "failed")
        finally:
            self._work.pop(job.id, None)

    async def _result(self, job: Job, asked: Mapping[str, Any]) -> bytes:
        """The answer as JSON text; the queries of a list share the time of a job."""
        end = time.monotonic() + self._limits.job_seconds

        async def alone(question: Mapping[str, Any]) -> bytes:
            seconds = max(end - time.monotonic(), SHORTEST_SECONDS)
            reply = await self._pool.reply(
                job.task,
                question,
                seconds=seconds,
                told=lambda progress: setattr(job, "progress", progress),
            )
            return reply.data

        return await lists.text(asked, alone, self._limits.answer_bytes)

    def _end(self, job: Job, state: State) -> None:
        job.state, job.ended = state, time.monotonic()
        loop = asyncio.get_running_loop()
        loop.call_later(self._limits.job_kept_seconds, self._forget, job.id)

    def _make_room(self, newest: Job) -> None:
        """Forget the oldest results while all together are too large."""
        size = sum(len(job.result or b"") for job in self._jobs.values())
        for job in sorted(self._jobs.values(), key=lambda job: job.ended or 0):
            if size > self._limits.job_bytes and job.result is not None and job is not newest:
                size -= len(job.result)
                self._forget(job.id)

    def _forget(self, identifier: str) -> None:
        self._jobs.pop(identifier, None)
