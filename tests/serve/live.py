"""A real server in a thread, on a free port of loopback."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn

from periplus.library.library import Library
from periplus.serve.app import create_app
from periplus.serve.run import bind, configuration


@contextmanager
def live_server(library: Library) -> Iterator[int]:
    """The port of a server that answers for as long as the block runs."""
    with bind("127.0.0.1", 0) as listening:
        server = uvicorn.Server(configuration(create_app(library)))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        deadline = time.monotonic() + 10
        while not server.started and time.monotonic() < deadline:
            time.sleep(0.01)
        assert server.started
        try:
            yield listening.getsockname()[1]
        finally:
            server.should_exit = True
            thread.join(timeout=10)
