"""The same question is worked on once, and nobody's leaving hurts the others."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any, cast

import pytest

from boxsel.serve.answers import Answers
from boxsel.serve.handle import Reply
from boxsel.serve.pool import Pool
from boxsel.serve.problems import ProblemError


class Counting:
    """Stands for the pool: counts what it is asked, and answers when it is let."""

    def __init__(self) -> None:
        self.asked = self.cancelled = 0
        self.go_on = asyncio.Event()

    async def reply(
        self, task: str, asked: Mapping[str, Any], upload: bytes = b"", client: str = ""
    ) -> Reply:
        self.asked += 1
        try:
            await self.go_on.wait()
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        if asked.get("fails"):
            raise ProblemError("internal", "no")
        return Reply(b"x" * asked.get("size", 1), asked.get("final", True))


def answers(kept_bytes: int = 10_000) -> tuple[Answers, Counting]:
    pool = Counting()
    return Answers(cast(Pool, pool), kept_bytes), pool


def test_one_question_is_worked_on_once() -> None:
    async def story() -> None:
        known, pool = answers()
        pool.go_on.set()
        same = await asyncio.gather(*(known.text("bounds", {"kb": "a"}) for _ in range(50)))
        assert (pool.asked, len(same)) == (1, 50)
        await known.text("bounds", {"kb": "a"})
        assert pool.asked == 1
        await known.text("check", {"kb": "a"})
        await known.text("bounds", {"kb": "b"})
        assert pool.asked == 3
        await known.text("read", {}, b"upload")
        await known.text("read", {}, b"upload")
        assert pool.asked == 5

    asyncio.run(story())


@pytest.mark.parametrize("asked", [{"final": False}, {"fails": True}])
def test_what_could_be_better_is_not_kept(asked: dict[str, bool]) -> None:
    async def story() -> None:
        known, pool = answers()
        pool.go_on.set()
        for _ in range(2):
            await asyncio.gather(known.text("bounds", asked), return_exceptions=True)
        assert pool.asked == 2

    asyncio.run(story())


def test_the_last_to_leave_ends_the_work() -> None:
    async def story() -> None:
        known, pool = answers()
        first, second = (asyncio.create_task(known.text("bounds", {})) for _ in range(2))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        first.cancel()
        await asyncio.gather(first, return_exceptions=True)
        assert pool.cancelled == 0
        second.cancel()
        await asyncio.gather(second, return_exceptions=True)
        await asyncio.sleep(0)
        assert (pool.asked, pool.cancelled) == (1, 1)
        pool.go_on.set()
        assert await known.text("bounds", {}) == b"x"

    asyncio.run(story())


def test_memory_is_bounded() -> None:
    async def story() -> None:
        known, pool = answers(kept_bytes=10_000)
        pool.go_on.set()
        for number in range(30):
            await known.text("bounds", {"kb": number, "size": 1000})
        await known.text("bounds", {"kb": 29, "size": 1000})
        assert pool.asked == 30
        await known.text("bounds", {"kb": 0, "size": 1000})
        assert pool.asked == 31
        for _ in range(2):
            await known.text("bounds", {"kb": "large", "size": 5000})
        assert pool.asked == 33

    asyncio.run(story())
