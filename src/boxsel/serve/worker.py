"""What a worker process does: take one task after the other, and answer it within its memory.

Messages are JSON, as bytes: a task (`task`, `asked`, `seconds`) with the bytes of an upload after
it, and back that it was `taken`, any number of `progress` and of answers that are `held` for when
the time is over, then a `problem`, or an `answer` with its bytes after it.
"""

from __future__ import annotations

import json
import logging
import multiprocessing
import signal
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import partial
from importlib import import_module
from multiprocessing.connection import Connection
from typing import Any, Final

from boxsel.errors import BoxselError
from boxsel.machine.budget import OutOfTimeError
from boxsel.machine.progress import latest_note, watched_by
from boxsel.serve.library import Library
from boxsel.serve.limits import MIB, Limits
from boxsel.serve.memory import Memory
from boxsel.serve.problems import ProblemError, unreadable
from boxsel.serve.tasks import TASKS, Desk

Send = Callable[[dict[str, Any]], None]

PROGRESS_SECONDS: Final = 0.2
"""How often progress is told."""

_PRELOADED: Final = (
    "boxsel.answer.ask",
    "boxsel.exact.diagnosis.check",
    "boxsel.syntax.by_grammar",
)

log = logging.getLogger("boxsel.serve")


def serve_tasks(limits: Limits, connection: Connection) -> None:
    """Answer the tasks that come, until nobody is there to send more."""
    # An ensemble is trained in a process beside the worker; processes that are daemons have none.
    multiprocessing.current_process().daemon = False
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which ends its workers
    for module in _PRELOADED:
        import_module(module)
    memory = Memory(limits.memory_bytes)
    library = Library(limits.statements, limits.unpacked_bytes)
    _send(connection, {"said": "ready"})
    send = partial(_send, connection)

    def hold(answer: dict[str, Any]) -> None:
        send({"said": "held", "answer": answer})

    while True:
        try:
            message, upload = json.loads(connection.recv_bytes()), connection.recv_bytes()
        except (EOFError, OSError):
            return
        with suppress(OSError):
            send({"said": "taken"})
        desk = Desk(library, message["seconds"], upload, hold)
        reply = _reply(limits, memory, desk, message, send)
        # One that ran out of memory once is never what it was.
        reply["heavy"] = memory.heavy or reply.get("kind") == "out-of-memory"
        _send_reply(connection, reply, limits)


def _reply(
    limits: Limits, memory: Memory, desk: Desk, message: dict[str, Any], send: Send
) -> dict[str, Any]:
    """The answer to a task, or the problem with it."""
    try:
        with watched_by(telling(send)):
            return {"said": "answer", "answer": _answer(desk, message)}
    except Exception as error:
        if memory.lacked(error):
            problem = _out_of_memory(limits)
        elif isinstance(error, BoxselError):
            return _told(unreadable(error))
        elif isinstance(error, OutOfTimeError):
            return _told(_out_of_time(desk.budget(message["asked"])))
        elif isinstance(error, RecursionError):
            problem = ProblemError("invalid-input", "a concept or a chain of names is too deep")
        else:
            log.exception("the task %s failed", message["task"])
            said = "this is a mistake in boxsel itself: please report it"
            problem = ProblemError("internal", said)
    desk.library.forget()
    return _told(problem)


def _answer(desk: Desk, message: dict[str, Any]) -> dict[str, Any]:
    task = TASKS[message["task"]]
    try:
        return task(desk, message["asked"])
    except MemoryError:
        # What was kept from earlier requests must not make this one fail.
        desk.library.forget()
    return task(desk, message["asked"])


def _told(problem: ProblemError) -> dict[str, Any]:
    return {
        "said": "problem",
        "kind": problem.kind,
        "detail": problem.detail,
        "members": problem.members,
    }


def _out_of_memory(limits: Limits) -> ProblemError:
    megabytes = limits.memory_bytes // MIB
    return ProblemError(
        "out-of-memory",
        f"this needs more than the {megabytes:,} MiB that a worker has:"
        " send a smaller knowledge base",
        limit=limits.memory_bytes,
    )


def _out_of_time(seconds: float) -> ProblemError:
    return ProblemError(
        "out-of-time",
        f"there was no answer within {seconds:g} seconds: ask it as a job, which may take longer",
        limit=seconds,
    )


def _too_large(size: int, limits: Limits) -> ProblemError:
    most = limits.answer_bytes
    said = f"the answer has {size // MIB:,} MiB, and at most {most // MIB:,} MiB are sent"
    return ProblemError("answer-too-large", f"{said}: ask about a smaller one", limit=most)


def telling(send: Send) -> Callable[[Iterable[Any], str, int], Iterator[Any]]:
    """A watcher of progress that tells of it now and then."""
    last = 0.0

    def watch(items: Iterable[Any], task: str, total: int) -> Iterator[Any]:
        nonlocal last
        for done, item in enumerate(items):
            if time.monotonic() - last >= PROGRESS_SECONDS:
                last = time.monotonic()
                send(
                    {
                        "said": "progress",
                        "task": task,
                        "done": done,
                        "total": total,
                        "note": latest_note(),
                    }
                )
            yield item

    return watch


def _send(connection: Connection, message: dict[str, Any]) -> None:
    connection.send_bytes(json.dumps(message, allow_nan=False).encode())


def _send_reply(connection: Connection, reply: dict[str, Any], limits: Limits) -> None:
    """Send a reply; an answer comes after it, in bytes that can go to the client as they are."""
    data = b""
    if reply["said"] == "answer":
        answer = reply.pop("answer")
        reply["final"] = answer.get("status") != "budget" and answer.get("complete", True)
        data = json.dumps(answer, ensure_ascii=False, allow_nan=False).encode()
        if len(data) > limits.answer_bytes:
            reply, data = {**_told(_too_large(len(data), limits)), "heavy": reply["heavy"]}, b""
    with suppress(OSError):  # nobody waits for it any more
        _send(connection, reply)
        connection.send_bytes(data)
