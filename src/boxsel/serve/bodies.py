"""The size of requests: a body that is too large is refused, and never held in memory."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Final

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from boxsel.serve.http_problems import response
from boxsel.serve.limits import MIB, Limits
from boxsel.serve.problems import ProblemError

DRAIN_SECONDS: Final = 2
"""How long the rest of a refused body is thrown away: a client that still sends reads no answer."""

_LONGEST_NUMBER: Final = 15


class BodyLimit:
    """Refuses bodies by what they say of their size, and counts what really comes.

    It also counts what all requests together hold, so that many large ones cannot take all memory.
    """

    def __init__(self, app: ASGIApp, limits: Limits) -> None:
        self._app, self.limits = app, limits
        self.held = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and no more of its body than is allowed."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        body = _Body(receive, self)
        said = Headers(scope=scope).get("content-length", "0")
        if len(said) > _LONGEST_NUMBER or int(said) > self.limits.request_bytes:
            body.refused = self.too_large()
        else:
            await self._pass_on(body, scope, send)
        if body.refused is not None:
            await body.drain()
            answer = response(body.refused)
            answer.headers["Connection"] = "close"
            await answer(scope, receive, send)

    async def _pass_on(self, body: _Body, scope: Scope, send: Send) -> None:
        async def sending(message: Message) -> None:
            if body.refused is None:
                await send(message)

        try:
            await self._app(scope, body.receive, sending)
        except HTTPException:
            if body.refused is None:
                raise
        finally:
            self.held -= body.size

    def too_large(self) -> ProblemError:
        """What is said about a body that is larger than any may be."""
        most = self.limits.request_bytes
        return ProblemError(
            "request-too-large", f"a request may have at most {_shown(most)}", limit=most
        )

    def too_many(self) -> ProblemError:
        """What is said about a body for which there is no room now."""
        most = self.limits.held_bytes
        said = f"the requests that are being answered have {_shown(most)} together"
        return ProblemError("busy", f"{said}: try again in a moment", limit=most)


class _Body:
    """A body while it arrives; `refused` says why no more of it is taken."""

    def __init__(self, receive: Receive, limit: BodyLimit) -> None:
        self.refused: ProblemError | None = None
        self.size = 0
        self._receive, self._limit, self._more = receive, limit, True
        self._end = asyncio.get_running_loop().time() + limit.limits.upload_seconds

    async def receive(self) -> Message:
        """The next part of the body, or whatever comes after it."""
        if not self._more:  # whoever asks now waits for the client to go away
            return await self._receive()
        try:
            async with asyncio.timeout_at(self._end):
                message = await self._receive()
        except TimeoutError:
            seconds = f"{self._limit.limits.upload_seconds:g} seconds"
            self.refused = ProblemError("slow-upload", f"the body did not arrive within {seconds}")
            self._more = False
            raise HTTPException(408) from None
        arrived = len(message.get("body", b""))
        self.size += arrived
        self._limit.held += arrived
        self._more = message.get("more_body", False)
        if self.size > self._limit.limits.request_bytes:
            self.refused = self._limit.too_large()
        elif self._limit.held > self._limit.limits.held_bytes:
            self.refused = self._limit.too_many()
        if self.refused is not None:
            raise HTTPException(self.refused.status)
        return message

    async def drain(self) -> None:
        """Throw the rest away, for a moment."""
        with suppress(TimeoutError):
            async with asyncio.timeout(DRAIN_SECONDS):
                while self._more:
                    self._more = (await self._receive()).get("more_body", False)


def _shown(size: int) -> str:
    return f"{size // MIB:,} MiB" if size >= MIB else f"{size:,} bytes"
