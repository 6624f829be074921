"""In which order to fetch: a table of orders. Each gives a URL a key where a page links to it; the smallest is first.

    breadth-first   links from the nearest seed                                 Najork and Wiener, WWW 2001
    back-links      minus the pages met that link to it                         Cho, Garcia-Molina and Page, WWW 1998
    opic            minus its cash: a seed has 1, and a page that is fetched    Abiteboul, Preda and Cobena, WWW 2003
                    hands its own to its links in equal parts

An order that *adds* sums the keys that all pages give a URL; otherwise the key of the shortest path counts. The order
of discovery breaks ties. Among hosts that may be asked at the same time, the one with the smallest key is first. To add
an order: a function here and a row in `ORDERS`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from periplus.crawl.visit import Source


class Order(NamedTuple):
    """One order: the key that a source gives a URL, and whether the keys of several sources are added up."""

    key: Callable[[str, Source], float]
    adds: bool = False


def breadth_first(url: str, source: Source) -> float:
    """Pages near the seeds first: this meets pages of high PageRank early."""
    return float(source.depth)


def back_links(url: str, source: Source) -> float:
    """Pages first that many pages link to."""
    return -1.0


def opic(url: str, source: Source) -> float:
    """Pages first that were handed the most cash; a page with few links hands more to each."""
    page = source.page
    if page is None:
        return -1.0
    links = len(page.reading.targets) if page.reading is not None else 0
    return page.key / max(links, 1)


ORDERS: dict[str, Order] = {
    "breadth-first": Order(breadth_first),
    "back-links": Order(back_links, adds=True),
    "opic": Order(opic, adds=True),
}
