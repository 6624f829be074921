"""Pages first that most of the pages met so far link to (Cho, Garcia-Molina and Page, WWW 1998)."""

from __future__ import annotations

from periplus.crawl.orders.order import Order
from periplus.crawl.visit import Source


class BackLinks(Order):
    """The key is minus the number of pages that link to a URL."""

    adds = True

    def found(self, url: str, source: Source) -> float:
        return -1.0
