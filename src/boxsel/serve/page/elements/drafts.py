"""What was not saved, and is kept in the browser."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from nicegui import ui
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException

from boxsel.serve.page.elements.inbox import Inbox


@dataclass(frozen=True)
class Left:
    """A draft of a tab that was closed: where it is kept, and the name of what it is a draft of."""

    key: str
    name: str


@dataclass(frozen=True)
class Found:
    """What a browser has for a page that begins.

    The draft of the tab itself was `opened` already, if there was one about what is after the `#`.
    """

    link: str
    colours: str
    opened: bool
    left: tuple[Left, ...]


class Drafts(ui.element, component="drafts.js"):
    """Tells once what was found in the browser, and gives drafts to `on_draft` as JSON objects."""

    def __init__(
        self, on_found: Callable[[Found], None], on_draft: Callable[[Mapping[str, Any]], None]
    ) -> None:
        super().__init__()
        self._on_draft = on_draft
        self._inbox = Inbox(self, self._take)
        self._props["address"] = self._inbox.address
        self.on("found", lambda event: on_found(_found(event.args)))

    def open(self, draft: Left) -> None:
        """Let the browser give a draft that was left."""
        self.run_method("open", draft.key)

    def discard(self, draft: Left) -> None:
        """Let the browser forget a draft that was left."""
        self.run_method("discard", draft.key)

    def _take(self, data: bytes, _: Headers) -> None:
        try:
            draft = json.loads(data)
        except ValueError:
            raise HTTPException(422, "a draft is JSON") from None
        if not isinstance(draft, Mapping):
            raise HTTPException(422, "a draft is an object")
        self._on_draft(draft)


def _found(said: Mapping[str, Any]) -> Found:
    left: Sequence[Mapping[str, str]] = said["left"]
    return Found(
        str(said["link"]),
        str(said["colours"]),
        bool(said["opened"]),
        tuple(Left(one["key"], one["name"]) for one in left),
    )
