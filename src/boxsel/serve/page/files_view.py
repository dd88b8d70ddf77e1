"""The bar at the top: examples, files, the link to what is shown, and the colours."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from typing import Final

from nicegui import ui
from nicegui.events import UploadEventArguments

from boxsel import examples
from boxsel.errors import BoxselError
from boxsel.formats.registry import FORMATS
from boxsel.formats.source import decode
from boxsel.serve.page.controls import hidden_upload, icon_button
from boxsel.serve.page.session import Session
from boxsel.serve.page.state import State, fragment, start

MEDIA: Final = "text/plain; charset=utf-8"


class FilesView:
    """Opens, saves and shares. `on_open` shows a state that was opened."""

    def __init__(self, session: Session, on_open: Callable[[State], None]) -> None:
        self._session, self._open = session, on_open
        self._reading = session.newest(replacing=True)
        with ui.element("header").classes("bar"):
            ui.html('<span class="brand">box<b>sel</b></span>', sanitize=False, tag="h1")
            self._name = ui.label().classes("file-name")
            ui.element("div").classes("grow")
            with icon_button("Examples", "auto_stories", named=True), ui.menu().props("auto-close"):
                for name in examples.names():
                    ui.menu_item(name, on_click=partial(self._example, name))
            self._upload = hidden_upload(session.pool.limits.request_bytes, self._uploaded)
            icon_button(
                "Open", "upload_file", lambda: self._upload.run_method("pickFiles"), named=True
            )
            with icon_button("Save", "download", named=True), ui.menu().props("auto-close"):
                for one in FORMATS:
                    if not one.binary:
                        ui.menu_item(f"{one.title} (.{one.name})", partial(self._save, one.name))
            icon_button("Copy link", "link", self._copy_link, named=True)
            self._dark = ui.dark_mode(value=None)
            icon_button("Light or dark", "contrast", self._switch)

    def show(self) -> None:
        """Show the name of what is open."""
        self._name.text = self._session.state.name

    def colours(self, chosen: str) -> None:
        """Take up the colours that were chosen in this browser before."""
        self._dark.value = {"dark": True, "light": False}.get(chosen)

    def _example(self, name: str) -> None:
        self._open(start(name))

    async def _uploaded(self, event: UploadEventArguments) -> None:
        data = await event.file.read()
        self._upload.reset()
        name = event.file.name
        try:
            text = await self._text(name, data)
        except BoxselError as error:
            ui.notify(f"{name}: {error}", type="negative", multi_line=True, close_button="Close")
            return
        self._open(State(text=text, name=name.rpartition("/")[2]))

    async def _text(self, name: str, data: bytes) -> str:
        """A file as `.sel` text; one in that format stays as it is, mistakes and all."""
        if name.lower().endswith(".sel"):
            return decode(data, "")
        found = await self._session.run("read", upload=data, kb="", format=None)
        dropped = sum(one["count"] for one in found["dropped"])
        if dropped:
            ui.notify(f"{dropped:,} axioms were left out: boxsel cannot reason with them.")
        return str(found["kb"])

    async def _save(self, name: str) -> None:
        state = self._session.state
        text = state.text
        if name != "sel":
            try:
                text = (await self._session.run("convert", to=name))["kb"]
            except BoxselError as error:
                ui.notify(str(error), type="negative", multi_line=True)
                return
        stem = state.name.rpartition(".")[0] or state.name
        ui.download.content(text.encode(), f"{stem}.{name}", MEDIA)

    def _copy_link(self) -> None:
        try:
            link = fragment(self._session.state)
        except BoxselError as error:
            ui.notify(str(error), type="warning")
            return
        ui.run_javascript(COPY.replace("LINK", json.dumps(f"#{link}")))
        ui.notify("The link is copied: it holds all that you see.", type="positive")

    def _switch(self) -> None:
        """Turn to the other colours, and remember that in this browser."""
        ui.run_javascript(SWITCH)


COPY: Final = (
    "const link = location.origin + location.pathname + LINK;"
    "history.replaceState(null, '', link); window.boxselLink = link;"
    "if (navigator.clipboard) navigator.clipboard.writeText(link).catch(() => {});"
)
SWITCH: Final = (
    "const dark = !document.body.classList.contains('body--dark');"
    "localStorage.setItem('boxsel-colours', dark ? 'dark' : 'light');"
    "emitEvent('colours', dark ? 'dark' : 'light');"
)
