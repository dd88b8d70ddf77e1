"""The REST API: one address for each task, and jobs for what takes long."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Mapping
from dataclasses import dataclass
from typing import Any, Final

from fastapi import APIRouter, Depends, FastAPI, Query, Request
from fastapi.responses import JSONResponse, Response, StreamingResponse
from pydantic import BaseModel
from starlette.exceptions import HTTPException
from starlette.routing import Match
from starlette.routing import Route as StarletteRoute

from boxsel._version import __version__
from boxsel.serve import lists
from boxsel.serve.answers import Answers
from boxsel.serve.jobs import Jobs
from boxsel.serve.lists import NDJSON
from boxsel.serve.openapi import answers as documented
from boxsel.serve.pool import Pool
from boxsel.serve.problems import ProblemError
from boxsel.serve.requests import (
    AskRequest,
    CheckRequest,
    CompareRequest,
    ConvertRequest,
    FormatName,
    KBRequest,
    NextRequest,
    QueryRequest,
    RepairRequest,
    SampleRequest,
    SimpsonRequest,
    TableSimpsonRequest,
)

PREFIX: Final = "/api/v1"
JSON: Final = "application/json"
METHODS: Final = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
LOOK_SECONDS: Final = 0.5
"""How often it is asked whether the client is still there."""


@dataclass(frozen=True)
class Route:
    """A task's address: what it takes, the schema of what it answers, and what it is for."""

    task: str
    request: type[BaseModel]
    answer: str
    summary: str


ROUTES: Final = (
    Route("check", CheckRequest, "check", "Is it consistent and coherent, and if not, why not?"),
    Route("repair", RepairRequest, "repair", "The least change of bounds that makes it coherent"),
    Route("bounds", QueryRequest, "bounds", "Exact bounds of a share, with their premises"),
    Route("ask", AskRequest, "ask", "What is certain, possible and estimated about a share"),
    Route("explain", QueryRequest, "explain", "The statements and steps that each end rests on"),
    Route("sensitivity", QueryRequest, "sensitivity", "How far premises move each end of a share"),
    Route("next", NextRequest, "next", "Which number to measure next to narrow a share"),
    Route("compare", CompareRequest, "compare", "How two shares differ, in all models"),
    Route("simpson", SimpsonRequest, "simpson", "Does a comparison turn round by stratum?"),
    Route("simpson_table", TableSimpsonRequest, "simpson", "The same in a table of data"),
    Route("sample", SampleRequest, "sample", "People of whom every statement is true"),
    Route("show", KBRequest, "show", "A knowledge base in a few numbers"),
    Route("parse", KBRequest, "parse", "Is the text well-formed? Errors with their places"),
    Route("convert", ConvertRequest, "text", "The same knowledge base in another format"),
)


def router() -> APIRouter:
    """All addresses of the API."""
    made = APIRouter(prefix=PREFIX)
    for route in ROUTES:
        _add(made, route)
    made.add_api_route(
        "/read",
        _read,
        methods=["POST"],
        tags=["questions"],
        summary="A file in any format, as .sel text",
        responses=documented("text"),
        openapi_extra={
            "requestBody": {
                "required": True,
                "content": {
                    "application/octet-stream": {"schema": {"type": "string", "format": "binary"}}
                },
            }
        },
    )
    made.add_api_route(
        "/health",
        _health,
        methods=["GET"],
        tags=["server"],
        summary="Is the server up, and how busy is it?",
        responses=documented("health"),
    )
    for method, endpoint, summary in (
        ("GET", _job, "How far a job is, and its result"),
        ("DELETE", _cancelled, "Cancel a job"),
    ):
        made.add_api_route(
            "/jobs/{identifier}",
            endpoint,
            methods=[method],
            tags=["jobs"],
            summary=summary,
            responses=documented("job"),
        )
    return made


def install_absences(app: FastAPI) -> None:
    """Let the API say what it has not: a page takes all addresses that nobody else does."""
    routes = [route for route in router().routes if isinstance(route, StarletteRoute)]

    async def absent(request: Request) -> Response:
        near = [route for route in routes if route.matches(request.scope)[0] is Match.PARTIAL]
        if not near:
            raise HTTPException(404)
        allowed = sorted({method for route in near for method in route.methods or ()})
        raise HTTPException(405, headers={"Allow": ", ".join(allowed)})

    app.add_route("/api/{rest:path}", absent, list(METHODS), include_in_schema=False)


