"""A server in a thread of the tests, on a free port of this machine."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Thread

import uvicorn
from fastapi import FastAPI

from boxsel.serve.app import create_app
from boxsel.serve.client import Client
from boxsel.serve.connections import protocol
from boxsel.serve.limits import Limits
from boxsel.serve.security import Access


@dataclass(frozen=True)
class Serving:
    """A server that runs: its application, and where it is."""

    app: FastAPI
    port: int

    @property
    def client(self) -> Client:
        return Client(f"http://127.0.0.1:{self.port}", timeout=600)


@contextmanager
def serving(limits: Limits, access: Access | None = None) -> Iterator[Serving]:
    listening = socket.create_server(("127.0.0.1", 0), backlog=512)
    app = create_app(limits, access, page=False)
    config = uvicorn.Config(
        app, http=protocol(limits), log_level="critical", timeout_graceful_shutdown=1
    )
    server = uvicorn.Server(config)
    thread = Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    try:
        end = time.monotonic() + 30
        while not server.started and time.monotonic() < end:
            time.sleep(0.01)
        yield Serving(app, listening.getsockname()[1])
    finally:
        server.should_exit = True
        thread.join(timeout=20)
        listening.close()
        assert not thread.is_alive()
        assert app.state.pool.pids == ()
