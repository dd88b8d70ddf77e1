"""Requests for the head of a response alone: whoever watches a server often sends these."""

from __future__ import annotations

from starlette.types import ASGIApp, Receive, Scope, Send


class Heads:
    """Lets HEAD be answered wherever GET is; the server sends no body then."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on."""
        asked = scope.get("method") == "HEAD"
        await self._app({**scope, "method": "GET"} if asked else scope, receive, send)
