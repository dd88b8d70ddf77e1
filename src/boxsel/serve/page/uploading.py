"""A file that somebody chooses: the button is elsewhere, what takes the file is not seen."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from nicegui import ui
from nicegui.events import UploadEventArguments

Taken = Callable[[UploadEventArguments], Awaitable[None]]


def hidden_upload(most_bytes: int, taken: Taken) -> ui.upload:
    """Takes a file as soon as it is chosen, unless it is too large."""
    return ui.upload(
        auto_upload=True,
        max_file_size=most_bytes,
        on_upload=taken,
        on_rejected=lambda: ui.notify("This file is too large.", type="negative"),
    ).classes("hidden-upload")
