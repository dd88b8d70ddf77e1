"""Who may talk to the server: hosts, origins and tokens, checked before anything else.

A page on another site can send requests to this machine: by its address, or by a name of its own
that it lets point here (DNS rebinding). The names in `Host` and `Origin` tell.
"""

from __future__ import annotations

import hmac
import ipaddress
import re
from dataclasses import dataclass, field
from http.cookies import CookieError, SimpleCookie
from typing import Final
from urllib.parse import parse_qsl, urlencode, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from boxsel.errors import BoxselError
from boxsel.serve.http_problems import API, response
from boxsel.serve.problems import ProblemError

SHORTEST_TOKEN: Final = 16
COOKIE: Final = "boxsel"

_ALWAYS: Final = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
_API_POLICY: Final = (
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none';"
    " frame-ancestors 'none'"
)
# The page's framework compiles its templates in the browser, which needs `unsafe-eval`. All that is
# loaded or sent stays with this server.
_PAGE_POLICY: Final = (
    "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval';"
    " style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:;"
    " connect-src 'self'; worker-src 'self' blob:; object-src 'none'; base-uri 'self';"
    " form-action 'self'; frame-ancestors 'none'"
)


# A name or an address with a port, and nothing that some would read in another way (`@`, `#`).
_HOST: Final = re.compile(r"(?:\[([0-9A-Fa-f:.]{2,45})\]|([0-9A-Za-z._-]{1,255}))(?::[0-9]{1,5})?")


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach an address.

    Examples:
        >>> is_loopback("127.0.0.1"), is_loopback("localhost"), is_loopback("0.0.0.0")
        (True, True, False)
    """
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"


@dataclass(frozen=True)
class Access:
    """Where the server listens, by which further names it is known, and the token it asks for.

    Raises:
        BoxselError: Others could reach the server and there is no token, or one that is short.
    """

    host: str = "127.0.0.1"
    names: tuple[str, ...] = ()
    token: str | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        if self.token is None and not is_loopback(self.host):
            raise BoxselError(
                f"other machines can reach {self.host}: give a token of at least"
                f" {SHORTEST_TOKEN} characters that they must know, or listen on 127.0.0.1"
            )
        if self.token is not None and len(self.token) < SHORTEST_TOKEN:
            raise BoxselError(f"a token has at least {SHORTEST_TOKEN} characters")
        if self.token is not None and not (self.token.isascii() and self.token.isprintable()):
            raise BoxselError("a token has printable ASCII characters only")

    def knows(self, name: str) -> bool:
        """Whether a host name means this server; what an address means, nobody can change."""
        if name.lower() in {self.host.lower(), *(one.lower() for one in self.names)}:
            return True
        if is_loopback(self.host):
            return is_loopback(name)
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return is_loopback(name)
        return True

    def accepts(self, token: str) -> bool:
        """Whether a token is the right one."""
        return self.token is None or _same(token, self.token)

    @property
    def cookie(self) -> str:
        """What a browser keeps instead of the token."""
        return hmac.digest((self.token or "").encode(), b"boxsel cookie", "sha256").hex()


class Guard:
    """Refuses what comes from elsewhere or without the token, and adds headers to responses."""

    def __init__(self, app: ASGIApp, access: Access) -> None:
        self._app, self._access = app, access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check a request or a socket, and pass it on."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        refusal = self._refusal(scope)
        if refusal is None:
            await self._app(scope, receive, _with_headers(scope, send))
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008})
        else:
            await refusal(scope, receive, _with_headers(scope, send))

    def _refusal(self, scope: Scope) -> Response | None:
        headers = Headers(scope=scope)
        problem = self._foreign(scope, headers)
        if problem is not None:
            return response(problem, scope)
        if self._access.token is None:
            return None
        given = [value for key, value in _query(scope) if key == "token"]
        if scope["type"] == "http" and scope["method"] == "GET" and given:
            # It leaves the address at once, also where the browser has the cookie already.
            if self._access.accepts(given[-1]):
                return self._welcome(scope)
            return response(ProblemError("unauthorized", "the token is not the right one"), scope)
        if self._identified(headers):
            return None
        said = "this server asks for its token: send it as Authorization: Bearer …"
        problem = ProblemError("unauthorized", f"{said}, or open /?token=… in a browser once")
        return response(problem, scope)

    def _foreign(self, scope: Scope, headers: Headers) -> ProblemError | None:
        hosts = headers.getlist("host")
        if len(hosts) != 1 or not self._access.knows(_hostname(hosts[0])):
            shown = hosts[0][:100] if hosts else ""
            return ProblemError(
                "foreign-host",
                f"this server does not go by the name {shown!r}: use the address that it printed"
                " when it started, or start it with that name",
            )
        origin = headers.get("origin")
        if origin is not None and _place(origin).lower() != hosts[0].lower():
            return ProblemError(
                "foreign-origin", f"pages of {origin[:100]} may not use this server"
            )
        if headers.get("sec-fetch-site") in ("cross-site", "same-site") and not _follows_link(
            scope, headers
        ):
            return ProblemError("foreign-origin", "pages of other sites may not use this server")
        return None

    def _identified(self, headers: Headers) -> bool:
        kind, _, token = headers.get("authorization", "").partition(" ")
        if kind.lower() == "bearer" and self._access.accepts(token.strip()):
            return True
        try:
            cookie = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
        except CookieError:
            return False
        return cookie is not None and _same(cookie.value, self._access.cookie)

    def _welcome(self, scope: Scope) -> Response:
        """Keep the token as a cookie, and take it out of the address."""
        rest = urlencode([(key, value) for key, value in _query(scope) if key != "token"])
        path = "/" + scope["path"].lstrip("/\\")  # never another host: //elsewhere
        answer = RedirectResponse(f"{path}?{rest}" if rest else path, 303)
        answer.set_cookie(COOKIE, self._access.cookie, httponly=True, samesite="lax", path="/")
        return answer


def _with_headers(scope: Scope, send: Send) -> Send:
    api = scope["path"].startswith(API)

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in _ALWAYS.items():
                headers.setdefault(name, value)
            headers.setdefault("Content-Security-Policy", _API_POLICY if api else _PAGE_POLICY)
            if api:
                headers.setdefault("Cache-Control", "no-store")
        await send(message)

    return sending


def _query(scope: Scope) -> list[tuple[str, str]]:
    return parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)


def _place(origin: str) -> str:
    """The host and port in an `Origin` header; empty if it is none."""
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return ""


def _hostname(host: str) -> str:
    """The name in a `Host` header, without its port; empty if it is none."""
    found = _HOST.fullmatch(host)
    return "" if found is None else (found[1] or found[2]).lower()


def _follows_link(scope: Scope, headers: Headers) -> bool:
    """Whether somebody follows a link here: all that a page elsewhere may offer.

    A picture, a script or a frame with an address of this server is none of its business.
    """
    return (
        scope["type"] == "http"
        and scope["method"] in ("GET", "HEAD")
        and headers.get("sec-fetch-mode") == "navigate"
        and headers.get("sec-fetch-dest") in ("document", None)
    )


def _same(one: str, other: str) -> bool:
    """Compared in constant time, so that time tells nothing."""
    return hmac.compare_digest(one.encode(), other.encode())
