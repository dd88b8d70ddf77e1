"""The application: workers, guards, the API and, where it is installed, the page."""

from __future__ import annotations

import importlib
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from importlib.util import find_spec

from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from boxsel._version import __version__
from boxsel.serve import api, http_problems, logs, openapi
from boxsel.serve.answers import Answers
from boxsel.serve.bodies import BodyLimit
from boxsel.serve.http_problems import OnlyProblems
from boxsel.serve.jobs import Jobs
from boxsel.serve.limits import Limits
from boxsel.serve.openapi import description_html
from boxsel.serve.pool import Pool
from boxsel.serve.security import Access, Guard

_PAGE = "boxsel.serve.page"


def create_app(
    limits: Limits | None = None,
    access: Access | None = None,
    kb_text: str | None = None,
    *,
    page: bool = True,
) -> FastAPI:
    """The server as an ASGI application; workers run from its start to its end.

    The page opens with `kb_text`, if it is given; a process can have one page only. `app.state` has
    the `pool`, the `answers` and the `jobs`.

    Examples:
        >>> from boxsel.serve.limits import Limits
        >>> app = create_app(Limits(seconds=5), page=False)
        >>> "/api/v1/bounds" in app.openapi()["paths"]
        True
    """
    logs.install()
    pool = Pool(limits or Limits())

    @asynccontextmanager
    async def running(_app: FastAPI) -> AsyncIterator[None]:
        await pool.start()
        try:
            yield
        finally:
            await app.state.jobs.stop()
            await pool.stop()

    # FastAPI's own pages about the API load their scripts from elsewhere.
    app = FastAPI(
        title="boxsel",
        version=__version__,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        lifespan=running,
    )
    app.state.pool, app.state.answers, app.state.jobs = pool, Answers(pool), Jobs(pool)
    app.include_router(api.router())
    http_problems.install(app)
    openapi.install(app)
    app.add_api_route(f"{api.PREFIX}/openapi.json", _described, include_in_schema=False)
    app.add_api_route(api.PREFIX, _about, include_in_schema=False)
    api.install_absences(app)
    mount = _page() if page else None
    if mount is not None:
        mount(app, pool, kb_text)
    else:
        app.add_api_route("/", _to_the_api, include_in_schema=False)
    # The last one added is the first to see a request.
    app.add_middleware(Heads)
    app.add_middleware(OnlyProblems)
    app.add_middleware(BodyLimit, limits=pool.limits)
    app.add_middleware(Guard, access=access or Access())
    return app


class Heads:
    """Lets HEAD be answered wherever GET is; the server sends no body then.

    Whoever watches a server often asks for the head of a response alone.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on."""
        asked = scope.get("method") == "HEAD"
        await self._app({**scope, "method": "GET"} if asked else scope, receive, send)


def _page() -> Callable[[FastAPI, Pool, str | None], None] | None:
    """What adds the page to an application, if there is a page."""
    if find_spec(_PAGE) is None:
        return None
    return getattr(importlib.import_module(_PAGE), "mount", None)


async def _described(request: Request) -> JSONResponse:
    return JSONResponse(request.app.openapi())


async def _about(request: Request) -> HTMLResponse:
    return HTMLResponse(description_html(request.app.openapi()))


async def _to_the_api() -> RedirectResponse:
    return RedirectResponse(api.PREFIX)
