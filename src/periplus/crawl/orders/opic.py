"""Pages first that hold the most cash (OPIC: Abiteboul, Preda and Cobena, WWW 2003).

    A seed has 1. A page that is fetched hands its cash to its links in equal parts: a page with few links hands
    more to each. What a page is handed after it was fetched stays there, since a crawl fetches it once.

This costs one addition per link; cash approximates the share of a random walker's time that a page gets.
"""

from __future__ import annotations

from periplus.crawl.orders.order import Order
from periplus.crawl.visit import Source


class Opic(Order):
    """The key is minus the cash of a URL."""

    adds = True

    def found(self, url: str, source: Source) -> float:
        return -1.0 if source.page is None else source.key / source.links
