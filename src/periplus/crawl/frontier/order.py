"""In which order to fetch: a table of functions that return the key of a URL; within a host the smallest key is first.

The order of discovery breaks ties. To add an order: one function here and one row in `ORDERS`.
"""

from __future__ import annotations

from collections.abc import Callable

from periplus.crawl.visit import Source

Order = Callable[[str, Source], float]
"""From a URL and where it was found to its key."""


def breadth_first(url: str, source: Source) -> float:
    """Pages near the seeds first: this meets pages of high PageRank early (Najork and Wiener, WWW 2001)."""
    return float(source.depth)


ORDERS: dict[str, Order] = {"breadth-first": breadth_first}
