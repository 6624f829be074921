"""`/page?url=…`: the portrait of a page."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.responses import Response

from periplus.library.portrait import portrait_of
from periplus.serve.related import alike, related_of
from periplus.serve.render import render
from periplus.serve.state import library_of

router = APIRouter(include_in_schema=False)


@router.get("/page")
def page(request: Request, url: str = "") -> Response:
    """All that is known of `url`: names, links on both sides, its place by every ranking, pages like it, its text."""
    library = library_of(request)
    portrait = portrait_of(library, url)
    near = related_of(request).strip(portrait.url)
    strip = alike(library, near)
    pages = library.graph.nodes
    return render(request, "page.html", portrait=portrait, pages=pages, strip=strip, strip_method=near.method)
