"""What the application keeps between requests: the opened collection, and what was worked out from it once."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar, cast

from starlette.requests import Request

from periplus.library.library import Library

T = TypeVar("T")
_making = threading.Lock()


def library_of(request: Request) -> Library:
    """The collection that this server shows."""
    return cast(Library, request.app.state.library)


def once(request: Request, name: str, make: Callable[[Library], T]) -> T:
    """What `make` returns for the served collection; made by the first who asks, then kept under `name`."""
    kept = request.app.state.kept
    with _making:
        if name not in kept:
            kept[name] = make(library_of(request))
        return cast(T, kept[name])
