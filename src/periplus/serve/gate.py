"""The gate in front of every page: what may come in, and the headers that go out with every answer.

In: GET and HEAD only, for a host name on the list (a page elsewhere cannot reach us by pointing its own name here),
with an address of at most `MAX_TARGET` bytes, each parameter once, no body, the token where the server has one, and at
most `rate` requests per second from one address. Out: the content security policy and its companions, on every answer
without exception, so that text from the crawled web can neither run, nor load, nor be framed. A stored page
comes under a policy of its own, which begins with `sandbox` and allows less, but for being framed by us.
"""

from __future__ import annotations

import json
import logging
import time
from collections import OrderedDict
from collections.abc import Collection, Iterable
from html import escape
from urllib.parse import parse_qsl

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from periplus.serve.token import Token

CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; "
    "form-action 'self'; frame-src 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'"
)
HEADERS = {
    "content-security-policy": CONTENT_SECURITY_POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
MAX_TARGET = 8192
MAX_HEADERS = 100
MAX_HEADER_BYTES = 32 * 1024
RATE = 300.0
BURST = 600.0
_REMEMBERED = 4096
_PLAIN = (
    '<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>{status}</title>'
    '<link rel="stylesheet" href="/static/style.css"><main class="hero"><h1>{status}</h1><p>{message}</p>{more}</main>'
    "</html>"
)
_ASK_TOKEN = (
    '<form class="box" method="get"><input type="password" name="token" aria-label="Token" autocomplete="off" required '
    'autofocus><button type="submit">Enter</button></form>'
)

_LOG = logging.getLogger("periplus.serve")

Refusal = tuple[int, str, str]


class Bucket:
    """One token bucket per address; addresses not seen for longest are forgotten, so memory stays bounded."""

    def __init__(self, rate: float, burst: float) -> None:
        self._rate, self._burst = rate, burst
        self._levels: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def allows(self, address: str, now: float) -> bool:
        """Take one token if there is one."""
        level, then = self._levels.pop(address, (self._burst, now))
        level = min(self._burst, level + (now - then) * self._rate)
        self._levels[address] = (level - 1.0 if level >= 1.0 else level, now)
        if len(self._levels) > _REMEMBERED:
            self._levels.popitem(last=False)
        return level >= 1.0


class Gate:
    """ASGI middleware; see the module docstring."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        hosts: Collection[str],
        rate: float = RATE,
        burst: float = BURST,
        token: Token | None = None,
    ) -> None:
        self._app = app
        self._token = token
        self._hosts = frozenset(host.lower() for host in hosts)
        self._bucket = Bucket(rate, burst)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return
        is_head = scope["method"] == "HEAD"
        started: list[Message] = []

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                started.append(message)
                given = list(message.get("headers", []))
                stricter = any(
                    name == b"content-security-policy" and value.startswith(b"sandbox") for name, value in given
                )
                own = (pair for pair in HEADERS.items() if not (stricter and pair[0] == "content-security-policy"))
                message["headers"] = [*given, *_encoded(own)]
            elif message["type"] == "http.response.body" and is_head:
                message = {**message, "body": b""}
            await send(message)

        refusal = self._refusal(scope)
        if refusal is not None:
            await _refuse(scope, guarded, refusal)
            return
        if self._token is not None and not self._token.admits(scope):
            await _ask_for(self._token, scope, guarded)
            return
        try:
            await self._app({**scope, "method": "GET"}, receive, guarded)
        except Exception:
            _LOG.exception("%s failed", scope["path"])
            if not started:
                await _refuse(scope, guarded, (500, "error", "something broke here: the server's log says what"))

    def _refusal(self, scope: Scope) -> Refusal | None:
        if scope["method"] not in ("GET", "HEAD"):
            return 405, "method", "only GET and HEAD are answered here"
        names = [name for name, _ in scope["headers"]]
        if (
            len(names) > MAX_HEADERS
            or sum(len(name) + len(value) for name, value in scope["headers"]) > MAX_HEADER_BYTES
        ):
            return 431, "headers", f"more than {MAX_HEADERS} header lines or {MAX_HEADER_BYTES:,} bytes of them"
        if b"transfer-encoding" in names or dict(scope["headers"]).get(b"content-length", b"0") != b"0":
            return 400, "body", "a request here has no body"
        if not self._known_host(scope):
            return 400, "host", f"this server answers to {', '.join(sorted(self._hosts))} only"
        query: bytes = scope.get("query_string", b"")
        if len(scope.get("raw_path") or b"") + len(query) > MAX_TARGET:
            return 414, "address", f"the address is longer than {MAX_TARGET:,} bytes"
        if _repeated(query):
            return 400, "parameter", "a parameter stands twice in the address: give each once"
        client = scope.get("client")
        if not self._bucket.allows(client[0] if client else "", time.monotonic()):
            return 429, "rate", "too many requests: wait a second"
        return None

    def _known_host(self, scope: Scope) -> bool:
        given = [value for name, value in scope["headers"] if name == b"host"]
        if len(given) != 1:
            return False
        host = given[0].decode("latin-1").lower()
        name, colon, port = host.rpartition(":")
        if not colon or port.endswith("]"):
            name = host
        elif not port.isdecimal():
            return False
        return name in self._hosts


def _repeated(query: bytes) -> bool:
    names = [name for name, _ in parse_qsl(query.decode("latin-1"), keep_blank_values=True)]
    return len(names) != len(set(names))


def _encoded(headers: Iterable[tuple[str, str]]) -> list[tuple[bytes, bytes]]:
    return [(name.encode(), value.encode()) for name, value in headers]


async def _ask_for(token: Token, scope: Scope, send: Send) -> None:
    """Let in who shows the token in the address; ask everybody else for it."""
    entrance = token.entrance(scope)
    if entrance is None:
        await _refuse(scope, send, (401, "token", "this server asks for its token"))
        return
    await send({"type": "http.response.start", "status": 303, "headers": _encoded(entrance.items())})
    await send({"type": "http.response.body", "body": b""})


async def _refuse(scope: Scope, send: Send, refusal: Refusal) -> None:
    status, slug, message = refusal
    if scope["path"].startswith("/api/"):
        kind, body = "application/json", json.dumps({"error": slug, "message": message})
    else:
        more = _ASK_TOKEN if status == 401 else ""
        kind, body = "text/html; charset=utf-8", _PLAIN.format(status=status, message=escape(message), more=more)
    headers = {"content-type": kind, "content-length": str(len(body.encode()))}
    if status == 405:
        headers["allow"] = "GET, HEAD"
    elif status == 401:
        headers["www-authenticate"] = 'Bearer realm="periplus"'
    elif status == 429:
        headers["retry-after"] = "1"
    await send({"type": "http.response.start", "status": status, "headers": _encoded(headers.items())})
    await send({"type": "http.response.body", "body": body.encode()})
