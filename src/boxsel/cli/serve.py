"""`boxsel serve`: the workbench in the browser, and the REST API."""

from __future__ import annotations

import errno
import logging
import secrets
import socket
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import typer

from boxsel.cli.command import argument, command, option
from boxsel.cli.exits import ANSWERED, Interrupted
from boxsel.cli.options import Naming, Texts
from boxsel.cli.output import report
from boxsel.errors import BoxselError
from boxsel.formats.registry import format_named, input_format
from boxsel.formats.source import load
from boxsel.machine.extras import needing
from boxsel.wording import listed

if TYPE_CHECKING:
    from boxsel.serve.limits import Limits
    from boxsel.serve.security import Access

MOST_LIMIT: Final = 1_000_000
"""The most MiB or GiB that a limit can be."""


@command("boxsel serve clinic.sel")
def serve(
    *,
    kb: Texts = argument("A knowledge base to open in the page.", "[KB]...", None),
    host: str = option("Where to listen.", default="127.0.0.1"),
    port: int = option("0 takes a free one.", default=8080, min=0, max=65535),
    token: str | None = option(
        "What clients must know; 'new' makes one. Needed unless only this machine can "
        "reach the host.",
        metavar="TOKEN",
        envvar="BOXSEL_TOKEN",
    ),
    name: Texts = option("A further name by which clients reach this server.", metavar="NAME"),
    workers: int | None = option("Worker processes.", min=1, max=256, show_default="cores"),
    seconds: float = option("Time for a request.", default=30, min=0.1),
    memory: float = option("GiB for a worker.", default=2, min=0.1),
    size: float = option("MiB for a request.", default=10, min=0.001),
    browser: bool = option("Open the page in a browser.", "--browser/--no-browser", default=True),
    reading: Naming,
) -> None:
    """Open a workbench in the browser, and answer questions over HTTP."""
    with needing("uvicorn", "web", "the server and its page"):
        import uvicorn  # noqa: F401
    with needing("fastapi", "web", "the server and its page"):
        import fastapi  # noqa: F401

    from boxsel.serve.limits import GIB, MIB, Limits, usual_workers
    from boxsel.serve.security import Access

    largest = _bytes("--size", size, MIB)
    limits = Limits(
        workers=workers or usual_workers(),
        seconds=seconds,
        memory_bytes=_bytes("--memory", memory, GIB),
        request_bytes=largest,
        held_bytes=max(256 * MIB, 4 * largest),
    )
    chosen = secrets.token_urlsafe(24) if token == "new" else token
    access = Access(host, tuple(name or ()), chosen)
    text = _text(kb, reading, limits) if kb else None
    listening = _listening(host, port)
    # Whoever chose a token knows it, and what is no terminal may be a journal that others read.
    told = token == "new" or sys.stderr.isatty()
    try:
        _run(limits, access, text, listening, browser=browser, told=told)
    except Interrupted:
        report("stopped")
    finally:
        listening.close()
    raise typer.Exit(ANSWERED)


def _bytes(option: str, number: float, unit: int) -> int:
    """So many units in bytes; what is no number, or no machine has, is refused."""
    if not 0 < number <= MOST_LIMIT:
        raise BoxselError(f"{option} {number:g} is no limit: give a number up to {MOST_LIMIT:,}")
    return int(number * unit)


def _text(paths: Sequence[str], reading: Naming, limits: Limits) -> str:
    """A knowledge base as the page shows it: `.sel` text as it is, mistakes and all."""
    sources = [load(path) for path in paths]
    if len(sources) == 1 and input_format(sources[0], reading.from_format).name == "sel":
        text = sources[0].text
    else:
        text = format_named("sel").write(reading.unite(sources).kb)
    if len(text.encode()) > limits.request_bytes // 2:
        raise BoxselError(
            f"{listed(paths)}: this is too large for the page: allow more with --size"
        )
    return text


def _listening(host: str, port: int) -> socket.socket:
    """A socket that listens: what is wrong with the address is found before anything starts."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((host, port), family=family, backlog=2048)
    except socket.gaierror:
        raise BoxselError(f"there is no host {host!r} to listen on") from None
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise BoxselError(
                f"port {port} of {host} is taken: choose another one with --port"
            ) from None
        raise BoxselError(
            f"port {port} of {host} cannot be used: {error.strerror or error}"
        ) from None


def _run(
    limits: Limits,
    access: Access,
    text: str | None,
    listening: socket.socket,
    *,
    browser: bool,
    told: bool,
) -> None:
    """Serve until somebody stops it."""
    import uvicorn

    from boxsel.serve.app import create_app
    from boxsel.serve.connections import protocol
    from boxsel.serve.security import is_loopback

    app = create_app(limits, access, text)
    app.state.opened = text
    port = listening.getsockname()[1]
    shown = f"[{access.host}]" if ":" in access.host else access.host
    address = f"http://{shown}:{port}/"
    opened = address if access.token is None else f"{address}?token={access.token}"

    class Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            where = opened if told else address
            report(f"boxsel is at {where}\n  the API is at /api/v1; Ctrl-C stops it")
            if browser and is_loopback(access.host):
                import webbrowser

                webbrowser.open(opened)

        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            # That requests are cut short now is no error.
            logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)
            await super().shutdown(sockets)

    config = uvicorn.Config(
        app,
        http=protocol(limits),
        log_level="warning",
        access_log=False,
        server_header=False,
        ws_max_size=limits.request_bytes,
        timeout_graceful_shutdown=2,
    )
    Server(config).run(sockets=[listening])
