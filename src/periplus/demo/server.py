"""The demonstration web over real HTTP/1.1 on loopback, one port for all hosts, answered by the Host header."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass

from aiohttp import web

from periplus.demo.web import DemoWeb
from periplus.errors import NetworkError

LOOPBACK = "127.0.0.1"


@dataclass(frozen=True, slots=True)
class RunningDemo:
    """A demonstration web that is being served."""

    web: DemoWeb
    port: int


@asynccontextmanager
async def serve_demo(demo: DemoWeb, port: int = 0) -> AsyncIterator[int]:
    """Serve until the context ends; returns the port (a free one where 0 is asked for)."""

    async def answer(request: web.BaseRequest) -> web.StreamResponse:
        status, headers, body = demo.response(request.headers.get("Host", ""), request.raw_path)
        return web.Response(status=status, headers=headers, body=body)

    runner = web.ServerRunner(web.Server(answer, access_log=None), handle_signals=False, shutdown_timeout=0.1)
    await runner.setup()
    try:
        site = web.TCPSite(runner, LOOPBACK, port)
        try:
            await site.start()
        except OSError as error:
            raise NetworkError(
                f"{LOOPBACK}:{port} cannot be listened on ({error.strerror}); choose another port"
            ) from error
        yield int(runner.addresses[0][1])
    finally:
        await runner.cleanup()


@contextmanager
def running_demo(demo: DemoWeb | None = None, port: int = 0) -> Iterator[RunningDemo]:
    """Serve from a thread of its own, for callers that are not asynchronous."""
    demo = demo or DemoWeb()
    ready, stop = threading.Event(), threading.Event()
    state: dict[str, int | BaseException] = {}

    async def serve() -> None:
        try:
            async with serve_demo(demo, port) as bound:
                state["port"] = bound
                ready.set()
                await asyncio.to_thread(stop.wait)
        except BaseException as error:
            state["error"] = error
            ready.set()

    thread = threading.Thread(target=lambda: asyncio.run(serve()), name="demonstration web", daemon=True)
    thread.start()
    ready.wait()
    if isinstance(failure := state.get("error"), BaseException):
        raise failure
    try:
        yield RunningDemo(demo, int(state["port"]))  # type: ignore[arg-type]
    finally:
        stop.set()
        thread.join(timeout=5)
