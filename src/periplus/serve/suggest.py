"""`/suggest`: what a query that is being typed may become, for the box of every page and for browsers."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse

from periplus.serve.state import library_of

router = APIRouter(include_in_schema=False)


@router.get("/suggest")
def suggest(request: Request, q: str = "") -> JSONResponse:
    """Completions of `q` as OpenSearch suggestions: `["win", ["wind farm", "window"]]`."""
    found = library_of(request).searcher.completions(q)
    return JSONResponse([q, list(found)], media_type="application/x-suggestions+json")
