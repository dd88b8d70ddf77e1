"""Only the newest piece of work matters."""

from __future__ import annotations

import asyncio

from boxsel.serve.page.session import Newest


def test_what_came_in_between_is_skipped() -> None:
    done: list[int] = []

    async def story() -> None:
        newest = Newest()
        gate = asyncio.Event()

        async def work(number: int) -> None:
            await gate.wait()
            done.append(number)

        for number in range(5):
            newest.submit(lambda number=number: work(number))  # type: ignore[misc]
            await asyncio.sleep(0)
        assert newest.busy and newest.waiting
        gate.set()
        while newest.busy:
            await asyncio.sleep(0)

    asyncio.run(story())
    assert done == [0, 4]


def test_what_takes_long_is_replaced() -> None:
    done: list[str] = []

    async def story() -> None:
        newest = Newest(replacing=True)

        async def slow() -> None:
            try:
                await asyncio.sleep(60)
            except asyncio.CancelledError:
                done.append("cancelled")
                raise

        async def fast() -> None:
            done.append("fast")

        newest.submit(slow)
        await asyncio.sleep(0)
        newest.submit(fast)
        while newest.busy:
            await asyncio.sleep(0)
        newest.submit(slow)
        await asyncio.sleep(0)
        newest.cancel()
        await asyncio.sleep(0.01)
        assert not newest.busy

    asyncio.run(story())
    assert sorted(done) == ["cancelled", "cancelled", "fast"]
