"""Elements of the page that NiceGUI has not, each with its script."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from nicegui import ui

from boxsel.serve.page.completion import Completions


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
        self._props["reply"] = {"text": text, **asdict(found)}
        self.update()


class ShareSlider(ui.element, component="share_slider.js"):
    """One number between 0 and 1, or two that keep their order."""

    def __init__(
        self,
        label: str,
        lower: float,
        upper: float,
        *,
        step: float,
        point: bool,
        on_move: Callable[[float, float], None],
        on_drop: Callable[[], None],
    ) -> None:
        super().__init__()
        self._props["label"] = label
        self._props["lower"], self._props["upper"] = lower, upper
        self._props["step"], self._props["point"] = step, point
        self.on("moved", lambda event: on_move(event.args["lower"], event.args["upper"]))
        self.on("dropped", lambda _: on_drop())
