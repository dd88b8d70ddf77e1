"""How commands end: what their exit codes mean, and what Ctrl-C does."""

from __future__ import annotations

import _thread
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Thread, Timer, main_thread
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from sys import UnraisableHookArgs

ANSWERED: Final = 0
NO: Final = 1
"""The answer is no: inconsistent, incoherent, not verified, different."""
BAD_INPUT: Final = 2
OUT_OF_BUDGET: Final = 3
"""Out of budget, or interrupted, with an interval."""
INTERNAL: Final = 70
INTERRUPTED: Final = 130
"""Interrupted without an answer, as shells say it."""

EXITS: Final = {
    "answered": ANSWERED,
    "bounded": ANSWERED,
    "vacuous": ANSWERED,
    "inconsistent": NO,
    "budget": OUT_OF_BUDGET,
}
"""The exit code for each status that an answer can have."""


class Interrupted(BaseException):
    """Ctrl-C, or a polite kill."""


class NobodyReads(BaseException):
    """Whoever read our output went away. Typer would take a broken pipe for a failure."""


@contextmanager
def interrupts_kept() -> Iterator[None]:
    """Raise an interruption again that came where Python only prints what is raised.

    So it is while it collects garbage, where a library may have work of its own.
    """
    before = sys.unraisablehook

    def again(lost: UnraisableHookArgs) -> None:
        if issubclass(lost.exc_type, Interrupted):
            soon = Timer(0.05, _interrupt_main)
            soon.daemon = True
            soon.start()
        else:
            before(lost)

    sys.unraisablehook = again
    try:
        yield
    finally:
        sys.unraisablehook = before


def _interrupt_main() -> None:
    """Interrupt the main thread, where that can be done also while it waits for the system."""
    main = main_thread().ident
    if main is None or not hasattr(signal, "pthread_kill"):
        _thread.interrupt_main()
    else:
        signal.pthread_kill(main, signal.SIGINT)


@contextmanager
def stopped_by_interrupt(stop: Callable[[], None], *signals: signal.Signals) -> Iterator[None]:
    """Call `stop` on each Ctrl-C, or on some signals, instead of ending the command.

    Python runs signal handlers between its own instructions only, and a solver may run for long
    without any. So the signal is also written to a socket, on which a thread waits.
    """
    ours, theirs = socket.socketpair()
    theirs.setblocking(False)

    def wait() -> None:
        while ours.recv(1) != b"":
            stop()

    handlers = {one: signal.signal(one, lambda *_: None) for one in signals or (signal.SIGINT,)}
    before = signal.set_wakeup_fd(theirs.fileno())
    waiting = Thread(target=wait, daemon=True)
    waiting.start()
    try:
        yield
    finally:
        signal.set_wakeup_fd(before)
        for one, handler in handlers.items():
            signal.signal(one, handler)
        theirs.close()
        waiting.join(timeout=1)
        ours.close()
