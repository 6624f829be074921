"""The scheduler plays by the clock: hosts take turns, each within its politeness."""

from __future__ import annotations

import pytest

from periplus.crawl.frontier.scheduler import Scheduler
from periplus.crawl.frontier.store import Batch, FoundUrl, Frontier


class Clock:
    now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


def fill(frontier: Frontier, scheduler: Scheduler, urls: dict[str, list[tuple[str, int]]]) -> None:
    batch = Batch()
    for name, found in urls.items():
        host = scheduler.host(name)
        batch.hosts[host.id] = host
        batch.found += [FoundUrl(url, host, depth, 0, float(depth)) for url, depth in found]
    frontier.begin()
    frontier.write(batch)
    scheduler.start()


def test_one_request_at_a_time_and_a_pause_between(frontier) -> None:
    clock = Clock()
    scheduler = Scheduler(frontier, delay=1.0, max_depth=None, clock=clock)
    fill(frontier, scheduler, {"a": [("http://a/1", 0), ("http://a/2", 0)], "b": [("http://b/1", 0)]})
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
    fill(frontier, scheduler, {"a": [("http://a/deep", 2), ("http://a/top", 0)], "b": [("http://b/mid", 1)]})
    assert [scheduler.next().url for _ in range(3)] == ["http://a/top", "http://b/mid", "http://a/deep"]


def test_depth_is_a_limit_of_the_run_not_of_the_frontier(frontier) -> None:
    shallow = Scheduler(frontier, delay=0.0, max_depth=1, clock=Clock())
    fill(frontier, shallow, {"a": [("http://a/0", 0), ("http://a/1", 1), ("http://a/2", 2)]})
    assert [shallow.next().depth, shallow.next().depth, shallow.next()] == [0, 1, None]
    assert frontier.count_waiting() == 3
    deep = Scheduler(frontier, delay=0.0, max_depth=None, clock=Clock())
    deep.load()
    deep.start()
    assert len([1 for _ in range(3) if deep.next()]) == 3


def test_a_sleeping_host_keeps_its_urls(frontier) -> None:
    scheduler = Scheduler(frontier, delay=0.0, max_depth=None, clock=Clock())
    fill(frontier, scheduler, {"a": [(f"http://a/{i}", 0) for i in range(5)]})
    scheduler.sleep(scheduler.host("a"), "it fails")
    assert scheduler.next() is None
    assert scheduler.left == {"a": "it fails"}
    assert frontier.count_waiting() == 5


def test_a_clock_that_was_set_back_does_not_stop_a_host(frontier) -> None:
    clock = Clock()
    scheduler = Scheduler(frontier, delay=1.0, max_depth=None, clock=clock)
    scheduler.host("a").ready_at = clock.now + 86_400
    fill(frontier, scheduler, {"a": [("http://a/1", 0)]})
    assert scheduler.pause() == pytest.approx(1.0)


def test_many_urls_of_one_host_are_given_once_each(frontier) -> None:
    scheduler = Scheduler(frontier, delay=0.0, max_depth=None, clock=Clock())
    fill(frontier, scheduler, {"a": [(f"http://a/{i}", i // 100) for i in range(1000)]})
    given = []
    while (visit := scheduler.next()) is not None:
        given.append(visit.url)
    assert given == [f"http://a/{i}" for i in range(1000)]


def test_a_longer_pause_is_kept_and_a_shorter_one_does_not_cut_the_hosts_own(frontier) -> None:
    clock = Clock()
    scheduler = Scheduler(frontier, delay=2.0, max_depth=None, clock=clock)
    fill(frontier, scheduler, {"a": [("http://a/1", 0)]})
    for pause, kept in ((0.5, 2.0), (7.0, 7.0)):
        scheduler.put_back(scheduler.next(), pause)
        assert scheduler.pause() == pytest.approx(kept)
        clock.now += kept


def test_a_host_that_was_never_saved_leaves_no_number_to_another(frontier) -> None:
    """A rule may refuse the only URL of a new host: its number must not be given away twice by two runs."""
    first = Scheduler(frontier, delay=0.0, max_depth=None, clock=Clock())
    first.host("refused")
    fill(frontier, first, {"a": [("http://a/", 0)]})
    second = Scheduler(frontier, delay=0.0, max_depth=None, clock=Clock())
    second.load()
    fill(frontier, second, {"b": [("http://b/", 0)]})
    assert {second.next().host.name, second.next().host.name} == {"a", "b"}
