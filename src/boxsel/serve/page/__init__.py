"""The workbench: a page in the browser, built with NiceGUI on the server's own application."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fastapi import FastAPI

    from boxsel.serve.pool import Pool


def mount(app: FastAPI, pool: Pool, kb_text: str | None) -> None:
    """Serve the workbench at `/`; it opens with a text, if one is given. Once in a process."""
    from boxsel.serve.page.workbench import add_page  # workers never load NiceGUI

    add_page(app, pool, kb_text)
