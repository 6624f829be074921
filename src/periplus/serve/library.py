"""What the pages need of an opened collection; `periplus.pipeline.Library` is one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, cast

from starlette.requests import Request

from periplus.graph.graph import Graph
from periplus.numeric.arrays import AnyArray
from periplus.record import Scores
from periplus.search.searcher import Searcher


class Library(Protocol):
    """A built collection opened for reading."""

    @property
    def collection(self) -> Any: ...

    @property
    def graph(self) -> Graph: ...

    @property
    def searcher(self) -> Searcher: ...

    @property
    def scores(self) -> Mapping[str, Scores]: ...

    @property
    def regions(self) -> AnyArray | None: ...

    @property
    def counts(self) -> Mapping[str, Any]: ...

    def anchors_of(self, page: int, /) -> Sequence[tuple[int, str]]: ...

    def stored_text(self, url: str, /) -> str | None: ...

    def entry(self, url: str, /) -> Any: ...


def library_of(request: Request) -> Library:
    """The collection that this server shows."""
    return cast(Library, request.app.state.library)
