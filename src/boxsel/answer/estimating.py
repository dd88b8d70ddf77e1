"""The possible side of an answer: an ensemble in a process of its own, beside the proof.

It is trained once for all questions about a knowledge base. A question gets the estimate of its
random members first; if there is time, members are then directed to both of its ends.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from typing import TYPE_CHECKING, Final

from boxsel.answer.estimated import Estimated
from boxsel.errors import BoxselError
from boxsel.inner import Inner
from boxsel.logic.kb import KB
from boxsel.logic.statements import Query
from boxsel.processes import received, spawned

if TYPE_CHECKING:
    from boxsel.models.model import Model

NOT_IN_TIME = "no ensemble was trained within the budget"
LOOK_SECONDS: Final = 0.1
"""How often whoever waits is asked whether it still does."""


@dataclass(frozen=True)
class Reply:
    """What an ensemble says about a query: an estimate or why there is none, and witnesses."""

    estimate: Estimated | str
    inner: Inner | None = None
    last: bool = True

    @property
    def parts(self) -> tuple[Estimated | None, str]:
        """The estimate, and why there is none."""
        if isinstance(self.estimate, str):
            return None, self.estimate
        return self.estimate, ""


def replied(model: Model, query: Query, *, last: bool = True) -> Reply:
    """What a model says about a query."""
    return Reply(Estimated.of(model.ask(query)), model.inner(query), last)


class Estimator:
    """An ensemble that is trained beside other work, and asked when it is there.

    It is for one question at a time: who asks the next one is not interested in the last.
    """

    def __init__(self, kb: KB) -> None:
        self._kb = kb
        self._talk: tuple[Connection, SpawnProcess] | None = None
        self._number = 0
        self._failed = ""

    def start(self, query: Query) -> None:
        """Ask a query; the first one also starts the training."""
        self._number += 1
        if self._failed:
            return
        if self._talk is None:
            self._talk = spawned(_converse)
            self._send(self._kb)
        self._send((self._number, query))

    def wait(self, end: float, stopped: Callable[[], bool] = lambda: False) -> Reply:
        """The best reply by some time (of `time.monotonic`): of directed members, if there is one.

        The training goes on if there is none, or if the wait was stopped.
        """
        best = Reply(NOT_IN_TIME)
        while not self._failed and self._talk is not None:
            left = end - time.monotonic()
            if not self._talk[0].poll(max(0.0, min(LOOK_SECONDS, left))):
                if left <= 0 or stopped():
                    return best
                continue
            try:
                items = received(*self._talk)
            except BoxselError as error:
                self._failed = str(error)
                break
            assert items is not None  # it goes on until it is ended
            number, reply = items[0]
            assert isinstance(reply, Reply)
            if number == self._number:
                best = reply
                if best.last:
                    return best
        return Reply(self._failed)

    def close(self) -> None:
        """End the process, whatever it is doing."""
        if self._talk is not None:
            connection, process = self._talk
            process.terminate()
            process.join()
            connection.close()
        self._talk = None

    def _send(self, value: object) -> None:
        assert self._talk is not None
        try:
            self._talk[0].send(value)
        except OSError:
            self._failed = "the process of the ensemble has died"


def _converse(connection: Connection) -> None:
    """What the ensemble's process does: train, and reply to whatever was asked last."""
    kb: KB = connection.recv()
    asked: tuple[int, Query] = connection.recv()

    from boxsel.models.fit import fit

    model = fit(kb)
    while True:
        while connection.poll():
            asked = connection.recv()
        number, query = asked
        connection.send(("item", (number, replied(model, query, last=False))))
        if not connection.poll():
            directed = model.refine(query)
            connection.send(("item", (number, replied(directed, query))))
            asked = connection.recv()
