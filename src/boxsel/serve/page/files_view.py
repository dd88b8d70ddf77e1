"""The bar at the top: examples, files, the link to what is shown, and the colours."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Final, Protocol

from nicegui import ui

from boxsel import examples
from boxsel._version import __version__
from boxsel.errors import BoxselError
from boxsel.formats.registry import FORMATS, format_named
from boxsel.formats.source import decode
from boxsel.serve.page.comparisons import DataTable
from boxsel.serve.page.controls import MEDIA, icon_button, menu
from boxsel.serve.page.elements.drafts import Drafts, Left
from boxsel.serve.page.elements.file_field import File, FileField
from boxsel.serve.page.help_view import HelpView
from boxsel.serve.page.notice import Notice
from boxsel.serve.page.people_view import PeopleView
from boxsel.serve.page.session import Session
from boxsel.serve.page.state import State, fragment, start
from boxsel.serve.page.words import complaint
from boxsel.wording import listed, were_left_out

NAMES: Final = examples.names()
ABOUT: Final = {
    "applicant": "two numbers, and how little they say together",
    "berkeley": "women do better in both departments, and worse in total",
    "clinic": "patients, roles and individuals, as in an ontology",
}
TOO_LARGE: Final = "too large for a link: kept as a draft in this browser"


class Opening(Protocol):
    """Shows a state; its text is `clean` if a file or a link has it."""

    def __call__(self, state: State, *, clean: bool = True) -> None:
        """Show it in all views."""


class FilesView:
    """Opens, saves and shares. `on_open` shows a state that was opened, `on_table` a table."""

    def __init__(
        self, session: Session, on_open: Opening, on_table: Callable[[DataTable], None]
    ) -> None:
        self._session, self._open, self._open_table = session, on_open, on_table
        self._reading = session.newest(replacing=True)
        with ui.element("header").classes("bar"):
            ui.html('<span class="brand">box<b>sel</b></span>', sanitize=False, tag="h1")
            self._dirty = (
                ui.label("•")
                .classes("file-dirty absent")
                .props('role=img aria-label="Not saved" title="Not saved"')
            )
            self._name = ui.label().classes("file-name")
            self._note = ui.label().classes("file-note").props("role=status")
            ui.element("div").classes("grow")
            with icon_button("Examples", "auto_stories", named=True):
                menu((name, ABOUT.get(name, ""), partial(self._example, name)) for name in NAMES)
            most = session.pool.limits.request_bytes
            files = FileField(most, self._take, several=True)
            icon_button("Open", "upload_file", files.pick, named=True)
            added = FileField(most, partial(self._take, adding=True), several=True)
            session.add_files = added.pick
            with icon_button("Save", "download", named=True):
                texts = (one for one in FORMATS if not one.binary)
                people = ("People …", "made up, and every statement is true of them")
                menu(
                    [
                        *(
                            (f"{text.title} (.{text.name})", "", partial(self._save, text.name))
                            for text in texts
                        ),
                        (*people, PeopleView(session).open),
                    ]
                )
            icon_button("Copy link", "link", self._copy_link, named=True)
            self._dark = ui.dark_mode(value=None)
            icon_button("Light or dark", "contrast", self._switch)
            with icon_button("Help", "help_outline"):
                api = partial(ui.navigate.to, "/api/v1", True)
                menu(
                    [
                        ("How to state and ask", "statements, questions, keys", HelpView().open),
                        ("The API, for programs", f"version {__version__}", api),
                    ]
                )

        session.show_dirty = self._show_dirty
        session.show_link = self._show_link
        self.notice = Notice()

    def offer(self, left: Sequence[Left], drafts: Drafts) -> None:
        """Offer what was not saved when tabs were closed: the newest first."""
        if not left:
            return
        newest, *others = left
        if others:
            said = f"There are {len(left)} drafts that were not saved. The newest is of"
            said = f"{said} {newest.name}."
        else:
            said = f"There is a draft of {newest.name} that was not saved."

        def discard() -> None:
            drafts.discard(newest)
            self.offer(others, drafts)

        opening = partial(drafts.open, newest)
        self.notice.say(said, Open_the_draft=opening, Discard_it=discard)

    def _show_dirty(self, dirty: bool) -> None:
        self._dirty.classes(**({"remove": "absent"} if dirty else {"add": "absent"}))

    def _show_link(self, there_is: bool) -> None:
        self._note.text = "" if there_is else TOO_LARGE

    def show(self) -> None:
        """Show the name of what is open."""
        self._name.text = self._session.state.name

    def colours(self, chosen: str) -> None:
        """Take up the colours that were chosen in this browser before."""
        self._dark.value = {"dark": True, "light": False}.get(chosen)

    def _example(self, name: str) -> None:
        self._open(start(name))

    def _take(self, files: Sequence[File], *, adding: bool = False) -> None:
        state = self._session.state
        adding = adding and bool(state.text.strip())
        before = [{"name": state.name, "kb": state.text}] if adding else []
        self._reading.submit(partial(self._read, files, before))

    async def _read(self, files: Sequence[File], before: Sequence[Mapping[str, str]]) -> None:
        """Open files: one as it is, several as one, with what is there `before` them."""
        self.notice.close()
        parts, dropped = [*before], 0
        for name, data in files:
            try:
                if name.lower().endswith(".sel"):  # it stays as it is, mistakes and all
                    parts.append({"name": name, "kb": decode(data, "")})
                    continue
                content = await self._session.run("open_file", upload=data, kb="", format=None)
            except BoxselError as error:
                self.notice.complain(f"{name} cannot be read", error)
                return
            if content["table"] is not None:
                self._offer_table(DataTable(name, content["table"], content["format"]))
                return
            parts.append({"name": name, "kb": content["kb"]})
            dropped += sum(one["count"] for one in content["dropped"])
        if len(parts) > 1:
            await self._unite(parts)
        else:
            self._open(State(text=parts[0]["kb"], name=parts[0]["name"]))
        if dropped:
            self.notice.say(f"{were_left_out(dropped)}: boxsel cannot reason with that.")

    async def _unite(self, parts: Sequence[Mapping[str, str]], match: str | None = None) -> None:
        """Open several texts as one, and offer to take names for one that look the same."""
        names = " and ".join(part["name"] for part in parts)
        try:
            content = await self._session.run("unite", kb="", parts=parts, match=match)
        except BoxselError as error:
            self.notice.complain(f"{names} cannot be put together", error)
            return
        state = replace(self._session.state, text=content["kb"], moves=())
        if parts[0]["name"] != state.name:
            state = State(text=content["kb"], name="united.sel")
        self._open(state, clean=False)
        alike: Sequence[str] = content["alike"]
        if alike and match is None:
            self.notice.say(
                f"In {names} names look the same and stand for different things:"
                f" {listed(alike, 5)}.",
                Make_them_one=partial(self._unite, parts, content["match"]),
            )

    def _offer_table(self, table: DataTable) -> None:
        self.notice.say(
            f"{table.name} is a table of data.",
            Open_in_Simpson=partial(self._open_table, table),
            Make_a_knowledge_base_of_it=partial(self._build, table),
        )

    async def _build(self, table: DataTable) -> None:
        try:
            content = await self._session.run(
                "table_kb", kb="", table=table.text, format=table.format
            )
        except BoxselError as error:
            self.notice.complain(f"{table.name} cannot be counted", error)
            return
        stem = table.name.partition(".")[0]
        self._open(State(text=content["kb"], name=f"{stem}.sel"), clean=False)

    async def _save(self, name: str, *, lossy: bool = False) -> None:
        state = self._session.state
        text = state.text
        if name != "sel":
            try:
                text = (await self._session.run("convert", to=name, lossy=lossy))["kb"]
            except BoxselError as error:
                self._refuse_save(name, error)
                return
        stem = state.name.rpartition(".")[0] or state.name
        ui.download.content(text.encode(), f"{stem}.{name}", MEDIA)
        if not lossy:
            self._session.show_saved()

    def _refuse_save(self, name: str, error: BoxselError) -> None:
        if self._session.readable and format_named(name).table:
            save = partial(self._save, name, lossy=True)
            self.notice.say(complaint(error).said, Save_without_them=save)
        else:
            self.notice.complain(f"This cannot be saved as .{name}", error)

    async def _copy_link(self) -> None:
        try:
            link = fragment(self._session.state)
        except BoxselError as error:
            self.notice.say(complaint(error).said)
            return
        if await ui.run_javascript(COPY.replace("LINK", json.dumps(f"#{link}")), timeout=5):
            ui.notify("The link is copied: it holds all that you see.", type="positive")
        else:
            self.notice.say("The browser does not let pages copy: take the link from its address.")

    def _switch(self) -> None:
        """Turn to the other colours, and remember that in this browser."""
        ui.run_javascript(SWITCH)


COPY: Final = (
    "const link = location.origin + location.pathname + LINK;"
    "history.replaceState(null, '', link); window.boxselLink = link;"
    "return !!navigator.clipboard && navigator.clipboard.writeText(link)"
    ".then(() => true, () => false);"
)
SWITCH: Final = (
    "const dark = !document.body.classList.contains('body--dark');"
    "localStorage.setItem('boxsel-colours', dark ? 'dark' : 'light');"
    "emitEvent('colours', dark ? 'dark' : 'light');"
)
