"""What the application keeps between requests: the opened collection, and what was computed from it once."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar, cast

from fastapi import FastAPI
from starlette.requests import Request

from periplus.library.library import Library

_LOG = logging.getLogger("periplus.serve")

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Opened:
    """A state of the collection, and what was computed from it."""

    library: Library
    kept: dict[str, Any] = field(default_factory=dict)

    def once(self, name: str, make: Callable[[Library], T]) -> T:
        """What `make` returns for this collection; made for the first who asks, then kept under `name`."""
        with _making:
            if name not in self.kept:
                self.kept[name] = make(self.library)
            return cast(T, self.kept[name])


_making = threading.Lock()


def opened_of(request: Request) -> Opened:
    """What this server shows; the same for a whole request, even if a build ends meanwhile."""
    if not hasattr(request.state, "opened"):
        request.state.opened = request.app.state.opened
    return cast(Opened, request.state.opened)


def library_of(request: Request) -> Library:
    """The collection that this server shows."""
    return opened_of(request).library


def once(request: Request, name: str, make: Callable[[Library], T]) -> T:
    """What `make` returns for the served collection; made by the first who asks, then kept under `name`."""
    return opened_of(request).once(name, make)


def was_made(request: Request, name: str) -> bool:
    """Whether somebody has asked for it by `once` already."""
    return name in opened_of(request).kept


class Background(Generic[T]):
    """Something that takes long, made once in a thread of its own."""

    def __init__(self, name: str, make: Callable[[], T]) -> None:
        self._make = make
        self._done = threading.Event()
        self._made: T | None = None
        self._error: Exception | None = None
        threading.Thread(target=self._run, name=f"periplus-{name}", daemon=True).start()

    def _run(self) -> None:
        try:
            self._made = self._make()
        except Exception as error:  # shown to every visitor by `result`
            self._error = error
        finally:
            self._done.set()

    def result(self, patience: float) -> T | None:
        """What was made, or None where it is not there within `patience` seconds."""
        self._done.wait(patience)
        if self._error is not None:
            raise self._error
        return self._made


def follow(
    app: FastAPI, *, every: float = 1.0, stopped: threading.Event, warm: Callable[[Opened], None] = lambda opened: None
) -> threading.Thread:
    """Show the newest state of the collection: a thread looks for a build that has ended, and opens it.

    The new state is opened completely, and warmed, before it replaces the old one; requests under way keep reading the
    old one. A state that cannot be opened is logged and skipped until the next build.
    """

    def watch() -> None:
        seen = app.state.opened.library.collection.state
        while not stopped.wait(every):
            library = app.state.opened.library
            if (state := library.collection.state) != seen:
                seen = state
                try:
                    opened = Opened(library.reopened())
                    warm(opened)
                    app.state.opened = opened
                except Exception as error:  # whatever a build left there, the next one may be whole
                    _LOG.warning("the last build is not shown: %s", error)

    thread = threading.Thread(target=watch, name="periplus-follow", daemon=True)
    thread.start()
    return thread
