"""Connections: one that does not say what it wants is closed, and nonsense gets a clear answer.

Uvicorn waits for a request for ever. Whoever opens many connections and sends nothing, or a header
a minute, would keep others from getting one; and a header without an end would be collected, in
time that grows with its square.
"""

from __future__ import annotations

import asyncio
import json
from typing import Any, Final

from uvicorn.protocols.http.auto import AutoHTTPProtocol

from boxsel.serve.limits import Limits
from boxsel.serve.problems import PROBLEM_TYPE, ProblemError

LONGEST_HEAD: Final = 2**16
"""So many bytes a request may have before its body begins."""
_HEAD: Final = (
    "HTTP/1.1 400 Bad Request\r\n"
    "Content-Type: {}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n"
)


def protocol(limits: Limits) -> type[asyncio.Protocol]:
    """The protocol for uvicorn: a request has so many seconds until its head is there."""

    class Patient(AutoHTTPProtocol):  # type: ignore[misc, valid-type]
        _closing: asyncio.TimerHandle | None = None
        _head = 0  # bytes of a head that is not complete

        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            super().connection_made(transport)
            self._wait()

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            if self._at_work():
                self._stop()
                return
            self._wait()
            self._head += len(data)
            if self._head > LONGEST_HEAD and not self.transport.is_closing():
                self.send_400_response(f"The head has more than {LONGEST_HEAD:,} bytes")

        def connection_lost(self, error: Exception | None) -> None:
            self._stop()
            super().connection_lost(error)

        def send_400_response(self, msg: str) -> None:
            problem = ProblemError("refused", f"{msg.rstrip('.')}: this is not a request")
            body = json.dumps(problem.to_json()).encode()
            self.transport.write(_HEAD.format(PROBLEM_TYPE, len(body)).encode() + body)
            self.transport.close()

        def _at_work(self) -> bool:
            """Whether a request is being answered, or the connection has become a socket."""
            cycle: Any = self.cycle
            answering = cycle is not None and not cycle.response_complete
            return answering or self.transport.get_protocol() is not self

        def _wait(self) -> None:
            if self._closing is None:
                loop = asyncio.get_running_loop()
                self._closing = loop.call_later(limits.header_seconds, self._give_up)

        def _stop(self) -> None:
            self._head = 0
            if self._closing is not None:
                self._closing.cancel()
                self._closing = None

        def _give_up(self) -> None:
            if not self._at_work():
                self.transport.close()

    return Patient
