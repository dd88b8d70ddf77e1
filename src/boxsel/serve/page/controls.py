"""What the views are made of: buttons, a strip for long work, completion, lists of statements."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, Final

from nicegui import ui

from boxsel.serve.page.completion import completions
from boxsel.serve.page.elements import QuestionField
from boxsel.serve.page.session import Session

Action = Callable[[], Any] | None
MEDIA: Final = "text/plain; charset=utf-8"
"""What downloads are."""


def primary(said: str, on_click: Action) -> ui.button:
    """The button for what the view is there for."""
    return ui.button(said, on_click=on_click).props("unelevated no-caps")


def quiet(said: str, on_click: Action = None) -> ui.button:
    """A button for everything else."""
    return ui.button(said, on_click=on_click, color=None).props("flat dense no-caps")


def icon_button(said: str, icon: str, on_click: Action = None, *, named: bool = False) -> ui.button:
    """An icon; its word is for screen readers and tooltips, or `named` where there is room."""
    button = ui.button(on_click=on_click, color=None).props(f'flat no-caps aria-label="{said}"')
    with button.classes("icon-button"):
        ui.icon(icon).props("aria-hidden=true")
        if named:
            ui.label(said).classes("icon-word")
        ui.tooltip(said).classes("icon-tip")
    return button


Entry = tuple[str, str, Callable[[], Any]]
"""What a menu offers: its name, a line about it, and what it does."""


def menu(entries: Iterable[Entry]) -> None:
    """A menu for the button around it, with the roles and the arrow keys of one."""
    with ui.menu().props("auto-close").on("keydown", js_handler=ARROWS):
        for name, about, act in entries:
            with ui.menu_item(on_click=act).props("role=menuitem"), ui.item_section():
                ui.item_label(name)
                if about:
                    ui.item_label(about).props("caption")


ARROWS: Final = """(event) => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step) return;
  event.preventDefault();
  const entries = [...event.currentTarget.querySelectorAll("[role=menuitem]")];
  const now = entries.indexOf(document.activeElement);
  entries[(now + step + (now < 0 && step < 0) + entries.length) % entries.length].focus();
}"""


def heading(said: str, kind: str = "section-title", level: int = 2) -> None:
    """A title of what follows."""
    ui.label(said).classes(kind).props(f"role=heading aria-level={level}")


@contextmanager
def dialog(called: str, kind: str = "") -> Iterator[ui.dialog]:
    """A dialog for what is inside, which keeps the focus: Tab goes round in it while it is open."""
    made = ui.dialog().props(f'aria-label="{called}"').on("keydown", js_handler=ROUND)
    with made, ui.element("div").classes(f"card dialog {kind}".strip()):
        heading(called)
        yield made


ROUND: Final = """(event) => {
  if (event.key !== "Tab") return;
  const all = [...event.currentTarget.querySelectorAll("button, input, [tabindex]")].filter(
    (one) => one.tabIndex >= 0 && !one.disabled && one.checkVisibility({ visibilityProperty: true })
  );
  const [first, last, now] = [all[0], all.at(-1), document.activeElement];
  if (event.shiftKey ? now !== first && all.includes(now) : now !== last) return;
  event.preventDefault();
  (event.shiftKey ? last : first)?.focus();
}"""


class Working:
    """Says what takes long, and how far it is. Its room is kept, so that nothing jumps."""

    def __init__(self, on_cancel: Callable[[], None]) -> None:
        self._cancelling = on_cancel
        with ui.element("div").classes("working") as self._strip:
            self._bar = ui.linear_progress(0, show_value=False).props("indeterminate rounded")
            with ui.element("div").classes("working-row"):
                self._said = ui.label().classes("working-said").props("role=status")
                quiet("Cancel", self._cancel)
        self._strip.classes("idle")

    @contextmanager
    def on(self, said: str) -> Iterator[None]:
        """Say what is being done, as long as it is."""
        self.start(said)
        try:
            yield
        finally:
            self.stop()

    def start(self, said: str) -> None:
        """Say what is being done."""
        self._said.text = said
        self._title = said
        self._bar.props("indeterminate")
        self._strip.classes(remove="idle")

    def told(self, progress: dict[str, Any]) -> None:
        """Show how far a worker is."""
        total = progress.get("total") or 0
        note = f" – {progress['note']}" if progress.get("note") else ""
        self._said.text = f"{self._title}: {progress.get('task', '')}{note}"
        if total > 1:
            self._bar.props(remove="indeterminate")
            self._bar.value = progress["done"] / total

    def stop(self) -> None:
        """Nothing is being done any more."""
        self._strip.classes("idle")

    def _cancel(self) -> None:
        self.stop()
        self._cancelling()


class Completer:
    """Offers names in a field while a question is typed; of what is typed the last matters."""

    def __init__(self, session: Session, field: QuestionField) -> None:
        self._session, self._field = session, field
        self._completing = session.newest()

    def __call__(self, text: str, cursor: int) -> None:
        """Offer what the name before the cursor can become; a place below 0 is none."""
        if cursor >= 0:
            self._completing.submit(partial(self._offer, text, cursor))

    async def _offer(self, text: str, cursor: int) -> None:
        names = [*self._session.concepts, *self._session.roles]
        self._field.offer(text, await asyncio.to_thread(completions, text, cursor, names))


def premise_list(session: Session, statements: Iterable[str]) -> None:
    """List statements; those that stand in the text lead there."""
    with ui.element("ul").classes("premises"):
        for statement in statements:
            with ui.element("li"):
                line = session.outline.line(statement)
                if line is None:
                    _statement(session, statement).classes("premise")
                    continue
                button = ui.element("button").classes("premise").props('type="button"')
                button.on("click", lambda _, one=statement: session.jump_to(one))
                with button:
                    _statement(session, statement).classes("premise-text")
                    ui.label(f"line {line}").classes("premise-line")


def _statement(session: Session, statement: str) -> ui.html:
    return ui.html(session.labels.html(statement), sanitize=False)
