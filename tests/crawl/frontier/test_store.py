"""The frontier remembers what a crawl has met, across runs."""

from __future__ import annotations

from periplus.crawl.frontier.store import DONE, Batch, FoundUrl, Frontier
from periplus.crawl.politeness.hosts import Host


def test_the_frontier_remembers_hosts_and_outcomes(tmp_path) -> None:
    path = tmp_path / "f.sqlite"
    first = Frontier(path)
    host = Host(1, "a", 5.0, 2.0, 3, 4, 6)
    first.begin()
    first.write(Batch(found=[FoundUrl("http://a/", host, 0, 0, 0.0)], hosts={1: host}))
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
        assert (
            frontier.write(Batch(hosts={1: host}, found=[FoundUrl("http://a/x", host, depth, 0, float(depth))])) == new
        )
    assert (frontier.find("http://a/x").depth, frontier.find("http://a/x").key) == (2, 2.0)
