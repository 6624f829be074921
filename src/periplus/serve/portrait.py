"""`/page?url=…`: a page's portrait. What others call it, who links to it, where it links, its ranks, its text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from fastapi import APIRouter, Request
from starlette.exceptions import HTTPException
from starlette.responses import Response

from periplus.index.schema import Call, calls_of
from periplus.search.rankers import TEXT_ONLY
from periplus.serve.library import Library, library_of
from periplus.serve.neighbours import MAX_NEIGHBOURS, Neighbourhood, linked_from, linking_here
from periplus.serve.render import render
from periplus.web.url import host_of, site_of

router = APIRouter(include_in_schema=False)
SHOWN_TEXT = 40_000
SHOWN_CALLS = 12


@dataclass(frozen=True, slots=True)
class Place:
    """A page's place by one ranking: its value, the part of all pages that rank at least as high, the certified error.

    The error bounds the ℓ1 distance of the whole vector from the exact one, and so that of each value; NaN for none.
    """

    ranker: str
    label: str
    value: float
    place: int
    share: float
    error_bound: float


@dataclass(frozen=True, slots=True)
class Portrait:
    """All that is known of one page."""

    node: int
    url: str
    host: str
    site: str
    title: str
    fetched: str
    duplicates: tuple[str, ...]
    calls: tuple[Call, ...]
    places: tuple[Place, ...]
    region: str
    linking: Neighbourhood
    linked: Neighbourhood
    text: str
    text_length: int


@router.get("/page")
def page(request: Request, url: str = "") -> Response:
    """The portrait of one page."""
    library = library_of(request)
    return render(request, "page.html", portrait=portrait(library, url), pages=library.graph.nodes)


def find_page(library: Library, url: str) -> int:
    """The id of a URL, however it is spelt; 404 where it is not here."""
    node: int | None = library.graph.urls.find(url) if url else None
    if node is None:
        shown = url if len(url) <= 200 else url[:200] + "…"
        raise HTTPException(404, f"{shown or 'An empty address'} is not in this collection. Search for words instead.")
    return node


def portrait(library: Library, url: str) -> Portrait:
    """Gather everything that is known of a page."""
    node = find_page(library, url)
    url = library.graph.urls[node]
    stored = library.searcher.document(node) or {}
    text = library.stored_text(url) or ""
    return Portrait(
        node=node,
        url=url,
        host=host_of(url),
        site=site_of(url),
        title=stored.get("title") or "",
        fetched=stored.get("fetched") or str(getattr(library.entry(url), "timestamp", "")),
        duplicates=tuple(stored.get("duplicates", ())),
        calls=known_as(library, node, stored)[:SHOWN_CALLS],
        places=places(library, node),
        region=_region(library, node),
        linking=linking_here(library, node),
        linked=linked_from(library, node),
        text=text[:SHOWN_TEXT],
        text_length=len(text),
    )


def known_as(library: Library, node: int, stored: Mapping[str, Any]) -> tuple[Call, ...]:
    """What others call the page: from its links where they are few enough to read, otherwise from the index."""
    if len(library.graph.predecessors(node)) > MAX_NEIGHBOURS:
        calls: tuple[Call, ...] = stored.get("calls", ())
        return calls
    said = [(source, text) for source, text in library.anchors_of(node) if source != node]
    sites = tuple(site_of(library.graph.urls[source]) for source, _ in said)
    return calls_of([text for _, text in said], sites)


def places(library: Library, node: int) -> tuple[Place, ...]:
    """The page's place by every ranking there is."""
    rankers = library.searcher.rankers
    found = []
    for name in rankers.names:
        value = rankers.value(name, node) if name != TEXT_ONLY else None
        if value is not None:
            share = float(rankers.share(name, np.array([node]))[0])
            place = max(1, round(share * library.graph.nodes))
            found.append(Place(name, rankers.label(name), value, place, share, rankers.error_bound(name)))
    return tuple(found)


def _region(library: Library, node: int) -> str:
    """The page's region of the bow-tie, in words; empty before the structure stage has run."""
    if library.regions is None or node >= len(library.regions):
        return ""
    from periplus.structure.connectivity.bowtie import REGION_WORDS

    return REGION_WORDS[int(library.regions[node])]
