"""Elements of the page that NiceGUI has not, each with its script."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any, Final

from nicegui import ui
from starlette.datastructures import Headers

from boxsel.serve.page.completion import Completions
from boxsel.serve.page.elements.inbox import Inbox

UNKEPT: Final = "There is no room for a draft of this in the browser: save it to a file."
LONGEST_QUESTION: Final = 10_000
"""In characters; whoever sends more does not do so with the field."""


def _line(said: object) -> str:
    return str(said)[:LONGEST_QUESTION]


class Editor(ui.element, component="editor.js"):
    """A text area with line numbers, colours and marks; the browser owns the text."""

    def __init__(
        self,
        label: str,
        most_bytes: int,
        on_change: Callable[[str], None],
        on_dirty: Callable[[bool], None],
        on_refused: Callable[[str], None],
    ) -> None:
        super().__init__()
        self._on_change, self._shown = on_change, 0
        self._inbox = Inbox(self, self._take)
        self._props["label"], self._props["most"] = label, most_bytes
        self._props["address"] = self._inbox.address
        self.on("refused", lambda event: on_refused(str(event.args)))
        self.on("dirty", lambda event: on_dirty(bool(event.args)))
        self.on("unkept", lambda: ui.notify(UNKEPT, type="warning"))
        self._props["marks"] = []
        self._props["lines"] = []
        self.on("changed", lambda event: on_change(str(event.args)))

    def describe_by(self, identifier: str) -> None:
        """Say which element has the messages about the text."""
        self._props["described-by"] = identifier
        self.update()

    def show(self, text: str, rest: Mapping[str, Any], *, clean: bool = False) -> None:
        """Put another text into the editor, with the rest of the state, for a draft of both.

        It is `clean` if a file or a link has it.
        """
        self._shown += 1
        self.run_method("setText", text, clean, self._shown, rest)

    def _take(self, data: bytes, headers: Headers) -> None:
        """Take a long text, unless another was shown since it was typed."""
        if headers.get("x-text-after") == str(self._shown):
            self._on_change(data.decode(errors="replace"))

    def keep(self, link: str, rest: Mapping[str, Any]) -> None:
        """Keep a draft in the browser: the text, and the rest of the state; and the link to it."""
        self.run_method("keep", link, rest)

    def saved(self) -> None:
        """Say that the text is in a file now."""
        self.run_method("saved")

    def highlight(
        self, marks: Sequence[Mapping[str, Any]], lines: Sequence[tuple[int, str]]
    ) -> None:
        """Mark mistakes at their places, and lines by kinds: `conflict`, `premise`."""
        shown = [mark for mark in marks if mark["line"] is not None]
        self._props["marks"] = [{**content} for content in shown]
        self._props["lines"] = [list(line) for line in lines]
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
        self._props["reply"], self._props["problem"] = {}, {"number": 0}
        self._props["longest"] = LONGEST_QUESTION
        self.on("typed", lambda event: on_type(_line(event.args["text"]), event.args["cursor"]))
        self.on("asked", lambda event: on_ask(_line(event.args)))

    def show(self, text: str) -> None:
        """Put another question into the field."""
        self.run_method("setText", text)

    def explain(self, words: str) -> None:
        """Say below the field what the question asks."""
        self._props["words"] = words
        self.update()

    def complain(self, said: str, place: tuple[int, int] | None = None) -> None:
        """Say below the field what is wrong with the question; nothing if it is right."""
        number = self._props["problem"]["number"] + 1
        self._props["problem"] = {"said": said, "place": place, "number": number}
        self.update()

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
        stated: tuple[float, float],
        on_move: Callable[[float, float], None],
        on_drop: Callable[[], None],
    ) -> None:
        super().__init__()
        self._props["label"] = label
        self._props["lower"], self._props["upper"] = lower, upper
        self._props["step"], self._props["point"] = step, point
        self._props["stated"], self._props["range"] = stated, []
        self.on("moved", lambda event: on_move(event.args["lower"], event.args["upper"]))
        self.on("dropped", lambda _: on_drop())

    def go_to(self, lower: float, upper: float) -> None:
        """Put the slider elsewhere: another one moved it."""
        self.run_method("goTo", lower, upper)

    def show_range(self, feasible: Sequence[float | None]) -> None:
        """Show on the track where the other statements let the number be."""
        self._props["range"] = [one for one in feasible if one is not None]
        self.update()
