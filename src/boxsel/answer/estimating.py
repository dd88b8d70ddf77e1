"""The possible side of an answer, in a process of its own beside the proof.

First populations are drawn that show what is possible, and the typical share is looked for. Then an
ensemble is trained, once for all questions about a knowledge base, unless it was trained before. A
question gets the estimate of its random members first; if there is time, members are then directed
to both of its ends.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from fractions import Fraction
from math import inf
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from queue import SimpleQueue
from threading import Event, Lock, Thread, Timer
from typing import TYPE_CHECKING, Final

from boxsel.answer.answer import Estimated
from boxsel.answer.typical import Typicals
from boxsel.answer.typical_share import TypicalShare
from boxsel.errors import BoxselError
from boxsel.logic.kb import KB
from boxsel.logic.proportions import Inner
from boxsel.logic.statements import Query
from boxsel.machine.budget import Budget
from boxsel.machine.processes import received, spawned

if TYPE_CHECKING:
    from boxsel.exact.nearly import Nearly
    from boxsel.models.model import Model

NOT_TRAINED: Final = "no ensemble was trained within the budget"
NOT_DIRECTED: Final = "its members were not pushed to the ends within the budget"
NOT_PUSHED: Final = "members cannot be pushed to the ends of 'not', 'or' and 'at least'"
SAMPLED_SECONDS: Final = 1.0
"""How long a typical share is sampled beside the proof, between the first population and what shows
more; and longer only until it is known roughly."""
LOOK_SECONDS: Final = 0.1
"""How often whoever waits is asked whether it still does."""
MODESTY: Final = 10
"""How nice it is to others while it trains: where cores are few, they are for the proof."""


@dataclass(frozen=True)
class Reply:
    """What an ensemble says about a query: an estimate or why there is none, and witnesses.

    Only its `last` word is that of directed members; `undirected` says why they are not, if they
    should be. `typical` is the share in the most even population, as soon as that is known, or why
    there is none; `nearly` what came nearest to a population as long as there is none.
    """

    estimate: Estimated | str
    inner: Inner | None = None
    last: bool = True
    undirected: str = ""
    typical: TypicalShare | str | None = None
    nearly: Nearly | None = None

    @property
    def parts(self) -> tuple[Estimated | None, str]:
        """The estimate, and why there is none."""
        if isinstance(self.estimate, str):
            return None, self.estimate
        return self.estimate, ""


def _join(one: Inner | None, other: Inner | None) -> Inner | None:
    return one.joined(other) if one is not None else other


def replied(model: Model, query: Query, *, last: bool = True) -> Reply:
    """What a model says about a query; or why its members say nothing about such a concept."""
    from boxsel.models.concept_shapes import UnnamedFillerError

    try:
        return Reply(Estimated.of(model.ask(query)), model.inner(query), last)
    except BoxselError as error:
        if not query.is_boolean and not isinstance(error, UnnamedFillerError):
            raise
        return Reply(str(error), None, last)


def _directed(model: Model, query: Query) -> Reply:
    """What members say that are pushed to the ends of a query, if they can be."""
    from boxsel.models.concept_shapes import UnnamedFillerError

    if query.is_boolean:
        return replace(replied(model, query), undirected=NOT_PUSHED)
    try:
        return replied(model.refine(query), query)
    except UnnamedFillerError as error:
        return Reply(str(error))


@dataclass(frozen=True)
class _Asked:
    """A question to the process beside, by its number; and whether its typical share is wanted."""

    number: int
    query: Query
    typically: bool


class Estimator:
    """An ensemble that is trained or directed beside other work, and asked when it is there.

    It is for one question at a time: who asks the next one is not interested in the last.
    """

    def __init__(self, source: KB | Model) -> None:
        # A copy leaves behind what the other remembers: that need not travel.
        self._source = source if isinstance(source, KB) else replace(source)
        self._number = 0
        self._none = Reply(NOT_TRAINED if isinstance(source, KB) else NOT_DIRECTED, last=False)
        self._best = self._none
        self._failed = ""
        self._closed = False
        self._talk: tuple[Connection, SpawnProcess] | None = None
        self._talking = Event()
        self._starting = Lock()
        self._letters: SimpleQueue[object] = SimpleQueue()
        self._courier: Thread | None = None

    def start(self, query: Query) -> None:
        """Ask a query; the first one also starts the process. Nobody has to wait for that."""
        self._turn()
        self._send(query, typically=True)

    def _turn(self) -> None:
        """Forget the last question: whatever is still said about it is not about the next one."""
        self._best = self._none
        self._number += 1

    def _send(self, query: Query, *, typically: bool) -> None:
        if self._courier is None:
            self._letters.put(self._source)
            self._courier = Thread(target=self._deliver, daemon=True)
            self._courier.start()
        self._letters.put(_Asked(self._number, query, typically))

    @contextmanager
    def beside(
        self, query: Query, patience: float, *, typically: bool = True
    ) -> Iterator[Callable[[], bool]]:
        """Ask a query if other work, which is done meanwhile, takes longer than some seconds.

        What is given says whether it was asked. No typical share is looked for unless `typically`.
        """
        self._turn()
        asked = Event()

        def ask() -> None:
            asked.set()
            self._send(query, typically=typically)

        later = Timer(patience, ask)
        if not patience:
            ask()
        elif patience < inf:
            later.start()
        try:
            yield asked.is_set
        finally:
            later.cancel()
            if later.ident is not None:
                later.join()

    def wait(self, end: float, stopped: Callable[[], bool] = lambda: False) -> Reply:
        """The best reply by some time (of `time.monotonic`): of directed members, if there is one.

        Of a trained ensemble there is no other. The training goes on if there is none, or if the
        wait was stopped.
        """
        while not self._failed and not self._closed and not self._best.last:
            patience = max(0.0, min(LOOK_SECONDS, end - time.monotonic()))
            if not self._talking.wait(patience) or not self._connection.poll(patience):
                if end <= time.monotonic() or stopped():
                    break
                continue
            assert self._talk is not None
            try:
                items = received(*self._talk)
            except BoxselError as error:
                self._failed = str(error)
                break
            assert items is not None  # it goes on until it is ended
            number, reply = items[0]
            assert isinstance(reply, Reply)
            if number == self._number:
                self._best = replace(
                    reply,
                    inner=_join(reply.inner, self._best.inner),
                    typical=reply.typical or self._best.typical,
                    nearly=reply.nearly or self._best.nearly,
                )
        return replace(self._best, estimate=self._failed) if self._failed else self._best

    def shows(self, lower: Fraction, upper: Fraction) -> bool:
        """Whether models with every share between two were met: then nothing is left to ask."""
        inner = self.wait(0.0).inner
        return inner is not None and inner.lower <= lower and upper <= inner.upper

    @property
    def has_typical(self) -> bool:
        """Whether a typical share was found for what was asked last, or why there is none."""
        return self._best.typical is not None

    def close(self) -> None:
        """End the process, whatever it is doing."""
        with self._starting:
            self._closed = True
            talk, self._talk = self._talk, None
        if talk is not None:
            talk[1].terminate()
            talk[1].join()
        if self._courier is not None:
            self._letters.put(None)
            self._courier.join()
        if talk is not None:
            talk[0].close()

    @property
    def _connection(self) -> Connection:
        assert self._talk is not None
        return self._talk[0]

    def _deliver(self) -> None:
        """Start the process, and send it what it is asked: it takes a while until it reads."""
        with self._starting:
            if self._closed:
                return
            try:
                self._talk = spawned(_converse)
            except OSError as error:
                self._failed = f"no process could be started ({error})"
                return
            connection = self._connection
        self._talking.set()
        try:
            while (letter := self._letters.get()) is not None:
                connection.send(letter)
        except OSError:
            self._failed = "the process of the ensemble has died"


class _Showing:
    """What the typical population and drawn ones show about one question after the other."""

    def __init__(self, kb: KB) -> None:
        from boxsel.exact.reasoner import Reasoner

        self._reasoner, self._typicals = Reasoner(kb, budget=Budget()), Typicals(kb)

    def replies(
        self, query: Query, send: Callable[[Reply], None], *, typically: bool = True
    ) -> Iterator[Reply]:
        """All that is shown about a query before an ensemble is trained.

        The typical share, if it is wanted, comes after the first population, or when it is seen
        that this takes longer. What only comes near is sent at once: it may be all that there is
        at the end.
        """
        from boxsel.exact.possible import find_possible

        is_typical_said = not typically

        def say_typical() -> None:
            nonlocal is_typical_said
            if not is_typical_said:
                is_typical_said = True
                share = self._typicals.share(query, Budget(), SAMPLED_SECONDS)
                send(Reply(NOT_TRAINED, last=False, typical=share))

        def tell(nearly: Nearly) -> None:
            send(Reply(NOT_TRAINED, last=False, nearly=nearly))
            say_typical()

        for inner, _ in find_possible(self._reasoner, query, tell):
            yield Reply(NOT_TRAINED, inner, last=False)
            say_typical()
        say_typical()


def _converse(connection: Connection) -> None:
    """What the ensemble's process does: draw, train, and reply to whatever was asked last.

    Who has a trained ensemble can ask its members, and wants to hear of directed ones only.
    """
    source: KB | Model = connection.recv()
    asked: _Asked = connection.recv()
    showing = _Showing(source) if isinstance(source, KB) else None
    model = None if isinstance(source, KB) else source
    shown = 0
    while True:
        while connection.poll():
            asked = connection.recv()
        number, query = asked.number, asked.query
        if showing is not None and shown < number:
            shown = number

            def send(reply: Reply, number: int = number) -> None:
                connection.send(("item", (number, reply)))

            for reply in showing.replies(query, send, typically=asked.typically):
                send(reply)
                if connection.poll():
                    break
        elif model is None:
            from boxsel.models.fit import fit

            if sys.platform != "win32":
                os.nice(MODESTY)
            assert isinstance(source, KB)
            # Populations fit some knowledge bases better, but may take several times as long:
            # within the time for an answer boxes are there, and populations may not be.
            model = fit(source, representation="boxes")
        else:
            if showing is not None:
                connection.send(("item", (number, replied(model, query, last=False))))
            if not connection.poll():
                connection.send(("item", (number, _directed(model, query))))
                asked = connection.recv()
