"""Sixty-four searches at once against one at a time."""

from __future__ import annotations

import numpy as np
import pytest
from tests.oracles.structure_graphs import random_graphs

from periplus.graph import Graph
from periplus.structure.paths.diameter import lengths
from periplus.structure.paths.searches import search_64


def one_at_a_time(graph: Graph, starts: np.ndarray) -> tuple[list[float], list[int]]:
    found = [lengths(graph.out_offsets, graph.out_targets, int(start)) for start in starts]
    far = np.concatenate([distance[distance > 0] for distance in found])
    counts = np.bincount(far, minlength=1).astype(float)
    return counts.tolist(), [int(distance.max()) for distance in found]


def check(graph: Graph, starts: np.ndarray) -> None:
    counts, farthest, read = search_64(graph.out_offsets, graph.out_targets, starts)
    assert (counts.tolist(), farthest.tolist()) == one_at_a_time(graph, starts)
    assert read <= len(starts) * graph.links


def test_the_same_as_single_searches() -> None:
    rng = np.random.default_rng(1)
    for graph in random_graphs(80, seed=31, largest=90):
        if graph.nodes:
            check(graph, rng.choice(graph.nodes, min(64, graph.nodes), replace=False))


@pytest.mark.parametrize("pages", [1, 63, 64, 65, 3000])
def test_a_long_cycle_reads_every_link_once_a_search(pages: int) -> None:
    """Few pages have news at any time, which must not cost a look at all of them: 3,000 steps of 3,000 pages."""
    cycle = Graph.from_edges(np.arange(pages), np.roll(np.arange(pages), 1), pages)
    starts = np.arange(min(64, pages))
    check(cycle, starts)
    if pages > 1:
        assert search_64(cycle.out_offsets, cycle.out_targets, starts)[2] == pages * len(starts)


def test_a_crowd_shares_its_links() -> None:
    rng = np.random.default_rng(2)
    graph = Graph.from_edges(rng.integers(0, 2000, 30_000), rng.integers(0, 2000, 30_000), 2000)
    check(graph, np.arange(64))
    assert search_64(graph.out_offsets, graph.out_targets, np.arange(64))[2] < 10 * graph.links
