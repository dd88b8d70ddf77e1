"""A strip that says what is being worked on and how far it is, with a button to cancel it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from nicegui import ui

from boxsel.serve.page.buttons import quiet


class Working:
    """Shown while something takes long. Its room is kept, so that nothing jumps."""

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
