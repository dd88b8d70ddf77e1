"""What a tab sends that is too large for its socket: one address takes it for all tabs.

NiceGUI's own upload makes an address for each tab, and FastAPI never forgets one: with it, the
whole page of each visitor would be kept.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Final
from weakref import WeakValueDictionary

from fastapi import FastAPI, Request, Response
from nicegui import ui
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException

PREFIX: Final = "/page/files"

Taken = Callable[[bytes, Headers], None]

_OPEN: Final[WeakValueDictionary[str, Inbox]] = WeakValueDictionary()


class Inbox:
    """Takes what is sent to its `address`, for as long as the element is there that owns it."""

    def __init__(self, owner: ui.element, taken: Taken) -> None:
        self.owner, self.taken = owner, taken
        key = secrets.token_urlsafe(16)
        self.address = f"{PREFIX}/{key}"
        _OPEN[key] = self


def add_inboxes(app: FastAPI) -> None:
    """Take what all tabs send."""

    async def take(key: str, request: Request) -> Response:
        inbox = _OPEN.get(key)
        if inbox is None or inbox.owner.is_deleted:
            raise HTTPException(404)
        data = await request.body()
        with inbox.owner:
            inbox.taken(data, request.headers)
        return Response(status_code=204)

    app.add_api_route(f"{PREFIX}/{{key}}", take, methods=["POST"], include_in_schema=False)
