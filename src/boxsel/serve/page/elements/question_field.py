"""The field for questions, with completion of names."""

from __future__ import annotations

from collections.abc import Callable

from nicegui import ui

from boxsel.serve.page.completion import Completions


class QuestionField(ui.element, component="question_field.js"):
    """A question with completion of names."""

    def __init__(
        self,
        label: str,
        placeholder: str,
        on_type: Callable[[str, int], None],
        on_ask: Callable[[str], None],
    ) -> None:
        super().__init__()
        self._props["label"] = label
        self._props["list-label"] = "Names"
        self._props["placeholder"] = placeholder
        self._props["reply"] = {}
        self.on("typed", lambda event: on_type(str(event.args["text"]), int(event.args["cursor"])))
        self.on("asked", lambda event: on_ask(str(event.args)))

    def show(self, text: str) -> None:
        """Put another question into the field."""
        self.run_method("setText", text)

    def ask(self) -> None:
        """Ask what is in the field."""
        self.run_method("ask")

    def offer(self, text: str, found: Completions) -> None:
        """Offer completions for a text, if it is still there."""
        options = [{"name": one.name, "label": one.label} for one in found.options]
        self._props["reply"] = {
            "text": text,
            "start": found.start,
            "end": found.end,
            "options": options,
        }
        self.update()
