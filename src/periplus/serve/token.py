"""`Token`: the word that lets a visitor in, where a server has one.

Programs send it as `Authorization: Bearer …`. People open any address with `?token=…` once, or type it into the page
that refuses them; a cookie remembers its digest, and the address that stays in the browser is without it. The style
sheet and `/health` need no token: neither tells anything about the collection.
"""

from __future__ import annotations

import hashlib
import hmac
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qsl, quote, urlencode

from starlette.types import Scope

from periplus.errors import UsageError

SHORTEST = 16
COOKIE = "periplus"
OPEN_PATHS = ("/health", "/static/style.css", "/favicon.ico", "/robots.txt")


class Token:
    """A token, and who has shown it."""

    def __init__(self, word: str) -> None:
        if len(word) < SHORTEST or not (word.isascii() and word.isprintable()) or " " in word:
            raise UsageError(f"a token is at least {SHORTEST} plain characters without spaces: `openssl rand -hex 16`")
        self._word = word.encode()
        self._digest = hashlib.sha256(b"periplus cookie " + self._word).hexdigest()

    def admits(self, scope: Scope) -> bool:
        """Whether this request may be answered."""
        if scope["path"] in OPEN_PATHS:
            return True
        headers = dict(scope["headers"])
        kind, _, word = headers.get(b"authorization", b"").partition(b" ")
        if kind.lower() == b"bearer" and hmac.compare_digest(word.strip(), self._word):
            return True
        return hmac.compare_digest(_cookie(headers.get(b"cookie", b"")).encode(), self._digest.encode())

    def entrance(self, scope: Scope) -> dict[str, str] | None:
        """The headers that send a visitor on who shows the token in the address; None where it is not there."""
        given = parse_qsl(scope.get("query_string", b"").decode("latin-1"), keep_blank_values=True, encoding="latin-1")
        shown = dict(given).get("token", "")
        if not hmac.compare_digest(shown.encode(), self._word):
            return None
        rest = urlencode([(name, value) for name, value in given if name != "token"], encoding="latin-1")
        path = "/" + quote(scope["path"].lstrip("/\\"), safe="/:@")  # "//elsewhere" would be another host
        cookie = f"{COOKIE}={self._digest}; Path=/; HttpOnly; SameSite=Strict; Max-Age=31536000"
        return {"location": path + ("?" + rest if rest else ""), "set-cookie": cookie}


def _cookie(header: bytes) -> str:
    try:
        found = SimpleCookie(header.decode("latin-1")).get(COOKIE)
    except CookieError:
        return ""
    return found.value if found is not None else ""
