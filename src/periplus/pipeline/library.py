"""`Library`: a built collection opened for reading, for search, server and notebooks.

Everything is memory-mapped or opened when first used.
"""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Any

from periplus.collection import Collection
from periplus.errors import MissingStageError
from periplus.graph.graph import Graph
from periplus.numeric.arrays import AnyArray
from periplus.pages.parsed import read_capture
from periplus.pages.store import Entry, PageStore, store_of
from periplus.pipeline.links import LinkDatabase
from periplus.record import Scores
from periplus.search.result import Results
from periplus.search.searcher import Searcher


class Library:
    """A collection with all its derived parts, opened for reading.

    `public` is for showing it to others: pages that ask not to be indexed (noindex) are then never found, and their
    text is not shown.
    """

    def __init__(self, collection: Collection, *, public: bool = False) -> None:
        self.collection = collection
        self._public = public
        self.searcher  # noqa: B018 - a collection without an index is refused now, not at the first query

    @cached_property
    def links(self) -> LinkDatabase:
        return LinkDatabase.open(self.collection.current("graph"))

    @property
    def graph(self) -> Graph:
        return self.links.graph

    @cached_property
    def scores(self) -> dict[str, Scores]:
        """Every stored ranking by name."""
        from periplus.pipeline.ranks import load_scores

        return load_scores(self.collection, urls=self.graph.urls)

    @cached_property
    def searcher(self) -> Searcher:
        folder = self.collection.current("index")
        return Searcher(folder, scores=self.scores, urls=self.graph.urls, graph=self.graph, public=self._public)

    @cached_property
    def regions(self) -> AnyArray | None:
        """The bow-tie region of every page; None before the structure stage has run."""
        from periplus.pipeline.shape import load_regions

        try:
            return load_regions(self.collection)
        except MissingStageError:
            return None

    @cached_property
    def pages(self) -> PageStore:
        return store_of(self.collection)

    @property
    def counts(self) -> dict[str, Any]:
        """What the graph stage counted, and when."""
        record = self.collection.stage("graph")
        return {**record.counts, "charted": record.finished} if record else {}

    def anchors_of(self, page: int) -> list[tuple[int, str]]:
        """What others call a page: (the page that says it, the text)."""
        return list(self.links.anchors.of_page(page))

    def entry(self, url: str) -> Entry | None:
        """Where the newest capture of a URL is stored."""
        return self.pages.find(url)

    def stored_text(self, url: str) -> str | None:
        """The words of a stored page; None when it is not stored, holds none, or asks the public not to read them."""
        entry = self.entry(url)
        if entry is None:
            return None
        document = read_capture(entry, self.pages.read(entry)).document
        if document is None or (self._public and document.noindex):
            return None
        return document.text


def open_library(path: str | Path, *, public: bool = False) -> Library:
    """Open a built collection for reading, on one's own machine or for the public."""
    return Library(Collection.open(path), public=public)


def open_searcher(collection: Collection) -> Searcher:
    """The searcher of a built collection."""
    return Library(collection).searcher


def search(target: str | Path, query: str, **options: Any) -> Results:
    """Search a built collection; options as of `Searcher.search`."""
    return open_library(target).searcher.search(query, **options)
