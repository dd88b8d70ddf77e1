"""Whoever leaves the page leaves nothing behind on the server."""

from __future__ import annotations

import subprocess
import sys

VISITS = """
import asyncio, gc
import httpx
from nicegui import Client
from boxsel.serve.app import create_app
from boxsel.serve.limits import Limits
from boxsel.serve.pool import Pool
from boxsel.serve.page import workbench
from boxsel.serve.page.elements.file_field import FileField

async def start_none(pool):
    "What is asked waits until the visitor leaves."

Pool.start = start_none

async def visits():
    app = create_app(Limits(workers=1))
    transport = httpx.ASGITransport(app)
    async with app.router.lifespan_context(app):
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as browser:
            for _ in range(5):
                assert (await browser.get("/")).status_code == 200
            for client in [*Client.instances.values()]:
                with client:
                    bench = workbench.Workbench(app.state.pool, client)
                    bench.open(workbench.start("berkeley"))
                    address = next(one for one in client.elements.values()
                                   if isinstance(one, FileField))._props["address"]
                del bench
                await asyncio.sleep(0)
                client.delete()
            del client
            assert (await browser.post(address, content=b"gone")).status_code == 404
        await asyncio.sleep(0.5)
    gc.collect()
    kinds = (Client, workbench.Workbench, workbench.Session, FileField)
    print(sum(type(one) in kinds for one in gc.get_objects()), len(app.routes))

if __name__ == "__main__":
    asyncio.run(visits())
"""


def test_a_page_that_was_left_is_forgotten() -> None:
    """A process can have one page only, so it has a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", VISITS], capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    kept, routes = map(int, done.stdout.split())
    assert kept == 0
    assert routes < 50
