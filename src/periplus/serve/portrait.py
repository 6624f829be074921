"""`/page?url=…`: the portrait of a page. `/page/links?url=…&side=…`: all its links on one side."""

from __future__ import annotations

from itertools import pairwise
from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from periplus.library.branches import path_of_page
from periplus.library.communities import communities_of_page
from periplus.library.history import difference, history_of
from periplus.library.neighbours import find_page, title_of
from periplus.library.page_links import LINKS_A_PAGE, SIDES, Side, links_of, links_table_of
from periplus.library.portrait import portrait_of
from periplus.serve.related import alike, related_of
from periplus.serve.render import pager, query_link, render
from periplus.serve.state import library_of
from periplus.serve.tables import csv_answer

router = APIRouter(include_in_schema=False)
SHOWN_SITES = 30


@router.get("/page")
def page(request: Request, url: str = "") -> Response:
    """All that is known of `url`: names, links, place by every ranking and in the tree, communities, pages like it."""
    library = library_of(request)
    portrait = portrait_of(library, url)
    near = related_of(request).strip(portrait.url)
    strip = alike(library, near)
    return render(
        request,
        "page.html",
        portrait=portrait,
        pages=library.graph.nodes,
        path=path_of_page(library, portrait.node),
        communities=communities_of_page(library, portrait.node),
        strip=strip,
        strip_method=near.method,
    )


@router.get("/page/history")
def history(
    request: Request,
    url: str = "",
    before: Annotated[str, Query(alias="from")] = "",
    after: Annotated[str, Query(alias="to")] = "",
) -> Response:
    """The captures of `url` over time, and what changed in its text from one capture to another (`from=`, `to=`)."""
    library = library_of(request)
    moments = history_of(library, url)
    shown = library.graph.urls[find_page(library, url)]
    times = [one.timestamp for one in moments]
    if not after and len(times) > 1:
        before, after = before or times[-2], times[-1]
    return render(
        request,
        "history.html",
        public=library.public,
        url=shown,
        title=title_of(library, find_page(library, url)),
        moments=list(reversed(moments)),
        steps=dict(pairwise(reversed(times))),
        before=before,
        after=after,
        found=difference(library, url, before, after) if before and after else None,
    )


@router.get("/page/links")
def links(
    request: Request,
    url: str = "",
    side: Annotated[Side, Query()] = "in",
    site: str = "",
    offset: Annotated[int, Query(ge=0)] = 0,
) -> Response:
    """All links to a page (`side=in`) or of a page (`side=out`), best-ranked first; `site=` for those of one site."""
    library = library_of(request)
    node = find_page(library, url)
    shown = library.graph.urls[node]
    found = links_of(library, node, side, site=site, offset=offset)
    asked = {"url": shown, "side": side, "site": site}
    return render(
        request,
        "links.html",
        url=shown,
        found=found,
        sites=found.sites[:SHOWN_SITES],
        sides=[(one, query_link("/page/links", url=shown, side=one)) for one in SIDES],
        asked=asked,
        parts=pager("/page/links", offset, LINKS_A_PAGE, found.chosen, **asked),
    )


@router.get("/page/links.csv")
def links_csv(request: Request, url: str = "", side: Annotated[Side, Query()] = "in", site: str = "") -> Response:
    """The same as CSV, a row per link and text."""
    library = library_of(request)
    return csv_answer(f"links-{side}", links_table_of(library, find_page(library, url), side, site=site))
