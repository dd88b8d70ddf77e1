"""Two shares side by side: by how much the one in question is above or below another."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from html import escape
from math import ceil, floor
from typing import Any, Final

from nicegui import ui

from boxsel.errors import BoxselError
from boxsel.serve.page.controls import Completer, Working, heading, quiet
from boxsel.serve.page.elements import QuestionField
from boxsel.serve.page.markup import explained
from boxsel.serve.page.session import Session
from boxsel.serve.page.words import complaint, in_words

BUDGET: Final = 10.0
MEASURES: Final = {"difference": "difference", "ratio": "ratio", "odds_ratio": "odds ratio"}
DECIMALS: Final = 10**4

_VERDICTS: Final = {
    "always higher": "The first share is higher than the second in every model.",
    "always lower": "The first share is lower than the second in every model.",
    "always equal": "Both shares are the same in every model.",
    "never lower": "The first share is never lower than the second; they can be equal.",
    "never higher": "The first share is never higher than the second; they can be equal.",
    "open": "There is a model in which the first share is higher, and one in which it is lower.",
    "undecided": "What was proved in time does not tell which share is higher.",
}


class CompareView:
    """Compares the share in question, which `about` has, with one that is typed here."""

    def __init__(self, session: Session, about: Callable[[], dict[str, Any]]) -> None:
        self._session, self._about = session, about
        self._comparing = session.newest(replacing=True)
        with ui.element("section").classes("comparing").props('aria-label="Compare"'):
            heading("Compare with …")
            with ui.element("div").classes("question-row"):
                self._field = QuestionField(
                    "Compare with", "(D | C): another share", self._typed, self._asked
                )
                self._button = quiet("Compare shares", self._field.ask)
            self._working = Working(self._comparing.cancel)
            self._result = ui.html("", sanitize=False).props("role=status")
        self._complete = Completer(session, self._field)

    def load(self) -> None:
        """Show the other share of the state."""
        self._field.show(self._session.state.other)
        self.forget()

    def forget(self) -> None:
        """Show no result: it is about something else by now."""
        self._comparing.cancel()
        self._working.stop()
        self._result.content = ""
        self._field.complain("")
        other = self._session.state.other
        self._field.explain(self._session.labels.plain(in_words(other)))
        self._button.set_enabled(self._session.readable and bool(other.strip()))

    def _typed(self, text: str, cursor: int) -> None:
        self._session.change(other=text)
        self.forget()
        self._complete(text, cursor)

    def _asked(self, text: str) -> None:
        self._session.change(other=text)
        self._comparing.submit(self._compare)

    async def _compare(self) -> None:
        asked = self._about()
        asked["first"], asked["second"] = asked.pop("query"), self._session.state.other
        try:
            with self._working.on("Comparing"):
                content = await self._session.run("compare", **asked, budget=BUDGET)
        except BoxselError as error:
            self._field.complain(complaint(error).said)
            return
        self._result.content = comparison_html(content)


def comparison_html(found: Mapping[str, Any]) -> str:
    """A comparison: the verdict, and how far the shares can be apart.

    Examples:
        >>> comparison_html({"status": "vacuous", "verdict": None})
        '<p class="message-text">There is nothing to compare: no population has both groups.</p>'
    """
    if found["verdict"] is None:
        why = {
            "inconsistent": "there is no population at all",
            "vacuous": "no population has both groups",
        }.get(found["status"], "nothing was proved in time")
        return f'<p class="message-text">There is nothing to compare: {why}.</p>'
    rows = "".join(
        f'<tr><th scope="row">{name}</th><td>{escape(range_text(found[measure]))}</td></tr>'
        for measure, name in MEASURES.items()
        if found[measure] is not None
    )
    return (
        f'<p class="comparing-verdict">{explained(_VERDICTS[found["verdict"]])}</p>'
        f'<table class="numbers"><tbody>{rows}</tbody></table>'
    )


def range_text(found: Mapping[str, Any]) -> str:
    """A range in words, rounded outward.

    Examples:
        >>> range_text({"lower": -0.03, "upper": -0.03, "lower_exact": "-3/100",
        ...             "upper_exact": "-3/100"})
        'exactly -0.03'
        >>> range_text({"lower": 0.8, "upper": None, "lower_exact": "4/5", "upper_exact": None})
        'at least 0.8'
    """
    lower, upper = found["lower"], found["upper"]
    if lower is None:
        return "without bound in every model"
    least = floor(lower * DECIMALS + 1e-9) / DECIMALS
    if upper is None:
        return f"at least {least:g}"
    most = ceil(upper * DECIMALS - 1e-9) / DECIMALS
    if found["lower_exact"] == found["upper_exact"]:
        return f"exactly {least:g}" if least == most else f"about {(lower + upper) / 2:.4g}"
    return f"between {least:g} and {most:g}"
