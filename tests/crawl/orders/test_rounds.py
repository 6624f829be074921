"""Orders and rounds together: what an order knows, and its keys, outlive visits that come back."""

from __future__ import annotations

from array import array

import pytest
from tests.crawl.test_again import Living
from tests.webs.server import honest_site

from periplus.collection import Collection
from periplus.crawl.frontier.store import Frontier
from periplus.crawl.options import CrawlOptions
from periplus.crawl.orders import ORDERS
from periplus.crawl.refresh.plan import Budget
from periplus.crawl.refresh.run import refresh


def links_kept(made, order: str) -> set[tuple[int, int]]:
    """The links that the frontier has for an order, as ids."""
    told: set[tuple[int, int]] = set()
    order_type = type("Told", (ORDERS[order],), {"linked": lambda self, page, depth, urls: told.update(
        (page, url) for url in array("I", urls))})  # fmt: skip
    Frontier(Collection.open(made.folder).frontier_path, order_type(CrawlOptions())).close()
    return told


@pytest.mark.parametrize("order", ["pagerank", "nearness"])
def test_every_link_is_known_to_the_order_also_after_a_round(web, order: str) -> None:
    made = web(a=Living(honest_site(30), "etag"))
    report = made.crawl("http://a.run.test/", order=order)
    before = links_kept(made, order)
    assert len(before) == report.links
    assert made.crawl("http://a.run.test/", order=order, again=True).outcomes == {"UNCHANGED": 30}
    assert links_kept(made, order) == before


def test_a_refresh_leaves_no_round_open_and_no_odd_keys(web) -> None:
    living = Living(honest_site(12), "etag")
    made = web(a=living)
    made.crawl("http://a.run.test/", order="opic")
    living.pages["/4"] = '<p>another text <a href="/new">new</a>'
    living.pages["/new"] = "<p>a new page"
    collection = Collection.open(made.folder)
    connect = (f"*.run.test=127.0.0.1:{made.server.port}",)
    options = CrawlOptions(delay=0.0, order="opic", connect_to=connect)
    assert refresh(collection, Budget(6, 1.0), options, policy="uniform").report is not None
    again = made.crawl("http://a.run.test/", order="opic", again=True)
    assert sum(again.outcomes.values()) >= 12  # all pages, whatever the refresh visited
    frontier = Frontier(collection.frontier_path)
    row = frontier.find("http://a.run.test/new")
    frontier.close()
    assert row is not None
    assert -10 <= row.key <= 0
