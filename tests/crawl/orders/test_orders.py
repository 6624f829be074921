"""The orders in which a crawl may fetch, on their own and in real crawls of a small web."""

from __future__ import annotations

import pytest
from tests.webs.server import site

from periplus.crawl.frontier.scheduler import Scheduler
from periplus.crawl.frontier.store import Batch, FoundUrl, Frontier
from periplus.crawl.options import CrawlOptions
from periplus.crawl.orders import ORDERS
from periplus.crawl.orders.back_links import BackLinks
from periplus.crawl.visit import Source

PAGES = {  # /hub links to /much, as do /one and /two; /rare gets the whole of /poor, which has one link
    "/": ["/one", "/two", "/poor", "/hub"],
    "/one": ["/much", "/a"],
    "/two": ["/much", "/b"],
    "/poor": ["/rare"],
    "/hub": ["/a", "/b", "/c", "/much"],
    **{path: [] for path in ("/much", "/a", "/b", "/c", "/rare")},
}


def fetched(web, order: str) -> list[str]:
    """The paths in the order in which they were asked for."""
    here = web(a=site({path: "".join(f"<a href='{to}'>x</a>" for to in links) for path, links in PAGES.items()}))
    here.crawl("http://a.run.test/", order=order, concurrency=1)
    return here.server.paths("a.run.test")


@pytest.mark.parametrize("name", list(ORDERS))
def test_every_order_fetches_every_page_once(web, name: str) -> None:
    paths = fetched(web, name)
    assert sorted(paths) == sorted(PAGES)


@pytest.mark.parametrize("name", list(ORDERS))
def test_every_order_gives_a_seed_a_number(name: str) -> None:
    assert ORDERS[name](CrawlOptions()).found("http://a.example/", Source()) <= 0


def test_breadth_first_prefers_short_paths() -> None:
    key = ORDERS["breadth-first"](CrawlOptions()).found
    assert key("http://a.example/", Source(3)) < key("http://a.example/", Source(4))


def test_links_are_added_up_where_the_order_says_so(tmp_path) -> None:
    frontier = Frontier(tmp_path / "frontier.sqlite", BackLinks(CrawlOptions()))
    scheduler = Scheduler(frontier, delay=0.0, max_depth=None)
    host = scheduler.host("a")

    def find(*urls: str, depth: int) -> None:
        frontier.begin()
        frontier.write(Batch(found=[FoundUrl(url, host, depth, 0, -1.0) for url in urls], hosts={host.id: host}))
        scheduler.wake(host)

    find("http://a/1", "http://a/2", "http://a/3", depth=2)
    find("http://a/3", "http://a/2", depth=1)
    find("http://a/3", depth=4)
    row = frontier.find("http://a/3")
    assert (row.depth, row.key) == (1, -3.0)
    assert [scheduler.next().url for _ in range(3)] == ["http://a/3", "http://a/2", "http://a/1"]
    frontier.close()


def test_a_url_under_way_is_not_handed_out_again_when_new_keys_come(tmp_path) -> None:
    frontier = Frontier(tmp_path / "frontier.sqlite", BackLinks(CrawlOptions()))
    scheduler = Scheduler(frontier, delay=0.0, max_depth=None)
    host = scheduler.host("a")
    for _ in range(2):
        frontier.begin()
        frontier.write(Batch(found=[FoundUrl("http://a/1", host, 0, 0, -1.0)], hosts={host.id: host}))
        scheduler.wake(host)
        visit = scheduler.next()
        assert visit is None or visit.url == "http://a/1"
    assert visit is None
    frontier.close()


def test_the_cash_of_a_page_goes_to_its_links_in_equal_parts(web) -> None:
    """The seed has 1; its four links get 1/4 each. /poor hands 1/4 on to /rare, /hub 1/16 each, /one and /two 1/8."""
    here = web(a=site({path: "".join(f"<a href='{to}'>x</a>" for to in links) for path, links in PAGES.items()}))
    here.crawl("http://a.run.test/", order="opic", concurrency=1, max_pages=5)
    frontier = Frontier(here.folder / "crawl" / "frontier.sqlite")
    cash = {path: -frontier.find(f"http://a.run.test{path}").key for path in ("/much", "/a", "/b", "/c", "/rare")}
    frontier.close()
    assert cash == pytest.approx({"/much": 5 / 16, "/a": 3 / 16, "/b": 3 / 16, "/c": 1 / 16, "/rare": 1 / 4})
    here.crawl("http://a.run.test/", order="opic", concurrency=1)
    assert here.server.paths("a.run.test")[5:7] == ["/much", "/rare"]


def test_pages_with_many_links_to_them_come_first(web) -> None:
    """After the seed, /one and /two, two pages link to /much; /poor and /hub were found before it, by one."""
    here = web(a=site({path: "".join(f"<a href='{to}'>x</a>" for to in links) for path, links in PAGES.items()}))
    here.crawl("http://a.run.test/", order="back-links", concurrency=1, max_pages=3)
    here.crawl("http://a.run.test/", order="back-links", concurrency=1)
    assert here.server.paths("a.run.test")[:4] == ["/", "/one", "/two", "/much"]
