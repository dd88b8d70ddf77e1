"""The least change that makes a text coherent: shown first, and made if that is wanted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from nicegui import ui

from boxsel.errors import BoxselError
from boxsel.serve.page.controls import Working, dialog, premise_list, primary, quiet
from boxsel.serve.page.markup import Labels
from boxsel.serve.page.session import Session
from boxsel.serve.page.words import complaint


class RepairView:
    """A dialog with the changes, old and new."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._looking = session.newest(replacing=True)
        self._found: Mapping[str, Any] | None = None
        with dialog("Repair") as self._dialog:
            self._working = Working(self._close)
            self._body = ui.element("div").classes("repair")
            with ui.element("div").classes("dialog-buttons"):
                quiet("Close", self._close)
                self._apply = primary("Apply", self._applied)

    def open(self) -> None:
        """Look for the least change, and show it."""
        self._body.clear()
        self._found = None
        self._apply.set_enabled(False)
        self._dialog.open()
        self._looking.submit(self._look)

    async def _look(self) -> None:
        try:
            with self._working.on("Looking for the least change"):
                content = await self._session.run("repair", told=self._working.told)
        except BoxselError as error:
            with self._body:
                ui.label(complaint(error).said).classes("problem")
            return
        self._found = content
        self._apply.set_enabled(content["possible"])
        with self._body:
            if content["possible"]:
                _changes(content, self._session.labels)
            else:
                ui.label(
                    "No change of numbers helps: these statements contradict each other as they"
                    " stand. Change or remove one of them."
                ).classes("message-text")
                premise_list(self._session, content["conflict"]["statements"])

    def _applied(self) -> None:
        assert self._found is not None
        changes = {change["old"]: change["new"] for change in self._found["changes"]}
        session = self._session
        there = len(session.outline.lines(changes)) >= len(changes)
        text = session.outline.restated(changes) if there else self._found["kb"]
        self._close()
        session.replace_text(text)

    def _close(self) -> None:
        self._looking.cancel()
        self._dialog.close()


def _changes(content: Mapping[str, Any], labels: Labels) -> None:
    said = "The least change of numbers that lets every name have members:"
    if not content["optimal"]:
        said = "A change of numbers that lets every name have members; a smaller one may exist:"
    ui.label(said).classes("message-text")
    with ui.element("ul").classes("changes"):
        for change in content["changes"]:
            with ui.element("li"):
                for when in ("old", "new"):
                    ui.html(labels.html(change[when]), sanitize=False).classes(f"change-{when}")
