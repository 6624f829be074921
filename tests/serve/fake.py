"""A small opened collection in memory, as `periplus.library.Library` would give it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from periplus.communities import knowledge, tree
from periplus.errors import MissingStageError
from periplus.focus import Web
from periplus.graph.anchors import Anchors
from periplus.graph.graph import Graph
from periplus.graph.urls.table import UrlTable
from periplus.index import IndexDocument, build_index
from periplus.index.schema import calls_of
from periplus.library.memberships import Memberships
from periplus.library.told import Told
from periplus.library.topics import topics_of
from periplus.pages.store import store_of
from periplus.pipeline.stages.communities import Communities
from periplus.pipeline.stages.graph import LinkDatabase
from periplus.rank.methods.terms import Terms, term_matrix
from periplus.record import PagePositions, Scores
from periplus.search import Searcher
from periplus.web.url import host_of, site_of, sort_key


@dataclass(frozen=True)
class FakePage:
    """A page: where it is, what it says, and its links as (URL, text)."""

    url: str
    title: str = ""
    body: str = ""
    headings: str = ""
    links: Sequence[tuple[str, str]] = ()


def sky_over(graph: Graph, *, filmed: int = 100_000, moments: int = 4, seed: int = 7) -> PagePositions:
    """A sky as the stage keeps it: places at random, masses by in-links, a formation out of one point."""
    random = np.random.default_rng(seed)
    places = random.normal(size=(graph.nodes, 3)).astype(np.float32)
    masses = (graph.in_degrees + 1.0) / (graph.in_degrees + 1.0).mean()
    order = np.lexsort((np.arange(graph.nodes), -masses)).astype(np.uint32)
    shares = np.linspace(0.1, 1.0, moments)[:, None, None]
    past = shares * places[order[:filmed]]
    reach = [float(np.abs(one).max()) for one in past]
    frames = np.rint(past / np.array(reach)[:, None, None] * 32767).astype(np.int16)
    extra: dict[str, Any] = {"masses": masses.astype(np.float32), "order": order, "frames": frames, "reach": reach}
    extra["frame_steps"] = [10 * moment for moment in range(moments)]
    return PagePositions("gravity", places, extra=extra, urls=graph.urls)


def _not_built(stage: str) -> Path:
    raise MissingStageError(f"no {stage} here")


class FakeLibrary:
    """Pages → graph, scores, index, with nothing in between."""

    def __init__(
        self, pages: Sequence[FakePage], folder: Path, *, name: str = "A small web", communities: bool = True
    ) -> None:
        self.collection = SimpleNamespace(
            settings=SimpleNamespace(name=name, seeds=()),
            path=folder,
            state=(0, 0),
            stages=dict,
            finished_since=tuple,
            stage=lambda name: None,
            **dict.fromkeys(("pages_dir", "parsed_dir", "cdx_path", "crawl_log_path"), folder / "nothing"),
            current=_not_built,
        )
        self.public = False
        self._pages = {page.url: page for page in pages}
        urls = sorted(self._pages, key=lambda url: sort_key(url).encode())
        ids = {url: node for node, url in enumerate(urls)}
        table = UrlTable.from_urls(urls)
        ends = [(ids[page.url], ids[target], text) for page in pages for target, text in page.links if target in ids]
        sources = np.array([source for source, _, _ in ends], dtype=np.int64)
        targets = np.array([target for _, target, _ in ends], dtype=np.int64)
        self.graph = Graph.from_edges(sources, targets, len(urls), urls=table)
        self._anchors: defaultdict[int, list[tuple[int, str]]] = defaultdict(list)
        for source, target, text in sorted(ends):
            self._anchors[target].append((source, text))
        texts = {text: number for number, text in enumerate(dict.fromkeys(text for _, _, text in ends))}
        numbers = np.array([texts[text] for _, _, text in ends], dtype=np.int64)
        anchors = Anchors.build(
            self.graph, (sources, targets), numbers, numbers, np.ones(len(ends), np.bool_), list(texts)
        )
        alone = np.arange(len(urls), dtype=np.uint32)
        self.links = LinkDatabase(self.graph, anchors, alone, 0)
        self.told = [Told(self._pages[url].title, None, "en", None, False, "20261115090000", 200, None) for url in urls]
        self.pages = store_of(self.collection)
        degrees = self.graph.in_degrees.astype(np.float64)
        ranks = {"pagerank": (degrees + 1) / (degrees + 1).sum(), "indegree": degrees}
        self.scores = {name: Scores(name, values) for name, values in ranks.items()}
        self.skies = {"sky": sky_over(self.graph)} if len(urls) else {}
        self.regions = np.ones(len(urls), dtype=np.uint8)
        build_index((self._document(url, node) for node, url in enumerate(urls)), folder)
        self.recommending = self.graph
        made = Communities(tree(self.graph, words=self._names()), knowledge(self.graph, words=self._names()))
        self.memberships = Memberships(made, lambda: self.graph, alone) if communities else None
        groups = self.memberships.pages_among if self.memberships else None
        self.web = Web(self.graph, ranks["pagerank"], topics_of(made.tree) if communities else None)
        self.searcher = Searcher(
            folder, scores=self.scores, urls=table, graph=self.graph, groups=groups, web=lambda: self.web
        )

    def _names(self) -> Terms:
        """The words of every title."""
        return term_matrix(self._pages[url].title for url in self.graph.urls)

    def open_all(self) -> None:
        """Everything is in memory."""

    @property
    def counts(self) -> dict[str, Any]:
        sites = {site_of(url) for url in self._pages}
        return {
            "pages": self.graph.nodes,
            "links": self.graph.links,
            "sites": len(sites),
            "hosts": len({host_of(url) for url in self._pages}),
            "charted": "2026-11-15T10:00:00+00:00",
        }

    def anchors_of(self, page: int) -> list[tuple[int, str]]:
        return self._anchors[page]

    def stored_text(self, url: str) -> str | None:
        return self._pages[url].body or None

    def entry(self, url: str) -> Any:
        return None

    def _document(self, url: str, node: int) -> IndexDocument:
        page = self._pages[url]
        said = [(source, text) for source, text in self._anchors[node] if source != node]
        made = IndexDocument(node, url, page.title, page.headings, page.body, host=host_of(url), site=site_of(url))
        return replace(
            made,
            calls=calls_of([text for _, text in said], tuple(site_of(self.graph.urls[source]) for source, _ in said)),
            fetched="2026-11-15T09:00:00+00:00",
        )
