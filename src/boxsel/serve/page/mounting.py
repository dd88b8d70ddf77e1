"""The page on an application: NiceGUI beside the API, all of it from this server."""

from __future__ import annotations

from typing import Final

from fastapi import FastAPI
from nicegui import Client, core, ui

from boxsel.serve.page.style import style
from boxsel.serve.page.workbench import Workbench
from boxsel.serve.pool import Pool

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
