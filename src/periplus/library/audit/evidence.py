"""`Evidence`: what the checks look at, gathered once: heads, ways of links, clicks, sequences of words.

Three passes over the parsed segments at most, one over the log of the crawl. Links are kept only where something is
remarkable about their target.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from html import unescape

import numpy as np

from periplus.errors import PeriplusError
from periplus.graph.graph import Graph
from periplus.index.sequences import FEWEST, sequences
from periplus.library.audit.alike import NearCopies, alike
from periplus.library.audit.finding import Place
from periplus.library.audit.ways import DEAD, Ways, read_log
from periplus.library.library import Library
from periplus.library.told import NewestPages, Told
from periplus.numeric.arrays import AnyArray, Floats, Ids, Offsets
from periplus.pages.store import Entry
from periplus.web.url import canonical, host_of

Holders = Mapping[str, dict[tuple[int, str], None]]
_MAX_SITEMAPS, _MAX_SITEMAP = 100, 50_000_000
_LOC = re.compile(r"<loc>\s*(?:<!\[CDATA\[)?\s*([^<\]]+?)\s*(?:\]\]>)?\s*</loc>", re.IGNORECASE)


@dataclass(frozen=True)
class Evidence:
    """A collection as the checks see it; pages are known by their ids in the graph.

    `holders`: for a URL that is remarkable, the links to it as (page, text). `targets`, `dead`: how many distinct URLs
    each page links to, and how many of them are dead. `clicks`: of each page from the nearest of `starts`, −1 where no
    path leads. `limit`: how many clicks are not many.
    """

    library: Library
    told: list[Told]
    ways: Ways
    holders: Holders
    targets: Offsets
    dead: Offsets
    crawled: bool
    starts: tuple[int, ...]
    limit: int
    sequences: dict[int, AnyArray]
    sitemap: frozenset[str]

    @property
    def graph(self) -> Graph:
        return self.library.graph

    @property
    def representatives(self) -> Ids:
        return self.library.links.representatives

    def url(self, page: int) -> str:
        """The URL of a page."""
        found: str = self.graph.urls[page]
        return found

    def places(self, url: str) -> tuple[Place, ...]:
        """The links to a remarkable URL, by page."""
        return tuple(Place(self.url(page), text) for page, text in sorted(self.holders.get(url, {})))

    def links_to(self, page: int) -> tuple[Place, ...]:
        """The links of other pages to a page, with their texts."""
        said = self.library.links.anchors.of_page(page)
        return tuple(Place(self.url(source), text) for source, text in said if source != page)

    @cached_property
    def linked(self) -> AnyArray:
        """Whether another page links to each page."""
        sources = np.repeat(np.arange(self.graph.nodes), self.graph.out_degrees)
        targets = np.asarray(self.graph.out_targets)
        found = np.zeros(self.graph.nodes, dtype=np.bool_)
        found[targets[sources != targets]] = True
        return found

    @cached_property
    def clicks(self) -> Offsets:
        return clicks_from(self.graph, self.starts)

    @cached_property
    def order(self) -> list[int]:
        """The pages that a searcher is meant to find, the most linked first, then those of the shortest URL."""
        degrees = self.graph.in_degrees
        meant = [page for page in range(self.graph.nodes) if self.is_meant(page)]
        return sorted(meant, key=lambda page: (-int(degrees[page]), len(self.url(page)), page))

    def is_meant(self, page: int) -> bool:
        """Whether a page is to be found itself: no copy, not noindex, and no other page its canonical address."""
        told = self.told[page]
        own = told.canonical is None or told.canonical == self.url(page)
        return own and not told.noindex and int(self.representatives[page]) == page

    @cached_property
    def alike(self) -> tuple[list[int], NearCopies]:
        """Pages with enough words, in `order`, and which of them say nearly the same."""
        pages = [page for page in self.order if len(self.sequences.get(page, ())) >= FEWEST]
        return pages, alike([self.sequences[page] for page in pages])

    @cached_property
    def ranks(self) -> Floats | None:
        """PageRank as multiples of an average page's; None where it is not stored."""
        stored = self.library.scores.get("pagerank")
        return None if stored is None or not len(stored.values) else stored.values / stored.values.mean()


