"""The editor of statements."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from nicegui import ui


class Editor(ui.element, component="editor.js"):
    """A text area with line numbers, colours and marks; the browser owns the text."""

    def __init__(self, label: str, on_change: Callable[[str], None]) -> None:
        super().__init__()
        self._props["label"] = label
        self._props["marks"] = []
        self._props["lines"] = []
        self.on("changed", lambda event: on_change(str(event.args)))

    def describe_by(self, identifier: str) -> None:
        """Say which element has the messages about the text."""
        self._props["described-by"] = identifier
        self.update()

    def show(self, text: str) -> None:
        """Put another text into the editor."""
        self.run_method("setText", text)

    def highlight(
        self, marks: Sequence[Mapping[str, Any]], lines: Sequence[tuple[int, str]]
    ) -> None:
        """Mark mistakes at their places, and lines by kinds: `conflict`, `premise`."""
        shown = [one for one in marks if one["line"] is not None]
        self._props["marks"] = [{**one} for one in shown]
        self._props["lines"] = [list(one) for one in lines]
        self.update()

    def go_to(self, line: int, column: int | None = None) -> None:
        """Select a line, or go to a place in it."""
        self.run_method("goTo", line, column)
