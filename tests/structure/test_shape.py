"""Clustering, robustness and self-similarity against networkx and against what must be so."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from tests.oracles.structure_graphs import random_graphs, to_networkx

from periplus.errors import ParameterError
from periplus.graph import Graph
from periplus.graph.urls.table import UrlTable
from periplus.record import PageLabels
from periplus.structure.connectivity.robustness import robustness
from periplus.structure.paths.clustering import clustering, local_clustering, small_world
from periplus.structure.studies.selfsimilar import self_similarity


def simple(graph: Graph) -> nx.Graph:
    twin = to_networkx(graph).to_undirected()
    twin.remove_edges_from(list(nx.selfloop_edges(twin)))
    return twin


def test_clustering_against_networkx() -> None:
    for graph in random_graphs(80, seed=12):
        twin = simple(graph)
        found = clustering(graph, method="exact")
        assert found.local == pytest.approx(nx.average_clustering(twin))
        assert found.overall == pytest.approx(nx.transitivity(twin))
        assert found.triangles == sum(nx.triangles(twin).values()) // 3
        assert local_clustering(graph) == pytest.approx([nx.clustering(twin, page) for page in range(graph.nodes)])


def test_sampled_clustering_is_within_three_errors() -> None:
    rng = np.random.default_rng(0)
    ends = (100 * rng.random((6000, 2)) ** 2).astype(np.int64) + 100 * rng.integers(0, 5, (6000, 1))
    graph = Graph.from_edges(ends[:, 0], ends[:, 1], 600)
    truth, found = clustering(graph, method="exact"), clustering(graph, method="sampled", samples=5000)
    assert abs(found.local - truth.local) <= 3 * found.local_error
    assert abs(found.overall - truth.overall) <= 3 * found.overall_error


def test_a_ring_lattice_is_a_small_world_beside_a_random_graph() -> None:
    pages = np.arange(2000)
    lattice = Graph.from_edges(np.tile(pages, 4), np.concatenate([(pages + k) % 2000 for k in range(1, 5)]))
    found = small_world(lattice)
    k = 8
    assert found.clustering.local == pytest.approx(3 * (k - 2) / (4 * (k - 1)))
    assert found.path_length == pytest.approx(2000 / (2 * k), rel=0.02)
    assert found.rewiring == pytest.approx(0.0, abs=1e-9)
    assert found.watts_strogatz_clustering == pytest.approx(found.clustering.local, rel=0.02)
    assert found.random_clustering == pytest.approx(k / 2000, rel=0.5)
    assert found.random_path_length == pytest.approx(np.log(2000) / np.log(k), rel=0.2)


@pytest.mark.parametrize("nodes", [0, 1, 2])
def test_small_world_of_next_to_nothing(nodes: int) -> None:
    assert small_world(Graph.from_edges([], [], nodes)).clustering.local == 0.0


def test_robustness_against_removal_by_hand() -> None:
    for graph in random_graphs(40, seed=13):
        twin = to_networkx(graph)
        found = robustness(graph)
        for threshold, removed, largest in zip(found.thresholds, found.removed, found.largest, strict=True):
            kept = [page for page in range(graph.nodes) if graph.in_degrees[page] < threshold]
            assert removed == graph.nodes - len(kept)
            parts = [len(part) for part in nx.weakly_connected_components(twin.subgraph(kept))]
            assert largest == max(parts, default=0)
            assert found.at_threshold(int(threshold)) == (removed, largest)
        assert found.removed[0] == 0
        assert np.all(np.diff(found.largest) <= 0)
        assert np.all(found.at_random <= graph.nodes - found.removed)


def test_a_star_falls_apart_without_its_hub() -> None:
    star = Graph.from_edges(np.arange(1, 100), np.zeros(99, np.int64))
    assert robustness(star).at_threshold(99) == (1, 1)
    assert robustness(star).at_random[1] >= 1


def sites(count: int, size: int) -> Graph:
    """Sites that are rings with chords, joined by a few links."""
    rng = np.random.default_rng(3)
    pages = np.arange(count * size)
    base = pages - pages % size
    sources = np.r_[pages, pages, rng.integers(0, count * size, 40)]
    targets = np.r_[
        base + (pages + 1) % size, base + rng.integers(0, size, len(pages)), rng.integers(0, count * size, 40)
    ]
    urls = UrlTable.from_urls([f"http://site{k // size:02d}.org/{k % size:04d}" for k in range(count * size)])
    return Graph.from_edges(sources, targets, count * size, urls=urls)


def test_sites_are_webs_of_their_own_and_random_sets_are_not() -> None:
    found = self_similarity(sites(12, 100), by="site", most=5)
    assert len(found.parts) == len(found.random) == 5
    assert found.by == "site"
    for part, random in zip(found.parts, found.random, strict=True):
        assert part.pages == random.pages == 100
        assert part.shares["scc"] == 1.0
        assert random.shares["scc"] < 0.2
        assert random.links < part.links / 3
        assert sum(random.shares.values()) == pytest.approx(1.0)


def test_given_groups_hosts_and_ranges() -> None:
    graph = sites(4, 100)
    given = self_similarity(graph, by=PageLabels("parity", np.arange(400) % 2, ["even", "odd"]))
    assert {part.name for part in given.parts} == {"even", "odd"}
    assert len(self_similarity(graph, by="host").parts) == 4
    bare = Graph(graph.out_offsets, graph.out_targets)
    assert [part.pages for part in self_similarity(bare).parts] == [100] * 4
    assert self_similarity(Graph.from_edges([], [], 0)).parts == ()


def test_bad_parameters_are_refused() -> None:
    graph = sites(2, 60)
    for by in ("colour", np.zeros(3, np.int64), np.full(120, -2), PageLabels("ones", np.ones(120, np.int64), ["one"])):
        with pytest.raises(ParameterError):
            self_similarity(graph, by=by)
    for options in ({"method": "guess"}, {"samples": 1}):
        with pytest.raises(ParameterError):
            clustering(graph, **options)
