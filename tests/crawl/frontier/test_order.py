"""The orders in which a crawl may fetch."""

from __future__ import annotations

from periplus.crawl.frontier.order import ORDERS
from periplus.crawl.visit import Source


def test_every_order_gives_a_number() -> None:
    for order in ORDERS.values():
        assert order("http://a.example/", Source(3)) <= order("http://a.example/", Source(4))
