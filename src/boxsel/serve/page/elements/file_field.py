"""Files that a user chooses: one address takes them for all tabs.

NiceGUI's own upload makes an address for each tab, and FastAPI never forgets one: with it, the
whole page of each visitor would be kept.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from typing import Final
from urllib.parse import unquote
from weakref import WeakValueDictionary

from fastapi import FastAPI, Request, Response
from nicegui import ui
from starlette.exceptions import HTTPException

PREFIX: Final = "/page/files"

File = tuple[str, bytes]
"""The name of a file, and what is in it."""
Taken = Callable[[Sequence[File]], None]

_OPEN: Final[WeakValueDictionary[str, FileField]] = WeakValueDictionary()


class FileField(ui.element, component="file_field.js"):
    """Gives files to `taken` as soon as they are chosen, unless one is too large."""

    def __init__(self, most_bytes: int, taken: Taken, *, several: bool = False) -> None:
        super().__init__()
        self._taken = taken
        self._arrived: list[File] = []
        self._props["several"] = several
        key = secrets.token_urlsafe(16)
        self._props["address"], self._props["most"] = f"{PREFIX}/{key}", most_bytes
        self.on("refused", lambda event: ui.notify(str(event.args), type="negative"))
        _OPEN[key] = self

    def pick(self) -> None:
        """Let the user choose."""
        self._arrived = []
        self.run_method("pick")

    def take(self, name: str, data: bytes, *, more: bool) -> None:
        """Take a file that arrived; the others that were chosen with it come after it."""
        self._arrived.append((name.rpartition("/")[2], data))
        if not more:
            arrived, self._arrived = self._arrived, []
            self._taken(arrived)


def add_files(app: FastAPI) -> None:
    """Take the files of all tabs."""

    async def take(key: str, request: Request) -> Response:
        field = _OPEN.get(key)
        if field is None or field.is_deleted:
            raise HTTPException(404)
        data = await request.body()
        with field:
            name = unquote(request.headers.get("x-file-name", "untitled"))
            field.take(name, data, more=request.headers.get("x-files-left", "0") != "0")
        return Response(status_code=204)

    app.add_api_route(f"{PREFIX}/{{key}}", take, methods=["POST"], include_in_schema=False)
