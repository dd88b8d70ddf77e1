"""One tab of a browser: its state, its work in the workers, and who is told when the text changes.

Two tabs share nothing but the workers.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from nicegui import Client

from boxsel.errors import BoxselError
from boxsel.serve.handle import Told
from boxsel.serve.page.completion import Option
from boxsel.serve.page.newest import Newest
from boxsel.serve.page.outline import Outline
from boxsel.serve.page.state import State, fragment
from boxsel.serve.pool import Pool

LINK_SECONDS: Final = 0.3
"""How long the address waits for further changes."""


class Session:
    """What the views of one tab share."""

    def __init__(self, pool: Pool, client: Client) -> None:
        self.pool, self.client = pool, client
        self.state = State()
        self.outline = Outline()
        self.concepts: list[Option] = []
        self.roles: list[Option] = []
        self.readable = False
        self.on_text: list[Callable[[], None]] = []
        """Called when the text has changed and was read, or found to have mistakes."""
        self.on_jump: Callable[[int, int | None], None] | None = None
        self.on_replace: Callable[[str], None] | None = None
        self._work: list[Newest] = []
        self._link: asyncio.TimerHandle | None = None

    def newest(self, *, replacing: bool = False) -> Newest:
        """Work that ends when the tab is closed."""
        work = Newest(replacing=replacing)
        self._work.append(work)
        return work

    def close(self) -> None:
        """End all work: nobody waits for it any more."""
        for work in self._work:
            work.cancel()
        if self._link is not None:
            self._link.cancel()

    async def run(
        self,
        task: str,
        *,
        long: float | None = None,
        told: Told | None = None,
        upload: bytes = b"",
        **asked: Any,
    ) -> dict[str, Any]:
        """The answer of a worker about the text in the editor.

        `long` are the seconds for work that may take longer than a request.

        Raises:
            BoxselError: There is no answer, and why.
        """
        about = {"kb": self.state.text, "format": "sel", **asked}
        if long is None:
            return await self.pool.run(task, about, told=told, upload=upload)
        seconds = min(long, self.pool.limits.job_seconds)
        async with self.pool.for_long_work:
            return await self.pool.run(task, about, seconds=seconds, told=told)

    def change(self, **fields: Any) -> None:
        """Change the state, and a moment later the address of the page."""
        self.state = replace(self.state, **fields)
        if self._link is not None:
            self._link.cancel()
        loop = asyncio.get_running_loop()
        self._link = loop.call_later(LINK_SECONDS, self._write_link)

    def told_of_text(self) -> None:
        """Tell all views that the text was read."""
        for listener in self.on_text:
            listener()

    def jump(self, line: int, column: int | None = None) -> None:
        """Show a line in the editor."""
        if self.on_jump is not None:
            self.on_jump(line, column)

    def jump_to(self, statement: str) -> None:
        """Show a statement in the editor, if it stands there."""
        line = self.outline.line(statement)
        if line is not None:
            self.jump(line)

    def replace_text(self, text: str) -> None:
        """Put another text into the editor."""
        if self.on_replace is not None:
            self.on_replace(text)

    def _write_link(self) -> None:
        try:
            link = f"#{fragment(self.state)}"
        except BoxselError:
            link = " "  # no link is better than one to something else
        if self.client.has_socket_connection:
            self.client.run_javascript(f"history.replaceState(null, '', {json.dumps(link)})")
