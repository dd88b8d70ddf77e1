"""What one request, one worker and the whole server may use."""

from __future__ import annotations

import os
from dataclasses import dataclass, fields
from typing import Final

from boxsel.errors import BoxselError

MIB: Final = 2**20
GIB: Final = 2**30


def usual_workers() -> int:
    """One worker for each core that we may use; at least two, so that a job leaves one free."""
    affinity = getattr(os, "sched_getaffinity", None)
    cores = len(affinity(0)) if affinity is not None else os.cpu_count() or 1
    return max(2, cores)


@dataclass(frozen=True, slots=True)
class Limits:
    """All limits of a server; each has an error of its own.

    `header_seconds` are for the head of a request, `request_bytes` and `upload_seconds` for its
    body, `unpacked_bytes` for a compressed file in it, `held_bytes` for all bodies of requests that
    are being answered, `statements` for a knowledge base, `seconds` for the work on a request,
    `job_seconds` for that of a job, `answer_bytes` for what comes out. `memory_bytes` is what a
    worker may use beyond its libraries. `queued` requests may wait for one of the `workers`, at
    most `wait_seconds`; there are at most `jobs`, each kept `job_kept_seconds` after its end, and
    at most `job_bytes` of their results.

    Examples:
        >>> Limits(seconds=5).seconds
        5
        >>> Limits(queued=0)
        Traceback (most recent call last):
        boxsel.errors.BoxselError: the limit queued is 0: it must be above 0
    """

    workers: int = 2
    request_bytes: int = 10 * MIB
    unpacked_bytes: int = 64 * MIB
    held_bytes: int = 256 * MIB
    answer_bytes: int = 64 * MIB
    header_seconds: float = 20
    upload_seconds: float = 60
    statements: int = 20_000
    seconds: float = 30
    wait_seconds: float = 60
    memory_bytes: int = 2 * GIB
    queued: int = 256
    jobs: int = 32
    job_seconds: float = 600
    job_kept_seconds: float = 3600
    job_bytes: int = 256 * MIB

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if not 0 < value < float("inf"):
                raise BoxselError(f"the limit {field.name} is {value}: it must be above 0")

    @property
    def job_workers(self) -> int:
        """How many workers jobs may keep busy: one is left for questions, if there is another."""
        return max(1, self.workers - 1)
