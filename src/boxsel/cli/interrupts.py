"""What Ctrl-C does: end a command, or end its work early with what is known so far."""

from __future__ import annotations

import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Thread


class Interrupted(BaseException):
    """Ctrl-C, or a polite kill."""


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
