"""Faults that once took a server down: each is answered, and the server goes on."""

from __future__ import annotations

import asyncio
import http.client
import json
import logging
import os
import signal
import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from boxsel.serve.client import ApiError
from boxsel.serve.connections import LONGEST_HEAD
from boxsel.serve.handle import Reply, Worker
from boxsel.serve.library import Library
from boxsel.serve.limits import Limits
from boxsel.serve.logs import install
from boxsel.serve.memory import Memory
from boxsel.serve.pool import Pool
from boxsel.serve.problems import ProblemError
from boxsel.serve.requests import KIDNEY_STONES
from boxsel.serve.tasks import TASKS, Desk
from tests.serve.serving import Serving
from tests.serve.test_limits_reached import APPLICANT, LONG, QUERY, kind, works

WIDE = "\n".join(",".join(f"{row}c{column}" for column in range(20_000)) for row in range(4))


@pytest.mark.deep  # it reads for long before it has no memory left
def test_a_table_that_needs_too_much_memory_poisons_no_worker(faulty_server: Serving) -> None:
    client = faulty_server.client
    with pytest.raises(ApiError) as error:
        client.call("POST", "simpson_table", {"table": WIDE})
    assert (kind(error), error.value.status) == ("out-of-memory", 507)
    assert "1,000 MiB" in str(error.value)
    assert works(client)
    assert client.call("POST", "simpson_table", {"table": KIDNEY_STONES})["comparisons"]


def caused_by(error: Exception) -> Exception:
    told = ValueError("in other words")
    told.__cause__ = error
    return told


def test_a_want_of_memory_is_known_by_what_caused_an_error() -> None:
    memory = Memory.__new__(Memory)  # without its limit: that would be one for the tests
    memory._more, memory._before = 10**15, 0
    databases = type("OutOfMemoryException", (Exception,), {})
    assert memory.lacked(MemoryError())
    assert memory.lacked(caused_by(MemoryError()))
    assert memory.lacked(caused_by(databases("no block")))
    assert not memory.lacked(caused_by(KeyError("something else")))


class Feigned(Worker):
    """A worker without a process."""

    working: asyncio.Future[Reply] | None = None

    async def start(self) -> None:
        self.usable = True

    @property
    def alive(self) -> bool:
        return True

    def kill(self) -> None:
        super().kill()
        if self.working is not None:
            self.working.cancel()


def test_a_worker_that_does_not_start_is_started_again(monkeypatch: pytest.MonkeyPatch) -> None:
    failed: list[int] = []

    class Reluctant(Feigned):
        async def start(self) -> None:
            if len(failed) < 5:
                failed.append(1)
                raise ProblemError("worker-died", "no room for a process")
            await super().start()

        def begin(self, *_: Any) -> asyncio.Future[Reply]:
            self.working = asyncio.get_running_loop().create_future()
            self.working.set_result(Reply(b'{"coherent": true}', final=True))
            return self.working

    monkeypatch.setattr("boxsel.serve.pool.FIRST_PAUSE", 0.01)

    async def story() -> None:
        pool = Pool(Limits(workers=1), Reluctant)
        await pool.start()
        try:
            with pytest.raises(ProblemError, match="no room for a process"):
                await pool.run("check", {"kb": APPLICANT})
            assert len(failed) >= 3
            while not pool.live:
                await asyncio.sleep(0.02)
            assert (await pool.run("check", {"kb": APPLICANT}))["coherent"]
        finally:
            await pool.stop()

    asyncio.run(story())


class Unnoticed(Worker):
    """A worker of which nobody has noticed that it was killed."""

    @property
    def alive(self) -> bool:
        return True


def test_a_worker_that_was_killed_an_instant_ago_costs_no_request() -> None:
    async def story() -> None:
        pool = Pool(Limits(workers=1), Unnoticed)
        await pool.start()
        try:
            assert (await pool.run("check", {"kb": APPLICANT}))["coherent"]
            while not pool.idle:
                await asyncio.sleep(0)
            worker = pool._idle[0]
            assert worker.pid is not None
            os.kill(worker.pid, signal.SIGKILL)
            assert (await pool.run("check", {"kb": APPLICANT}))["coherent"]
        finally:
            await pool.stop()

    asyncio.run(story())


def test_health_tells_how_many_workers_live(faulty_server: Serving) -> None:
    health = faulty_server.client.call("GET", "health")
    assert 0 <= health["live"] <= health["workers"] == 2


