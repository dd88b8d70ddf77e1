"""The question, its answer, and what would happen if."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, Final

from nicegui import ui

from boxsel.errors import BoxselError
from boxsel.serve.page.answer_view import AnswerView
from boxsel.serve.page.compare_view import CompareView
from boxsel.serve.page.controls import Completer, Working, primary
from boxsel.serve.page.elements import QuestionField
from boxsel.serve.page.premises import premises
from boxsel.serve.page.session import Session
from boxsel.serve.page.sliders_view import SlidersView
from boxsel.serve.page.words import complaint, in_words, is_point, nudges_said

WAITING: Final = "The text has mistakes: the answer waits until they are gone."
UNREAD: Final = "The text was not read yet: the answer waits until it is."
BUDGET: Final = 10.0
"""Seconds for an answer."""
GLANCE_BUDGET: Final = 2.0
"""Seconds for the numbers while a slider moves."""
GLIMPSE_BUDGET: Final = 0.4
"""Seconds for what a step of a slider does: one that nobody waits for any more costs no worker."""
SETTLE_SECONDS: Final = 0.15
"""A slider that was let go for so long is not being moved by keys."""
LIVE_SECONDS: Final = 1.5
"""Questions that were answered faster are asked again whenever the text changes."""


class QuestionView:
    """Asks, and asks again when the text changes or a slider moves."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._asking = session.newest(replacing=True)
        self._glancing = session.newest()
        self._nudging = session.newest(replacing=True)
        self._meeting = session.newest(replacing=True)
        self._beside = asyncio.Lock()
        self._seconds = 0.0
        self._answered_query = ""
        self._conflict: tuple[str, ...] = ()
        with ui.element("div").classes("view") as self.element:
            with ui.element("div").classes("question-row"):
                self._field = QuestionField(
                    "Question", "(D | C): what share of C is D?", self._typed, self._asked
                )
                self._button = primary("Ask", self._field.ask)
            self._complete = Completer(session, self._field)
            self._working = Working(self._asking.cancel)
            with ui.element("div").classes("answered") as self._answered_part:
                self._answer = AnswerView(session)
                with self._answer.between:
                    self._sliders = SlidersView(session, self._dragged, self._dropped)
                    self._compare = CompareView(session, self._supposing_now)
        session.on_text.append(self._text_changed)
        session.show_conflict = self._contradicted

    def load(self) -> None:
        """Show the question of the state; it is asked when the text was read."""
        self._field.show(self._session.state.query)
        self._field.complain("")
        self._explain()
        self._seconds = 0.0
        self._sliders.show([])
        self._compare.load()
        self._show_stale(stale=False)
        if not self._session.state.query:
            self._answer.show_words("Ask a question to see its answer here.")

    def _typed(self, text: str, cursor: int) -> None:
        self._session.change(query=text)
        self._explain()
        self._show_stale(stale=text.strip() != self._answered_query)
        self._complete(text, cursor)

    def _explain(self) -> None:
        """Say what the question asks, in the labels of its names."""
        session = self._session
        self._field.explain(session.labels.plain(in_words(session.state.query)))

    def _asked(self, text: str) -> None:
        self._session.change(query=text, moves=())
        self._compare.forget()
        self._nudging.cancel()
        self._seconds = 0.0  # if the text is still being read, it is asked after that
        self._asking.submit(self._ask)

    def _show_stale(self, *, stale: bool) -> None:
        """Let an answer that is not to the question in the field be seen as such."""
        self._answered_part.classes(**{"add" if stale else "remove": "stale"})
        self._answered_part.props(**{"add" if stale else "remove": "inert"})
        self._button.set_enabled(self._session.readable and bool(self._session.state.query.strip()))

    def _text_changed(self) -> None:
        self._button.set_enabled(self._session.readable and bool(self._session.state.query.strip()))
        self._explain()
        self._compare.forget()
        if not self._session.state.query.strip():
            return
        if not self._session.readable:
            self._asking.cancel()
            self._working.stop()
            self._field.complain("")  # that was about another text
            self._show_stale(stale=False)
            empty = not self._session.state.text.strip()
            waiting = UNREAD if self._session.unread else WAITING
            said = "There are no statements yet." if empty else waiting
            self._answer.show_words(said)
            if empty:
                self._sliders.show([])
            else:
                self._sliders.dim()
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
        if session.outline.text != session.state.text:
            return  # whoever reads it tells of it
        content = await self._answered(())
        if content is None:
            return
        self._seconds = content["seconds"]
        content = await self._agreed(content)
        self._sliders.show(premises(content, session.outline.about), session.state.moves)
        self._show(content)
        if self._sliders.moves:
            await self._ask_supposed()

    async def _agreed(self, content: dict[str, Any]) -> dict[str, Any]:
        """An answer without a number, with the conflict that the text shows if that causes it."""
        conflict, self._conflict = self._session.conflict, ()
        if content["outer"]["lower"] is not None:
            return content
        self._conflict = tuple(content["conflict"])
        if conflict and {*conflict} != {*self._conflict}:
            with suppress(BoxselError):
                query = self._session.state.query
                caused = await self._session.run("empties", query=query, statements=conflict)
                if caused["empties"]:
                    self._conflict = conflict
        return {**content, "conflict": list(self._conflict)}

    def _contradicted(self) -> None:
        """Ask again about what has no number: the text shows a conflict by now."""
        if self._conflict and {*self._conflict} != {*self._session.conflict}:
            self._asking.submit(self._ask)

    async def _ask_supposed(self) -> None:
        moves = self._sliders.moves
        content = await self._answered(moves)
        if content is not None:
            self._show(content, supposed=bool(moves))

    def _show(self, content: dict[str, Any] | None, *, supposed: bool = False) -> None:
        """Show an answer to the question in the field, if there is one."""
        self._answered_query = self._session.state.query.strip()
        self._field.complain("")
        self._show_stale(stale=False)
        if content is not None:
            about = self._session.state.text, self._sliders.moves
            # What is shown already stays: whoever is about to click on it would click on nothing.
            if self._answer.show(content, about, supposed=supposed):
                self._meeting.submit(partial(self._meet, content))
            if self._seconds <= LIVE_SECONDS:
                self._nudging.submit(partial(self._nudge, content))

    async def _nudge(self, content: dict[str, Any]) -> None:
        """Find out what a step of each slider does, and how far each can go.

        At a corner an answer moves in another way to each side, so each side is asked for itself.
        """
        await self._join()
        about = self._supposing(self._sliders.moves)
        with suppress(BoxselError):  # there is an answer, and its sliders say less
            for premise, shares, lines in self._sliders.nudges:
                steps = {
                    said: await self._glimpse(
                        "glance", {**about, "assume": [*about["assume"], *step]}
                    )
                    for said, step in lines.items()
                }
                far = await self._glimpse("reach", {**about, "shares": shares})
                self._sliders.explain(premise, nudges_said(steps, content), far["range"])

    async def _glimpse(self, task: str, asked: Mapping[str, Any]) -> dict[str, Any]:
        """A short look at something; whoever moves a slider meanwhile finds another worker free."""
        async with self._beside:
            return await self._session.run(task, **asked, budget=GLIMPSE_BUDGET)

    async def _meet(self, content: dict[str, Any]) -> None:
        """Find out who attains the ends, and whether something may be missing."""
        sides = content["evidence"].values()
        stated = [*dict.fromkeys(axiom for side in sides for axiom in side["axioms"])]
        about = self._supposing(self._sliders.moves)
        with suppress(BoxselError):  # there is an answer, and nobody to be seen
            async with self._beside:
                who = await self._session.run(
                    "who", **about, statements=stated, budget=GLANCE_BUDGET
                )
            self._answer.show_who(who)
            if content["outer"]["exact"] and not is_point(content) and not self._sliders.moves:
                async with self._beside:
                    missing = await self._session.run("hint", **about, budget=GLANCE_BUDGET)
                if missing["hint"] is not None:
                    self._answer.show_hint(missing["hint"])

    async def _join(self) -> None:
        """Find out which sliders are for the parts of a whole."""
        shares = self._sliders.unjoined
        if len(shares) > 1:
            with suppress(BoxselError):
                async with self._beside:
                    content = await self._session.run("wholes", shares=shares, budget=GLANCE_BUDGET)
                self._sliders.join(content["wholes"])

    def _supposing_now(self) -> dict[str, Any]:
        return self._supposing(self._sliders.moves)

    def _supposing(self, moves: Sequence[str]) -> dict[str, Any]:
        """The question, about what the sliders say."""
        text, assumed = self._session.outline.assuming(moves)
        return {"kb": text, "query": self._session.state.query, "assume": assumed}

    async def _answered(self, moves: tuple[str, ...]) -> dict[str, Any] | None:
        """The whole answer; a problem is shown in its place."""
        session = self._session
        try:
            with self._working.on("Looking for the answer"):
                return await session.run(
                    "ask",
                    **self._supposing(moves),
                    budget=BUDGET,
                    estimate="auto",
                    sensitivity=True,
                    told=self._working.told,
                )
        except BoxselError as error:
            found = complaint(error)
            if found.place is None:
                self._show(None)
                self._answer.show_words(found.said, problem=True)
            else:
                self._field.complain(found.said, found.place)
                self._show_stale(stale=True)
            return None

    def _dragged(self) -> None:
        self._asking.cancel()
        self._nudging.cancel()
        self._meeting.cancel()
        self._working.stop()
        self._session.change(moves=self._sliders.moves)
        self._compare.forget()
        self._glancing.submit(self._glance)

    def _dropped(self) -> None:
        self._session.change(moves=self._sliders.moves)
        self._asking.submit(self._ask_settled)

    async def _ask_settled(self) -> None:
        await asyncio.sleep(SETTLE_SECONDS)
        await self._ask_supposed()

    async def _glance(self) -> None:
        """The numbers for where the sliders are now."""
        session, moves = self._session, self._sliders.moves
        try:
            content = await session.run("glance", **self._supposing(moves), budget=GLANCE_BUDGET)
        except BoxselError:
            return  # whoever lets go of the slider is told why
        if moves == self._sliders.moves or self._glancing.waiting:
            self._answer.show_glance(content)
