"""Files that a user chooses."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from urllib.parse import unquote

from nicegui import ui
from starlette.datastructures import Headers

from boxsel.serve.page.elements.inbox import Inbox

File = tuple[str, bytes]
"""The name of a file, and what is in it."""


class FileField(ui.element, component="file_field.js"):
    """Gives files to `taken` as soon as they are chosen, unless one is too large."""

    def __init__(
        self, most_bytes: int, taken: Callable[[Sequence[File]], None], *, several: bool = False
    ) -> None:
        super().__init__()
        self._taken = taken
        self._arrived: list[File] = []
        self._inbox = Inbox(self, self._take)
        self._props["several"] = several
        self._props["address"], self._props["most"] = self._inbox.address, most_bytes
        self.on("refused", lambda event: ui.notify(str(event.args), type="negative"))

    def pick(self) -> None:
        """Let the user choose."""
        self._arrived = []
        self.run_method("pick")

    def _take(self, data: bytes, headers: Headers) -> None:
        """Take a file that arrived; the others that were chosen with it come after it."""
        name = unquote(headers.get("x-file-name", "untitled"))
        self._arrived.append((name.rpartition("/")[2], data))
        if headers.get("x-files-left", "0") == "0":
            arrived, self._arrived = self._arrived, []
            self._taken(arrived)
