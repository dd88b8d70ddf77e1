"""People to take away: how many, of which population, and as what file."""

from __future__ import annotations

from typing import Any, Final

from nicegui import ui

from boxsel.errors import BoxselError
from boxsel.serve.page.controls import MEDIA, Working, dialog, primary, quiet
from boxsel.serve.page.session import Session
from boxsel.serve.page.words import complaint, sentence
from boxsel.wording import several

MOST_PEOPLE: Final = 100_000
SAMPLING_SECONDS: Final = 60.0
FILES: Final = {"csv": "a table (.csv)", "ttl": "triples (.ttl)", "nt": "triples (.nt)"}
ENDS: Final = {
    "typical": "typical, of whom no more is assumed than is stated",
    "lower": "those at the lower end of the answer",
    "upper": "those at the upper end of the answer",
}


class PeopleView:
    """A dialog that ends in a file."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._taking = session.newest(replacing=True)
        with dialog("People") as self._dialog:
            ui.label("Made-up people of whom every statement is true.").classes("hint")
            self._size = ui.number("How many", value=1000, min=1, max=MOST_PEOPLE, precision=0)
            self._end = ui.select(ENDS, label="Which", value="typical")
            self._to = ui.select(FILES, label="As", value="csv")
            for field in (self._size, self._end, self._to):
                field.props("outlined dense")
            self._working = Working(self._taking.cancel)
            self._said = ui.label().classes("message-text").props("role=status")
            with ui.element("div").classes("dialog-buttons"):
                quiet("Close", self._dialog.close)
                self._button = primary("Download", lambda: self._taking.submit(self._take))
            self._size.on_value_change(self._enable)

    def open(self, end: str = "typical") -> None:
        """Ask what is wanted; the ends are those of the question, if there is one."""
        self._end.set_options(ENDS if self._session.state.query.strip() else _TYPICAL, value=end)
        self._said.text = ""
        self._enable()
        self._dialog.open()

    def _enable(self) -> None:
        size = self._size.value
        self._button.set_enabled(
            self._session.readable and size is not None and 1 <= size <= MOST_PEOPLE
        )

    async def _take(self) -> None:
        session, end, to = self._session, self._end.value, self._to.value
        query = None if end == "typical" else session.state.query
        self._said.text = ""
        try:
            with self._working.on("Looking for the people"):
                content = await session.run(
                    "sample",
                    long=SAMPLING_SECONDS,
                    size=int(self._size.value),
                    query=query,
                    end=end,
                    to=to,
                )
        except BoxselError as error:
            self._said.text = complaint(error).said
            return
        self._said.text = told(content)
        stem = session.state.name.rpartition(".")[0] or session.state.name
        ui.download.content(content["people"].encode(), f"{stem}-people.{to}", MEDIA)


_TYPICAL: Final = {"typical": ENDS["typical"]}


def told(found: dict[str, Any]) -> str:
    """What people were taken, and how near they are to what is stated.

    Examples:
        >>> told({"members": 7, "exact": False, "deviation": 0.1, "worst": None, "smallest": 270})
        '7 people; the farthest share is off by 0.1. With 270 people none is.'
    """
    people = several(found["members"], "people", "people")
    if found["exact"]:
        return f"{people}; every statement holds exactly."
    where = f", in {found['worst']}" if found["worst"] else ""
    said = sentence(f"{people}; the farthest share is off by {found['deviation']:.2g}{where}")
    if found["smallest"] is not None:
        said += f" With {found['smallest']:,} people none is."
    return said
