"""A strip below the bar: one line, what can be done about it, and details on request."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial

from nicegui import ui

from boxsel.errors import BoxselError
from boxsel.serve.page.controls import quiet
from boxsel.serve.page.words import complaint

Act = Callable[[], object] | Callable[[], Awaitable[object]]


class Notice:
    """Says one thing at a time, until somebody acts on it or closes it."""

    def __init__(self) -> None:
        self._strip = ui.element("aside").classes("notice").props('role=alert aria-label="Notice"')
        self.close()

    def close(self) -> None:
        """Say nothing any more."""
        self._strip.clear()
        self._strip.set_visibility(False)

    def say(self, said: str, *, bad: bool = False, details: str = "", **actions: Act) -> None:
        """Say something; actions are buttons, by their words with `_` for spaces."""
        self._strip.clear()
        self._strip.classes(replace="notice notice-bad" if bad else "notice")
        self._strip.set_visibility(True)
        with self._strip:
            ui.label(said).classes("notice-said")
            for words, act in actions.items():
                quiet(words.replace("_", " "), partial(self._act, act))
            if details:
                with ui.element("details").classes("notice-details"):
                    with ui.element("summary"):
                        ui.label("Details")
                    ui.label(details).classes("notice-text")
            quiet("Close", self.close)

    def complain(self, about: str, error: BoxselError) -> None:
        """Say what is wrong with something."""
        found = complaint(error)
        self.say(f"{about}: {found.said}", bad=True, details=found.details)

    async def _act(self, act: Act) -> None:
        self.close()
        done = act()
        if isinstance(done, Awaitable):
            await done
