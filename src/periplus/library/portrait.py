"""All that is known of one page: what others call it, who links to it, where it links, its ranks, its text."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from periplus.index.schema import Call, calls_of
from periplus.library import neighbours
from periplus.library.branches import path_of_page
from periplus.library.communities import communities_of_page
from periplus.library.history import Moment, history_of
from periplus.library.library import Library
from periplus.library.neighbours import Neighbourhood, find_page, linked_from, linking_here, texts_by_source
from periplus.library.renown import KnownWord, known_for
from periplus.numeric.arrays import Ids
from periplus.search.rankers import TEXT_ONLY
from periplus.web.url import host_of, site_of

SHOWN_TEXT = 40_000
SHOWN_CALLS = 12


@dataclass(frozen=True, slots=True)
class Standing:
    """A page's place by one ranking: its value, the part of all pages that rank at least as high, the certified error.

    `title` and `explained` are the ranking in words.
    The error bounds the ℓ1 distance of the whole vector from the exact one, and so that of each value; NaN for none.
    """

    ranker: str
    title: str
    explained: str
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
    known_for: tuple[KnownWord, ...]
    history: tuple[Moment, ...]
    places: tuple[Standing, ...]
    region: str
    linking: Neighbourhood
    linked: Neighbourhood
    text: str
    text_length: int


def portrait_of(library: Library, url: str) -> Portrait:
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
        known_for=known_for(library, node),
        history=history_of(library, url),
        places=places(library, node),
        region=_region(library, node),
        linking=linking_here(library, node),
        linked=linked_from(library, node),
        text=text[:SHOWN_TEXT],
        text_length=len(text),
    )


def page_facts(library: Library, url: str) -> dict[str, Any]:
    """What is known of a page as plain data: names, ranks, communities, links on both sides."""
    node = find_page(library, url)
    stored = library.searcher.document(node) or {}
    sources = library.graph.predecessors(node)
    return {
        "url": library.graph.urls[node],
        "node": node,
        "title": stored.get("title", ""),
        "fetched": stored.get("fetched", ""),
        "known_as": [
            {"text": call.text, "links": call.links, "sites": call.sites} for call in known_as(library, node, stored)
        ],
        "ranks": [
            {
                "ranker": place.ranker,
                "value": place.value,
                "place": place.place,
                "share": place.share,
                "error_bound": place.error_bound if math.isfinite(place.error_bound) else None,
            }
            for place in places(library, node)
        ],
        "known_for": [
            {"word": one.word, "reputation": one.reputation, "pages": one.pages, "error_bound": one.error_bound}
            for one in known_for(library, node)
        ],
        "captures": [
            {"timestamp": one.timestamp, "status": one.status, "changed": one.changed}
            for one in history_of(library, library.graph.urls[node])
        ],
        "tree": [{"id": one.number, "label": one.name} for one in path_of_page(library, node)],
        "communities": [
            {"id": one.number, "name": one.name, "roles": list(one.roles)} for one in communities_of_page(library, node)
        ],
        "in_links": _ends(library, sources, texts_by_source(library, node, len(sources))),
        "out_links": _ends(library, library.graph.successors(node), {}),
    }


def _ends(library: Library, nodes: Ids, texts: Mapping[int, tuple[str, ...]]) -> dict[str, Any]:
    """The other ends of some links, `MAX_NEIGHBOURS` at most."""
    shown = [int(node) for node in nodes[: neighbours.MAX_NEIGHBOURS]]
    return {
        "total": len(nodes),
        "truncated": len(nodes) > len(shown),
        "links": [{"url": library.graph.urls[node], "texts": list(texts.get(node, ()))} for node in shown],
    }


def known_as(library: Library, node: int, stored: Mapping[str, Any]) -> tuple[Call, ...]:
    """What others call the page: from its links where they are few enough to read, otherwise from the index."""
    if len(library.graph.predecessors(node)) > neighbours.MAX_NEIGHBOURS:
        calls: tuple[Call, ...] = stored.get("calls", ())
        return calls
    said = [(source, text) for source, text in library.anchors_of(node) if source != node]
    sites = tuple(site_of(library.graph.urls[source]) for source, _ in said)
    return calls_of([text for _, text in said], sites)


def places(library: Library, node: int) -> tuple[Standing, ...]:
    """The page's place by every ranking there is."""
    rankers = library.searcher.rankers
    found = []
    for name in rankers.names:
        value = rankers.value(name, node) if name != TEXT_ONLY else None
        if value is not None:
            share = float(rankers.share(name, np.array([node]))[0])
            place = max(1, round(share * library.graph.nodes))
            words = rankers.title(name), rankers.explained(name)
            found.append(Standing(name, *words, value, place, share, rankers.error_bound(name)))
    return tuple(found)


def _region(library: Library, node: int) -> str:
    """The page's region of the bow-tie, in words; empty before the structure stage has run."""
    if library.regions is None or node >= len(library.regions):
        return ""
    from periplus.structure.connectivity.bowtie import REGION_WORDS

    return REGION_WORDS[int(library.regions[node])]
