"""The small parts: traps, scope, Retry-After, options, the frontier, and the scheduler that plays by the clock."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from periplus.crawl.engine.options import CrawlOptions, from_policy
from periplus.crawl.frontier.order import ORDERS
from periplus.crawl.frontier.scheduler import Scheduler
from periplus.crawl.frontier.scope import Scope
from periplus.crawl.frontier.store import DONE, Batch, Found, Frontier
from periplus.crawl.frontier.traps import is_trap
from periplus.crawl.politeness.hosts import Host, retry_after
from periplus.crawl.visit import Source
from periplus.errors import ParameterError


@pytest.mark.parametrize(
    "path",
    ["/a/a/a/", "/x/a/a/a", "/a/b/a/b/a/b/", "/a/b/c/a/b/c/a/b/c", "/" + "/".join(map(str, range(21))), "/q/a/a/a?x=1"],
)
def test_traps(path: str) -> None:
    assert is_trap(f"http://h.example{path}")


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/a/a/",
        "/a/b/a/b/",
        "/2011/11/12/",
        "/" + "/".join(map(str, range(20))),
        "/?a/a/a/a",
        "/a/b/a/c/a/d/a",
        "/a//b//c",
    ],
)
def test_honest_paths(path: str) -> None:
    assert not is_trap(f"http://h.example{path}")


def test_scopes() -> None:
    seed = "https://www.example.co.uk/docs/start.html"
    assert "https://shop.example.co.uk/" in Scope("site", [seed])
    assert "https://other.co.uk/" not in Scope("site", [seed])
    assert "https://www.example.co.uk/else" in Scope("host", [seed])
    assert "https://shop.example.co.uk/" not in Scope("host", [seed])
    assert "https://www.example.co.uk/docs/x" in Scope("prefix", [seed])
    assert "https://www.example.co.uk/other" not in Scope("prefix", [seed])
    assert "http://anything.at.all/" in Scope("any", [seed])
    moved = Scope("site", [seed])
    moved.widen("https://example.org/")
    assert "https://a.example.org/" in moved


@pytest.mark.parametrize(
    ("value", "seconds"),
    [("5", 5.0), ("0", 0.0), ("999999999", 3600.0), ("-1", None), ("soon", None), ("", None), (None, None),
     ("Mon, 16 Nov 2026 06:00:30 GMT", 30.0), ("Mon, 16 Nov 2020 06:00:30 GMT", 0.0), ("9" * 500, 3600.0)],
)  # fmt: skip
def test_retry_after(value: str | None, seconds: float | None) -> None:
    assert retry_after(value, datetime(2026, 11, 16, 6, 0, tzinfo=UTC)) == seconds


@pytest.mark.parametrize(
    ("name", "value"),
    [("max_pages", 0), ("delay", -1.0), ("delay", float("nan")), ("scope", "world"), ("order", "random"),
     ("concurrency", 0), ("total_timeout", 0.0), ("max_depth", -1)],
)  # fmt: skip
def test_options_out_of_range(name: str, value: object) -> None:
    with pytest.raises(ParameterError, match=name):
        CrawlOptions(**{name: value})


def test_the_command_line_overrules_the_policy() -> None:
    options = from_policy({"max-pages": 10, "delay": 2, "allow_net": ["10.0.0.1"]}, {"delay": 0.5, "max_pages": None})
    assert (options.max_pages, options.delay, options.allow_net) == (10, 0.5, ("10.0.0.1",))
    with pytest.raises(ParameterError, match="speed"):
        from_policy({"speed": 9}, {})
    with pytest.raises(ParameterError, match="policy"):
        from_policy({"max_pages": "many"}, {})


def test_the_agent_names_a_contact() -> None:
    assert CrawlOptions(contact="https://me.example/bot").agent.endswith(" (+https://me.example/bot)")
    assert "\n" not in CrawlOptions(user_agent="a\r\nX: y", contact="b\nc").agent


def test_every_order_gives_a_number() -> None:
    for order in ORDERS.values():
        assert order("http://a.example/", Source(3)) <= order("http://a.example/", Source(4))


# -- frontier and scheduler ----------------------------------------------------------------------------------


class Clock:
    now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def frontier(tmp_path):
    made = Frontier(tmp_path / "frontier.sqlite")
    yield made
    made.close()


def sow(frontier: Frontier, scheduler: Scheduler, urls: dict[str, list[tuple[str, int]]]) -> None:
    batch = Batch()
    for name, found in urls.items():
        host = scheduler.host(name)
        batch.hosts[host.id] = host
        batch.found += [Found(url, host, depth, 0, float(depth)) for url, depth in found]
    frontier.begin()
    frontier.write(batch)
    scheduler.start()


def test_one_request_at_a_time_and_a_pause_between(frontier) -> None:
    clock = Clock()
    scheduler = Scheduler(frontier, delay=1.0, max_depth=None, clock=clock)
    sow(frontier, scheduler, {"a": [("http://a/1", 0), ("http://a/2", 0)], "b": [("http://b/1", 0)]})
    first, second = scheduler.next(), scheduler.next()
    assert {first.url, second.url} == {"http://a/1", "http://b/1"}
    assert scheduler.next() is None  # a is busy, b is empty
    clock.now += 5
    scheduler.finished(scheduler.host("a"))
    assert scheduler.next() is None
    assert scheduler.pause() == pytest.approx(1.0)
    clock.now += 1.0
    assert scheduler.next().url == "http://a/2"


def test_breadth_first_across_hosts(frontier) -> None:
    scheduler = Scheduler(frontier, delay=0.0, max_depth=None, clock=Clock())
    sow(frontier, scheduler, {"a": [("http://a/deep", 2), ("http://a/top", 0)], "b": [("http://b/mid", 1)]})
    assert [scheduler.next().url for _ in range(3)] == ["http://a/top", "http://b/mid", "http://a/deep"]


def test_depth_is_a_limit_of_the_run_not_of_the_frontier(frontier) -> None:
    shallow = Scheduler(frontier, delay=0.0, max_depth=1, clock=Clock())
    sow(frontier, shallow, {"a": [("http://a/0", 0), ("http://a/1", 1), ("http://a/2", 2)]})
    assert [shallow.next().depth, shallow.next().depth, shallow.next()] == [0, 1, None]
    assert frontier.count_waiting() == 3
    deep = Scheduler(frontier, delay=0.0, max_depth=None, clock=Clock())
    deep.load()
    deep.start()
    assert len([1 for _ in range(3) if deep.next()]) == 3


def test_a_sleeping_host_keeps_its_urls(frontier) -> None:
    scheduler = Scheduler(frontier, delay=0.0, max_depth=None, clock=Clock())
    sow(frontier, scheduler, {"a": [(f"http://a/{i}", 0) for i in range(5)]})
    scheduler.sleep(scheduler.host("a"), "it fails")
    assert scheduler.next() is None
    assert scheduler.left == {"a": "it fails"}
    assert frontier.count_waiting() == 5


def test_a_clock_that_was_set_back_does_not_stop_a_host(frontier) -> None:
    clock = Clock()
    scheduler = Scheduler(frontier, delay=1.0, max_depth=None, clock=clock)
    scheduler.host("a").ready_at = clock.now + 86_400
    sow(frontier, scheduler, {"a": [("http://a/1", 0)]})
    assert scheduler.pause() == pytest.approx(1.0)


def test_many_urls_of_one_host_are_given_once_each(frontier) -> None:
    scheduler = Scheduler(frontier, delay=0.0, max_depth=None, clock=Clock())
    sow(frontier, scheduler, {"a": [(f"http://a/{i}", i // 100) for i in range(1000)]})
    given = []
    while (visit := scheduler.next()) is not None:
        given.append(visit.url)
    assert given == [f"http://a/{i}" for i in range(1000)]


def test_the_frontier_remembers_hosts_and_outcomes(tmp_path) -> None:
    path = tmp_path / "f.sqlite"
    first = Frontier(path)
    host = Host(1, "a", 5.0, 2.0, 3, 4, 6)
    first.begin()
    first.write(Batch(found=[Found("http://a/", host, 0, 0, 0.0)], hosts={1: host}))
    row = first.find("http://a/")
    first.begin()
    assert first.first_with(b"digest", row.id)
    first.write(Batch(outcomes=[("HTTP_404", row.id)], warcs={"w": 9}, totals={"pages": 1}))
    first.close()
    second = Frontier(path)
    assert list(second.hosts()) == [Host(1, "a", 5.0, 2.0, 3, 4, 6)]
    assert second.find("http://a/")[-2:] == (DONE, "HTTP_404")
    assert (second.warcs(), second.totals(), second.outcomes()) == ({"w": 9}, {"pages": 1}, {"HTTP_404": 1})
    second.begin()
    assert not second.first_with(b"digest", 99)
    second.rollback()
    second.reopen(["http://a/"])
    assert second.count_waiting() == 1
    second.close()


def test_a_shorter_way_to_a_waiting_url_counts(frontier) -> None:
    host = Host(1, "a")
    for depth, new in ((3, 1), (2, 0), (5, 0)):
        frontier.begin()
        assert frontier.write(Batch(hosts={1: host}, found=[Found("http://a/x", host, depth, 0, float(depth))])) == new
    assert (frontier.find("http://a/x").depth, frontier.find("http://a/x").key) == (2, 2.0)
