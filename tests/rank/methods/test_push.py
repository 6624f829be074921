"""Local push: its bounds hold, and what it calls certain is so."""

from __future__ import annotations

import numpy as np
import pytest
from tests.oracles.pagerank import dense_pagerank, random_graph

from periplus.errors import ParameterError
from periplus.graph import Graph
from periplus.rank.methods.push import push


@pytest.mark.parametrize("shape", ["plain", "acyclic", "disconnected", "self-links", "cliques", "all dangling"])
def test_bounds_hold_and_certain_places_are_right(shape: str) -> None:
    rng = np.random.default_rng(3)
    for _ in range(25):
        graph = random_graph(rng, shape)
        seed = int(rng.integers(graph.nodes))
        preference = np.zeros(graph.nodes)
        preference[seed] = 1
        exact = dense_pagerank(graph, 0.85, preference, "preference")
        near = push(graph, seed, count=5, tolerance=1e-8)
        assert np.all(near.lower <= exact[near.pages] + 1e-14)
        assert np.all(exact[near.pages] <= near.upper + 1e-14)
        for place, page in enumerate(near.pages):
            if near.certain[place]:
                below = np.setdiff1d(np.arange(graph.nodes), near.pages[: place + 1])
                assert exact[page] > exact[below].max(initial=-1) - 1e-14
        assert near.certain.all() or near.error_bound <= 1e-8


def test_the_error_is_exactly_the_residue_left() -> None:
    rng = np.random.default_rng(4)
    graph = random_graph(rng, "plain")
    preference = np.zeros(graph.nodes)
    preference[0] = 1
    exact = dense_pagerank(graph, 0.85, preference, "preference")
    near = push(graph, 0, count=graph.nodes, tolerance=1e-3)
    found = np.zeros(graph.nodes)
    found[near.pages] = near.lower
    assert np.abs(found - exact).sum() <= near.error_bound


def test_several_seeds_are_one_preference() -> None:
    rng = np.random.default_rng(5)
    graph = random_graph(rng, "plain")
    preference = np.zeros(graph.nodes)
    preference[[0, 1]] = 0.5
    exact = dense_pagerank(graph, 0.85, preference, "preference")
    near = push(graph, [0, 1, 1], count=3)
    assert near.seeds == (0, 1)
    assert np.all((near.lower <= exact[near.pages] + 1e-14) & (exact[near.pages] <= near.upper + 1e-14))


def test_it_reads_a_corner_of_a_large_graph() -> None:
    nodes = 200_000
    rng = np.random.default_rng(6)
    sources = np.repeat(np.arange(nodes), 5)
    targets = (sources + rng.integers(1, 30, len(sources))) % nodes
    near = push(Graph.from_edges(sources, targets, nodes), 1000, count=4)
    assert near.pages[0] == 1000
    assert near.certain.all()
    assert near.pages_touched < nodes / 10


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("seed", {"seed": 3}),
        ("seed", {"seed": -1}),
        ("seed", {"seed": []}),
        ("seed", {"seed": 1.5}),
        ("seed", {"seed": "1"}),
        ("count", {"seed": 0, "count": 0}),
        ("damping", {"seed": 0, "damping": 1.0}),
        ("tolerance", {"seed": 0, "tolerance": 1e-18}),
        ("tolerance", {"seed": 0, "tolerance": float("inf")}),
    ],
)
def test_bad_arguments_are_named(name: str, arguments: dict) -> None:  # type: ignore[type-arg]
    with pytest.raises(ParameterError) as caught:
        push(Graph.from_edges([0, 1], [1, 2], 3), **arguments)
    assert caught.value.name == name


@pytest.mark.parametrize("tolerance", [1e-9, 1e-13, 1e-15])
def test_ties_are_never_certain_and_bounds_hold_to_the_last_bit(tolerance: float) -> None:
    for links, seeds in (([], [0, 1]), ([(0, 0), (1, 1)], [0, 1]), ([(0, 1), (1, 0)], [0, 1])):
        sources, targets = np.array(links, dtype=np.int64).reshape(-1, 2).T
        found = push(Graph.from_edges(sources, targets, 2), seeds, tolerance=tolerance)
        assert not found.certain.any() or not found.certain[0]
    for damping in (0.85, 0.99, 0.9999):
        ring = Graph.from_edges([0, 1], [1, 0], 2)
        found = push(ring, 0, damping=damping, tolerance=tolerance)
        exact = np.array([1.0, damping]) / (1 + damping)
        assert np.all(found.lower <= exact[found.pages])
        assert np.all(exact[found.pages] <= found.upper)


def test_a_list_is_as_long_as_asked_for():
    """With little damping what is reached first is certain at once; the rest of the list is still looked for."""
    chain = Graph.from_edges(np.arange(99), np.arange(1, 100), 100)
    found = push(chain, 0, count=20, damping=0.1)
    assert len(found.pages) == 20 or found.error_bound <= 2e-9
    assert found.pages[:8].tolist() == list(range(8))
