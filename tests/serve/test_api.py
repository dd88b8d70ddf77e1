"""Errors that the API finds before any worker does, also where a page takes all other addresses."""

from __future__ import annotations

import asyncio
import json

import httpx
import pytest
from starlette.applications import Starlette

from boxsel.serve.app import create_app


def told(
    method: str,
    path: str,
    body: bytes = b"",
    kind: str | None = "application/json",
    accept: str = "*/*",
) -> httpx.Response:
    """What a server says that has a page at every address."""

    async def story() -> httpx.Response:
        app = create_app(page=False)
        app.mount("/", Starlette())
        transport = httpx.ASGITransport(app=app)
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
            headers = {"Accept": accept} | ({} if kind is None else {"Content-Type": kind})
            return await client.request(method, path, content=body, headers=headers)

    return asyncio.run(story())


@pytest.mark.parametrize(
    ("method", "path", "status", "allowed"),
    [
        ("GET", "/api/v1/nothing", 404, None),
        ("POST", "/api/v1/jobs/nothing", 405, "DELETE, GET"),
        ("GET", "/api/v1/check", 405, "POST"),
        ("PUT", "/api/v1/jobs/check", 405, "DELETE, GET, POST"),
        ("GET", "/api/v2/check", 404, None),
    ],
)
def test_what_is_not_there_is_a_problem(
    method: str, path: str, status: int, allowed: str | None
) -> None:
    reply = told(method, path)
    assert (reply.status_code, reply.headers.get("allow")) == (status, allowed)
    assert reply.headers["content-type"] == "application/problem+json"
    assert reply.json()["status"] == status


@pytest.mark.parametrize(
    ("path", "status"),
    [("/api/v1/health", 200), ("/api/v1", 200), ("/api/v1/nothing", 404), ("/api/v1/check", 405)],
)
def test_a_head_is_that_of_what_is_got(path: str, status: int) -> None:
    head, got = told("HEAD", path), told("GET", path)
    assert head.status_code == got.status_code == status
    assert head.headers["content-type"] == got.headers["content-type"]
    assert head.headers["content-security-policy"] == got.headers["content-security-policy"]


@pytest.mark.parametrize("kind", ["text/html", "application/json"])
def test_a_terminal_obeys_nothing_in_a_problem(kind: str) -> None:
    reply = told("GET", "/%1b]0;evil%07%00", kind=None, accept=kind)
    assert reply.headers["content-type"].startswith(
        "text/html" if kind == "text/html" else "application/problem+json"
    )
    assert all(letter >= " " for letter in reply.text)


@pytest.mark.parametrize(("task", "field"), [("check", "kb"), ("simpson_table", "table")])
def test_half_a_character_is_refused(task: str, field: str) -> None:
    body = json.dumps({field: "A SubClassOf \ud800"}).encode()
    reply = told("POST", f"/api/v1/{task}", body)
    assert reply.status_code == 422
    assert reply.json()["errors"][0]["field"] == f"body.{field}"
    assert "character 14" in reply.json()["detail"]


@pytest.mark.parametrize("path", ["/api/v1/check", "/api/v1/jobs/bounds"])
@pytest.mark.parametrize(
    "kind", [None, "application/x-www-form-urlencoded", "text/plain", "application/jsonp", "json"]
)
def test_what_is_not_said_to_be_json_is_told_how(path: str, kind: str | None) -> None:
    for body in (b'{"kb": "A SubClassOf B"}', b"", b"kb=A"):
        reply = told("POST", path, body, kind)
        assert reply.status_code == 415
        assert reply.headers["content-type"] == "application/problem+json"
        problem = reply.json()
        assert problem["type"] == "urn:boxsel:problem:unsupported-media-type"
        assert "-H 'Content-Type: application/json'" in problem["detail"]


@pytest.mark.parametrize(
    "kind", ["application/json; charset=utf-8", "Application/JSON", "application/ld+json"]
)
def test_json_is_json_however_it_is_spelt(kind: str) -> None:
    reply = told("POST", "/api/v1/check", b'{"kb": 1}', kind)
    assert reply.status_code == 422
    assert reply.json()["errors"][0]["field"] == "body.kb"
