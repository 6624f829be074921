"""Pages near the seeds first: this meets pages of high PageRank early (Najork and Wiener, WWW 2001)."""

from __future__ import annotations

from periplus.crawl.orders.order import Order
from periplus.crawl.visit import Source


class BreadthFirst(Order):
    """The key is the number of links from the nearest seed."""

    def found(self, url: str, source: Source) -> float:
        return float(source.depth)
