"""A raw-socket web server for tests: virtual hosts by name, any bytes as an answer, and a log that is the oracle.

No HTTP framework, because it must be able to send broken bytes. It runs in a thread of its own.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

Writer = asyncio.StreamWriter


@dataclass
class Asked:
    """One request as the server saw it."""

    host: str
    path: str
    headers: dict[str, str]
    at: float
    sent: int = 0


Site = Callable[[Asked, Writer], Awaitable[None]]


@dataclass
class WebServer:
    """`with WebServer({"a.test": site}) as server:` serves on `server.port`, whatever the port in the URL."""

    sites: dict[str, Site]
    asked: list[Asked] = field(default_factory=list)
    port: int = 0
    canary_port: int = 0
    canary_hits: int = 0

    def __enter__(self) -> WebServer:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self.port = asyncio.run_coroutine_threadsafe(self._start(), self._loop).result(10)
        return self

    def __exit__(self, *_: object) -> None:
        asyncio.run_coroutine_threadsafe(self._stop(), self._loop).result(10)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
        self._loop.close()

    async def _start(self) -> int:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0, limit=1 << 20, backlog=1024)
        self._canary = await asyncio.start_server(self._canary_hit, "127.0.0.1", 0)
        self.canary_port = self._canary.sockets[0].getsockname()[1]
        return int(self._server.sockets[0].getsockname()[1])

    async def _stop(self) -> None:
        self._server.close()
        self._canary.close()
        tasks = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _canary_hit(self, reader: asyncio.StreamReader, writer: Writer) -> None:
        self.canary_hits += 1
        writer.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: Writer) -> None:
        try:
            while not writer.is_closing():
                head = await reader.readuntil(b"\r\n\r\n")
                lines = head.decode("latin-1").split("\r\n")
                headers = dict(line.split(": ", 1) for line in lines[1:] if ": " in line)
                host = headers.get("Host", "").partition(":")[0]
                asked = Asked(host, lines[0].split(" ")[1], headers, time.monotonic())
                self.asked.append(asked)
                await self.sites.get(host, not_found)(asked, writer)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError, asyncio.LimitOverrunError):
            pass
        finally:
            writer.close()

    def paths(self, host: str) -> list[str]:
        """What was asked of a host, robots.txt left out."""
        return [asked.path for asked in self.asked if asked.host == host and asked.path != "/robots.txt"]


def response(
    body: bytes | str = b"",
    status: str = "200 OK",
    content_type: str = "text/html; charset=utf-8",
    length: int | None = None,
    **headers: str,
) -> bytes:
    """A well-formed response."""
    data = body.encode() if isinstance(body, str) else body
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(data) if length is None else length}"]
    if content_type:
        lines.append(f"Content-Type: {content_type}")
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return ("\r\n".join(lines) + "\r\n\r\n").encode() + data


async def not_found(asked: Asked, writer: Writer) -> None:
    writer.write(response("no such page", "404 Not Found", "text/plain"))


def site(pages: dict[str, bytes | str]) -> Site:
    """A site of fixed pages; a value that begins with `HTTP/` is sent as it is."""

    async def serve(asked: Asked, writer: Writer) -> None:
        page = pages.get(asked.path)
        if page is None:
            await not_found(asked, writer)
            return
        data = page.encode() if isinstance(page, str) else page
        writer.write(data if data.startswith(b"HTTP/") else response(data))

    return serve


def honest_site(count: int, words: str = "honest") -> dict[str, bytes | str]:
    """A small site whose pages differ and are all reachable from `/`."""
    pages: dict[str, bytes | str] = {}
    for i in range(count):
        near = [j for j in (2 * i + 1, 2 * i + 2, i - 1) if 0 <= j < count]
        links = "".join(f'<a href="/{j or ""}">{words} page {j}</a> ' for j in near)
        pages["/" if i == 0 else f"/{i}"] = (
            f"<!doctype html><title>{words} {i}</title><p>{words} text number {i}</p>{links}"
        )
    return pages


def redirect_site(count: int) -> Site:
    """A front page, and so many redirects to so many pages."""
    pages: dict[str, bytes | str] = {"/": "".join(f"<a href='/r{i}'>{i}</a> " for i in range(count))}
    for i in range(count):
        pages[f"/r{i}"] = response(status="301 Moved Permanently", Location=f"/t{i}")
        pages[f"/t{i}"] = f"<p>target {i}</p>"
    return site(pages)
