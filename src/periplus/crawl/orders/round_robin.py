"""Hosts take turns, each in the order in which its URLs were found: no big site fills the collection first."""

from __future__ import annotations

from periplus.crawl.orders.order import Order
from periplus.crawl.visit import Source


class RoundRobin(Order):
    """All keys are equal, so the scheduler's own turns decide: the host that was asked longest ago is next."""

    def found(self, url: str, source: Source) -> float:
        return 0.0