def test_a_tiny_question_does_not_wait_for_sixty_heavy_ones(faulty_server: Serving) -> None:
    client = faulty_server.client
    done = threading.Event()

    def heavy(number: int) -> None:
        body = json.dumps({"kb": LONG + "#" * number})
        connection = http.client.HTTPConnection("127.0.0.1", faulty_server.port)
        connection.request("POST", "/api/v1/show", body, {"Content-Type": "application/json"})
        done.wait(600)
        connection.close()

    with ThreadPoolExecutor(60) as threads:
        sent = [threads.submit(heavy, number) for number in range(60)]
        try:
            while faulty_server.app.state.pool.waiting < 55:
                time.sleep(0.02)
            assert client.check(kb=APPLICANT + "# tiny\n")["coherent"]
            assert faulty_server.app.state.pool.waiting > 40
        finally:
            done.set()
        for future in sent:
            future.result()


def test_what_is_known_before_reasoning_is_held() -> None:
    held: list[dict[str, Any]] = []
    desk = Desk(Library(statements=1000), 9, hold=held.append)
    for task in ("bounds", "ask"):
        TASKS[task](desk, {"kb": APPLICANT, "query": QUERY, "estimate": "never"})
    assert [(content["query"], content["status"]) for content in held] == [(QUERY, "budget")] * 2
    assert (held[0]["lower"], held[0]["upper"]) == (0, 1)
    assert (held[1]["outer"]["lower"], held[1]["outer"]["upper"]) == (0, 1)


class Stuck(Feigned):
    """A worker that tells what it holds, and then goes on for ever."""

    def begin(self, task: str, *_: Any) -> asyncio.Future[Reply]:
        self.held = Reply(b'{"status": "budget"}', final=False) if task == "bounds" else None
        self.working = asyncio.get_running_loop().create_future()
        return self.working


def test_reasoning_that_does_not_heed_its_budget_still_has_an_answer() -> None:
    async def story() -> None:
        pool = Pool(Limits(workers=1, seconds=0.01), Stuck)
        await pool.start()
        assert await pool.run("bounds", {}) == {"status": "budget"}
        with pytest.raises(ProblemError, match="ended after"):
            await pool.run("check", {})
        await pool.stop()

    asyncio.run(story())


@pytest.fixture
def silent(faulty_server: Serving) -> Iterator[socket.socket]:
    with socket.create_connection(("127.0.0.1", faulty_server.port)) as connection:
        connection.settimeout(60)
        yield connection


@pytest.mark.parametrize("said", [b"", b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: "])
def test_a_connection_that_never_finishes_its_head_is_closed(
    silent: socket.socket, said: bytes
) -> None:
    silent.sendall(said)
    assert silent.recv(1) == b""


def test_a_second_request_on_a_connection_is_closed_too(silent: socket.socket) -> None:
    silent.sendall(b"GET /api/v1/health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
    assert silent.recv(15) == b"HTTP/1.1 200 OK"
    silent.sendall(b"GET /api")
    while silent.recv(1000):
        pass


def test_a_head_without_an_end_is_refused(silent: socket.socket) -> None:
    """Collecting it would take time that grows with its square, and all memory there is."""
    head = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Long: "
    silent.sendall(head + b"a" * (LONGEST_HEAD + 1 - len(head)))
    assert b"more than 65,536 bytes" in b"".join(iter(lambda: silent.recv(1000), b""))


def test_nonsense_is_answered_with_a_problem(silent: socket.socket) -> None:
    silent.sendall(b"\x16\x03\x01nonsense\r\n\r\n")
    said = b""
    while part := silent.recv(1000):
        said += part
    head, _, body = said.partition(b"\r\n\r\n")
    assert b"application/problem+json" in head
    assert json.loads(body)["status"] == 400


def test_logs_hold_nothing_that_a_terminal_obeys(caplog: pytest.LogCaptureFixture) -> None:
    logger = logging.getLogger("boxsel.serve")
    install()
    with caplog.at_level(logging.WARNING, "boxsel.serve"):
        logger.warning("%s not found", "/\x1b]0;evil\x07\n?token=secret-token&x")
        logger.error("failed", exc_info=caused_by(KeyError("\x1b[31m")))
    assert not any(one < " " and one != "\n" for one in caplog.text)
    assert "secret" not in caplog.text
    assert "\\x1b]0;evil\\x07\\n" in caplog.text