def _require_json(request: Request) -> None:
    """Refuse a body that is not said to be JSON: what it holds is then not even looked at."""
    said = request.headers.get("content-type", "")
    kind = said.partition(";")[0].strip().lower()
    if kind != JSON and not (kind.startswith("application/") and kind.endswith("+json")):
        problem = f"the content type is {said[:100]!r}" if said else "there is no content type"
        raise ProblemError(
            "unsupported-media-type",
            f"{problem}: send a JSON object, and say so with the header Content-Type: {JSON}"
            f" (curl --json, or curl -H 'Content-Type: {JSON}' -d)",
        )


def _add(made: APIRouter, route: Route) -> None:
    async def answer(request: Request, asked: BaseModel) -> Response:
        plain = _complete(request, asked)
        known: Answers = request.app.state.answers

        def alone(question: Mapping[str, Any]) -> Coroutine[Any, Any, bytes]:
            return known.text(route.task, question, client=_client(request))

        if "queries" in plain and NDJSON in request.headers.get("accept", ""):
            return StreamingResponse(lists.lines(plain, alone), media_type=NDJSON)
        pool: Pool = request.app.state.pool
        return await _sent(request, lists.text(plain, alone, pool.limits.answer_bytes))

    async def create(request: Request, asked: BaseModel) -> Response:
        jobs: Jobs = request.app.state.jobs
        job = jobs.create(route.task, _complete(request, asked))
        return Response(
            job.to_json(),
            202,
            headers={"Location": f"{PREFIX}/jobs/{job.id}"},
            media_type=JSON,
        )

    # FastAPI reads what a body must be from the annotation, and each task has its own.
    answer.__annotations__["asked"] = create.__annotations__["asked"] = route.request
    made.add_api_route(
        f"/{route.task}",
        answer,
        methods=["POST"],
        name=route.task,
        tags=["questions"],
        summary=route.summary,
        responses=documented(route.answer, lists="queries" in route.request.model_fields),
        dependencies=[Depends(_require_json)],
    )
    made.add_api_route(
        f"/jobs/{route.task}",
        create,
        methods=["POST"],
        name=f"job_{route.task}",
        tags=["jobs"],
        status_code=202,
        summary=f"A job: {route.summary[0].lower()}{route.summary[1:]}",
        responses=documented("job", 202),
        dependencies=[Depends(_require_json)],
    )


def _complete(request: Request, asked: BaseModel) -> dict[str, Any]:
    """A request with its knowledge base: its own, or the one that the server was started with."""
    plain = asked.model_dump()
    if "kb" in plain and plain["kb"] is None:
        opened: str | None = getattr(request.app.state, "opened", None)
        if opened is None:
            raise ProblemError(
                "invalid-input",
                "there is no knowledge base: send its text as kb, or start the server with one"
                " (boxsel serve KB)",
            )
        plain |= {"kb": opened, "format": "sel"}
    if "queries" in plain:
        lists.split(plain)  # a request without a question is refused before it waits for its turn
    return plain


async def _read(
    request: Request,
    format: FormatName | None = Query(  # noqa: A002, B008
        None, description="The format of the file, if it should not be found out."
    ),
) -> Response:
    """The body is the file itself, as bytes; it may be compressed with gzip or bzip2."""
    upload = await request.body()
    if not upload:
        raise ProblemError("invalid-input", "the body is empty: send the file's bytes as they are")
    known: Answers = request.app.state.answers
    return await _sent(request, known.text("read", {"format": format}, upload, _client(request)))


def _client(request: Request) -> str:
    """Who asks: clients share the workers among them."""
    return "" if request.client is None else request.client.host


async def _health(request: Request) -> JSONResponse:
    pool: Pool = request.app.state.pool
    return JSONResponse(
        {
            "version": __version__,
            "workers": pool.limits.workers,
            "live": pool.live,
            "idle": pool.idle,
            "waiting": pool.waiting,
        }
    )


async def _job(request: Request, identifier: str) -> Response:
    jobs: Jobs = request.app.state.jobs
    return Response(jobs.find(identifier).to_json(), media_type=JSON)


async def _cancelled(request: Request, identifier: str) -> Response:
    jobs: Jobs = request.app.state.jobs
    return Response(jobs.cancel(identifier).to_json(), media_type=JSON)


async def _sent(request: Request, work: Coroutine[Any, Any, bytes]) -> Response:
    """The response that work on a request gives; it ends early if the client goes away."""
    task = asyncio.create_task(work)
    try:
        while True:
            done, _ = await asyncio.wait({task}, timeout=LOOK_SECONDS)
            if done:
                return Response(task.result(), media_type=JSON)
            if await request.is_disconnected():
                raise ProblemError("refused", "the client went away")
    finally:
        task.cancel()
