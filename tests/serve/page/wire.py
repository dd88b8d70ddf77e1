"""A wire between a browser and a server, which a test can cut and mend."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Thread

FROM_HERE = "127.0.0.1"


class Wire:
    """Passes on what comes to `port`, as long as it is whole; a cut wire refuses connections."""

    def __init__(self, server: int) -> None:
        self._server = server
        self._ends: list[socket.socket] = []
        self._listening = socket.create_server((FROM_HERE, 0))
        self.port = int(self._listening.getsockname()[1])
        self._watch()

    def cut(self) -> None:
        """End all connections, and refuse new ones."""
        _end(self._listening)
        for one in self._ends:
            _end(one)
        self._ends.clear()

    def mend(self) -> None:
        """Take connections again."""
        self._listening = socket.create_server((FROM_HERE, self.port))
        self._watch()

    def _watch(self) -> None:
        Thread(target=self._accept, args=(self._listening,), daemon=True).start()

    def _accept(self, listening: socket.socket) -> None:
        with suppress(OSError):
            while True:
                near, _ = listening.accept()
                far = socket.create_connection((FROM_HERE, self._server))
                self._ends += near, far
                for one, other in ((near, far), (far, near)):
                    Thread(target=_pass_on, args=(one, other), daemon=True).start()


@contextmanager
def wired(server: int) -> Iterator[Wire]:
    """A wire to a port of this machine."""
    wire = Wire(server)
    try:
        yield wire
    finally:
        wire.cut()


def _pass_on(one: socket.socket, other: socket.socket) -> None:
    with suppress(OSError):
        while part := one.recv(2**16):
            other.sendall(part)
    _end(one)
    _end(other)


def _end(one: socket.socket) -> None:
    with suppress(OSError):
        one.shutdown(socket.SHUT_RDWR)
    one.close()
