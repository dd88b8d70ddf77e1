"""The page of one tab: the bar, the editor, and the views beside it."""

from __future__ import annotations

from typing import Final, get_args

from fastapi import FastAPI
from nicegui import Client, core, ui

from boxsel.errors import BoxselError
from boxsel.serve.page.boxes_view import BoxesView
from boxsel.serve.page.editor_view import EditorView
from boxsel.serve.page.files_view import FilesView
from boxsel.serve.page.question_view import QuestionView
from boxsel.serve.page.session import Session
from boxsel.serve.page.simpson_view import SimpsonView
from boxsel.serve.page.state import FIRST, MARK, State, View, restored, start
from boxsel.serve.page.style import style
from boxsel.serve.pool import Pool

TITLES: Final = {"question": "Question", "simpson": "Simpson", "boxes": "Boxes"}
FOUND: Final = """
addEventListener('hashchange', () => location.reload());
return [location.hash, localStorage.getItem('boxsel-colours') || ''];
"""
"""Asks the browser what is after the `#`, and which colours were chosen; a new link reloads."""


class Workbench:
    """Joins the views, and shows states in them."""

    def __init__(self, pool: Pool, client: Client) -> None:
        self.session = session = Session(pool, client)
        client.on_delete(session.close)
        self._files = FilesView(session, self.open)
        with ui.element("div").classes("bench"):
            self._editor = EditorView(session)
            with ui.element("section").classes("panel views").props('aria-label="Views"'):
                with ui.tabs().props("no-caps dense align=left narrow-indicator") as self._tabs:
                    for view in get_args(View):
                        ui.tab(view, TITLES[view])
                self._views: dict[str, QuestionView | SimpsonView | BoxesView] = {
                    "question": QuestionView(session),
                    "simpson": SimpsonView(session),
                    "boxes": BoxesView(session),
                }
        self._tabs.on_value_change(lambda event: self._turn(event.value))
        self._tabs.value = "question"
        ui.on("colours", lambda event: self._files.colours(str(event.args)))

    async def begin(self, kb_text: str | None) -> None:
        """Show what the link of the page says, else the given text, else an example."""
        link, colours = await self.session.client.run_javascript(FOUND, timeout=10)
        self._files.colours(colours)
        state = start(FIRST) if kb_text is None else State(text=kb_text, name="knowledge base")
        if str(link).startswith(f"#{MARK}"):
            try:
                state = restored(str(link))
            except BoxselError as error:
                with self.session.client:
                    ui.notify(str(error), type="negative", close_button="Close", timeout=0)
        self.open(state)

    def open(self, state: State) -> None:
        """Show a state in all views."""
        session = self.session
        session.state = state
        session.readable = False
        for view in self._views.values():
            view.load()
        self._files.show()
        self._tabs.value = state.view
        self._turn(state.view)
        self._editor.load(state.text)

    def _turn(self, view: str) -> None:
        for name, one in self._views.items():
            one.element.set_visibility(name == view)
        if self.session.state.view != view:
            self.session.change(view=view)


ICON: Final = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect x="2" y="2" width="28"'
    ' height="28" rx="6" fill="#0072B2" fill-opacity=".3"/><rect x="8" y="12" width="16" height="8"'
    ' rx="2" fill="#0072B2"/></svg>'
)
RECONNECT_SECONDS: Final = 10.0
"""How long a tab that lost its connection is remembered; later it starts from its link."""


def add_page(app: FastAPI, pool: Pool, kb_text: str | None) -> None:
    """Serve the workbench at `/`."""

    @ui.page("/", title="boxsel", favicon=ICON)
    async def page(client: Client) -> None:
        ui.colors(primary="#0072B2", negative="#b3261e", positive="#00795a")
        ui.add_css(style())
        bench = Workbench(pool, client)
        await client.connected(timeout=30)
        await bench.begin(kb_text)

    ui.run_with(
        app,
        dark=None,
        language="en-US",
        tailwind=False,
        reconnect_timeout=RECONNECT_SECONDS,
        show_welcome_message=False,
        binding_refresh_interval=None,
    )
    core.sio.eio.max_http_buffer_size = pool.limits.request_bytes
