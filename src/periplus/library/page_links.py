"""All links on one side of a page, best-ranked first: in parts, of one site, as a table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from periplus.errors import ParameterError
from periplus.index.schema import normalised
from periplus.library.library import Library
from periplus.library.neighbours import Neighbour, title_of
from periplus.numeric.arrays import Ids
from periplus.record import Table
from periplus.web.url import site_of, site_of_host

LINKS_A_PAGE = 50
Side = Literal["in", "out"]
SIDES: tuple[Side, ...] = ("in", "out")


@dataclass(frozen=True, slots=True)
class PageLinks:
    """A part of the links on one side of a page, best-ranked first: `shown` from `offset` on, of `chosen` of `total`.

    `sites`: how many of all come from, or lead to, each site, most first.
    """

    side: Side
    site: str
    total: int
    chosen: int
    offset: int
    shown: tuple[Neighbour, ...]
    sites: tuple[tuple[str, int], ...]


def links_of(
    library: Library, node: int, side: Side, *, site: str = "", offset: int = 0, size: int = LINKS_A_PAGE
) -> PageLinks:
    """The pages that link to a page ("in") or that it links to ("out"), of one site or host where one is named."""
    everything = _ends(library, node, side)
    chosen = ranked_ends(library, node, side, site=site)
    check_offset(offset, len(chosen))
    shown = tuple(
        Neighbour(end, library.graph.urls[end], title_of(library, end), _texts(library, node, end, side))
        for end in chosen[offset : offset + size].tolist()
    )
    return PageLinks(side, site, len(everything), len(chosen), offset, shown, _by_site(library, everything))


def links_table_of(library: Library, node: int, side: Side, *, site: str = "") -> Table:
    """All links on one side of a page, best-ranked first, a row per link and text."""
    urls = library.graph.urls
    rows = [
        (urls[end], title_of(library, end), site_of(urls[end]), text)
        for end in ranked_ends(library, node, side, site=site).tolist()
        for text in _texts(library, node, end, side) or ("",)
    ]
    return Table.of_rows(("url", "title", "site", "text"), rows)


def ranked_ends(library: Library, node: int, side: Side, *, site: str = "") -> Ids:
    """The other ends of a page's links, best-ranked first, those of one site or host where one is named."""
    if side not in SIDES:
        raise ParameterError("side", side, f"one of {', '.join(SIDES)}")
    ends = _ends(library, node, side)
    if site:
        pages = ids_of_host(library, site)
        ends = ends[(ends >= pages.start) & (ends < pages.stop)]
    rankers = library.searcher.rankers
    return ends[np.lexsort((ends, rankers.share(rankers.default, ends)))]


def ids_of_host(library: Library, host: str) -> range:
    """The pages of a site (registered domain) or host, a range of ids; empty where there is none."""
    urls, wanted = library.graph.urls, host.strip().lower()
    found: range = urls.site_range(wanted) if site_of_host(wanted) == wanted else urls.host_range(wanted)
    return found


def check_offset(offset: int, length: int) -> None:
    """Refuse a page beyond the last."""
    if offset < 0 or (offset and offset >= length):
        raise ParameterError("offset", offset, f"0 ≤ offset < {length}" if length else "0: there is nothing to show")


def _ends(library: Library, node: int, side: Side) -> Ids:
    graph = library.graph
    return np.asarray(graph.predecessors(node) if side == "in" else graph.successors(node))


def _texts(library: Library, node: int, end: int, side: Side) -> tuple[str, ...]:
    ends = (end, node) if side == "in" else (node, end)
    return tuple(normalised(text) for text in library.links.anchors.between(*ends) if text)


def _by_site(library: Library, ends: Ids) -> tuple[tuple[str, int], ...]:
    names = library.graph.urls.sites()
    numbers, counts = np.unique(np.asarray(library.graph.urls.site_ids())[ends], return_counts=True)
    found = [(names[number], count) for number, count in zip(numbers.tolist(), counts.tolist(), strict=True)]
    return tuple(sorted(found, key=lambda one: (-one[1], one[0])))
