"""Ask an ASGI application without a socket: the request goes in as it is spelt, the answer comes out whole."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote_to_bytes, urlencode

from starlette.types import ASGIApp


@dataclass(frozen=True)
class Answer:
    """Status, headers and body of one answer."""

    status: int
    header_lines: tuple[tuple[str, str], ...]
    content: bytes

    @property
    def headers(self) -> dict[str, str]:
        return dict(self.header_lines)

    @property
    def text(self) -> str:
        return self.content.decode("utf-8")

    def json(self) -> Any:
        return json.loads(self.content)


class Client:
    """Asks one application; by default under the name 127.0.0.1."""

    def __init__(self, app: ASGIApp, *, host: str = "127.0.0.1") -> None:
        self._app, self._host = app, host

    def get(self, target: str, params: Mapping[str, str] | None = None, **options: Any) -> Answer:
        return self.ask("GET", target + ("?" + urlencode(params) if params else ""), **options)

    def ask(
        self, method: str, target: str, *, headers: Mapping[str, str] | None = None, host: str | None = None
    ) -> Answer:
        path, _, query = target.partition("?")
        lines = {"host": self._host if host is None else host, **(headers or {})}
        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": unquote_to_bytes(path).decode("utf-8", "replace"),
            "raw_path": path.encode(),
            "query_string": query.encode(),
            "root_path": "",
            "headers": [(name.encode(), value.encode("latin-1")) for name, value in lines.items()],
            "client": ("127.0.0.1", 50000),
            "server": ("127.0.0.1", 80),
        }
        return asyncio.run(self._run(scope))

    async def _run(self, scope: dict[str, Any]) -> Answer:
        told: list[dict[str, Any]] = []

        asked: list[None] = []

        async def receive() -> dict[str, Any]:
            if asked:  # the visitor stays until the answer is there
                await asyncio.Event().wait()
            asked.append(None)
            return {"type": "http.request", "body": b"", "more_body": False}

        async def send(message: Any) -> None:
            told.append(dict(message))

        try:
            await self._app(scope, receive, send)
        except Exception:
            if not told:  # an application that answered before it failed has said what it had to say
                raise
        start = next(message for message in told if message["type"] == "http.response.start")
        lines = tuple((name.decode(), value.decode()) for name, value in start["headers"])
        return Answer(start["status"], lines, b"".join(message.get("body", b"") for message in told))
