"""Bodies of requests: counted while they arrive, refused when they are too large or too slow."""

from __future__ import annotations

import asyncio
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import Message, Receive, Scope, Send

from boxsel.serve.bodies import BodyLimit
from boxsel.serve.limits import Limits

LIMITS = Limits(request_bytes=100, upload_seconds=0.05)


async def echo(scope: Scope, receive: Receive, send: Send) -> None:
    body = await Request(scope, receive).body()
    await PlainTextResponse(f"{len(body)}")(scope, receive, send)


async def careless(scope: Scope, receive: Receive, send: Send) -> None:
    """Takes any error for its own, as frameworks do."""
    try:
        await echo(scope, receive, send)
    except Exception:
        await PlainTextResponse("bad", 400)(scope, receive, send)


def answer(
    app: Any,
    parts: list[bytes],
    said: int | str | None = None,
    *,
    ends: bool = True,
    limits: Limits = LIMITS,
) -> int:
    """The status for a body that comes in parts."""
    coming = [{"type": "http.request", "body": part, "more_body": True} for part in parts]
    if ends:
        coming.append({"type": "http.request", "body": b"", "more_body": False})
    statuses: list[int] = []

    async def receive() -> Message:
        if not coming:
            await asyncio.sleep(10)
        return coming.pop(0)

    async def send(message: Message) -> None:
        if message["type"] == "http.response.start":
            statuses.append(message["status"])

    headers = [] if said is None else [(b"content-length", str(said).encode())]
    scope = {"type": "http", "method": "POST", "path": "/", "headers": headers}
    limit = BodyLimit(app, limits)
    asyncio.run(limit(scope, receive, send))
    assert limit.held == 0
    (status,) = statuses
    return status


@given(st.lists(st.integers(0, 80).map(bytes), max_size=4), st.booleans(), st.booleans())
def test_only_what_fits_gets_through(parts: list[bytes], told: bool, careful: bool) -> None:
    size = sum(map(len, parts))
    status = answer(echo if careful else careless, parts, size if told else None)
    assert status == (200 if size <= 100 else 413)


def test_a_size_that_no_number_holds() -> None:
    assert answer(echo, [], "9" * 5000) == 413


def test_a_body_that_does_not_come() -> None:
    assert answer(careless, [b"a"], 50, ends=False) == 408


def test_all_bodies_together_have_a_limit() -> None:
    few = Limits(request_bytes=100, held_bytes=60)
    assert answer(echo, [bytes(50)], limits=few) == 200
    assert answer(echo, [bytes(70)], limits=few) == 503

    async def story() -> None:
        """Two that fit alone, at the same moment."""
        statuses: list[int] = []
        waiting = asyncio.Event()

        async def slow(scope: Scope, receive: Receive, send: Send) -> None:
            await Request(scope, receive).body()
            await waiting.wait()
            await PlainTextResponse("done")(scope, receive, send)

        async def receive() -> Message:
            return {"type": "http.request", "body": bytes(40), "more_body": False}

        async def send(message: Message) -> None:
            if message["type"] == "http.response.start":
                statuses.append(message["status"])

        limit = BodyLimit(slow, few)
        scope = {"type": "http", "method": "POST", "path": "/", "headers": []}
        first = asyncio.create_task(limit(scope, receive, send))
        await asyncio.sleep(0.01)
        await limit(scope, receive, send)
        waiting.set()
        await first
        assert statuses == [503, 200]
        await limit(scope, receive, send)
        assert statuses == [503, 200, 200]

    asyncio.run(story())
