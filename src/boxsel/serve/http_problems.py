"""Problems as responses: every error of the server, whoever found it."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any, Final

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from boxsel.serve.problems import ProblemError

PROBLEM_TYPE: Final = "application/problem+json"
MOST_ERRORS: Final = 20


PROBLEM_SCHEMA: Final[dict[str, Any]] = {
    "title": "Problem",
    "description": "Why there is no answer: problem details after RFC 9457.",
    "type": "object",
    "properties": {
        "type": {"type": "string", "description": "Which kind of problem, as a URN."},
        "title": {"type": "string", "description": "The kind in words."},
        "status": {"type": "integer", "minimum": 400, "maximum": 599},
        "detail": {"type": "string", "description": "What happened, and what to do."},
        "limit": {"type": "number", "description": "The limit that was reached."},
        "more": {"type": "boolean", "description": "Whether there may be more errors."},
        "errors": {
            "type": "array",
            "description": "Where the input is wrong: in a text, or in a field of the request.",
            "items": {
                "type": "object",
                "properties": {
                    "line": {"type": ["integer", "null"], "minimum": 1},
                    "column": {"type": ["integer", "null"], "minimum": 1},
                    "length": {"type": "integer", "minimum": 0},
                    "message": {"type": "string"},
                    "help": {"type": ["string", "null"]},
                    "field": {"type": "string"},
                },
                "required": ["message"],
                "additionalProperties": False,
            },
        },
    },
    "required": ["type", "title", "status", "detail"],
    "additionalProperties": False,
}


def response(problem: ProblemError) -> JSONResponse:
    """The response to a request that has no answer."""
    return JSONResponse(
        problem.to_json(), problem.status, headers=problem.headers, media_type=PROBLEM_TYPE
    )


def install(app: FastAPI) -> None:
    """Let every error of an application be such a response."""
    app.add_exception_handler(ProblemError, _of_ours)
    app.add_exception_handler(RequestValidationError, _of_validation)
    app.add_exception_handler(HTTPException, _of_http)
    app.add_exception_handler(Exception, _of_mistakes)


async def _of_ours(_request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, ProblemError)
    return response(error)


async def _of_validation(_request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    found = error.errors()
    if any(one["type"] == "json_invalid" for one in found):
        why = found[0].get("ctx", {}).get("error", "")
        return response(ProblemError("malformed-json", f"the body is not JSON: {why}"))
    errors = [
        {"field": ".".join(map(str, one["loc"])), "message": one["msg"]}
        for one in found[:MOST_ERRORS]
    ]
    said = "; ".join(f"{one['field']}: {one['message']}" for one in errors)
    return response(
        ProblemError("invalid-request", said, errors=errors, more=len(found) > MOST_ERRORS)
    )


async def _of_http(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    kind = {404: "not-found", 405: "method-not-allowed"}.get(error.status_code)
    if kind is not None:
        said = f"{request.method} {request.url.path}: see /api/v1 for what there is"
        answer = response(ProblemError(kind, said))
    elif error.status_code == HTTPStatus.BAD_REQUEST:
        answer = response(ProblemError("malformed-json", "the body of the request cannot be read"))
    else:
        answer = response(ProblemError("refused", str(error.detail)))
        answer.status_code = error.status_code
    answer.headers.update(error.headers or {})
    return answer


async def _of_mistakes(_request: Request, _error: Exception) -> JSONResponse:
    return response(
        ProblemError("internal", "this is a mistake in boxsel itself: please report it")
    )
