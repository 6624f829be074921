"""The survey by walks against the counts of the whole web."""

from __future__ import annotations

import numpy as np

from periplus.graph import Graph
from periplus.graph.urls import UrlTable
from periplus.structure.survey import survey


def web() -> Graph:
    rng = np.random.default_rng(4)
    ends = ["com"] * 500 + ["edu"] * 300 + ["org"] * 200
    urls = UrlTable.from_urls([f"http://h{k % 50}.example.{end}:80/{k}" for k, end in enumerate(ends)])
    ring = np.arange(1000)
    sources, targets = rng.integers(0, 1000, (2, 4000))
    return Graph.from_edges(np.r_[sources, ring], np.r_[targets, np.roll(ring, 1)], 1000, urls=urls)


def test_domains_and_links_a_page_are_within_their_intervals() -> None:
    graph = web()
    found = survey(graph, seed=2)
    assert found.mixed
    truth = {".com": 0.5, ".edu": 0.3, ".org": 0.2}
    assert list(found.domains) == [".com", ".edu", ".org"]
    for name, share in truth.items():
        half = (found.domains[name].high - found.domains[name].low) / 2
        assert abs(found.domains[name].value - share) <= 1.6 * half
    half = (found.links_a_page.high - found.links_a_page.low) / 2
    assert abs(found.links_a_page.value - graph.links / graph.nodes) <= 1.6 * half
    assert found.dangling.value == 0.0


def test_without_urls_and_with_one_page() -> None:
    alone = survey(Graph.from_edges([], [], 1))
    assert alone.domains == {}
    assert alone.links_a_page.value == 0.0
    assert alone.dangling.value == 1.0


def test_two_cliques_joined_by_one_link_are_said_not_to_mix() -> None:
    first = [(a, b) for a in range(40) for b in range(40) if a != b]
    pairs = np.array([*first, *((a + 40, b + 40) for a, b in first), (0, 40)])
    found = survey(Graph.from_edges(pairs[:, 0], pairs[:, 1]), visits=20)
    assert found.mixing is not None
    assert found.mixing.visits > 1000
