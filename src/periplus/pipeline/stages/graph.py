"""Captures → the link database: graph, URL table, anchor texts, and which pages have the same content.

A node is a stored HTML page, by its newest capture. A link to a URL that redirects counts for the page where the
redirects end. Links to what is not stored are counted and left out. Self-links are kept. Ids follow the sorted
reversed-host key, so a host is a range of ids and neighbours are near.

Two passes over the parsed segments; one dictionary from URL to id in memory.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from periplus.collection import Collection
from periplus.durable import ask_for_room
from periplus.graph.anchors import Anchors
from periplus.graph.graph import Graph
from periplus.graph.urls.table import UrlTable
from periplus.numeric.arrays import AnyArray, Ids
from periplus.numeric.npy import load_array, save_array
from periplus.pages.parsed import Depth, ParsedCapture, ParsedPages
from periplus.pages.store import store_of
from periplus.pipeline.stages.stage import Progress, Stage
from periplus.web.page import Document
from periplus.web.url import host_of, site_of, sort_key

MAX_REDIRECTS = 10
_ANCHORS = "anchors"
_REPRESENTATIVES = "representatives.npy"
_HOSTS_NOT_PAGES = 500  # a server's failure (5xx) does not unmake the page that was stored before


@dataclass(frozen=True, slots=True)
class LinkDatabase:
    """The graph of a collection with the texts of its links and its copies.

    `representatives[i]` is the page that stands for page i among those with the same content (itself when alone).
    """

    graph: Graph
    anchors: Anchors
    representatives: Ids
    links_out: int

    def copies(self, page: int) -> list[int]:
        """The pages with the same content as this one, itself first."""
        alike = np.flatnonzero(self.representatives == self.representatives[page]).tolist()
        return [page, *(other for other in alike if other != page)]

    @property
    def stored_bytes(self) -> int:
        """What `save` writes, but for headers."""
        graph = self.graph
        rows = graph.out_offsets.nbytes + graph.out_targets.nbytes + self.representatives.nbytes
        return int(rows + graph.urls.stored_bytes + self.anchors.stored_bytes)

    def save(self, folder: Path) -> None:
        """Write everything into the folder of a new generation, if its disk has room for it."""
        ask_for_room(folder, self.stored_bytes)
        self.graph.save(folder)
        self.anchors.save(folder / _ANCHORS)
        save_array(folder / _REPRESENTATIVES, self.representatives)

    @classmethod
    def open(cls, folder: Path) -> LinkDatabase:
        graph = Graph.open(folder)
        anchors = Anchors.open(graph, folder / _ANCHORS)
        return cls(graph, anchors, load_array(folder / _REPRESENTATIVES, mapped=True), 0)


class Newest:
    """Which capture of each URL counts, the redirects, and the id of each page."""

    def __init__(self, captures: Iterable[ParsedCapture]) -> None:
        latest: dict[str, tuple[str, int]] = {}
        documents: dict[str, str] = {}
        redirects: dict[str, str] = {}
        for number, capture in enumerate(captures):
            url, seen = capture.url, latest.get(capture.url)
            if seen is not None and (capture.fetched < seen[0] or capture.status >= _HOSTS_NOT_PAGES):
                continue
            latest[url] = (capture.fetched, number)
            documents.pop(url, None)
            redirects.pop(url, None)
            if capture.document is not None:
                documents[url] = capture.digest
            elif capture.redirect:
                redirects[url] = capture.redirect
        self._numbers = {number for url, (_, number) in latest.items() if url in documents}
        self._redirects = redirects
        self.urls = sorted(documents, key=lambda url: sort_key(url).encode())
        self.ids = {url: page for page, url in enumerate(self.urls)}
        self.digests = [documents[url] for url in self.urls]
        self.fetched = [latest[url][0] for url in self.urls]

    def documents(self, captures: Iterable[ParsedCapture]) -> Iterator[tuple[int, ParsedCapture, Document]]:
        """The captures that count, in the order of the archive, with the id of their page."""
        for number, capture in enumerate(captures):
            if number in self._numbers and capture.document is not None:
                yield self.ids[capture.url], capture, capture.document

    def resolve(self, url: str) -> int | None:
        """The page that a link to this URL leads to, through redirects; None when it is not stored."""
        for _ in range(MAX_REDIRECTS):
            page = self.ids.get(url)
            if page is not None:
                return page
            target = self._redirects.get(url)
            if target is None:
                return None
            url = target
        return None


def link_database(captures: Callable[[], Iterable[ParsedCapture]], newest: Newest) -> LinkDatabase:
    """Second pass: every link between stored pages, with its texts and its place in the page."""
    sources, targets, text_ids, positions, followed = array("I"), array("I"), array("I"), array("I"), array("B")
    texts: dict[str, int] = {}
    links_out = 0
    for page, _, document in newest.documents(captures()):
        for position, link in enumerate(document.links):
            target = newest.resolve(link.target)
            if target is None:
                links_out += 1
                continue
            sources.append(page)
            targets.append(target)
            text_ids.append(texts.setdefault(link.anchor, len(texts)))
            positions.append(position)
            followed.append(link.followed and not document.nofollow)
    ends = _array(sources), _array(targets)
    graph = Graph.from_edges(*ends, nodes=len(newest.urls), urls=UrlTable.from_urls(newest.urls))
    anchors = Anchors.build(graph, ends, _array(text_ids), _array(positions), _array(followed), list(texts))
    return LinkDatabase(graph, anchors, _representatives(graph, newest), links_out)


def _array(values: array[int]) -> AnyArray:
    return np.frombuffer(values, dtype=np.dtype(values.typecode)) if len(values) else np.zeros(0, values.typecode)


def _representatives(graph: Graph, newest: Newest) -> Ids:
    """For each page, the page that stands for all of the same content.

    It is the copy with the most in-links from other sites, then from other pages, then with the shortest URL, then the
    one fetched first.
    """
    chosen = np.arange(graph.nodes, dtype=np.uint32)
    alike: defaultdict[str, list[int]] = defaultdict(list)
    for page, digest in enumerate(newest.digests):
        alike[digest].append(page)
    for pages in alike.values():
        if len(pages) > 1:
            chosen[pages] = min(pages, key=lambda page: _claim(graph, newest, pages, page))
    return chosen


def _claim(graph: Graph, newest: Newest, copies: Sequence[int], page: int) -> tuple[int, int, int, str, int]:
    """The key that chooses between copies: the smallest wins. Links among the copies do not count."""
    own = site_of(newest.urls[page])
    sources = [int(source) for source in graph.predecessors(page) if int(source) not in copies]
    elsewhere = sum(site_of(newest.urls[source]) != own for source in sources)
    return -elsewhere, -len(sources), len(newest.urls[page]), newest.fetched[page], page


def captures_of(collection: Collection, *, upto: Depth = "links") -> Callable[[], Iterator[ParsedCapture]]:
    """What reads every parsed capture of a collection, from the first again at each call."""
    names, parsed = store_of(collection).warc_names(), ParsedPages(collection.parsed_dir)
    return lambda: parsed.read(names, upto=upto)


def load_links(collection: Collection) -> LinkDatabase:
    """The link database of a collection."""
    return LinkDatabase.open(collection.current("graph"))


def _run(collection: Collection, folder: Path, say: Progress) -> Mapping[str, Any]:
    captures = captures_of(collection)
    newest = Newest(captures_of(collection, upto="heads")())
    database = link_database(captures, newest)
    database.save(folder)
    return {
        "pages": database.graph.nodes,
        "links": database.graph.links,
        "links_out": database.links_out,
        "hosts": len({host_of(url) for url in newest.urls}),
        "sites": len({site_of(url) for url in newest.urls}),
        "duplicates": int((database.representatives != range(database.graph.nodes)).sum()),
        "digest": database.graph.digest,
    }


STAGE = Stage(
    "graph",
    "make the link graph, the URL table and the anchor file",
    inputs=("parsed",),
    version=3,
    run=_run,
    load=load_links,
    files={
        "graph.json, out.*.npy": "the link graph",
        "urls.table": "the URL table",
        f"{_ANCHORS}/": "texts of links and their places in the page",
        _REPRESENTATIVES: "which pages have the same content",
    },
)
