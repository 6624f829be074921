"""The sites of a collection: how many pages each has, its best pages, which other sites link to it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np

from periplus.errors import UnknownPageError
from periplus.library.library import Library
from periplus.library.neighbours import title_of
from periplus.web.url import site_of, site_of_host

SHOWN_PAGES = 50
_LINKS_LOOKED_AT = 20_000


@dataclass(frozen=True, slots=True)
class SiteRow:
    """One site in the list: its pages, and the links that come from other sites."""

    site: str
    pages: int
    from_outside: int


@dataclass(frozen=True, slots=True)
class PageRow:
    """One page of a site."""

    url: str
    title: str
    in_links: int
    share: float


def pages_of(library: Library, host: str) -> range:
    """The pages of a site or host: a range of ids, because ids follow the reversed host."""
    urls: Any = library.graph.urls
    found: range = urls.site_range(host) if site_of_host(host) == host else urls.host_range(host)
    if not len(found):
        shown = host if len(host) <= 100 else host[:100] + "…"
        raise UnknownPageError(f"No page of {shown} is in this collection. The list of sites shows those that are.")
    return found


def site_rows(library: Library) -> list[SiteRow]:
    """Count pages, and links from other sites, of every site in one pass over the links."""
    graph, urls = library.graph, library.graph.urls
    site_ids = np.asarray(urls.site_ids(), dtype=np.int64)
    names = urls.sites()
    pages = np.bincount(site_ids, minlength=len(names))
    sources = np.repeat(site_ids, graph.out_degrees)
    targets = site_ids[np.asarray(graph.out_targets, dtype=np.int64)]
    outside = np.bincount(targets[sources != targets], minlength=len(names))
    rows = [SiteRow(name, int(pages[at]), int(outside[at])) for at, name in enumerate(names)]
    return sorted(rows, key=lambda row: (-row.from_outside, -row.pages, row.site))


def best_pages(library: Library, pages: range, ranker: str) -> list[PageRow]:
    """The site's pages, best first by the ranking."""
    nodes = np.arange(pages.start, pages.stop)
    shares = library.searcher.rankers.share(ranker, nodes)
    rows = []
    for at in np.lexsort((nodes, shares))[:SHOWN_PAGES].tolist():
        node = int(nodes[at])
        in_links = len(library.graph.predecessors(node))
        rows.append(PageRow(library.graph.urls[node], title_of(library, node), in_links, float(shares[at])))
    return rows


def linking_sites(library: Library, pages: range, own: str) -> list[tuple[str, int]]:
    """The other sites that link here, by the number of their links (of the first `_LINKS_LOOKED_AT`)."""
    graph = library.graph
    begin, end = int(graph.in_offsets[pages.start]), int(graph.in_offsets[pages.stop])
    sources, counts = np.unique(graph.in_sources[begin : min(end, begin + _LINKS_LOOKED_AT)], return_counts=True)
    by_site: Counter[str] = Counter()
    for node, count in zip(sources.tolist(), counts.tolist(), strict=True):
        by_site[site_of(graph.urls[node])] += count
    by_site.pop(own, None)
    return sorted(by_site.items(), key=lambda item: (-item[1], item[0]))
