"""The answer: a sentence, a picture with its legend, and the evidence for both ends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from html import escape
from typing import Any, Final

from nicegui import ui

from boxsel.answer.picture import drawn
from boxsel.answer.typical_share import TypicalShare
from boxsel.logic.rounding import Words
from boxsel.pictures.mosaic import Kind, draw_kinds
from boxsel.serve.page.controls import heading, premise_list, quiet
from boxsel.serve.page.markup import explained, term
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
    ("typical", "typical: the most even population, no bound"),
    ("estimate", "estimated by an ensemble: approximate, no bound"),
)


class AnswerView:
    """Shows one answer at a time; its room is kept while there is none."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._stated: Mapping[str, Any] | None = None
        self._who: dict[str, ui.html] = {}
        self._shown: object = None
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
        self._shown = None
        self._evidence.clear()
        self._show_legend(EMPTY)

    def show_glance(self, found: Mapping[str, Any]) -> None:
        """Show the numbers of an answer while a slider moves; the evidence comes later."""
        self._show_numbers(found, supposed=True)

    def show(self, found: Mapping[str, Any], about: object, *, supposed: bool) -> bool:
        """Show an answer, with its evidence; whether there are people to be met behind it.

        `about` is what it is an answer about: the same answer to the same is not shown again.
        """
        self._show_numbers(found, supposed=supposed)
        shown = about, {key: value for key, value in found.items() if key != "seconds"}
        if shown == self._shown:
            return False
        self._shown = shown
        self._evidence.clear()
        self._who.clear()
        with self._evidence:
            if found["outer"]["lower"] is None:
                ui.label("These statements together cause it:").classes("evidence-text")
                premise_list(self._session, found.get("conflict", ()))
                return False
            lower, upper = found["evidence"]["lower"], found["evidence"]["upper"]
            if is_point(found) and lower["axioms"] == upper["axioms"]:
                self._show_side("both", lower, found)
            else:
                self._show_side("lower", lower, found)
                self._show_side("upper", upper, found)
                self._show_typical(found)
            self._show_estimate(found)
        return True

    def show_who(self, found: Mapping[str, Any]) -> None:
        """Show who the people are that attain the ends, and those of a typical population."""
        for side, picture in self._who.items():
            kinds = found.get("lower" if side == "both" else side)
            picture.content = "" if not kinds else kinds_html(side, kinds)

    def show_hint(self, hint: Mapping[str, Any]) -> None:
        """Show a statement that may be missing, what it would do, and a way to add it."""
        statement = str(hint["statement"])
        said = headline({"outer": hint})
        with self._evidence, ui.element("div").classes("side hint-side"):
            heading("Is this missing?", "side-title", 3)
            _said(f"If it is true as well, the answer is {said}.")
            premise_list(self._session, statement.splitlines())
            quiet("Add it to the text", lambda: self._add(statement))

    def _add(self, statement: str) -> None:
        text = self._session.state.text.rstrip()
        self._session.replace_text(f"{text}\n{statement}\n")

    def _show_numbers(self, content: Mapping[str, Any], *, supposed: bool) -> None:
        supposing = ""
        if supposed:
            supposing = f'<span class="chip chip-if">what if</span>{self._was(content)}'
        else:
            self._stated = content
        chip = standing(content)
        kind = {"exact": "good", "vacuous": "bad", "inconsistent": "bad"}.get(chip, "plain")
        self._head.content = (
            f'<div class="answer-query">{self._session.labels.html(content["query"])}</div>'
            f'<div class="answer-said"><strong>{escape(headline(content))}</strong>'
            f"{term(chip, f'chip chip-{kind}')}{supposing}</div>"
            f'<div class="answer-note">{explained(note(content))}</div>'
        )
        self._picture.content = drawn(content)
        self._show_legend(content)

    def _was(self, content: Mapping[str, Any]) -> str:
        """What the answer is without the sliders, if it was the same question."""
        stated = self._stated
        if stated is None or stated["query"] != content["query"]:
            return ""
        return f'<span class="answer-was">was {escape(headline(stated))}</span>'

    def _show_legend(self, content: Mapping[str, Any]) -> None:
        """What is no bound is explained where there is one; the others always: nothing jumps."""
        for part in ("typical", "estimate"):
            absent = content.get(part) is None
            self._legend[part].classes(**{"add" if absent else "remove": "absent"})

    def _show_side(
        self, side: str, evidence: Mapping[str, Any], content: Mapping[str, Any]
    ) -> None:
        with ui.element("div").classes("side"):
            heading(side_title(side, content), "side-title", 3)
            _said(sentence(self._session.labels.plain(evidence["text"])))
            self._who[side] = ui.html("", sanitize=False).classes("kinds")
            premise_list(self._session, evidence["axioms"])

    def _show_typical(self, content: Mapping[str, Any]) -> None:
        typical = content.get("typical")
        if typical is None:
            return
        value = TypicalShare(**typical).number(Words())
        with ui.element("div").classes("side"):
            heading(f"Typically {value}", "side-title", 3)
            _said("In the typical population, the most even that obeys the statements. No bound.")
            self._who["typical"] = ui.html("", sanitize=False).classes("kinds")

    def _show_estimate(self, content: Mapping[str, Any]) -> None:
        estimate = content["estimate"]
        if estimate is not None:
            said = (
                f"Estimated between {estimate['lower']:.4g} and {estimate['upper']:.4g} by"
                f" {estimate['kept']} of {estimate['members']} members, with a violation of at most"
                f" {estimate['violation']:.2g}. This is no bound."
            )
        elif content.get("unestimated") and not content["outer"]["exact"]:
            said = f"No estimate: {content['unestimated']}."
        else:
            return
        _said(said)


def _said(text: str) -> None:
    ui.html(explained(text), sanitize=False).classes("evidence-text")


MOST_KINDS: Final = 8
FEWEST: Final = 0.00005
"""Kinds of which there are fewer are there only because a population was found by steps."""


def kinds_html(group: str, kinds: Sequence[Mapping[str, Any]]) -> str:
    """Kinds of people as a bar, and as a list; the rarest of many are told together.

    Examples:
        >>> "25 %" in kinds_html("A", [{"names": ["B"], "counted": True, "share": 0.25}])
        True
    """
    named = [
        Kind(" and ".join(kind["names"]), kind["share"], kind["counted"])
        for kind in kinds
        if kind["share"] >= FEWEST
    ]
    common = sorted(named, key=lambda kind: -kind.share)[:MOST_KINDS]
    shown = [kind for kind in named if kind in common]
    rest = sum(kind.share for kind in named) - sum(kind.share for kind in shown)
    if rest > 0 and len(named) > len(shown):
        shown.append(Kind(f"{len(named) - len(shown)} other kinds", rest, counted=False))
    shown = [replace(kind, called=kind.called or "none of these") for kind in shown]
    entries = "".join(
        f'<li><span class="swatch swatch-{"inner" if kind.counted else "outer"}"></span>'
        f"{escape(kind.called)} <b>{100 * kind.share:.3g} %</b></li>"
        for kind in shown
    )
    return f"{draw_kinds(group, shown)}<ul>{entries}</ul>"


def _entry(kind: str, said: str) -> ui.element:
    with ui.element("li").classes("legend-entry") as entry:
        ui.element("span").classes(f"swatch swatch-{kind}").props("aria-hidden=true")
        ui.html(explained(said), sanitize=False)
    return entry
