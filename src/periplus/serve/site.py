"""`/sites`: every site of the collection. `/site/<host>`: one site or host, its best pages, who links to it."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.responses import Response

from periplus.library.sites import best_pages, linking_sites, pages_of, site_rows
from periplus.search.rankers import TEXT_ONLY
from periplus.serve.render import render, site_link
from periplus.serve.state import library_of, once
from periplus.serve.tables import csv_answer
from periplus.web.url import site_of_host
from periplus.wording import counted

router = APIRouter(include_in_schema=False)
SHOWN_SITES = 500
SHOWN_LINKING = 12


@router.get("/sites")
def sites(request: Request) -> Response:
    """Every site, those with the most links from other sites first."""
    rows = once(request, "sites", site_rows)
    shown = f"; these are the first {SHOWN_SITES}" if len(rows) > SHOWN_SITES else ""
    return render(
        request,
        "table.html",
        title=counted(len(rows), "site"),
        lead="A site is a registered domain with everything under it. "
        f"Those with the most links from other sites stand first{shown}.",
        columns=("Site", "Pages", "From other sites"),
        rows=[((row.site, site_link(row.site)), row.pages, row.from_outside) for row in rows[:SHOWN_SITES]],
        csv="/sites.csv",
    )


@router.get("/sites.csv")
def sites_csv(request: Request) -> Response:
    """The same as CSV."""
    rows = [(row.site, row.pages, row.from_outside) for row in once(request, "sites", site_rows)]
    return csv_answer("sites", ("site", "pages", "links_from_other_sites"), rows)


@router.get("/site/{host}/pages.csv")
def site_csv(request: Request, host: str) -> Response:
    """The best pages of a site or host as CSV."""
    library = library_of(request)
    rows = best_pages(library, pages_of(library, host.lower()), library.searcher.rankers.default)
    return csv_answer(
        "pages", ("url", "title", "in_links", "share"), [(r.url, r.title, r.in_links, r.share) for r in rows]
    )


@router.get("/site/{host}")
def site(request: Request, host: str) -> Response:
    """One site (registered domain) or host: its best pages, and who links to it."""
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
        pages=library.graph.nodes,
        rows=best_pages(library, pages, ranker),
        ranker="" if ranker == TEXT_ONLY else library.searcher.rankers.label(ranker),
        linking=linking[:SHOWN_LINKING],
        linking_sites=len(linking),
    )
