"""In-degree, Katz, harmonic centrality and personalised PageRank on given pages."""

from __future__ import annotations

from fractions import Fraction

import networkx
import numpy as np
import pytest
from tests.oracles import rankings as oracle
from tests.oracles.rankings import graph_of

from periplus.errors import NotConvergedError, ParameterError
from periplus.graph.graph import Graph
from periplus.numeric.stop import MaxIter, Tol
from periplus.rank import (
    harmonic,
    indegree,
    katz,
    kendall_tau,
    markov_chain,
    personalised_pagerank,
    randomised_hits,
    two_level_reputation,
)


def test_in_degree_counts_links():
    for graph in [*oracle.special_graphs().values(), *oracle.random_graphs(50, seed=40)]:
        np.testing.assert_array_equal(indegree(graph).values, oracle.adjacency(graph).sum(axis=0))


def test_katz_agrees_with_the_linear_system_within_its_bound():
    for number, graph in enumerate([*oracle.special_graphs().values(), *oracle.random_graphs(200, seed=41)]):
        found = katz(graph, stop=Tol((1e-6, 1e-12)[number % 2]) | MaxIter(1000))
        wanted = oracle.katz(graph, found.parameters["attenuation"])
        assert np.abs(found.values - wanted).sum() <= found.error_bound + 1e-13 * wanted.sum()


def test_katz_is_networkx_katz():
    graph = next(g for g in oracle.random_graphs(50, seed=42) if g.links > 40)
    found = katz(graph, attenuation=0.05, stop=Tol(1e-12) | MaxIter(1000))
    peer = networkx.katz_centrality_numpy(networkx.DiGraph(oracle.adjacency(graph)), alpha=0.05, normalized=False)
    np.testing.assert_allclose(found.values, [peer[i] for i in range(graph.nodes)], rtol=1e-9)


def test_katz_with_little_weight_orders_as_in_degree():
    graph = next(g for g in oracle.random_graphs(50, seed=42) if g.links > 40)
    assert (
        kendall_tau(katz(graph, attenuation=1e-9, stop=Tol(1e-15) | MaxIter(9)).values, indegree(graph).values) > 0.99
    )


def test_katz_says_when_the_sum_diverges():
    cycle = graph_of([(0, 1), (1, 2), (2, 0)])
    with pytest.raises(ParameterError, match="diverges"):
        katz(cycle, attenuation=2.0, stop=Tol(1e-9) | MaxIter(5000))
    with pytest.raises(NotConvergedError):
        katz(cycle, attenuation=1.0)
    for bad in (0.0, -1.0, float("nan"), float("inf")):
        with pytest.raises(ParameterError, match="attenuation"):
            katz(cycle, attenuation=bad)


def test_harmonic_agrees_with_distances():
    for graph in [*oracle.special_graphs().values(), *oracle.random_graphs(150, seed=43)]:
        np.testing.assert_allclose(harmonic(graph).values, oracle.harmonic(graph), rtol=1e-13)


def test_harmonic_is_that_of_networkx_and_igraph_with_more_sources_than_bits():
    import igraph

    rng = np.random.default_rng(1)
    graph = Graph.from_edges(*rng.integers(0, 300, (2, 700)), 300)
    found = harmonic(graph).values
    links = list(zip(np.repeat(np.arange(300), graph.out_degrees).tolist(), graph.out_targets.tolist(), strict=True))
    peer = networkx.DiGraph(links)
    peer.add_nodes_from(range(300))
    other = networkx.harmonic_centrality(peer)
    np.testing.assert_allclose(found, [other[i] for i in range(300)], rtol=1e-12)
    third = igraph.Graph(300, links, directed=True).harmonic_centrality(mode="in", normalized=False)
    np.testing.assert_allclose(found, third, rtol=1e-12)


def test_sampled_harmonic_is_within_its_half_width_and_unbiased():
    rng = np.random.default_rng(2)
    graph = Graph.from_edges(*rng.integers(0, 2000, (2, 8000)), 2000)
    exact = harmonic(graph).values
    runs = [harmonic(graph, samples=200, seed=seed) for seed in range(20)]
    outside = sum(np.abs(run.values - exact).max() > run.extra["half_width"] for run in runs)
    assert outside <= 2  # at 95% confidence one of twenty may be
    mean = np.mean([run.values for run in runs], axis=0)
    assert abs(mean.sum() / exact.sum() - 1) < 0.02
    assert np.isnan(runs[0].error_bound)
    np.testing.assert_allclose(harmonic(graph, samples=2000).values, exact)


@pytest.mark.parametrize("arguments", [{"samples": 0}, {"samples": 4}, {"seed": -1}])
def test_harmonic_refuses_bad_samples(arguments):
    with pytest.raises(ParameterError):
        harmonic(graph_of([(0, 1), (1, 2)]), **arguments)


def test_personalised_jumps_lead_to_the_seeds():
    for graph in oracle.random_graphs(60, seed=44):
        seeds = [0, graph.nodes - 1]
        preference = np.zeros(graph.nodes)
        preference[seeds] = 1.0
        found = personalised_pagerank(graph, seeds=seeds)
        assert np.abs(found.values - oracle.personalised(graph, preference, 0.85)).sum() <= found.error_bound


@pytest.mark.parametrize("seeds", [[], [3], [-1]])
def test_personalised_refuses_pages_that_are_not_there(seeds):
    with pytest.raises(ParameterError, match="seeds"):
        personalised_pagerank(graph_of([(0, 1), (1, 2)]), seeds=seeds)


def test_what_rounding_leaves_is_told_and_not_waited_for():
    """With a tolerance alone there is no end but the floor of rounding; each of these would go on for ever."""
    graph = graph_of([(0, 1), (1, 2), (2, 0), (2, 3), (3, 1)])
    for rank in (markov_chain, katz, two_level_reputation, randomised_hits):
        with pytest.raises(NotConvergedError, match="more passes gain nothing"):
            rank(graph, stop=Tol(1e-15))


def test_many_equal_links_do_not_outgrow_the_bound():
    """A star both ways. Adding k equal numbers one after the other may be off by k units of the last place."""
    k = 100_000
    spokes, centre = np.arange(1, k + 1), np.zeros(k, int)
    graph = Graph.from_edges(np.append(spokes, centre), np.append(centre, spokes), k + 1)
    found = katz(graph, attenuation=1e-3, stop=Tol(1e-11) | MaxIter(5000))
    # x_centre = 1 + α k x, x = 1 + α x_centre
    exact = Fraction(1, 1000)
    middle = (1 + exact * k) / (1 - exact * exact * k)
    wanted = np.array([float(middle)] + [float(1 + exact * middle)] * k)
    assert np.abs(found.values - wanted).sum() <= found.error_bound


def test_harmonic_of_a_long_path():
    """Every search walks along the path, not over all pages at every step: n log n work for its few pages ahead."""
    n = 4096
    path = Graph.from_edges(np.arange(n - 1), np.arange(1, n), n)
    np.testing.assert_allclose(
        harmonic(path).values, np.concatenate(([0.0], np.cumsum(1 / np.arange(1, n)))), rtol=1e-12
    )
