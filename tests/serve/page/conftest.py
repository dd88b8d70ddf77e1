"""A server in a process of its own, and a real browser to look at it."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import pytest

from tests.serve.page.visitor import PATIENCE

if TYPE_CHECKING:
    from playwright.sync_api import Browser, ConsoleMessage, Page

SHOTS = os.environ.get("BOXSEL_SCREENSHOTS")
"""The folder for pictures of the page, if somebody wants to look at them."""
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
Scheme = Literal["light", "dark"]
OpenPage = Callable[..., "Page"]


def chromium() -> str:
    """Where Chromium is, or skip."""
    names = ("chromium", "chromium-browser", "google-chrome")
    found = next(filter(None, map(shutil.which, names)), None)
    if found is None:
        pytest.skip("needs Chromium: install it, with your system's package manager, say")
    return found


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    """A server that all tests share."""
    chromium()
    with served(free_port()) as running:
        yield running


@contextmanager
def served(port: int, *more: str, workers: int = 2) -> Iterator[str]:
    """A server with a page: a process can have one page only, so it has a process of its own."""
    options = ["--no-browser", "--port", str(port), "--workers", str(workers), *more]
    server = subprocess.Popen([sys.executable, "-m", "boxsel", "serve", *options])
    try:
        yield _ready(f"http://127.0.0.1:{port}/", server)
    finally:
        server.terminate()
        server.wait(timeout=120)


def _ready(address: str, server: subprocess.Popen[bytes]) -> str:
    end = time.monotonic() + 300
    while time.monotonic() < end and server.poll() is None:
        try:
            urllib.request.urlopen(address, timeout=10).close()
        except OSError:
            time.sleep(0.1)
        else:
            return address
    raise AssertionError("the server did not start")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium; while it runs its event loop does, and other modules want loops of their own."""
    from playwright.sync_api import sync_playwright

    executable = chromium()
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=executable, args=FLAGS)
        yield running
        running.close()


def _is_complaint(said: ConsoleMessage) -> bool:
    """That a server cannot be reached is no fault of the page: a test saw to that."""
    return said.type == "error" and "net::ERR_" not in said.text


@pytest.fixture
def open_page(browser: Browser, address: str) -> Iterator[OpenPage]:
    """Opens the page in a new tab; whatever a tab complains about fails the test."""
    contexts = []
    complaints: list[str] = []

    def open_one(
        width: int = 1280, scheme: Scheme = "light", link: str = "", at: str = address
    ) -> Page:
        height = 900 if width > 500 else 844
        context = browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme=scheme,
            permissions=["clipboard-read", "clipboard-write"],
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on(
            "console",
            lambda said: complaints.append(said.text) if _is_complaint(said) else None,
        )
        page.on("dialog", lambda dialog: dialog.accept())
        page.goto(at + link)
        return page

    yield open_one
    for context in contexts:
        context.close()
    assert complaints == []


@pytest.fixture
def shoot() -> Callable[[Page, str], None]:
    """Takes pictures of a page in light and dark, if `BOXSEL_SCREENSHOTS` says where to."""

    def shoot_one(page: Page, name: str) -> None:
        size = page.viewport_size
        assert size is not None
        schemes: tuple[Scheme, Scheme] = ("dark", "light")
        for scheme in schemes if SHOTS else ():
            page.emulate_media(color_scheme=scheme)
            page.evaluate("scrollTo(0, 0)")  # what sticks to the top is drawn where it is then
            page.wait_for_timeout(300)
            file = Path(SHOTS or "") / f"{name}-{size['width']}-{scheme}.png"
            page.screenshot(path=file, full_page=True)

    return shoot_one
