"""The sites of a collection: how many pages and links each has, and its best pages."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from periplus.errors import UnknownPageError
from periplus.graph.graph import Graph
from periplus.library.library import Library
from periplus.library.neighbours import title_of
from periplus.library.page_links import check_offset, ids_of_host
from periplus.numeric.arrays import AnyArray
from periplus.search.rankers import TEXT_ONLY
from periplus.web.url import site_of

SHOWN_PAGES = 50
_PORTS, _BEST_LOOKED_AT = 3, 200


@dataclass(frozen=True, slots=True)
class SiteRow:
    """One site in the list: its pages and hosts, and its links inside, from other sites and to other sites."""

    site: str
    pages: int
    hosts: int
    inside: int
    from_outside: int
    linking_sites: int
    to_outside: int
    linked_sites: int


# The columns of a table of sites, and the fields that they show.
SITE_COLUMNS = {
    "site": "site",
    "pages": "pages",
    "hosts": "hosts",
    "links_inside": "inside",
    "links_from_other_sites": "from_outside",
    "sites_linking_here": "linking_sites",
    "links_to_other_sites": "to_outside",
    "sites_linked_to": "linked_sites",
}


@dataclass(frozen=True, slots=True)
class PageRow:
    """One page of a site."""

    url: str
    title: str
    in_links: int
    share: float


@dataclass(frozen=True, slots=True)
class Port:
    """A page to begin with: one of the best ranked, each on another site."""

    url: str
    title: str
    site: str
    in_links: int


def pages_of(library: Library, host: str) -> range:
    """The pages of a site or host: a range of ids, because ids follow the reversed host."""
    found = ids_of_host(library, host)
    if not len(found):
        shown = host if len(host) <= 100 else host[:100] + "…"
        raise UnknownPageError(f"No page of {shown} is in this collection. The list of sites shows those that are.")
    return found


def site_rows(library: Library) -> list[SiteRow]:
    """Every site of a collection, those with the most links from other sites first."""
    return count_sites(library.graph)


def count_sites(graph: Graph) -> list[SiteRow]:
    """Count pages and links of every site of a graph with URLs, in one pass over the links."""
    site_ids, names = np.asarray(graph.urls.site_ids(), dtype=np.int64), graph.urls.sites()
    size = len(names)
    of_hosts = np.unique(np.asarray(graph.urls.host_ids()), return_index=True)[1]
    sources = np.repeat(site_ids, graph.out_degrees)
    targets = site_ids[np.asarray(graph.out_targets, dtype=np.int64)]
    leaves = sources != targets
    pairs = np.unique(sources[leaves] * size + targets[leaves])
    columns = (
        np.bincount(site_ids, minlength=size),
        np.bincount(site_ids[of_hosts], minlength=size),
        np.bincount(targets[~leaves], minlength=size),
        np.bincount(targets[leaves], minlength=size),
        np.bincount(pairs % max(size, 1), minlength=size),
        np.bincount(sources[leaves], minlength=size),
        np.bincount(pairs // max(size, 1), minlength=size),
    )
    rows = [SiteRow(*row) for row in zip(names, *(column.tolist() for column in columns), strict=True)]
    return sorted(rows, key=lambda row: (-row.from_outside, -row.pages, row.site))


def best_first(library: Library, pages: range) -> AnyArray:
    """The ids of a site's pages, best first by the default ranking."""
    nodes, rankers = np.arange(pages.start, pages.stop), library.searcher.rankers
    return nodes[np.lexsort((nodes, rankers.share(rankers.default, nodes)))]


def best_pages(library: Library, pages: range, *, offset: int = 0, size: int = SHOWN_PAGES) -> list[PageRow]:
    """A part of the site's pages, best first by the default ranking."""
    check_offset(offset, len(pages))
    chosen, rankers = best_first(library, pages)[offset : offset + size], library.searcher.rankers
    shares = rankers.share(rankers.default, chosen).tolist()
    return [
        PageRow(library.graph.urls[node], title_of(library, node), len(library.graph.predecessors(node)), share)
        for node, share in zip(chosen.tolist(), shares, strict=True)
    ]


def best_of_sites(library: Library) -> tuple[Port, ...]:
    """The best pages that have a title: of other sites as far as there are others, then of other folders."""
    name = library.searcher.rankers.default
    if name == TEXT_ONLY:
        return ()
    values = np.nan_to_num(library.scores[name].values, nan=-np.inf)
    nodes = np.argsort(-values, kind="stable")[:_BEST_LOOKED_AT].tolist()
    found = [port for node in nodes if (port := _port(library, node)) is not None]
    unlike: list[Port] = []
    for depth in (0, 4, None):  # first other sites, then other folders, then other pages
        for port in found:
            place = _place(port, depth)
            if all(place != _place(one, depth) and port.title != one.title for one in unlike):
                unlike.append(port)
    return tuple(sorted(unlike[:_PORTS], key=found.index))


def _place(port: Port, depth: int | None) -> tuple[str, ...]:
    """The site of a page, and of its URL what comes before so many slashes."""
    return (port.site, *port.url.split("/")[:depth])


def _port(library: Library, node: int) -> Port | None:
    """A page to offer; None where it has no title, or no text of its own in the index."""
    document = library.searcher.document(node)
    if document is None or not document["title"]:
        return None
    url = library.graph.urls[node]
    return Port(url, document["title"], site_of(url), len(library.graph.predecessors(node)))
