"""Monte Carlo PageRank: within its own confidence intervals, and the same on any number of threads."""

from __future__ import annotations

import numba
import numpy as np
import pytest
from tests.oracles.pagerank import SHAPES, dense_pagerank, random_graph

from periplus.errors import ParameterError
from periplus.graph import Graph
from periplus.rank.methods.montecarlo import ESTIMATES, monte_carlo
from periplus.rank.methods.pagerank import pagerank


def web(seed: int = 1, nodes: int = 300, links: int = 900) -> Graph:
    rng = np.random.default_rng(seed)
    return Graph.from_edges(rng.integers(0, nodes, links), rng.integers(0, nodes, links), nodes)


@pytest.mark.parametrize("estimate", ESTIMATES)
@pytest.mark.parametrize("given", [False, True])
def test_the_truth_lies_within_the_stated_interval_as_often_as_stated(estimate: str, given: bool) -> None:
    graph = web()
    assert graph.dangling.any()
    preference = np.random.default_rng(2).random(graph.nodes) ** 2 if given else None
    v = np.full(graph.nodes, 1 / graph.nodes) if preference is None else preference / preference.sum()
    exact = dense_pagerank(graph, 0.85, v, "preference")
    inside = []
    for seed in range(5):
        scores = monte_carlo(graph, walks=400, estimate=estimate, preference=preference, seed=seed)
        inside.append(np.abs(scores.values - exact) <= scores.extra["half_width"])
        assert np.abs(scores.values - exact).sum() <= scores.error_bound
    assert np.mean(inside) > 0.93
    # An interval that is always right would be too wide to say anything.
    assert scores.extra["half_width"].mean() < 0.5 * exact.mean()


def test_more_walks_come_closer_like_the_square_root() -> None:
    graph = web()
    exact = dense_pagerank(graph, 0.85, np.full(graph.nodes, 1 / graph.nodes), "preference")
    few = np.mean([np.abs(monte_carlo(graph, walks=20, seed=s).values - exact).sum() for s in range(5)])
    many = np.mean([np.abs(monte_carlo(graph, walks=2000, seed=s).values - exact).sum() for s in range(5)])
    assert 5 < few / many < 20


@pytest.mark.parametrize("estimate", ESTIMATES)
def test_the_counts_do_not_depend_on_the_threads(estimate: str) -> None:
    graph = web(nodes=5000, links=20_000)
    both = monte_carlo(graph, walks=5, estimate=estimate, seed=7)
    numba.set_num_threads(1)
    try:
        one = monte_carlo(graph, walks=5, estimate=estimate, seed=7)
    finally:
        numba.set_num_threads(numba.config.NUMBA_NUM_THREADS)
    np.testing.assert_array_equal(one.values, both.values)
    assert not np.array_equal(one.values, monte_carlo(graph, walks=5, estimate=estimate, seed=8).values)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("estimate", ESTIMATES)
def test_odd_graphs(shape: str, estimate: str) -> None:
    graph = random_graph(np.random.default_rng(9), shape)
    scores = monte_carlo(graph, walks=300, estimate=estimate)
    exact = dense_pagerank(graph, 0.85, np.full(graph.nodes, 1 / max(graph.nodes, 1)), "preference")
    assert len(scores.values) == graph.nodes
    assert np.abs(scores.values - exact).sum() <= min(scores.error_bound, 0.2)


def test_one_walk_a_page_finds_the_top_page() -> None:
    """Litvak's point: a single run of the walks already tells the important pages."""
    sources = np.concatenate((np.arange(1, 2000), np.arange(2000)))
    targets = np.concatenate((np.zeros(1999, np.int64), np.random.default_rng(3).integers(0, 2000, 2000)))
    graph = Graph.from_edges(sources, targets, 2000)
    assert monte_carlo(graph, walks=1).best(1)[0] == 0


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("walks", {"walks": 0}),
        ("estimate", {"estimate": "guess"}),
        ("damping", {"damping": 1.0}),
        ("confidence", {"confidence": 1.0}),
        ("preference", {"preference": np.full(300, np.nan)}),
    ],
)
def test_bad_arguments_are_named(name: str, arguments: dict) -> None:  # type: ignore[type-arg]
    with pytest.raises(ParameterError) as caught:
        monte_carlo(web(), **arguments)
    assert caught.value.name == name


@pytest.mark.parametrize("estimate", ESTIMATES)
def test_mass_is_one_and_later_walks_are_new_ones(estimate: str) -> None:
    rng = np.random.default_rng(2)
    graph = Graph.from_edges(rng.integers(0, 300, 900), rng.integers(0, 300, 900), 300)
    exact = pagerank(graph).values
    runs = [monte_carlo(graph, estimate=estimate, walks=20, first=6000 * run).values for run in range(8)]
    assert all(run.sum() == pytest.approx(1.0) for run in runs)
    alone = np.mean([np.abs(run - exact).sum() for run in runs])
    assert np.abs(np.mean(runs, axis=0) - exact).sum() < 0.6 * alone


@pytest.mark.parametrize("name", ["seed", "first"])
def test_a_negative_number_is_refused(name: str) -> None:
    with pytest.raises(ParameterError, match=name):
        monte_carlo(Graph.from_edges(np.array([0]), np.array([1]), 2), **{name: -1})


@pytest.mark.parametrize("estimate", ESTIMATES)
def test_long_walks_are_not_cut_short(estimate):
    """At damping 0.999 one walk in three is longer than a thousand steps; cut there, a trap seems easy to leave."""
    graph = Graph.from_edges([0, 1, 0, 2, 3], [1, 0, 2, 3, 2], 4)
    preference = np.array([0.0, 1.0, 0.0, 0.0])
    found = monte_carlo(graph, walks=2000, damping=0.999, preference=preference, estimate=estimate, confidence=0.999)
    exact = dense_pagerank(graph, 0.999, preference, "preference")
    assert np.all(np.abs(found.values - exact) <= found.extra["half_width"])