def gather(library: Library, *, clicks: int) -> Evidence:
    """Look at a collection once."""
    graph, collection = library.graph, library.collection
    newest = NewestPages(collection, graph.urls)
    log, seeds = read_log(collection.crawl_log_path)
    urls = {url: page for page, url in enumerate(graph.urls)}
    ways = Ways(newest.answers, urls, log)
    sitemap = sitemap_of(library)
    hosts = frozenset() if seeds else frozenset(map(host_of, urls))
    told, rows = [Told()] * graph.nodes, dict[int, AnyArray]()
    holders: defaultdict[str, dict[tuple[int, str], None]] = defaultdict(dict)
    targets, dead = np.zeros(graph.nodes, np.int64), np.zeros(graph.nodes, np.int64)
    for page, capture, document in newest.documents():
        told[page] = newest.told(capture, document)
        remarkable = [link for link in document.links if _is_remarkable(link.target, ways, hosts, sitemap)]
        for link in remarkable:
            holders[link.target][page, link.anchor] = None
        targets[page] = len({link.target for link in document.links})
        dead[page] = len({link.target for link in remarkable if ways.of(link.target).kind in DEAD})
        if not document.noindex:
            rows[page] = np.unique(sequences(document.text))
    starts = _starts(urls, [*seeds, *collection.settings.seeds], ways)
    return Evidence(library, told, ways, holders, targets, dead, bool(seeds), starts, clicks, rows, sitemap)


def _is_remarkable(url: str, ways: Ways, hosts: frozenset[str], sitemap: frozenset[str]) -> bool:
    """Whether a URL is no page, takes several redirects, or is unknown but on `hosts` or in the sitemap."""
    way = ways.of(url)
    if way.kind == "unknown":
        return url in sitemap or host_of(url) in hosts
    return way.kind not in ("page", "file") or len(way.hops) > 1


def _starts(urls: Mapping[str, int], seeds: list[str], ways: Ways) -> tuple[int, ...]:
    """Where readers begin: the seeds of the crawl, or what these redirect to, and the front page of every host."""
    ends = [ways.of(seed).hops[-1] if ways.of(seed).hops else seed for seed in seeds]
    fronts = (url for url in urls if url.endswith("/") and url.count("/") == 3)
    return tuple(sorted({urls[url] for url in (*ends, *fronts) if url in urls}))


def clicks_from(graph: Graph, starts: tuple[int, ...]) -> Offsets:
    """The fewest links from any of the starts to each page; −1 where no path leads."""
    found = np.full(graph.nodes, -1, dtype=np.int64)
    front = np.array(starts, dtype=np.int64)
    distance = 0
    while len(front):
        found[front] = distance
        begins, counts = graph.out_offsets[front], graph.out_degrees[front].astype(np.int64)
        within = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
        reached = np.unique(graph.out_targets[np.repeat(begins, counts) + within]).astype(np.int64)
        front = reached[found[reached] < 0]
        distance += 1
    return found


def sitemap_of(library: Library) -> frozenset[str]:
    """Every address in the sitemaps that the archive holds as XML; none where it holds none."""
    listed: set[str] = set()
    newest: dict[str, Entry] = {}
    for entry in library.pages.entries():
        if (
            "sitemap" in entry.url
            and entry.mime.endswith("xml")
            and entry.status == 200
            and len(newest) < _MAX_SITEMAPS
        ):
            newest[entry.url] = entry
    for entry in newest.values():
        try:
            text = library.pages.read(entry).body[:_MAX_SITEMAP].decode("utf-8", "replace")
        except PeriplusError:
            continue  # a damaged record is for `periplus verify` to tell
        found = (canonical(unescape(address)) for address in _LOC.findall(text))
        listed |= {url for url in found if url is not None and url not in newest}
    return frozenset(listed)
