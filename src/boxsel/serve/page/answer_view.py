"""The answer: a sentence, a picture with its legend, and the evidence for both ends."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any, Final

from nicegui import ui

from boxsel.answer.picture import drawn
from boxsel.serve.page.controls import premise_list
from boxsel.serve.page.session import Session
from boxsel.serve.page.words import headline, is_point, note, sentence, side_title, standing

EMPTY: Final = {
    "query": "",
    "status": "",
    "outer": {"lower": None, "upper": None, "exact": False},
    "inner": None,
    "estimate": None,
}
LEGEND: Final = (
    ("outer", "proved: the truth lies in it"),
    ("inner", "certainly possible: models show it"),
    ("estimate", "estimated by an ensemble: approximate, no bound"),
)


class AnswerView:
    """Shows one answer at a time; its room is kept while there is none."""

    def __init__(self, session: Session) -> None:
        self._session = session
        with ui.element("section").classes("answer").props('aria-label="Answer"'):
            self._head = ui.html("", sanitize=False).classes("answer-head").props("role=status")
            self._picture = ui.html(drawn(EMPTY), sanitize=False).classes("answer-picture")
            with ui.element("ul").classes("legend"):
                self._legend = {kind: _entry(kind, said) for kind, said in LEGEND}
        self.between = ui.element("div")
        """A place for what belongs between the numbers and their evidence."""
        self._evidence = ui.element("section").classes("evidence").props('aria-label="Evidence"')
        self.show_words("Ask a question to see its answer here.")

    def show_words(self, said: str, *, problem: bool = False) -> None:
        """Say something in the place of an answer."""
        kind = "problem" if problem else "hint"
        self._head.content = f'<div class="{kind}">{escape(said)}</div>'
        self._picture.content = drawn(EMPTY)
        self._evidence.clear()
        self._show_legend(EMPTY)

    def show_glance(self, found: Mapping[str, Any]) -> None:
        """Show the numbers of an answer while a slider moves; the evidence comes later."""
        self._show_numbers(found, supposed=True)

    def show(self, found: Mapping[str, Any], *, supposed: bool) -> None:
        """Show an answer, with its evidence."""
        self._show_numbers(found, supposed=supposed)
        self._evidence.clear()
        with self._evidence:
            if found["outer"]["lower"] is None:
                ui.label("These statements together cause it:").classes("evidence-text")
                premise_list(self._session, found.get("conflict", ()))
                return
            lower, upper = found["evidence"]["lower"], found["evidence"]["upper"]
            if is_point(found) and lower["axioms"] == upper["axioms"]:
                self._show_side("both", lower, found)
            else:
                self._show_side("lower", lower, found)
                self._show_side("upper", upper, found)
            self._show_estimate(found)

    def _show_numbers(self, found: Mapping[str, Any], *, supposed: bool) -> None:
        supposing = '<span class="chip chip-if">what if</span>' if supposed else ""
        chip = standing(found)
        kind = {"exact": "good", "vacuous": "bad", "inconsistent": "bad"}.get(chip, "plain")
        self._head.content = (
            f'<div class="answer-query">{escape(found["query"])}</div>'
            f'<div class="answer-said"><strong>{escape(headline(found))}</strong>'
            f'<span class="chip chip-{kind}">{chip}</span>{supposing}</div>'
            f'<div class="answer-note">{escape(note(found))}</div>'
        )
        self._picture.content = drawn(found)
        self._show_legend(found)

    def _show_legend(self, found: Mapping[str, Any]) -> None:
        """The estimate is explained where there is one; the others always: nothing jumps."""
        entry = self._legend["estimate"]
        entry.classes(**({"add": "absent"} if found["estimate"] is None else {"remove": "absent"}))

    def _show_side(self, side: str, evidence: Mapping[str, Any], found: Mapping[str, Any]) -> None:
        with ui.element("div").classes("side"):
            ui.label(side_title(side, found)).classes("side-title").props(
                "role=heading aria-level=3"
            )
            ui.label(sentence(evidence["text"])).classes("evidence-text")
            premise_list(self._session, evidence["axioms"])

    def _show_estimate(self, found: Mapping[str, Any]) -> None:
        estimate = found["estimate"]
        if estimate is not None:
            said = (
                f"Estimated between {estimate['lower']:.4g} and {estimate['upper']:.4g} by"
                f" {estimate['kept']} of {estimate['members']} members, with a violation of at most"
                f" {estimate['violation']:.2g}. This is no bound."
            )
        elif found.get("unestimated") and not found["outer"]["exact"]:
            said = f"No estimate: {found['unestimated']}."
        else:
            return
        ui.label(said).classes("evidence-text")


def _entry(kind: str, said: str) -> ui.element:
    with ui.element("li").classes("legend-entry") as entry:
        ui.element("span").classes(f"swatch swatch-{kind}").props("aria-hidden=true")
        ui.label(said)
    return entry
