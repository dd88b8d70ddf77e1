"""The editor, and below it what is wrong with the text: mistakes, conflicts, and the repair."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from typing import Any, Final

from nicegui import ui

from boxsel.errors import BoxselError
from boxsel.serve.page.completion import Option
from boxsel.serve.page.controls import heading, premise_list, quiet
from boxsel.serve.page.elements import Editor
from boxsel.serve.page.markup import MEANINGS, Labels
from boxsel.serve.page.outline import Outline, summary_of
from boxsel.serve.page.repair_view import RepairView
from boxsel.serve.page.session import Session
from boxsel.serve.page.words import complaint, is_passing
from boxsel.wording import listed, several

CHECK_SECONDS: Final = 5.0
LONG_CHECK_SECONDS: Final = 75.0
QUICK, CALM = 0.5, 1.0
"""After a check that took longer than the first, the next one waits for the second."""

NOWHERE: Final = {"line": None, "column": None, "help": None}
INVITATION: Final = (
    "Write one statement per line, such as (Admitted | Applicant)[0.25], open a file, or begin"
    " with an example."
)
AGAIN, LONGER = "Try again", "Check longer"
GOOD, BAD, PLAIN = "good", "bad", "plain"


class EditorView:
    """Checks the text while it is typed: first whether it can be read, then what follows."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._parsing = session.newest()
        self._checking = session.newest(replacing=True)
        self._repair = RepairView(session)
        with ui.element("section").classes("panel editor-panel").props('aria-label="Statements"'):
            with ui.element("div").classes("panel-head"):
                heading("Statements", "panel-title", 2)
                quiet("Add a file …", lambda: session.add_files())
            self.editor = Editor(
                "Statements",
                session.pool.limits.request_bytes,
                self._changed,
                lambda dirty: session.show_dirty(dirty),
                self._refused,
            )
            with ui.element("div").classes("status"):
                with ui.element("div").classes("status-row"):
                    self._badge = ui.label().classes("badge").props("role=status")
                    self._summary = ui.label().classes("summary")
                    self._action = quiet("", self._act)
                self._messages = ui.element("div").classes("messages")
        self.editor.describe_by(self._messages.html_id)
        self._long, self._patience = False, 0.0
        self._say("…", PLAIN)
        session.jump = self.editor.go_to
        session.replace_text = self.load
        session.keep = self.editor.keep
        session.show_saved = self.editor.saved

    def load(self, text: str, *, clean: bool = False) -> None:
        """Put a text into the editor, and check it; it is `clean` if a file or a link has it."""
        self.editor.show(text, self._session.state.rest(), clean=clean)
        self._changed(text)

    def _changed(self, text: str) -> None:
        self._session.change(text=text)
        self._checking.cancel()
        self._parsing.submit(self._parse)

    def _refused(self, why: str) -> None:
        """Say why the server has not the text that is in the editor."""
        self._parsing.cancel()
        self._checking.cancel()
        self._unreadable({**NOWHERE, "message": why})

    def _unreadable(self, error: Mapping[str, Any], *, again: bool = False) -> None:
        self._session.readable, self._session.unread = False, again
        if again:
            self._say("Not read", PLAIN, action=AGAIN)
        else:
            self._say("Cannot be read", BAD)
        self._explain([error])
        self._session.told_of_text()

    async def _parse(self) -> None:
        session, text = self._session, self._session.state.text
        session.conflict, session.unread = (), False
        if not text.strip():
            session.readable = False
            self.editor.highlight([], [])
            self._say("Empty", PLAIN)
            self._explain([{**NOWHERE, "message": INVITATION}])
            session.told_of_text()
            return
        try:
            content = await session.run("parse")
        except BoxselError as error:
            self._unreadable(_unplaced(error), again=is_passing(error))
            return
        if text != session.state.text:
            return  # a newer one is read already
        session.readable = content["valid"]
        if not content["valid"]:
            self._mistaken(content)
        else:
            outline = await asyncio.to_thread(Outline.indexed, text, content["statements"])
            if text != session.state.text:
                return
            session.outline = outline
            session.concepts = [Option.of(concept) for concept in content["concepts"]]
            session.roles = [Option.of(role) for role in content["roles"]]
            named = (*session.concepts, *session.roles)
            session.labels = Labels({option.name: option.label for option in named if option.label})
            self.editor.highlight([], [])
            self._say("Checking …", PLAIN, summary_of(content))
            self._checking.submit(self._check)
        session.told_of_text()

    def _mistaken(self, content: Mapping[str, Any]) -> None:
        errors: Sequence[Mapping[str, Any]] = content["errors"]
        self.editor.highlight(errors, [])
        more = "more than " if content["more"] else ""
        self._say("Cannot be read", BAD, more + several(len(errors), "mistake"))
        self._explain(errors)

    async def _check(self) -> None:
        if self._patience:  # whoever types on would end a check that has just begun
            await asyncio.sleep(self._patience)
        start = time.monotonic()
        try:
            content = await self._checked()
        except BoxselError as error:
            self._say("Not decided", PLAIN, action=LONGER)
            self._explain([_unplaced(error)])
            return
        finally:
            self._patience = CALM if time.monotonic() - start > QUICK else 0.0
        self._session.conflict = tuple(content["conflict"])
        self._session.show_conflict()
        lines = self._session.outline.lines(content["conflict"])
        self.editor.highlight([], [(line, "conflict") for line in lines])
        summary = self._summary.text
        if content["coherent"]:
            self._say("Coherent", GOOD, summary)
            return
        if content["consistent"]:
            who = self._session.labels.plain(listed(content["empty"], most=3))
            verb = "is" if len(content["empty"]) == 1 else "are"
            said = f"{who} {verb} always empty: these statements contradict each other."
        else:
            said = "No model satisfies all statements: these contradict each other."
        self._say(
            "Incoherent" if content["consistent"] else "Inconsistent", BAD, summary, "Repair …"
        )
        with self._messages:
            ui.label(said).classes("message-text")
            premise_list(self._session, content["conflict"])

    async def _checked(self) -> dict[str, Any]:
        long, self._long = self._long, False
        if long:
            return await self._session.run("check", long=LONG_CHECK_SECONDS)
        return await self._session.run("check", budget=CHECK_SECONDS)

    def _say(self, badge: str, kind: str, summary: str = "", action: str = "") -> None:
        self._badge.text, self._summary.text = badge, summary
        self._badge.classes(replace=f"badge badge-{kind}")
        self._badge.props(f'title="{MEANINGS.get(badge.lower(), "")}"')
        self._action.text = action
        self._action.set_visibility(bool(action))
        self._messages.clear()

    def _explain(self, errors: Sequence[Mapping[str, Any]]) -> None:
        with self._messages:
            for error in errors:
                self._message(error)

    def _message(self, error: Mapping[str, Any]) -> None:
        line, column = error["line"], error["column"]
        place = "" if line is None else f"line {line}" + (f", column {column}" if column else "")
        with ui.element("div").classes("message"):
            if place:
                button = ui.element("button").classes("place").props('type="button"')
                button.on("click", lambda: self._session.jump(line, column))
                with button:
                    ui.label(place)
            ui.label(error["message"]).classes("message-text")
            if error["help"]:
                ui.label(f"Help: {error['help']}").classes("message-help")

    def _act(self) -> None:
        if self._action.text == AGAIN:
            self._say("…", PLAIN)
            self._parsing.submit(self._parse)
        elif self._action.text == LONGER:
            self._long = True
            self._say("Checking …", PLAIN)
            self._checking.submit(self._check)
        else:
            self._repair.open()


def _unplaced(error: BoxselError) -> dict[str, Any]:
    """An error that is about no place in the text."""
    return {**NOWHERE, "message": complaint(error).said}
