"""What can go wrong with a request, as values: problem details after RFC 9457."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from boxsel.errors import BoxselError, Diagnostic, ReadError


class Kind(NamedTuple):
    """The status and the title that all problems of a kind share."""

    status: int
    title: str


KINDS: Final[Mapping[str, Kind]] = {
    "malformed-json": Kind(400, "The request is not JSON"),
    "unauthorized": Kind(401, "A token is needed"),
    "foreign-origin": Kind(403, "The request comes from another site"),
    "not-found": Kind(404, "There is nothing here"),
    "method-not-allowed": Kind(405, "This method is not for this address"),
    "slow-upload": Kind(408, "The request took too long to arrive"),
    "request-too-large": Kind(413, "The request is too large"),
    "too-many-statements": Kind(413, "The knowledge base has too many statements"),
    "unsupported-media-type": Kind(415, "The request does not say that it is JSON"),
    "foreign-host": Kind(421, "The request is for another host"),
    "invalid-request": Kind(422, "The request has not the documented shape"),
    "invalid-input": Kind(422, "The knowledge base or the question cannot be read"),
    "too-many-jobs": Kind(429, "There are too many jobs"),
    "internal": Kind(500, "This is a mistake in boxsel itself"),
    "worker-died": Kind(502, "The worker process ended"),
    "busy": Kind(503, "The server is busy"),
    "no-workers": Kind(503, "No worker process can be started"),
    "out-of-time": Kind(504, "The time limit was reached"),
    "out-of-memory": Kind(507, "The memory limit was reached"),
    "answer-too-large": Kind(507, "The answer is too large"),
    "refused": Kind(400, "The request was refused"),
}
"""Every kind of problem that the API has."""

PROBLEM_TYPE: Final = "application/problem+json"
RETRY_SECONDS: Final = 2
"""When to come back to a server that is busy."""


class ProblemError(BoxselError):
    """A request that gets no answer, and why.

    Examples:
        >>> ProblemError("busy", "256 requests wait already: try again later").to_json()["status"]
        503
    """

    def __init__(self, kind: str, detail: str, **members: Any) -> None:
        super().__init__(detail)
        self.kind, self.detail, self.members = kind, detail, members

    @property
    def status(self) -> int:
        """The status of the response."""
        return KINDS[self.kind].status

    @property
    def headers(self) -> dict[str, str]:
        """What the response says in its headers."""
        if self.kind in ("busy", "no-workers", "too-many-jobs"):
            return {"Retry-After": str(RETRY_SECONDS)}
        return {"WWW-Authenticate": "Bearer"} if self.kind == "unauthorized" else {}

    def to_json(self) -> dict[str, Any]:
        """The object that RFC 9457 describes, with `errors` where places are known."""
        status, title = KINDS[self.kind]
        return {
            "type": f"urn:boxsel:problem:{self.kind}",
            "title": title,
            "status": status,
            "detail": self.detail,
            **self.members,
        }


def unreadable(error: BoxselError) -> ProblemError:
    """The problem that an error in the user's input is; with lines and columns if it has some."""
    if isinstance(error, ProblemError):
        return error
    if not isinstance(error, ReadError):
        return ProblemError("invalid-input", str(error))
    return ProblemError(
        "invalid-input",
        str(error),
        errors=[diagnostic_json(diagnostic) for diagnostic in error.diagnostics],
        more=error.more,
    )


def diagnostic_json(one: Diagnostic) -> dict[str, Any]:
    """A diagnostic as a JSON object; lines and columns count from 1, or are null."""
    return {
        "line": one.line,
        "column": one.column,
        "length": one.width,
        "message": one.message,
        "help": one.help,
    }
