"""The question, its answer, and what would happen if."""

from __future__ import annotations

from typing import Any, Final

from nicegui import ui

from boxsel.errors import BoxselError
from boxsel.serve.page.answer_view import AnswerView
from boxsel.serve.page.completion import completions
from boxsel.serve.page.controls import Working, primary
from boxsel.serve.page.elements import QuestionField
from boxsel.serve.page.premises import premises
from boxsel.serve.page.session import Session
from boxsel.serve.page.sliders_view import SlidersView

BUDGET: Final = 10.0
"""Seconds for an answer."""
GLANCE_BUDGET: Final = 2.0
"""Seconds for the numbers while a slider moves."""
LIVE_SECONDS: Final = 1.5
"""Questions that were answered faster are asked again whenever the text changes."""


class QuestionView:
    """Asks, and asks again when the text changes or a slider moves."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._asking = session.newest(replacing=True)
        self._glancing = session.newest()
        self._seconds = 0.0
        with ui.element("div").classes("view") as self.element:
            with ui.element("div").classes("question-row"):
                self._field = QuestionField(
                    "Question", "(D | C): what share of C is D?", self._typed, self._asked
                )
                primary("Ask", self._field.ask)
            self._working = Working(self._asking.cancel)
            self._answer = AnswerView(session)
            with self._answer.between:
                self._sliders = SlidersView(session, self._dragged, self._dropped)
        session.on_text.append(self._text_changed)

    def load(self) -> None:
        """Show the question of the state; it is asked when the text was read."""
        self._field.show(self._session.state.query)
        self._seconds = 0.0
        self._sliders.show([])
        if not self._session.state.query:
            self._answer.show_words("Ask a question to see its answer here.")

    def _typed(self, text: str, cursor: int) -> None:
        self._session.change(query=text)
        if cursor >= 0:
            names = [*self._session.concepts, *self._session.roles]
            self._field.offer(text, completions(text, cursor, names))

    def _asked(self, text: str) -> None:
        self._session.change(query=text, moves=())
        self._asking.submit(self._ask)

    def _text_changed(self) -> None:
        if not self._session.state.query.strip():
            return
        if not self._session.readable:
            self._asking.cancel()
            self._working.stop()
            self._answer.show_words("The text has mistakes: the answer waits until they are gone.")
        elif self._seconds <= LIVE_SECONDS:
            self._asking.submit(self._ask)
        else:
            self._answer.show_words("The text has changed: ask again.")

    async def _ask(self) -> None:
        """Ask about what is stated, then about what the sliders say."""
        session = self._session
        if not session.readable:
            self._answer.show_words("The text has mistakes: mend them first.", problem=True)
            return
        found = await self._answered(())
        if found is None:
            return
        self._seconds = found["seconds"]
        self._sliders.show(premises(found), session.state.moves)
        self._answer.show(found, supposed=False)
        if self._sliders.moves:
            await self._ask_supposed()

    async def _ask_supposed(self) -> None:
        moves = self._sliders.moves
        found = await self._answered(moves)
        if found is not None:
            self._answer.show(found, supposed=bool(moves))

    async def _answered(self, moves: tuple[str, ...]) -> dict[str, Any] | None:
        """The whole answer; a problem is shown in its place."""
        session = self._session
        self._working.start("Looking for the answer")
        try:
            return await session.run(
                "ask",
                query=session.state.query,
                assume=list(moves),
                budget=BUDGET,
                estimate="auto",
                sensitivity=True,
                told=self._working.told,
            )
        except BoxselError as error:
            self._answer.show_words(str(error), problem=True)
            return None
        finally:
            self._working.stop()

    def _dragged(self) -> None:
        self._asking.cancel()
        self._working.stop()
        self._session.change(moves=self._sliders.moves)
        self._glancing.submit(self._glance)

    def _dropped(self) -> None:
        self._session.change(moves=self._sliders.moves)
        self._asking.submit(self._ask_supposed)

    async def _glance(self) -> None:
        """The numbers for where the sliders are now."""
        session, moves = self._session, self._sliders.moves
        try:
            found = await session.run(
                "glance", query=session.state.query, assume=list(moves), budget=GLANCE_BUDGET
            )
        except BoxselError:
            return  # whoever lets go of the slider is told why
        if moves == self._sliders.moves or self._glancing.waiting:
            self._answer.show_glance(found)
