"""What if: sliders on the numbers that an answer rests on."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from nicegui import ui

from boxsel.logic.proportions import number_text
from boxsel.serve.page.controls import quiet
from boxsel.serve.page.elements import ShareSlider
from boxsel.serve.page.premises import ConditionalText, Premise
from boxsel.serve.page.session import Session


class SlidersView:
    """A slider for each premise; `on_drag` while one moves, `on_drop` when it was let go."""

    def __init__(
        self, session: Session, on_drag: Callable[[], None], on_drop: Callable[[], None]
    ) -> None:
        self._session, self._on_drag, self._on_drop = session, on_drag, on_drop
        self._premises: list[Premise] = []
        self._moves: dict[str, str] = {}
        with ui.element("section").classes("sliders").props('aria-label="What if"'):
            with ui.element("div").classes("sliders-head"):
                ui.label("What if …").classes("section-title").props("role=heading aria-level=2")
                self._reset = quiet("Reset", self.reset)
                self._keep = quiet("Keep in the text", self._kept)
            self._rows = ui.element("div").classes("slider-rows")
        self.show([])

    @property
    def moves(self) -> tuple[str, ...]:
        """The lines that the sliders say instead of what is stated."""
        return tuple(self._moves.values())

    def show(self, premises: Sequence[Premise], moves: Sequence[str] = ()) -> None:
        """Show sliders for these premises; some may stand elsewhere already."""
        read = {one.share: move for move in moves if (one := ConditionalText.of(move)) is not None}
        known = {premise.share for premise in premises}
        self._premises = list(premises)
        self._moves = {share: move for share, move in read.items() if share in known}
        self._build()

    def reset(self) -> None:
        """Put all sliders back to what is stated."""
        self._moves.clear()
        self._build()
        self._on_drop()

    def _build(self) -> None:
        self._rows.clear()
        with self._rows:
            if not self._premises:
                ui.label("The numbers that an answer rests on appear here, to be moved.").classes(
                    "hint"
                )
            for premise in self._premises:
                self._row(premise)
        self._show_buttons()

    def _row(self, premise: Premise) -> None:
        move = self._moves.get(premise.share)
        now = None if move is None else ConditionalText.of(move)
        lower = float(premise.lower if now is None else now.lower)
        upper = float(premise.upper if now is None else now.upper)
        with ui.element("div").classes("slider-row"):
            with ui.element("div").classes("slider-head"):
                ui.label(premise.share).classes("slider-share")
                value = ui.label(_shown(premise.moved(lower, upper))).classes("slider-value")
            ShareSlider(
                premise.share,
                lower,
                upper,
                step=float(premise.step),
                point=premise.point,
                on_move=lambda low, high: self._dragged(premise, low, high, value),
                on_drop=self._on_drop,
            )
            ui.label(premise.hint).classes("slider-hint")

    def _dragged(self, premise: Premise, lower: float, upper: float, label: ui.label) -> None:
        move = premise.moved(lower, upper)
        label.text = _shown(move)
        if move == premise.moved(float(premise.lower), float(premise.upper)):
            self._moves.pop(premise.share, None)
        else:
            self._moves[premise.share] = move
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


def _shown(move: str) -> str:
    """The numbers of a line."""
    found = ConditionalText.of(move)
    assert found is not None
    return " – ".join(dict.fromkeys((number_text(found.lower), number_text(found.upper))))
