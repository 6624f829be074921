"""Distances: exact ones against networkx, estimates against exact ones within their stated errors."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from tests.oracles.structure_graphs import random_graphs, to_networkx

from periplus.errors import ParameterError
from periplus.graph import Graph
from periplus.structure.paths.distances import distances, expected_distance
from periplus.structure.paths.hyperball import pairs_within
from periplus.structure.paths.undirected import undirected


def web(nodes: int, links: int, seed: int) -> Graph:
    """A graph with hubs, dead ends and one-way regions."""
    rng = np.random.default_rng(seed)
    sources = rng.integers(0, nodes, links)
    targets = np.minimum((nodes * rng.random(links) ** 2.5).astype(np.int64), nodes - 1)
    return Graph.from_edges(sources, targets, nodes)


def by_networkx(twin: nx.Graph) -> np.ndarray:
    lengths = [d for _, row in nx.all_pairs_shortest_path_length(twin) for d in row.values() if d > 0]
    return np.bincount(lengths, minlength=1)


def test_exact_histogram_directed_and_undirected() -> None:
    for graph in random_graphs(60, seed=2):
        twin = to_networkx(graph)
        for directed, other in ((True, twin), (False, twin.to_undirected())):
            found = distances(graph, directed=directed, method="exact")
            expected = by_networkx(other)
            assert np.array_equal(found.histogram[1:], expected[1:])
            if expected.sum():
                assert found.mean == pytest.approx((expected * np.arange(len(expected))).sum() / expected.sum())
                assert found.connected_share == pytest.approx(expected.sum() / (graph.nodes * (graph.nodes - 1)))
            assert found.diameter_lower == len(expected) - 1


def test_more_than_64_pages_take_several_words() -> None:
    graph = web(200, 500, seed=1)
    assert np.array_equal(distances(graph, method="exact").histogram[1:], by_networkx(to_networkx(graph))[1:])


def test_undirected_rows_are_sorted_unions_without_loops() -> None:
    for graph in random_graphs(60, seed=4):
        offsets, neighbours = undirected(graph)
        twin = to_networkx(graph).to_undirected()
        for page in range(graph.nodes):
            expected = sorted(set(twin.neighbors(page)) - {page})
            assert neighbours[offsets[page] : offsets[page + 1]].tolist() == expected


def covered(graph: Graph, tries: int, **options: int) -> np.ndarray:
    """How often the truth is within two stated errors: connected share, mean distance, effective diameter."""
    truth = distances(graph, method="exact")
    inside = np.zeros(3)
    for seed in range(tries):
        found = distances(graph, method="hyperball", seed=seed, **options)
        inside += [
            abs(found.connected_share - truth.connected_share) <= 2 * found.connected_share_error,
            abs(found.mean - truth.mean) <= 2 * found.mean_error,
            abs(found.effective_diameter - truth.effective_diameter) <= 2 * found.effective_diameter_error,
        ]
    return inside / tries


def least(tries: int) -> float:
    """95 % less two binomial standard deviations of so many tries."""
    return 0.95 - 2 * (0.95 * 0.05 / tries) ** 0.5


@pytest.mark.parametrize(
    ("nodes", "links", "tries", "options"),
    [
        (2000, 8000, 200, {}),
        (500, 1000, 400, {}),
        (2000, 8000, 300, {"registers": 32, "runs": 4}),
        (800, 1600, 200, {"runs": 16}),
    ],
)
def test_hyperball_is_within_two_standard_errors_of_the_truth_95_times_in_100(
    nodes: int, links: int, tries: int, options: dict[str, int]
) -> None:
    shares = covered(web(nodes, links, seed=3), tries, **options)
    assert np.all(shares >= least(tries)), shares


@pytest.mark.long
@pytest.mark.parametrize(("nodes", "links"), [(30_000, 150_000), (100_000, 400_000)])
def test_hyperball_on_larger_graphs(nodes: int, links: int) -> None:
    shares = covered(web(nodes, links, seed=5), 40)
    assert np.all(shares >= least(40)), shares


def test_small_balls_and_large_ones_are_counted_without_bias() -> None:
    """From any page of a star both ways all n are reached: the mean over many hashes must be n."""
    for nodes in (10, 60, 300):
        pages = np.arange(nodes)
        hub = np.zeros(nodes - 1, np.int64)
        star = Graph.from_edges(np.r_[pages[1:], hub], np.r_[hub, pages[1:]], nodes)
        runs = pairs_within(star.out_offsets, star.out_targets, registers=32, runs=1500)
        sizes = np.array([run[-1] for run in runs]) / nodes
        assert abs(sizes.mean() / nodes - 1.0) < 3 * sizes.std() / nodes / 1500**0.5 + 0.005


def test_sampled_searches_are_within_their_error() -> None:
    graph = web(2000, 3000, seed=3)
    truth = distances(graph, method="exact")
    inside = np.zeros(2)
    for seed in range(60):
        found = distances(graph, method="sampled", sources=60, seed=seed)
        inside += [
            abs(found.connected_share - truth.connected_share) <= 2 * found.connected_share_error,
            abs(found.mean - truth.mean) <= 2 * found.mean_error,
        ]
        assert found.diameter_lower <= truth.diameter_lower
    assert np.all(inside / 60 >= 0.85), inside / 60


def test_sampling_every_page_is_exact() -> None:
    graph = web(100, 300, seed=8)
    found, truth = distances(graph, method="sampled", sources=100), distances(graph, method="exact")
    assert np.allclose(found.histogram, truth.histogram)


def test_sweeps_find_the_diameter_of_a_path_and_of_a_cycle() -> None:
    path = Graph.from_edges(np.arange(499), np.arange(1, 500))
    assert distances(path, method="hyperball", runs=2).diameter_lower == 499
    cycle = Graph.from_edges(np.arange(500), np.roll(np.arange(500), -1))
    assert distances(cycle, method="hyperball", runs=2).diameter_lower == 499
    assert distances(cycle, method="exact").mean == 250


@pytest.mark.parametrize("method", ["exact", "hyperball", "sampled"])
@pytest.mark.parametrize("nodes", [0, 1, 5])
def test_no_links_at_all(method: str, nodes: int) -> None:
    found = distances(Graph.from_edges([], [], nodes), method=method)
    assert (found.connected_share, found.mean, found.effective_diameter, found.diameter_lower) == (0, 0, 0, 0)


def test_alberts_line_at_two_billion_pages_is_about_19() -> None:
    assert expected_distance(2e9) == pytest.approx(19.5, abs=0.1)
    assert expected_distance(2e10) - expected_distance(2e9) == pytest.approx(2.06)
    with pytest.raises(ParameterError):
        expected_distance(0)
    assert distances(Graph.from_edges([], [], 1000)).albert == pytest.approx(0.35 + 2.06 * 3)


def test_bad_parameters_are_refused() -> None:
    graph = web(10, 20, seed=0)
    for options in (
        {"method": "guess"},
        {"method": "hyperball", "registers": 7},
        {"method": "hyperball", "runs": 1},
        {"sources": 1},
    ):
        with pytest.raises(ParameterError):
            distances(graph, **options)
