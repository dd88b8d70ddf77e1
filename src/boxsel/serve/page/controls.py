"""What the views are made of: buttons, uploads, a strip for long work, lists of statements."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from typing import Any

from nicegui import ui
from nicegui.events import UploadEventArguments

from boxsel.serve.page.session import Session

Action = Callable[[], Any] | None


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


Taken = Callable[[UploadEventArguments], Awaitable[None]]


def hidden_upload(most_bytes: int, taken: Taken) -> ui.upload:
    """Takes a file as soon as it is chosen, unless it is too large; the button is elsewhere."""
    return ui.upload(
        auto_upload=True,
        max_file_size=most_bytes,
        on_upload=taken,
        on_rejected=lambda: ui.notify("This file is too large.", type="negative"),
    ).classes("hidden-upload")


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


def premise_list(session: Session, statements: Iterable[str]) -> None:
    """List statements; those that stand in the text lead there."""
    with ui.element("ul").classes("premises"):
        for statement in statements:
            with ui.element("li"):
                line = session.outline.line(statement)
                if line is None:
                    ui.label(statement).classes("premise")
                    continue
                button = ui.element("button").classes("premise").props('type="button"')
                button.on("click", lambda _, one=statement: session.jump_to(one))
                with button:
                    ui.label(statement).classes("premise-text")
                    ui.label(f"line {line}").classes("premise-line")
