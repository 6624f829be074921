"""`/sites`: every site of the collection. `/site/<host>`: one site or host, and what passes between it and others."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import RedirectResponse, Response

from periplus.errors import ParameterError
from periplus.library.around import branches_of
from periplus.library.page_links import check_offset
from periplus.library.relations import copies_in, crosstalk, crosstalk_table, linked_sites, linking_sites, region_shares
from periplus.library.sites import SHOWN_PAGES, best_first, best_pages, pages_of, site_rows
from periplus.library.tables import links_table, pages_table, sites_table
from periplus.search.rankers import TEXT_ONLY
from periplus.serve.audit import audit_made
from periplus.serve.render import pager, render, site_link
from periplus.serve.state import library_of, once
from periplus.serve.tables import csv_answer
from periplus.web.url import host_of, site_of_host
from periplus.wording import counted

router = APIRouter(include_in_schema=False)
SHOWN_SITES = 500
SHOWN_RELATED, SHOWN_COPIES, SHOWN_CROSSINGS = 12, 20, 100


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
    return csv_answer("sites", sites_table(library_of(request)))


@router.get("/pages.csv")
def pages_csv(request: Request) -> Response:
    """Every page as CSV, as `periplus table` writes it."""
    return csv_answer("pages", pages_table(library_of(request)))


@router.get("/links.csv")
def links_csv(request: Request) -> Response:
    """Every link with its texts as CSV."""
    return csv_answer("links", links_table(library_of(request)))


@router.get("/site/{host}/pages.csv")
def site_csv(request: Request, host: str) -> Response:
    """All pages of a site or host as CSV, best first."""
    library = library_of(request)
    return csv_answer("pages", pages_table(library, best_first(library, pages_of(library, host.lower()))))


@router.get("/site/{host}/with/{other}.csv")
def crossing_csv(request: Request, host: str, other: str) -> Response:
    """Every link between two sites as CSV."""
    library = library_of(request)
    ends = pages_of(library, host.lower()), pages_of(library, other.lower())
    return csv_answer("links-between", crosstalk_table(library, *ends))


@router.get("/site/{host}/with")
def beside(request: Request, host: str, other: str = "") -> Response:
    """From a form: leads to the links between `host` and `other`, a site, a host or the URL of a page."""
    named = other.strip().lower()
    pages_of(library_of(request), host.lower())
    there = host_of(named) if "//" in named else named.partition("/")[0]
    if not there:
        raise ParameterError("other", other, "the name of a site or host, such as example.org")
    pages_of(library_of(request), there)
    return RedirectResponse(f"{site_link(host.lower())}/with/{site_link(there).removeprefix('/site/')}", 303)


@router.get("/site/{host}/with/{other}")
def crossing(request: Request, host: str, other: str, offset: Annotated[int, Query(ge=0)] = 0) -> Response:
    """Every link between two sites, both ways, with its texts."""
    library = library_of(request)
    here, there = host.lower(), other.lower()
    ends = pages_of(library, here), pages_of(library, there)
    ways = [(here, there, crosstalk(library, *ends)), (there, here, crosstalk(library, *reversed(ends)))]
    longest = max(len(found) for _, _, found in ways)
    check_offset(offset, longest)
    address = f"{site_link(here)}/with/{site_link(there).removeprefix('/site/')}"
    return render(
        request,
        "crossing.html",
        host=here,
        other=there,
        ways=[(one, two, len(found), found[offset : offset + SHOWN_CROSSINGS]) for one, two, found in ways],
        csv=f"{address}.csv",
        parts=pager(address, offset, SHOWN_CROSSINGS, longest),
    )


@router.get("/site/{host}")
def site(request: Request, host: str, offset: Annotated[int, Query(ge=0)] = 0) -> Response:
    """One site (registered domain) or host: its pages, who links to it, where it links, regions, branches, copies."""
    library = library_of(request)
    wanted = host.lower()
    pages = pages_of(library, wanted)
    ranker, own = library.searcher.rankers.default, site_of_host(wanted)
    copies = copies_in(library, pages)
    return render(
        request,
        "site.html",
        host=wanted,
        whole_site=own,
        total=len(pages),
        pages=library.graph.nodes,
        rows=best_pages(library, pages, offset=offset),
        ranker="" if ranker == TEXT_ONLY else library.searcher.rankers.label(ranker),
        related=(
            ("Who links here", linking_sites(library, pages, own)),
            ("Where it links", linked_sites(library, pages, own)),
        ),
        shown=SHOWN_RELATED,
        falls=branches_of(library, pages),
        regions=region_shares(library, pages),
        copies=copies[:SHOWN_COPIES],
        all_copies=len(copies),
        private=not library.public,
        found=None if library.public else audit_made(request, wanted),
        parts=pager(site_link(wanted), offset, SHOWN_PAGES, len(pages)),
    )
