"""The page of one tab: the bar, the editor, and the views beside it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, get_args

from fastapi import FastAPI
from nicegui import Client, core, ui

from boxsel.errors import BoxselError
from boxsel.serve import http_problems
from boxsel.serve.page.boxes_view import BoxesView
from boxsel.serve.page.comparisons import DataTable
from boxsel.serve.page.editor_view import EditorView
from boxsel.serve.page.elements.drafts import Drafts, Found
from boxsel.serve.page.elements.inbox import add_inboxes
from boxsel.serve.page.files_view import FilesView
from boxsel.serve.page.question_view import QuestionView
from boxsel.serve.page.session import Session
from boxsel.serve.page.simpson_view import SimpsonView
from boxsel.serve.page.state import FIRST_EXAMPLE, MARK, State, View, restored, start
from boxsel.serve.page.style import style
from boxsel.serve.pool import Pool

TITLES: Final = {"question": "Question", "simpson": "Simpson", "boxes": "Boxes"}


class Workbench:
    """Joins the views, and shows states in them."""

    def __init__(self, pool: Pool, client: Client, kb_text: str | None = None) -> None:
        self.session = session = Session(pool, client)
        client.on_delete(session.close)
        self._kb_text = kb_text
        self._drafts = Drafts(self._begin, self._open_draft)
        self._files = FilesView(session, self.open, self._compare_in)
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

    def _begin(self, found: Found) -> None:
        """Show what the link of the page says, else the given text, else an example."""
        self._files.colours(found.colours)
        if found.opened:
            return
        text = self._kb_text
        state = start(FIRST_EXAMPLE) if text is None else State(text=text, name="knowledge base")
        if found.link.startswith(f"#{MARK}"):
            try:
                state = restored(found.link)
            except BoxselError as error:
                ui.notify(str(error), type="negative", close_button="Close", timeout=0)
        self.open(state)
        self._files.offer(found.left, self._drafts)

    def _open_draft(self, draft: Mapping[str, Any]) -> None:
        self.open(State.from_json(draft), clean=draft.get("dirty") is False)

    def open(self, state: State, *, clean: bool = True) -> None:
        """Show a state in all views; its text is `clean` if a file or a link has it."""
        session = self.session
        session.state = state
        session.readable = False
        for view in self._views.values():
            view.load()
        self._files.show()
        self._tabs.value = state.view
        self._turn(state.view)
        self._editor.load(state.text, clean=clean)

    def _compare_in(self, table: DataTable) -> None:
        self._tabs.value = "simpson"
        simpson = self._views["simpson"]
        assert isinstance(simpson, SimpsonView)
        simpson.use_table(table)

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
CONNECT_SECONDS: Final = 30.0
"""How long whoever fetched the page has to open its socket."""
MOST_WAITING: Final = 200
"""So many may wait for their socket; a browser that comes later loads the page anew."""
RECONNECT_SECONDS: Final = 10.0
"""How long a tab that lost its connection is remembered; later it starts from its link."""


def add_page(app: FastAPI, pool: Pool, kb_text: str | None) -> None:
    """Serve the workbench at `/`."""
    waiting: dict[str, Client] = {}
    add_inboxes(app)
    http_problems.install(core.app)

    @ui.page("/", title="boxsel", favicon=ICON)
    async def page(client: Client) -> None:
        ui.colors(primary="#0072B2", negative="#b3261e", positive="#00795a")
        ui.add_css(style())
        # Whoever only fetches the address costs next to nothing: the page is made for a browser.
        waiting[client.id] = client
        if len(waiting) > MOST_WAITING:
            waiting.pop(next(iter(waiting))).delete()
        try:
            await client.connected(timeout=CONNECT_SECONDS)
        finally:
            waiting.pop(client.id, None)
        if not client.is_deleted:
            Workbench(pool, client, kb_text)

    ui.run_with(
        app,
        dark=None,
        language="en-US",
        tailwind=False,
        reconnect_timeout=RECONNECT_SECONDS,
        show_welcome_message=False,
        binding_refresh_interval=None,
    )
