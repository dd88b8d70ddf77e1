"""The boxes view: what a trained member of two dimensions looks like."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any, Final

from nicegui import ui

from boxsel.errors import BoxselError
from boxsel.pictures.boxes import COLOURS, draw_boxes
from boxsel.serve.page.controls import Working, icon_button, primary
from boxsel.serve.page.session import Session
from boxsel.serve.page.words import complaint
from boxsel.wording import several

TRAINING_SECONDS: Final = 120.0
LEAST_SHARE: Final = 1e-6


class BoxesView:
    """Trains a small ensemble in a worker, and draws its members one by one."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._training = session.newest(replacing=True)
        self._found: Mapping[str, Any] | None = None
        self._order: list[int] = []
        self._place = 0
        with ui.element("div").classes("view") as self.element:
            ui.label(
                "Concepts as boxes in the plane: one possible world, found by training. Areas are"
                " shares of the frame, approximately."
            ).classes("hint")
            with ui.element("div").classes("boxes-row"):
                primary("Train", lambda: self._training.submit(self._trained))
                self._before = icon_button("Previous world", "chevron_left", lambda: self._step(-1))
                self._which = ui.label().classes("boxes-which").props("role=status")
                self._after = icon_button("Next world", "chevron_right", lambda: self._step(1))
            self._working = Working(self._training.cancel)
            with ui.element("div").classes("boxes"):
                self._picture = ui.html("", sanitize=False).classes("boxes-picture")
                self._names = ui.html("", sanitize=False).classes("boxes-names")
        self._show()
        session.on_text.append(self._forget)

    def load(self) -> None:
        """Forget what was trained: it was another text."""
        self._forget()

    def _forget(self) -> None:
        self._training.cancel()
        self._working.stop()
        self._found = None
        self._show()

    async def _trained(self) -> None:
        try:
            with self._working.on("Training"):
                content = await self._session.run(
                    "boxes", long=TRAINING_SECONDS, told=self._working.told
                )
        except BoxselError as error:
            self._found = None
            self._show()
            self._picture.content = f'<div class="problem">{escape(complaint(error).said)}</div>'
            return
        self._found = content
        members = content["members"]
        self._order = sorted(range(len(members)), key=lambda one: members[one]["violation"])
        self._place = 0
        self._show()

    def _step(self, by: int) -> None:
        self._place = (self._place + by) % len(self._order)
        self._show()

    def _show(self) -> None:
        content = self._found
        for button in (self._before, self._after):
            button.set_enabled(content is not None)
        if content is None:
            self._which.text = ""
            self._picture.content = '<div class="boxes-empty">nothing is trained yet</div>'
            self._names.content = ""
            return
        member = content["members"][self._order[self._place]]
        kept = "" if member["kept"] else ", too far off to be used"
        off = member["violation"]
        said = f"at most {off:.2g}" if off >= LEAST_SHARE else f"less than {LEAST_SHARE:.6f}"
        self._which.text = f"world {self._place + 1} of {len(self._order)}: off by {said}{kept}"
        self._picture.content = draw_boxes(content["names"], member["boxes"])
        self._names.content = _names(content)


def _names(content: Mapping[str, Any]) -> str:
    entries = "".join(
        f'<li><span class="swatch colour-{place % COLOURS}"></span>{escape(name)}</li>'
        for place, name in enumerate(content["names"])
    )
    notes = []
    if content["hidden"]:
        notes.append(f"Not drawn: {several(content['hidden'], 'more name')}.")
    if content["ignored"]:
        notes.append(f"Ignores {several(content['ignored'], 'axiom')} left out on reading.")
    said = "".join(f'<p class="hint">{note}</p>' for note in notes)
    return f"<ul>{entries}</ul>{said}"
