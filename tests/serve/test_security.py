"""Who is let in: hosts, origins, tokens; what headers say."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from boxsel.errors import BoxselError
from boxsel.serve.security import Access, Guard

TOKEN = "a-token-of-24-characters"
CLOSED = "websocket.close"


async def hello(request: Request) -> PlainTextResponse:
    return PlainTextResponse(f"hello {request.url.query}")


async def socket(websocket: WebSocket) -> None:
    await websocket.accept()
    await websocket.send_text("hello")
    await websocket.close()


def guarded(access: Access) -> Starlette:
    routes = [Route("/", hello, methods=["GET", "POST"]), Route("/api/v1", hello)]
    app = Starlette(routes=[*routes, WebSocketRoute("/socket", socket)])
    app.add_middleware(Guard, access=access)
    return app


def ask(access: Access, method: str = "GET", path: str = "/", **headers: str) -> httpx.Response:
    async def story() -> httpx.Response:
        transport = httpx.ASGITransport(app=guarded(access))
        async with httpx.AsyncClient(
            transport=transport, base_url="http://127.0.0.1:8080"
        ) as client:
            names = {name.replace("_", "-"): value for name, value in headers.items()}
            return await client.request(method, path, headers=names)

    return asyncio.run(story())


def problem(reply: httpx.Response) -> str:
    assert reply.headers["content-type"] == "application/problem+json"
    assert reply.json()["status"] == reply.status_code
    return str(reply.json()["type"]).rpartition(":")[2]


@pytest.mark.parametrize("host", ["127.0.0.1:8080", "localhost", "[::1]:9", "127.8.9.1"])
def test_names_of_this_machine_are_known(host: str) -> None:
    assert ask(Access(), host=host).status_code == 200


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "127.0.0.1.evil.example",
        "localhost.evil.example:8080",
        "10.0.0.1",
        "",
        "[",
        "a@b",
        "evil.example@127.0.0.1",
        "127.0.0.1#evil.example",
        "127.0.0.1/evil.example",
        "127.0.0.1:80:90",
        "localhost\x1b",
    ],
)
def test_other_names_are_refused(host: str) -> None:
    reply = ask(Access(), host=host)
    assert (reply.status_code, problem(reply)) == (421, "foreign-host")


@given(st.text(st.characters(codec="ascii", exclude_characters="\r\n"), max_size=30))
def test_no_strange_host_gets_in(host: str) -> None:
    name = host.strip().lower()
    if Access().knows(name):
        assert name == "localhost" or name.startswith("127.") or ":" in name


def test_a_public_server_is_known_by_its_addresses_and_names_only() -> None:
    access = Access("0.0.0.0", ("boxsel.example",), TOKEN)
    bearer = f"Bearer {TOKEN}"
    for host in ("10.0.0.1:80", "boxsel.example", "BOXSEL.example:8080", "localhost"):
        assert ask(access, host=host, authorization=bearer).status_code == 200
    assert problem(ask(access, host="evil.example", authorization=bearer)) == "foreign-host"


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "http://127.0.0.1:3000", "", "http://["]
)
def test_pages_of_other_sites_are_refused(origin: str) -> None:
    reply = ask(Access(), "POST", origin=origin)
    assert (reply.status_code, problem(reply)) == (403, "foreign-origin")


def test_pages_of_this_server_are_not() -> None:
    assert ask(Access(), "POST", origin="http://127.0.0.1:8080").status_code == 200
    assert ask(Access(), "POST", sec_fetch_site="same-origin").status_code == 200
    link = {"sec_fetch_site": "cross-site", "sec_fetch_mode": "navigate"}
    assert ask(Access(), "GET", **link, sec_fetch_dest="document").status_code == 200
    assert problem(ask(Access(), "POST", sec_fetch_site="cross-site")) == "foreign-origin"


def test_a_token_is_needed() -> None:
    access = Access(token=TOKEN)
    reply = ask(access)
    assert (reply.status_code, problem(reply)) == (401, "unauthorized")
    assert reply.headers["www-authenticate"] == "Bearer"
    for wrong in (f"Bearer {TOKEN}x", "Bearer ", TOKEN, f"Basic {TOKEN}"):
        assert ask(access, authorization=wrong).status_code == 401
    assert ask(access, authorization=f"bearer {TOKEN}").status_code == 200
    assert ask(access, cookie="boxsel=nonsense; a=b").status_code == 401
    assert ask(access, path="/?token=wrong").status_code == 401
    assert ask(access, "POST", f"/?token={TOKEN}").status_code == 401


def test_a_token_in_the_address_becomes_a_cookie() -> None:
    access = Access(token=TOKEN)
    reply = ask(access, path=f"/?kb=a%26b&token={TOKEN}")
    assert (reply.status_code, reply.headers["location"]) == (303, "/?kb=a%26b")
    cookie = reply.headers["set-cookie"]
    assert TOKEN not in cookie
    assert "HttpOnly" in cookie
    assert "samesite=lax" in cookie.lower()
    again = ask(access, path="/?kb=1", cookie=cookie.partition(";")[0])
    assert again.text == "hello kb=1"
    assert (
        ask(access, path=f"http://127.0.0.1//evil.example/?token={TOKEN}").headers["location"]
        == "/evil.example/"
    )


def test_the_token_leaves_the_address_where_the_cookie_is_known_already() -> None:
    access = Access(token=TOKEN)
    cookie = {"cookie": f"boxsel={access.cookie}"}
    reply = ask(access, path=f"/?token={TOKEN}&kb=1", **cookie)
    assert (reply.status_code, reply.headers["location"]) == (303, "/?kb=1")
    assert ask(access, path="/?token=wrong", **cookie).status_code == 401


def test_a_browser_is_told_on_a_page() -> None:
    page = ask(Access(token=TOKEN), accept="text/html,*/*")
    assert (page.status_code, page.headers["www-authenticate"]) == (401, "Bearer")
    assert page.headers["content-type"].startswith("text/html")
    assert "name='token'" in page.text
    assert "token=" not in ask(Access(), host="evil.example", accept="text/html").text


@pytest.mark.parametrize("dest", ["image", "script", "iframe", "empty"])
@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_other_sites_can_link_here_and_nothing_else(dest: str, site: str) -> None:
    mode = "navigate" if dest == "iframe" else "no-cors"
    fetch = {"sec_fetch_site": site, "sec_fetch_mode": mode, "sec_fetch_dest": dest}
    assert problem(ask(Access(), "GET", **fetch)) == "foreign-origin"
    assert ask(Access(), **{**fetch, "sec_fetch_site": "same-origin"}).status_code == 200


def connected(access: Access, **headers: str) -> list[str]:
    """What a socket is told when it connects."""
    sent: list[str] = []
    scope = {
        "type": "websocket",
        "path": "/socket",
        "query_string": b"",
        "subprotocols": [],
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
    }

    async def receive() -> dict[str, Any]:
        return {"type": "websocket.connect"}

    async def send(message: Any) -> None:
        sent.append(message["type"])

    asyncio.run(guarded(access)(scope, receive, send))
    return sent


def test_sockets_are_guarded_too() -> None:
    ours = {"host": "127.0.0.1:80", "origin": "http://127.0.0.1:80"}
    assert "websocket.accept" in connected(Access(), **ours)
    assert connected(Access(), host="127.0.0.1", origin="http://evil.example") == [CLOSED]
    assert connected(Access(), host="evil.example") == [CLOSED]
    assert connected(Access(token=TOKEN), **ours) == [CLOSED]


def test_every_response_has_the_headers() -> None:
    for reply in (ask(Access()), ask(Access(), host="evil.example"), ask(Access(), path="/api/v1")):
        assert reply.headers["x-content-type-options"] == "nosniff"
        assert reply.headers["referrer-policy"] == "no-referrer"
        assert "frame-ancestors 'none'" in reply.headers["content-security-policy"]
        assert "http" not in reply.headers["content-security-policy"]
    assert ask(Access(), path="/api/v1").headers["cache-control"] == "no-store"


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.5", "example.org"])
def test_listening_to_others_needs_a_token(host: str) -> None:
    with pytest.raises(BoxselError, match="give a token"):
        Access(host)
    assert TOKEN not in repr(Access(host, token=TOKEN))


@pytest.mark.parametrize("token", ["", "short", "x" * 20 + "\n", "ü" * 20])
def test_weak_tokens_are_refused(token: str) -> None:
    with pytest.raises(BoxselError, match="a token has"):
        Access(token=token)
