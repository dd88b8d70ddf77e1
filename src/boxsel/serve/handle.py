"""A worker process as the server sees it: started, given tasks, and killed if it must be.

Each has a thread of its own that talks with it, so that nothing ever blocks the event loop.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from typing import Any, Final, NamedTuple

from boxsel.machine.processes import spawned
from boxsel.serve.limits import MIB, Limits
from boxsel.serve.problems import ProblemError
from boxsel.serve.worker import serve_tasks

Progress = dict[str, Any]
Told = Callable[[Progress], None]

START_SECONDS: Final = 120
"""How long a worker may take to load its libraries."""


class Reply(NamedTuple):
    """An answer as JSON text; `final` unless more time could improve it."""

    data: bytes
    final: bool


class Worker:
    """One worker process. It does one task at a time; `usable` until it has to be replaced."""

    def __init__(self, limits: Limits) -> None:
        self.usable = False
        self.recent = 0  # a hash of which knowledge base it was asked about last
        self.took = False  # whether it has begun with its latest task
        self.held: Reply | None = None  # its answer if it does not come to an end in time
        self._ended = self._closed = False
        self._limits = limits
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="boxsel-worker")
        self._connection: Connection | None = None
        self._process: SpawnProcess | None = None

    @property
    def alive(self) -> bool:
        """Whether the process is there."""
        return self._process is not None and self._process.is_alive()

    @property
    def pid(self) -> int | None:
        """The number of the process."""
        return None if self._process is None else self._process.pid

    async def start(self) -> None:
        """Start the process, and wait until it is ready.

        Raises:
            ProblemError: It did not get ready.
        """
        loop = asyncio.get_running_loop()
        ready = loop.run_in_executor(self._thread, self._start)
        ready.add_done_callback(_heeded)
        done, _ = await asyncio.wait({ready}, timeout=START_SECONDS)
        if not done:
            self.kill()
        await ready
        self.usable = True

    def begin(
        self, task: str, asked: Mapping[str, Any], upload: bytes, seconds: float, told: Told | None
    ) -> asyncio.Future[Reply]:
        """Start a task; the future has its answer, or a `ProblemError`. Killing ends it early."""
        loop = asyncio.get_running_loop()
        self.took, self.held = False, None
        message = {"task": task, "asked": asked, "seconds": seconds}

        def tell(progress: Progress) -> None:
            if told is not None:
                loop.call_soon_threadsafe(told, progress)

        working = loop.run_in_executor(self._thread, self._exchange, message, upload, tell)
        working.add_done_callback(_heeded)
        return working

    def kill(self) -> None:
        """End the process at once, whatever it is doing."""
        self.usable, self._ended = False, True
        if self._process is not None:
            self._process.kill()

    async def end(self) -> None:
        """Kill the process, and wait until it is gone."""
        self.kill()
        if not self._closed:
            loop = asyncio.get_running_loop()
            await loop.run_in_executor(self._thread, self._gone)
            self._thread.shutdown(wait=False)
            self._closed = True

    def _start(self) -> None:
        self._connection, self._process = spawned(partial(serve_tasks, self._limits))
        if self._ended:  # before there was anything to kill
            self._process.kill()
        try:
            self._connection.recv_bytes()
        except (EOFError, OSError):
            raise self._death() from None

    def _exchange(self, message: dict[str, Any], upload: bytes, tell: Told) -> Reply:
        assert self._connection is not None
        try:
            self._connection.send_bytes(json.dumps(message).encode())
            self._connection.send_bytes(upload)
            while True:
                reply = json.loads(self._connection.recv_bytes())
                self.took = True
                match reply.pop("said"):
                    case "taken":
                        continue
                    case "held":
                        data = json.dumps(reply["answer"], ensure_ascii=False).encode()
                        self.held = Reply(data, final=False)
                        continue
                    case "answer" | "problem":
                        break
                with suppress(RuntimeError):  # the event loop is closed already
                    tell(reply)
            data = self._connection.recv_bytes()
        except (EOFError, OSError):
            self.usable = False
            raise self._death() from None
        if reply["heavy"]:
            self.usable = False
        if "final" in reply:
            return Reply(data, reply["final"])
        raise ProblemError(reply["kind"], reply["detail"], **reply["members"])

    def _death(self) -> ProblemError:
        """Why there is no answer from a process that ended."""
        self._gone()
        code = None if self._process is None else self._process.exitcode
        megabytes = self._limits.memory_bytes // MIB
        return ProblemError(
            "worker-died",
            f"the worker process ended (exit status {code}), perhaps because it needed more than"
            f" its {megabytes:,} MiB of memory; there is a new one:"
            " try again, with a smaller knowledge base",
        )

    def _gone(self) -> None:
        if self._process is not None:
            self._process.join()
        if self._connection is not None:
            self._connection.close()


def _heeded(work: asyncio.Future[Any]) -> None:
    """Look at an error that perhaps nobody waits for any more."""
    if not work.cancelled():
        work.exception()
