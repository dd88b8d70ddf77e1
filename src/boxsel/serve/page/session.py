"""One tab of a browser: its state, its work in the workers, and who is told when the text changes.

Two tabs share nothing but the workers. Of some work only the newest matters: answers to what was
typed or dragged since are skipped.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from typing import Any, Final

from nicegui import Client

from boxsel.errors import BoxselError
from boxsel.serve.handle import Told
from boxsel.serve.page.completion import Option
from boxsel.serve.page.markup import Labels
from boxsel.serve.page.outline import Outline
from boxsel.serve.page.state import State, fragment
from boxsel.serve.pool import Pool

log = logging.getLogger("boxsel.serve")

Work = Callable[[], Awaitable[None]]


class Newest:
    """Does one piece of work at a time; of those that come meanwhile, only the last.

    With `replacing` the one that runs is cancelled instead of waited for: for what takes long.
    All of it is done `within` a context, if there is one: that of a tab, which messages go to.
    """

    def __init__(
        self, *, replacing: bool = False, within: AbstractContextManager[object] | None = None
    ) -> None:
        self._replacing, self._within = replacing, within or nullcontext()
        self._next: Work | None = None
        self._task: asyncio.Task[None] | None = None

    @property
    def busy(self) -> bool:
        """Whether something is being done."""
        return self._task is not None and not self._task.done()

    @property
    def waiting(self) -> bool:
        """Whether something waits for what is being done."""
        return self._next is not None

    def submit(self, work: Work) -> None:
        """Do this next, and nothing that was submitted before and has not begun."""
        if self._replacing:
            self.cancel()
        self._next = work
        if not self.busy:
            self._task = asyncio.get_running_loop().create_task(self._run())

    def cancel(self) -> None:
        """End what is being done, and forget what waits."""
        self._next = None
        if self._task is not None:
            self._task.cancel()
            self._task = None

    async def _run(self) -> None:
        while self._next is not None:
            work, self._next = self._next, None
            try:
                with self._within:
                    await work()
            except asyncio.CancelledError:
                return
            except Exception:  # a mistake of ours must not end the work that comes later
                log.exception("work of the page failed")


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
        self.labels = Labels()
        self.readable = False
        self.unread = False
        """Whether it is not known if the text is readable: the server could not look."""
        self.conflict: tuple[str, ...] = ()
        """The statements that the check of the text found to contradict each other."""
        self.on_text: list[Callable[[], None]] = []
        """Called when the text has changed and was read, or found to have mistakes."""
        # What views do for one another, once they are there.
        self.jump: Callable[..., None] = _nothing  # to a line, and a column
        self.replace_text: Callable[[str], None] = _nothing
        self.add_files: Callable[[], None] = _nothing  # lets the user choose them
        self.keep: Callable[[str, dict[str, Any]], None] = _nothing  # a draft, and its link
        self.show_conflict: Callable[[], None] = _nothing
        self.show_saved: Callable[[], None] = _nothing
        self.show_dirty: Callable[[bool], None] = _nothing  # other than in its file, or not
        self.show_link: Callable[[bool], None] = _nothing  # whether there is one
        self._work: list[Newest] = []
        self._link: asyncio.TimerHandle | None = None
        self._linking = self.newest()

    def newest(self, *, replacing: bool = False) -> Newest:
        """Work that ends when the tab is closed."""
        work = Newest(replacing=replacing, within=self.client)
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
            return await self.pool.run(task, about, told=told, upload=upload, client=self.client.id)
        seconds = min(long, self.pool.limits.job_seconds)
        async with self.pool.for_long_work:
            return await self.pool.run(task, about, seconds=seconds, told=told)

    def change(self, **fields: Any) -> None:
        """Change the state, and a moment later the address of the page."""
        self.state = replace(self.state, **fields)
        self._plan_link()

    def told_of_text(self) -> None:
        """Tell all views that the text was read."""
        for listener in self.on_text:
            listener()

    def jump_to(self, statement: str) -> None:
        """Show a statement in the editor, if it stands there."""
        line = self.outline.line(statement)
        if line is not None:
            self.jump(line)

    def _plan_link(self) -> None:
        if self._link is not None:
            self._link.cancel()
        loop = asyncio.get_running_loop()
        self._link = loop.call_later(LINK_SECONDS, self._linking.submit, self._write_link)

    async def _write_link(self) -> None:
        if not self.client.has_socket_connection:
            self._plan_link()  # it may come back
            return
        try:
            link = f"#{await asyncio.to_thread(fragment, self.state)}"
        except BoxselError:
            link = ""  # no link is better than one to something else
        self.keep(link, self.state.rest())
        self.show_link(bool(link))


def _nothing(*_: object) -> None:
    """What a view does that is not there yet."""
