"""Who of those that wait gets the next worker: clients share them, and short work goes first.

How long work takes is not known before. It is taken for long if the text is large, or if work on
the same text took long before. Long work never takes the last worker, so that there is one for
tiny questions however many long ones wait.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter, OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from boxsel.serve.handle import Worker
from boxsel.serve.limits import Limits
from boxsel.serve.problems import ProblemError

LARGE_TEXT: Final = 100_000
"""Characters of a text on which work takes long."""
SLOW_SECONDS: Final = 2.0
"""Work that took longer is taken for long when it is about the same text again."""
REMEMBERED: Final = 1000
"""So many texts on which work took long are remembered."""


@dataclass(eq=False)
class Turn:
    """A request that asks for a worker: which text it is about, and who sent it."""

    subject: int
    client: str
    size: int
    job: bool = False
    long: bool = False
    begun: float = 0.0

    @classmethod
    def of(cls, asked: Mapping[str, Any], upload: bytes, client: str, *, job: bool) -> Turn:
        """The turn of a request; jobs are long, but there are only so many anyway."""
        texts = (asked.get("kb"), asked.get("table"))
        size = sum(len(text) for text in texts if isinstance(text, str)) + len(upload)
        return cls(hash((*texts, asked.get("format"))), client, size, job)


@dataclass(eq=False)
class Waiter:
    """A turn that has not come yet."""

    turn: Turn
    ready: asyncio.Future[Worker]
    since: float = field(default_factory=time.monotonic)

    @property
    def given(self) -> Worker | None:
        """The worker that was given already, if one was."""
        done = self.ready.done() and not self.ready.cancelled()
        return self.ready.result() if done and self.ready.exception() is None else None

    def give(self, worker: Worker) -> None:
        """Let it have a worker."""
        self.ready.set_result(worker)


class Queue:
    """Those who wait, and how much of the workers everybody has now."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._waiting: list[Waiter] = []
        self._served: Counter[str] = Counter()
        self._long = 0  # how many workers do long work
        self._slow: OrderedDict[int, None] = OrderedDict()

    def __len__(self) -> int:
        return len(self._waiting)

    def join(self, turn: Turn) -> Waiter:
        """Wait for a worker.

        Raises:
            ProblemError: Too many wait already.
        """
        if len(self._waiting) >= self._limits.queued:
            waiting = f"{len(self._waiting):,} requests wait already"
            raise ProblemError(
                "busy", f"{waiting}: try again in a moment", limit=self._limits.queued
            )
        waiter = Waiter(turn, asyncio.get_running_loop().create_future())
        self._waiting.append(waiter)
        return waiter

    async def wait_for(self, waiter: Waiter) -> Worker:
        """The worker that comes.

        Raises:
            ProblemError: None came in time, or there is none.
        """
        try:
            await asyncio.wait({waiter.ready}, timeout=self._limits.wait_seconds)
        finally:
            if waiter in self._waiting:
                self._waiting.remove(waiter)
        if waiter.ready.done():
            return waiter.ready.result()
        seconds = f"{self._limits.wait_seconds:g} seconds"
        raise ProblemError("busy", f"no worker was free within {seconds}: try again in a moment")

    def next(self) -> Waiter | None:
        """Whose turn it is, if it is anybody's: from now on they have a worker."""
        room = self._long < self._limits.job_workers
        ready = [waiter for waiter in self._waiting if room or not self._is_long(waiter.turn)]
        if not ready:
            return None
        chosen = min(ready, key=self._rank)
        self._waiting.remove(chosen)
        turn = chosen.turn
        turn.begun, turn.long = time.monotonic(), self._is_long(turn)
        self._served[turn.client] += 1
        self._long += turn.long
        return chosen

    def leave(self, turn: Turn) -> None:
        """The worker that they had has done its work."""
        self._long -= turn.long
        self._served[turn.client] -= 1
        self._served += Counter()  # forget those who have none
        self._slow.pop(turn.subject, None)
        if time.monotonic() - turn.begun > SLOW_SECONDS and not turn.job:
            self._slow[turn.subject] = None
        if len(self._slow) > REMEMBERED:
            self._slow.popitem(last=False)

    def refuse(self, problem: ProblemError) -> None:
        """Tell all who wait that no worker will come."""
        for waiter in self._waiting:
            if not waiter.ready.done():
                waiter.ready.set_exception(problem)
        self._waiting.clear()

    def close(self) -> None:
        """Let nobody wait any more."""
        for waiter in self._waiting:
            waiter.ready.cancel()
        self._waiting.clear()

    def _rank(self, waiter: Waiter) -> tuple[bool, int, bool, float]:
        """Whoever has waited half of what is allowed, then who has least, short before long."""
        patient = time.monotonic() - waiter.since < self._limits.wait_seconds / 2
        turn = waiter.turn
        return patient, self._served[turn.client], self._is_long(turn), waiter.since

    def _is_long(self, turn: Turn) -> bool:
        return not turn.job and (turn.size > LARGE_TEXT or turn.subject in self._slow)
