"""`/sites`: every site of the collection. `/site/<host>`: one site or host, its best pages, who links to it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np
from fastapi import APIRouter, Request
from starlette.exceptions import HTTPException
from starlette.responses import Response

from periplus.search.rankers import TEXT_ONLY
from periplus.serve.library import Library, library_of
from periplus.serve.neighbours import title_of
from periplus.serve.render import render
from periplus.serve.tables import csv_answer
from periplus.web.url import site_of, site_of_host

router = APIRouter(include_in_schema=False)
SHOWN_PAGES = 50
SHOWN_SITES = 500
SHOWN_LINKING = 12
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


@router.get("/sites")
def sites(request: Request) -> Response:
    """Every site, those most linked from outside first."""
    rows = _all_sites(request)
    return render(request, "sites.html", rows=rows[:SHOWN_SITES], total=len(rows))


@router.get("/sites.csv")
def sites_csv(request: Request) -> Response:
    """The same as a table."""
    rows = [(row.site, row.pages, row.from_outside) for row in _all_sites(request)]
    return csv_answer("sites", ("site", "pages", "links_from_other_sites"), rows)


@router.get("/site/{host}/pages.csv")
def site_csv(request: Request, host: str) -> Response:
    """The best pages of a site as a table."""
    library = library_of(request)
    rows = best_pages(library, pages_of(library, host.lower()), library.searcher.rankers.default)
    return csv_answer(
        "pages", ("url", "title", "in_links", "share"), [(r.url, r.title, r.in_links, r.share) for r in rows]
    )


@router.get("/site/{host}")
def site(request: Request, host: str) -> Response:
    """One site (registered domain) or one host of it."""
    library = library_of(request)
    wanted = host.lower()
    pages = pages_of(library, wanted)
    ranker = library.searcher.rankers.default
    linking = linking_sites(library, pages, site_of_host(wanted))
    return render(
        request,
        "site.html",
        host=wanted,
        whole_site=site_of_host(wanted),
        total=len(pages),
        rows=best_pages(library, pages, ranker),
        ranker="" if ranker == TEXT_ONLY else library.searcher.rankers.label(ranker),
        linking=linking[:SHOWN_LINKING],
        linking_sites=len(linking),
    )


def pages_of(library: Library, host: str) -> range:
    """The pages of a site or host: a range of ids, because ids follow the reversed host; 404 where there are none."""
    urls: Any = library.graph.urls
    found: range = urls.site_range(host) if site_of_host(host) == host else urls.host_range(host)
    if not len(found):
        shown = host if len(host) <= 100 else host[:100] + "…"
        raise HTTPException(404, f"No page of {shown} is in this collection. The list of sites shows those that are.")
    return found


def _all_sites(request: Request) -> list[SiteRow]:
    """Counted once: the collection does not change while it is served."""
    state = request.app.state
    if not hasattr(state, "site_rows"):
        state.site_rows = site_rows(library_of(request))
    rows: list[SiteRow] = state.site_rows
    return rows


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
