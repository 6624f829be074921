"""Pauses of addresses that many hosts share, by a clock of the test's own."""

from __future__ import annotations

import heapq
import random
from itertools import pairwise

import pytest
from tests.webs.server import honest_site, site

from periplus.crawl.fetch.courtesy import RequestLog
from periplus.crawl.politeness.addresses import Addresses


@pytest.mark.parametrize("seed", range(5))
def test_the_gap_of_an_address_is_never_shorter_than_its_pause(seed: int) -> None:
    """Fifty hosts on five addresses, each of which comes when it was told to, or up to three seconds late."""
    chance, addresses = random.Random(seed), Addresses(0.25)
    queue = [(chance.random(), host, 0) for host in range(50)]
    asked: dict[int, list[float]] = {}
    while queue:
        now, host, requests = heapq.heappop(queue)
        wait = addresses.wait(f"h{host}", f"a{host % 5}", now)
        if wait:
            heapq.heappush(queue, (now + wait + chance.choice([0.0, 0.0, 3 * chance.random()]), host, requests))
        else:
            asked.setdefault(host % 5, []).append(now)
            if requests < 20:
                heapq.heappush(queue, (now + 1.0, host, requests + 1))
    assert sum(map(len, asked.values())) == 50 * 21
    gaps = [b - a for times in asked.values() for a, b in pairwise(times)]
    assert min(gaps) >= 0.25 - 1e-9


def test_a_host_that_comes_early_keeps_its_turn() -> None:
    addresses = Addresses(1.0)
    assert addresses.wait("a", "x", 0.0) == 0
    assert addresses.wait("b", "x", 0.0) == 1.0
    assert addresses.wait("b", "x", 0.4) == pytest.approx(0.6)
    assert addresses.wait("c", "x", 0.5) == pytest.approx(1.5)
    assert addresses.wait("b", "x", 1.0) == 0
    assert addresses.wait("a", "y", 1.0) == 0


def test_hosts_of_one_address_are_asked_in_turn(web) -> None:
    here = web(**{name: site(honest_site(1, name)) for name in "abcd"})
    report = here.crawl(*(f"http://{name}.run.test/" for name in "abcd"), scope="any", address_delay=0.05)
    assert report.outcomes == {"OK": 4}
    times = [asked.at for asked in here.server.asked]
    assert len(times) == 8  # a robots.txt and a page each
    assert max(times) - min(times) >= 6 * 0.05
    assert (report.courtesy.requests, report.courtesy.hosts, report.courtesy.refused) == (8, 4, 0)


def test_requests_and_gaps_are_counted() -> None:
    now = iter([0.0, 1.0, 1.5, 4.0, 4.2])
    log = RequestLog(clock=lambda: next(now))
    for host in ("a", "b", "a", "a", "b"):
        log.asked(host)
    courtesy = log.courtesy(7)
    assert (courtesy.requests, courtesy.hosts, courtesy.refused) == (5, 2, 7)
    assert [(one.host, one.requests, one.least_gap) for one in courtesy.busiest] == [("a", 3, 1.5), ("b", 2, 3.2)]
    assert courtesy.closest.host == "a"
