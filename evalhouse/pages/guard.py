"""Who may ask a server what: only a browser that the user sent there, and never another site.

A page of another site can send the user's browser here (cross-site requests), or let its own name mean
this machine (DNS rebinding). So the name in Host has to be one of ours, what another site asks for is
refused unless it is a page to look at, and what changes something wants our own Origin and the page's
token. On another address than this machine's own, a secret is wanted too, which becomes a cookie.
"""

from __future__ import annotations

from dataclasses import dataclass
from hmac import compare_digest
from http.cookies import CookieError, SimpleCookie
from ipaddress import ip_address
from urllib.parse import parse_qsl, urlencode

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

COOKIE = "evalhouse"
POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)
# Under no-referrer a browser says "null" for the Origin of a form that it posts.
_HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


@dataclass(frozen=True)
class Door:
    """Where a server listens.

    Attributes:
        host: an address or name.
        port: the port.
        secret: what a browser has to show once; None: nothing, as on this machine's own address.
    """

    host: str
    port: int
    secret: str | None = None

    @property
    def names(self) -> frozenset[str] | None:
        """What Host may say; None: anything, as it listens on every address, behind the secret."""
        host = self.host.strip("[]").lower()
        if host in ("0.0.0.0", "::"):
            return None
        own = {f"[{host}]" if ":" in host else host}
        if is_own(host):
            own |= {"127.0.0.1", "localhost", "[::1]"}
        return frozenset(
            {f"{name}:{self.port}" for name in own} | (own if self.port == 80 else set())
        )

    @property
    def address(self) -> str:
        """What to open in a browser."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        behind = "" if self.secret is None else f"?{urlencode({'token': self.secret})}"
        return f"http://{host}:{self.port}/{behind}"


def is_own(host: str) -> bool:
    """Whether nobody but this machine can reach an address."""
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"


@dataclass(frozen=True)
class Guard:
    """Lets requests through to `app` that may be answered, and adds headers to what it says."""

    app: ASGIApp
    door: Door

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                there = {name.lower() for name, _ in message["headers"]}
                message["headers"] = [
                    *message["headers"],
                    *(
                        (name.encode(), value.encode())
                        for name, value in _HEADERS.items()
                        if name.encode() not in there
                    ),
                ]
            await send(message)

        refused = self._refused(scope)
        await (self.app if refused is None else refused)(scope, receive, with_headers)

    def _refused(self, scope: Scope) -> Response | None:
        headers = Headers(scope=scope)
        host = headers.get("host", "").lower()
        names = self.door.names
        if names is not None and host not in names:
            return _no("this server does not answer to that name (Host)")
        if scope["method"] not in ("GET", "HEAD", "POST"):
            return _no("only GET and POST are answered", 405)
        site = headers.get("sec-fetch-site", "none")
        if scope["method"] == "POST":
            if headers.get("origin") != f"http://{host}" or site in ("cross-site", "same-site"):
                return _no("this comes from another site (Origin)")
        elif site in ("cross-site", "same-site") and headers.get("sec-fetch-mode") != "navigate":
            return _no("this comes from another site (Sec-Fetch-Site)")
        return self._unknown(scope, headers)

    def _unknown(self, scope: Scope, headers: Headers) -> Response | None:
        """Refuse who does not know the secret; who says it gets a cookie, and an address without it."""
        secret = self.door.secret
        if secret is None or _is(_cookie(headers), secret):
            return None
        said = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        if any(name == "token" and _is(value, secret) for name, value in said):
            rest = urlencode([pair for pair in said if pair[0] != "token"])
            path = "/" + scope["path"].lstrip("/")
            answer = RedirectResponse(f"{path}?{rest}" if rest else path, status_code=303)
            answer.set_cookie(COOKIE, secret, httponly=True, samesite="strict")
            return answer
        return _no("the address wants the token that `evalhouse serve` printed", 401)


def may_run(headers: Headers) -> bool:
    """Whether a query in an address may run: not where a link of another site brought it."""
    return headers.get("sec-fetch-site", "none") in ("none", "same-origin")


def _cookie(headers: Headers) -> str:
    try:
        found = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
    except CookieError:
        return ""
    return "" if found is None else found.value


def _is(said: str, secret: str) -> bool:
    return compare_digest(said.encode(), secret.encode())


def _no(why: str, status: int = 403) -> Response:
    return PlainTextResponse(f"{why}\n", status_code=status)
