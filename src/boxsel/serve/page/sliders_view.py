"""What if: sliders on the numbers that an answer rests on."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from nicegui import ui

from boxsel.logic.proportions import number_text
from boxsel.serve.page.controls import heading, quiet
from boxsel.serve.page.elements import ShareSlider
from boxsel.serve.page.premises import ConditionalText, Premise, whole
from boxsel.serve.page.session import Session

Nudge = tuple[Premise, list[str], dict[str, list[str]]]
"""A premise, the shares that move with it, and the lines that a step each way would say."""


class SlidersView:
    """A slider for each premise; `on_drag` while one moves, `on_drop` when it was let go."""

    def __init__(
        self, session: Session, on_drag: Callable[[], None], on_drop: Callable[[], None]
    ) -> None:
        self._session, self._on_drag, self._on_drop = session, on_drag, on_drop
        self._premises: list[Premise] = []
        self._moves: dict[Premise, str] = {}
        self._wholes: list[list[Premise]] | None = None  # not known yet
        self._shown: dict[Premise, tuple[ShareSlider, ui.label, ui.label]] = {}
        with ui.element("section").classes("sliders").props('aria-label="What if"') as self._part:
            with ui.element("div").classes("sliders-head"):
                heading("What if …")
                self._reset = quiet("Reset", self.reset)
                self._keep = quiet("Keep in the text", self._kept)
            self._rows = ui.element("div").classes("slider-rows")
            self._together = ui.checkbox("Parts of a whole move together", value=True)
            self._together.on_value_change(self._on_drop)
        self.show([])

    @property
    def moves(self) -> tuple[str, ...]:
        """The lines that the sliders say: of a share that was moved, all that there are."""
        said: list[str] = []
        for share in dict.fromkeys(move.share for move in self._moves):
            moved = {
                premise.nth: move for premise, move in self._moves.items() if premise.share == share
            }
            lines = self._session.outline.about(share) or [""]
            said += (moved.get(nth, line) for nth, line in enumerate(lines))
        return tuple(said)

    def show(self, premises: Sequence[Premise], moves: Sequence[str] = ()) -> None:
        """Show sliders for these premises; some may stand elsewhere already."""
        self._premises, self._wholes = list(premises), None
        lines: dict[str, list[str]] = {}
        for move in moves:
            lines.setdefault(ConditionalText.share_of(move) or "", []).append(move)
        self._moves = {
            premise: lines[premise.share][premise.nth]
            for premise in premises
            if premise.nth < len(lines.get(premise.share, ()))
            and ConditionalText.of(lines[premise.share][premise.nth])
            != ConditionalText.of(premise.stated)
        }
        self._build()

    def dim(self) -> None:
        """Let the sliders be seen as those of something else, until there are others."""
        self._part.classes("stale").props("inert")

    def join(self, wholes: Sequence[Sequence[str]]) -> None:
        """Let the sliders for the parts of a whole move together."""
        by_share = {premise.share: premise for premise in self._premises}
        self._wholes = [[by_share[share] for share in shares] for shares in wholes]
        self._together.set_visibility(bool(wholes))

    def reset(self) -> None:
        """Put all sliders back to what is stated."""
        self._moves.clear()
        self._build()
        self._on_drop()

    @property
    def unjoined(self) -> list[str]:
        """The shares that may be those of parts of a whole, as long as that is not known."""
        about = self._session.outline.about
        single = (
            premise for premise in self._premises if premise.point and len(about(premise.share)) < 2
        )
        return [premise.share for premise in single] if self._wholes is None else []

    @property
    def nudges(self) -> list[Nudge]:
        """What a step of each slider would say; where a share has several lines, that is told."""
        nudges: list[Nudge] = []
        for premise in self._premises:
            others = self._session.outline.about(premise.share)
            if len(others) > 1:
                del others[premise.nth]
                said = " and ".join(dict.fromkeys(_numbers(line) for line in others))
                self.explain(premise, f"Another line about the same share says {said}.", [])
                continue
            steps = premise.nudged(*self._place(premise)).items()
            lines = {said: [*self._moved_with(premise, *to).values()] for said, to in steps}
            nudges.append((premise, [part.share for part in self._parts(premise)], lines))
        return nudges

    def explain(self, premise: Premise, said: str, feasible: Sequence[float | None]) -> None:
        """Say what a step of a slider does, and how far it can go."""
        if premise in self._shown:
            slider, _, hint = self._shown[premise]
            hint.text = said
            slider.show_range(feasible)

    def _parts(self, premise: Premise) -> list[Premise]:
        """What moves with a premise, which comes first: the parts of a whole."""
        together = next(
            (premises for premises in self._wholes or () if premise in premises), [premise]
        )
        if not self._together.value:
            return [premise]
        return [premise, *(one for one in together if one != premise)]

    def _moved_with(self, premise: Premise, lower: float, upper: float) -> Mapping[Premise, str]:
        """The lines that a slider says which was moved, and those that move with it."""
        parts = self._parts(premise)
        if len(parts) == 1:
            return {premise: premise.moved(lower, upper)}
        shares = whole(parts, premise, premise.snapped(lower))
        return {
            part: f"{part.share}[{number_text(share)}]"
            for part, share in zip(parts, shares, strict=True)
        }

    def _place(self, premise: Premise) -> tuple[float, float]:
        """Where a slider stands."""
        now = ConditionalText.of(self._moves.get(premise, ""))
        place = premise if now is None else now
        return float(place.lower), float(place.upper)

    def _build(self) -> None:
        self._part.classes(remove="stale").props(remove="inert")
        self._rows.clear()
        self._shown.clear()
        self._together.set_visibility(bool(self._wholes))
        with self._rows:
            if not self._premises:
                ui.label("The numbers that an answer rests on appear here, to be moved.").classes(
                    "hint"
                )
            for premise in self._premises:
                self._row(premise)
        self._show_buttons()

    def _row(self, premise: Premise) -> None:
        lower, upper = self._place(premise)
        session = self._session
        line = session.outline.place(premise.share, premise.nth)
        with ui.element("div").classes("slider-row"):
            with ui.element("div").classes("slider-head"):
                ui.html(session.labels.html(premise.share), sanitize=False).classes("slider-share")
                if len(session.outline.about(premise.share)) > 1:
                    ui.label(f"line {line}").classes("slider-line")
                value = ui.label(_numbers(premise.moved(lower, upper))).classes("slider-value")
            name = session.labels.plain(premise.share)
            slider = ShareSlider(
                name if line is None or not premise.nth else f"{name}, line {line}",
                lower,
                upper,
                step=float(premise.step),
                point=premise.point,
                stated=(float(premise.lower), float(premise.upper)),
                on_move=lambda low, high: self._dragged(premise, low, high),
                on_drop=self._on_drop,
            )
            self._shown[premise] = slider, value, ui.label().classes("slider-hint")

    def _dragged(self, premise: Premise, lower: float, upper: float) -> None:
        for one, move in self._moved_with(premise, lower, upper).items():
            slider, value, _ = self._shown[one]
            value.text = _numbers(move)
            if move == one.stated:
                self._moves.pop(one, None)
            else:
                self._moves[one] = move
            if one != premise:
                slider.go_to(*self._place(one))
        self._show_buttons()
        self._on_drag()

    def _kept(self) -> None:
        text = self._session.outline.supposed(self.moves)
        self._moves.clear()
        self._session.change(moves=())
        self._session.replace_text(text)

    def _show_buttons(self) -> None:
        for button in (self._reset, self._keep):
            button.set_enabled(bool(self._moves))


def _numbers(line: str) -> str:
    """The numbers of a line."""
    text = ConditionalText.of(line) or ConditionalText("", Fraction(0), Fraction(1))
    return " – ".join(dict.fromkeys((number_text(text.lower), number_text(text.upper))))
