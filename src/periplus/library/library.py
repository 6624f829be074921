"""`Library`: a built collection opened for reading, for search, server and notebooks.

Everything is memory-mapped or opened when first used.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from periplus.collection import Collection
from periplus.errors import MissingStageError, QueryError
from periplus.focus.base import Web
from periplus.graph.graph import Graph
from periplus.library.memberships import Memberships
from periplus.library.told import Told, told_of
from periplus.library.topics import topics_of
from periplus.numeric.arrays import AnyArray, Ids
from periplus.pages.parsed import read_capture
from periplus.pages.store import Entry, PageStore, store_of
from periplus.pipeline.stages import STAGES, find_stage
from periplus.pipeline.stages.graph import LinkDatabase
from periplus.pipeline.stages.scores import recommending
from periplus.record import PagePositions, Scores
from periplus.search.result import Results
from periplus.search.searcher import Searcher
from periplus.structure.connectivity.bowtie import REGION_NAMES
from periplus.web.html import paragraphs


class Library:
    """A collection with all its derived parts, opened for reading.

    `public` is for showing it to others: pages that ask not to be indexed (noindex) are then never found, and their
    text is not shown.
    """

    def __init__(self, collection: Collection, *, public: bool = False) -> None:
        self.collection = collection
        self.public = public
        self._parts: dict[str, Any] = {}
        self.searcher  # noqa: B018 - a collection without an index is refused now, not at the first query

    def part(self, stage: str) -> Any:
        """What a stage made, opened when first asked for; `MissingStageError` where the stage has not run."""
        if stage not in self._parts:
            self._parts[stage] = find_stage(stage).open(self.collection)
        return self._parts[stage]

    def open_all(self) -> None:
        """Open every part now: what is open can be read even after a later build has removed its files."""
        for stage in STAGES:
            with contextlib.suppress(MissingStageError):
                self.part(stage)

    def reopened(self) -> Library:
        """The newest state of the same collection, every part open."""
        newer = Library(Collection.open(self.collection.path), public=self.public)
        newer.open_all()
        return newer

    @property
    def links(self) -> LinkDatabase:
        """The graph with its anchor texts."""
        found: LinkDatabase = self.part("graph")
        return found

    @property
    def graph(self) -> Graph:
        return self.links.graph

    @property
    def scores(self) -> Mapping[str, Scores]:
        """Every stored ranking by name."""
        found: dict[str, Scores] = self.part("scores")
        return found

    @property
    def regions(self) -> AnyArray | None:
        """The bow-tie region of every page; None before the structure stage has run."""
        try:
            found: AnyArray = self.part("structure")
        except MissingStageError:
            return None
        return found

    @property
    def skies(self) -> Mapping[str, PagePositions]:
        """Every stored sky by name; none before the sky stage has run."""
        try:
            found: dict[str, PagePositions] = self.part("sky")
        except MissingStageError:
            return {}
        return found

    @cached_property
    def recommending(self) -> Graph:
        """The links that do not ask not to be followed."""
        return recommending(self.links)

    @cached_property
    def memberships(self) -> Memberships | None:
        """Which page belongs to which community; None before the communities stage has run."""
        try:
            made = self.part("communities")
        except MissingStageError:
            return None
        return Memberships(made, lambda: self.recommending, self.links.representatives)

    def pages_among(self, kind: str, said: str) -> Ids:
        """The pages that `community:`, `tree:` or `region:` in a query stands for."""
        if kind == "region":
            if self.regions is None:
                raise QueryError(
                    f"region: the shape of this web is not known yet: `periplus build {self.collection.path}` finds it"
                )
            begins = "scc" if said == "core" else said
            wanted = [at for at, name in enumerate(REGION_NAMES) if name.startswith(begins)]
            return np.flatnonzero(np.isin(self.regions, wanted)).astype(np.uint32)
        if self.memberships is None:
            raise QueryError(
                f"{kind}: this collection has no communities yet: `periplus build {self.collection.path}` finds them"
            )
        return self.memberships.pages_among(kind, said)

    @cached_property
    def searcher(self) -> Searcher:
        """The text index joined with the rankings."""
        folder = self.part("index")
        return Searcher(
            folder,
            scores=self.scores,
            urls=self.graph.urls,
            graph=self.graph,
            public=self.public,
            groups=self.pages_among,
            web=lambda: self.web,
        )

    @cached_property
    def web(self) -> Web:
        """What the rankings of a query stand on: the links that recommend, PageRank, the topics of the tree."""
        kept = self.scores.get("pagerank")
        standing = None if kept is None or len(kept.values) != self.graph.nodes else kept.values
        topics = None if self.memberships is None else topics_of(self.memberships.tree)
        return Web(self.recommending, standing, topics)

    @cached_property
    def pages(self) -> PageStore:
        return store_of(self.collection)

    @cached_property
    def told(self) -> list[Told]:
        """What every page says of itself, by page id."""
        return told_of(self.collection, self.graph.urls)

    @property
    def counts(self) -> dict[str, Any]:
        """What the graph stage counted, and when."""
        record = self.collection.stage("graph")
        return {**record.counts, "charted": record.finished} if record else {}

    def anchors_of(self, page: int) -> list[tuple[int, str]]:
        """What other pages call a page or a copy of it: (the page that says it, the text)."""
        copies = self.links.copies(page)
        said = [pair for one in copies for pair in self.links.anchors.of_page(one)]
        return [(source, text) for source, text in said if source not in copies]

    def entry(self, url: str) -> Entry | None:
        """Where the newest capture of a URL is stored."""
        return self.pages.find(url)

    def stored_text(self, url: str) -> str | None:
        """The text of a stored page, an empty line between paragraphs.

        None when the page is not stored, holds no text, or asks the public not to read it.
        """
        entry = self.entry(url)
        if entry is None:
            return None
        page = self.pages.read(entry)
        document = read_capture(entry, page).document
        if document is None or (self.public and document.noindex):
            return None
        return "\n\n".join(paragraphs(page.body, page.content_type))


def open_library(path: str | Path, *, public: bool = False) -> Library:
    """Open a built collection for reading, on one's own machine or for the public."""
    return Library(Collection.open(path), public=public)


def open_searcher(collection: Collection) -> Searcher:
    """The searcher of a built collection."""
    return Library(collection).searcher


def search(target: str | Path, query: str, **options: Any) -> Results:
    """Search a built collection; options as of `Searcher.search`."""
    return open_library(target).searcher.search(query, **options)
