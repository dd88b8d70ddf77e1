"""Problems as responses: every error of the server, whoever found it."""

from __future__ import annotations

from html import escape
from http import HTTPStatus
from typing import Any, Final

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse, Response
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from boxsel.serve.logs import plain
from boxsel.serve.problems import KINDS, PROBLEM_TYPE, ProblemError

API: Final = "/api/"
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


def response(problem: ProblemError, scope: Scope | None = None) -> Response:
    """The response to a request that has no answer: a page, for whoever looks at one."""
    if scope is not None and _is_of_a_browser(scope):
        page = _page(problem)
        return HTMLResponse(page, problem.status, headers=problem.headers)
    return JSONResponse(
        problem.to_json(), problem.status, headers=problem.headers, media_type=PROBLEM_TYPE
    )


def install(app: FastAPI) -> None:
    """Let every error of an application be such a response."""
    app.exception_handlers.pop(404, None)  # NiceGUI has one that logs what it was asked for
    app.add_exception_handler(ProblemError, _of_ours)
    app.add_exception_handler(RequestValidationError, _of_validation)
    app.add_exception_handler(HTTPException, _of_http)
    app.add_exception_handler(Exception, _of_mistakes)


class OnlyProblems:
    """Lets errors that a library answers by itself be such responses, too."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and its response back."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        replaced = False

        async def sending(message: Message) -> None:
            nonlocal replaced
            if message["type"] == "http.response.start" and _is_foreign(message):
                replaced = True
                status = message["status"]
                await _of_status(scope, status, "the request was refused")(scope, receive, send)
            elif not replaced:
                await send(message)

        await self._app(scope, receive, sending)


def _is_foreign(start: Message) -> bool:
    """Whether a response is an error that has not been told as ours are."""
    said = Headers(raw=start["headers"]).get("content-type", "")
    return start["status"] >= HTTPStatus.BAD_REQUEST and not said.startswith(
        (PROBLEM_TYPE, "text/html")
    )


async def _of_ours(request: Request, error: Exception) -> Response:
    assert isinstance(error, ProblemError)
    return response(error, request.scope)


async def _of_validation(_request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    found = error.errors()
    if any(one["type"] == "json_invalid" for one in found):
        why = found[0].get("ctx", {}).get("error", "")
        return response(ProblemError("malformed-json", f"the body is not JSON: {why}"))
    errors = [
        {"field": ".".join(map(str, one["loc"])), "message": one["msg"]}
        for one in found[:MOST_ERRORS]
    ]
    said = "; ".join(f"{content['field']}: {content['message']}" for content in errors)
    return response(
        ProblemError("invalid-request", said, errors=errors, more=len(found) > MOST_ERRORS)
    )


async def _of_http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    answer = _of_status(request.scope, error.status_code, str(error.detail))
    answer.headers.update(error.headers or {})
    return answer


def _of_status(scope: Scope, status: int, detail: str) -> Response:
    """The response that a status of the framework means."""
    kind = {404: "not-found", 405: "method-not-allowed"}.get(status)
    if kind is not None:
        said = f"{scope['method']} {plain(scope['path'])}: see /api/v1 for what there is"
        if _is_of_a_browser(scope):
            said = f"No page of boxsel has the address {plain(scope['path'])}."
        return response(ProblemError(kind, said), scope)
    if status == HTTPStatus.BAD_REQUEST and scope["path"].startswith(API):
        return response(ProblemError("malformed-json", "the body of the request cannot be read"))
    answer = response(ProblemError("refused", detail), scope)
    answer.status_code = status
    return answer


async def _of_mistakes(request: Request, _error: Exception) -> Response:
    said = "this is a mistake in boxsel itself: please report it"
    return response(ProblemError("internal", said), request.scope)


def _is_of_a_browser(scope: Scope) -> bool:
    """Whether somebody would read the response in a browser: nobody reads the API there."""
    accepted = Headers(scope=scope).get("accept", "")
    return "text/html" in accepted and not scope["path"].startswith(API)


_STYLE: Final = (
    ":root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:36rem;"
    "margin:15vh auto;padding:0 1rem;overflow-wrap:anywhere}"
    "input,button{font:inherit;padding:.3rem}"
)
_TOKEN_FORM: Final = (
    "<form action='/'><label>Token <input name='token' type='password' required"
    " autocomplete='current-password'></label> <button>Open</button></form>"
)
_WAY_BACK: Final = "<p><a href='/'>To the workbench</a></p>"


def _page(problem: ProblemError) -> str:
    """A problem for people."""
    title = KINDS[problem.kind].title
    way_on = _TOKEN_FORM if problem.kind == "unauthorized" else _WAY_BACK
    return (
        "<!doctype html><html lang='en'><head><meta charset='utf-8'>"
        "<meta name='viewport' content='width=device-width, initial-scale=1'>"
        f"<title>boxsel: {escape(title)}</title><style>{_STYLE}</style></head><body><main>"
        f"<h1>{escape(title)}</h1><p>{escape(problem.detail)}</p>{way_on}</main></body></html>"
    )
