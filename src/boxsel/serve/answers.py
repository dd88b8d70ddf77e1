"""Answers that were given are given again: the same question is worked on once."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from boxsel.serve.handle import Reply
from boxsel.serve.library import fingerprint
from boxsel.serve.limits import MIB
from boxsel.serve.pool import Pool

KEPT_BYTES: Final = 32 * MIB
SHARE: Final = 8
"""An answer may take one part in so many of all that is kept."""
QUICK: Final = frozenset(("sample", "show", "parse", "convert", "read"))
"""The tasks that take no longer than looking up what they answered, or whose answer is large."""


@dataclass
class _Flight:
    """Work on a question, and how many wait for it."""

    work: asyncio.Task[Reply]
    waiting: int = 0


class Answers:
    """Asks the workers, unless the answer is known or somebody else is asking the same already.

    An answer that more time could improve is not kept.
    """

    def __init__(self, pool: Pool, kept_bytes: int = KEPT_BYTES) -> None:
        self._pool, self._most, self._size = pool, kept_bytes, 0
        self._kept: OrderedDict[str, bytes] = OrderedDict()
        self._flights: dict[str, _Flight] = {}

    async def text(
        self, task: str, asked: Mapping[str, Any], upload: bytes = b"", client: str = ""
    ) -> bytes:
        """The answer of a task, as JSON; whoever is the last to wait for it and leaves, ends it."""
        if task in QUICK:
            return (await self._pool.reply(task, asked, upload=upload, client=client)).data
        key = fingerprint({"task": task, "asked": asked})
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key]
        flight = self._flights.get(key)
        if flight is None:
            flight = _Flight(asyncio.create_task(self._pool.reply(task, asked, client=client)))
            self._flights[key] = flight
            flight.work.add_done_callback(lambda work: self._landed(key, work))
        flight.waiting += 1
        try:
            return (await asyncio.shield(flight.work)).data
        finally:
            flight.waiting -= 1
            if not flight.waiting and not flight.work.done():
                self._flights.pop(key, None)  # whoever asks next begins anew
                flight.work.cancel()

    def _landed(self, key: str, work: asyncio.Task[Reply]) -> None:
        if (flight := self._flights.get(key)) is not None and flight.work is work:
            del self._flights[key]
        if work.cancelled() or work.exception() is not None:
            return
        data, final = work.result()
        if final and len(data) <= self._most // SHARE:
            self._size += len(data) - len(self._kept.pop(key, b""))
            self._kept[key] = data
        while self._size > self._most:
            self._size -= len(self._kept.popitem(last=False)[1])
