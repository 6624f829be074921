"""The orders in which a crawl may fetch.

To add one: write a file with a subclass of `Order`, and add a row to this table.
"""

from __future__ import annotations

from periplus.crawl.orders.back_links import BackLinks
from periplus.crawl.orders.breadth_first import BreadthFirst
from periplus.crawl.orders.nearness import Nearness
from periplus.crawl.orders.opic import Opic
from periplus.crawl.orders.order import Order
from periplus.crawl.orders.pagerank import PartialPageRank
from periplus.crawl.orders.round_robin import RoundRobin

ORDERS: dict[str, type[Order]] = {
    "breadth-first": BreadthFirst,
    "back-links": BackLinks,
    "pagerank": PartialPageRank,
    "opic": Opic,
    "nearness": Nearness,
    "round-robin": RoundRobin,
}
