"""Run the application under uvicorn: one process, one listening socket, strict time limits.

The socket is bound before anything is opened, so a busy port is an error that names it. A connection that has not sent
a whole request within `PATIENCE` seconds is closed: slow clients cost idle sockets for that long, and no worker.
"""

from __future__ import annotations

import errno
import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import uvicorn
from fastapi import FastAPI
from uvicorn.protocols.http.h11_impl import H11Protocol

from periplus.crawl.fetch.guard import is_loopback
from periplus.errors import UsageError
from periplus.library.library import Library
from periplus.serve.app import LOCAL_HOSTS, create_app
from periplus.serve.gate import MAX_HEADER_BYTES
from periplus.serve.map import prepare
from periplus.serve.state import Opened, follow
from periplus.serve.token import Token
from periplus.web.url import site_of

PATIENCE = 15.0
MAX_CONNECTIONS = 1000


class PatientProtocol(H11Protocol):
    """HTTP/1.1 that closes a connection whose first request does not arrive in time."""

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._deadline = self.loop.call_later(PATIENCE, self._give_up)

    def connection_lost(self, exc: Exception | None) -> None:
        self._deadline.cancel()
        super().connection_lost(exc)

    def _give_up(self) -> None:
        if self.cycle is None and not self.transport.is_closing():
            self.transport.close()


def bind(host: str, port: int, *, open_to_others: bool = False) -> socket.socket:
    """A listening socket, or an error that says what to do.

    `open_to_others`: whether the caller means other machines to reach it; otherwise no address but this machine's own.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        if not (open_to_others or is_loopback(listening.getsockname()[0])):
            listening.close()
            raise UsageError(
                f"{host} lets other machines in: set a token with --token or $PERIPLUS_TOKEN, or say --public to show "
                "the collection to everybody who can reach it"
            )
        listening.listen(socket.SOMAXCONN)
    except (OSError, OverflowError) as error:
        listening.close()
        code = getattr(error, "errno", None)
        reason = "is taken by another program" if code == errno.EADDRINUSE else f"cannot be used ({error})"
        raise UsageError(f"{host}:{port} {reason}: choose another with --port, or --port 0 for any free one") from error
    return listening


def configuration(app: FastAPI) -> uvicorn.Config:
    """How uvicorn runs the application."""
    return uvicorn.Config(
        app,
        http=PatientProtocol,
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_keep_alive=10,
        timeout_graceful_shutdown=3,
        limit_concurrency=MAX_CONNECTIONS,
        h11_max_incomplete_event_size=MAX_HEADER_BYTES,
    )


def warm(opened: Opened) -> None:
    """Make now what the first pages would wait for: the in side of the graph, the list of public suffixes, the sky."""
    if opened.library.graph.nodes:
        opened.library.graph.predecessors(0)
    site_of("http://www.example.org/")
    prepare(opened)


def serve(
    library: Library,
    listening: socket.socket,
    *,
    names: tuple[str, ...] = (),
    token: Token | None = None,
    ready: Callable[[], None] | None = None,
) -> None:
    """Answer until Ctrl-C; `names` are further host names to answer to, `ready` is called once it listens."""
    host = str(listening.getsockname()[0])
    own = f"[{host}]" if ":" in host else host
    app = create_app(library, hosts=(*LOCAL_HOSTS, own, *names), token=token)
    server = uvicorn.Server(configuration(app))
    library.open_all()
    warm(app.state.opened)
    stopped = threading.Event()
    follow(app, stopped=stopped, warm=warm)
    if ready is not None:
        ready()
    with suppress(KeyboardInterrupt):  # Ctrl-C is how one stops it, not a failure
        server.run(sockets=[listening])
    stopped.set()
