"""The newest capture of every page: its head, when it was fetched, and how every other URL answered.

The graph is that of the last build. Pages stored since are skipped, and so are WARC files that no build has read yet.
Two passes over the parsed segments.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from periplus.collection import Collection
from periplus.pages.parsed import ParsedCapture, ParsedPages
from periplus.pages.store import store_of
from periplus.pipeline.stages.graph import Newest
from periplus.web.page import Document


class LastAnswer(NamedTuple):
    """How a URL answered last: when, with which status, and where it redirects to."""

    fetched: str
    status: int
    redirect: str | None = None


class Told(NamedTuple):
    """What a page says of itself; None is what an earlier version did not keep."""

    title: str = ""
    description: str | None = None
    language: str = ""
    canonical: str | None = None
    noindex: bool = False
    fetched: str = ""
    status: int = 0
    insecure: tuple[str, ...] | None = None


class NewestPages:
    """The newest capture of every page of a graph, and the newest answer of every URL."""

    def __init__(self, collection: Collection, urls: Any) -> None:
        self._parsed = ParsedPages(collection.parsed_dir)
        self._names = [name for name in store_of(collection).warc_names() if self._parsed.segment(name).exists()]
        self.answers: dict[str, LastAnswer] = {}
        self._newest = Newest(self._noted(self._parsed.read(self._names)))
        found = ((page, urls.find(url)) for page, url in enumerate(self._newest.urls))
        self._nodes: Mapping[int, int] = {page: node for page, node in found if node is not None}

    def _noted(self, captures: Iterable[ParsedCapture]) -> Iterator[ParsedCapture]:
        for capture in captures:
            before = self.answers.get(capture.url)
            if before is None or capture.fetched >= before.fetched:
                self.answers[capture.url] = LastAnswer(capture.fetched, capture.status, capture.redirect)
            yield capture

    def documents(self) -> Iterator[tuple[int, ParsedCapture, Document]]:
        """Every page by its id in the graph, in the order of the archive."""
        for page, capture, document in self._newest.documents(self._parsed.read(self._names)):
            if (node := self._nodes.get(page)) is not None:
                yield node, capture, document

    def told(self, capture: ParsedCapture, document: Document) -> Told:
        """What one page says of itself; its status is that of the last answer, which may be a failure."""
        return Told(
            document.title,
            document.description,
            document.language or "",
            document.canonical,
            document.noindex,
            capture.fetched,
            self.answers[capture.url].status,
            document.insecure,
        )


def told_of(collection: Collection, urls: Any) -> list[Told]:
    """What every page of a graph says of itself, by page id."""
    newest, told = NewestPages(collection, urls), [Told()] * len(urls)
    for node, capture, document in newest.documents():
        told[node] = newest.told(capture, document)
    return told
