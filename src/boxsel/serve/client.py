"""A client of the API in a few lines: nothing but the standard library."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPResponse
from typing import Any, Final
from urllib.error import HTTPError, URLError
from urllib.parse import urlencode
from urllib.request import ProxyHandler, Request, build_opener

from boxsel.errors import BoxselError

LOOK_SECONDS: Final = 0.25
"""How often a job is looked at."""


class ApiError(BoxselError):
    """What the server said instead of an answer; `problem` is the object that it sent."""

    def __init__(self, problem: dict[str, Any]) -> None:
        super().__init__(f"{problem.get('title', 'error')}: {problem.get('detail', '')}")
        self.problem = problem

    @property
    def status(self) -> int:
        """The status of the response."""
        return int(self.problem.get("status", 0))


@dataclass(frozen=True)
class Client:
    """Asks a server of boxsel.

    Any task of the API is a method: `client.bounds(kb=text, query="(D | C)")`. A server that was
    started with a knowledge base is asked about it without `kb`; `queries`, a list, asks many
    things at once, and `stream` gives their answers one by one. With `job`, it may take long:
    `client.job("check", kb=text)` waits for it.
    """

    address: str = "http://127.0.0.1:8080"
    token: str | None = field(default=None, repr=False)
    timeout: float = 120

    def __getattr__(self, task: str) -> Callable[..., dict[str, Any]]:
        if task.startswith("_"):
            raise AttributeError(task)
        return lambda **asked: self.call("POST", task, asked)

    def read(self, data: bytes, format: str | None = None) -> dict[str, Any]:  # noqa: A002
        """The bytes of a file in any format, as `.sel` text."""
        query = f"?{urlencode({'format': format})}" if format else ""
        return self.call("POST", f"read{query}", data)

    def job(
        self, task: str, told: Callable[[dict[str, Any]], None] | None = None, **asked: Any
    ) -> dict[str, Any]:
        """The result of a job; `told` sees it now and then while it runs."""
        job = self.call("POST", f"jobs/{task}", asked)
        while job["state"] in ("queued", "running"):
            if told is not None:
                told(job)
            time.sleep(LOOK_SECONDS)
            job = self.call("GET", f"jobs/{job['id']}")
        if job["result"] is None:
            raise ApiError(job["problem"] or {"title": f"the job was {job['state']}"})
        result: dict[str, Any] = job["result"]
        return result

    def call(self, method: str, path: str, body: object = None) -> dict[str, Any]:
        """One request to the API: bytes are sent as they are, anything else as JSON.

        Raises:
            ApiError: The server gave a problem instead of an answer, or cannot be reached.
        """
        with self._reply(method, path, body) as reply:
            answer: dict[str, Any] = json.load(reply)
            return answer

    def stream(self, task: str, **asked: Any) -> Iterator[dict[str, Any]]:
        """The answers to a list of `queries`, one by one as they are found.

        A query that has no answer gives its problem, an object with a `type`; the others go on.

        Raises:
            ApiError: The server gave a problem instead of a stream, or cannot be reached.
        """
        with self._reply("POST", task, asked, accept="application/x-ndjson") as reply:
            for line in reply:
                yield json.loads(line)

    @contextmanager
    def _reply(
        self, method: str, path: str, body: object, accept: str = "application/json"
    ) -> Iterator[HTTPResponse]:
        """The response to a request, to be read as it arrives."""
        headers = {"Content-Type": "application/json", "Accept": accept}
        if isinstance(body, bytes):
            data, headers["Content-Type"] = body, "application/octet-stream"
        else:
            data = json.dumps(body).encode() if body is not None else b""
        if self.token is not None:
            headers["Authorization"] = f"Bearer {self.token}"
        address = f"{self.address.rstrip('/')}/api/v1/{path}"
        request = Request(address, data or None, headers, method=method)
        try:
            # A server on this machine is never reached through a proxy.
            with build_opener(ProxyHandler({})).open(request, timeout=self.timeout) as reply:
                yield reply
        except HTTPError as error:
            with error:
                raise ApiError(_problem(error)) from None
        except (URLError, OSError) as error:
            reason = getattr(error, "reason", error)
            raise ApiError(
                {"title": f"{self.address} cannot be reached", "detail": str(reason)}
            ) from None


def _problem(error: HTTPError) -> dict[str, Any]:
    try:
        problem = json.load(error)
    except ValueError:
        problem = None
    return problem if isinstance(problem, dict) else {"title": str(error), "status": error.code}
