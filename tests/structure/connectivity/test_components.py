"""Components against networkx, igraph and scipy, and against the published partition of cnr-2000."""

from __future__ import annotations

import lzma

import igraph
import networkx as nx
import numpy as np
import pytest
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components
from tests.conftest import data_path
from tests.oracles.structure_graphs import partition, random_graphs, to_networkx

from periplus.graph import Graph
from periplus.structure.connectivity.components import strong_components, weak_components


def links_of(graph: Graph) -> tuple[np.ndarray, np.ndarray]:
    return np.repeat(np.arange(graph.nodes), graph.out_degrees), graph.out_targets.astype(np.int64)


@pytest.mark.parametrize("seed", range(4))
def test_random_graphs_against_three_libraries(seed: int) -> None:
    for graph in random_graphs(100, seed=seed):
        strong, weak = strong_components(graph), weak_components(graph)
        sources, targets = links_of(graph)
        twin = to_networkx(graph)
        assert partition(strong.labels) == {frozenset(part) for part in nx.strongly_connected_components(twin)}
        assert partition(weak.labels) == {frozenset(part) for part in nx.weakly_connected_components(twin)}
        other = igraph.Graph(n=graph.nodes, edges=np.c_[sources, targets].tolist(), directed=True)
        assert strong.count == len(other.connected_components("strong"))
        assert weak.count == len(other.connected_components("weak"))
        matrix = csr_array((np.ones(len(sources)), (sources, targets)), shape=(graph.nodes, graph.nodes))
        assert strong.count == connected_components(matrix, connection="strong")[0]
        assert weak.count == connected_components(matrix, connection="weak")[0]


def test_strong_labels_are_in_topological_order_and_weak_ones_in_order_of_the_first_page() -> None:
    for graph in random_graphs(100, seed=9):
        strong, weak = strong_components(graph), weak_components(graph)
        sources, targets = links_of(graph)
        assert np.all(strong.labels[sources] <= strong.labels[targets])
        first_seen = list(dict.fromkeys(weak.labels.tolist()))
        assert first_seen == list(range(weak.count))


def test_weak_components_are_the_same_with_and_without_the_transpose() -> None:
    for graph in random_graphs(200, seed=12):
        alone = weak_components(graph)
        assert graph.in_sources is not None  # built now: from here on pages of the giant are passed over
        both_ways = weak_components(graph)
        assert both_ways.count == alone.count
        assert np.array_equal(both_ways.labels, alone.labels)


@pytest.mark.parametrize("seed", range(3))
def test_weak_components_of_many_small_trees_beside_a_giant(seed: int) -> None:
    rng = np.random.default_rng(seed)
    order = rng.permutation(30_000)  # a giant of two thirds, the rest in paths of up to 20 pages, ids in no order
    above = np.r_[(np.arange(20_000) * rng.random(20_000)).astype(np.int64), np.arange(20_000, 30_000) - 1]
    above[20_000::20] = np.arange(20_000, 30_000, 20)
    swap = rng.random(30_000) < 0.5
    sources, targets = np.where(swap, np.arange(30_000), above), np.where(swap, above, np.arange(30_000))
    graph = Graph.from_edges(order[sources], order[targets], 30_000)
    expected = connected_components(
        csr_array((np.ones(30_000), (order[sources], order[targets])), shape=(30_000, 30_000)), connection="weak"
    )
    for _ in range(2):  # the second time with the transpose
        found = weak_components(graph)
        assert found.count == expected[0] == 501
        assert len(np.unique(np.c_[found.labels, expected[1]], axis=0)) == 501
        assert graph.in_sources is not None


def test_by_parts_finds_the_same_components_in_topological_order() -> None:
    for graph in random_graphs(150, seed=31):
        whole, parts = strong_components(graph, by_parts=False), strong_components(graph, by_parts=True)
        assert parts.count == whole.count
        assert partition(parts.labels) == partition(whole.labels)
        sources, targets = links_of(graph)
        assert np.all(parts.labels[sources] <= parts.labels[targets])


def test_sizes_count_the_pages_of_each_label() -> None:
    for graph in random_graphs(50, seed=3):
        for components in (strong_components(graph), weak_components(graph)):
            assert np.array_equal(np.bincount(components.labels, minlength=components.count), components.sizes)
            assert components.sizes.min() >= 1
            assert len(components.members(components.largest_label)) == components.largest


def test_empty_graph() -> None:
    for components in (strong_components(Graph.from_edges([], [], 0)), weak_components(Graph.from_edges([], [], 0))):
        assert components.to_dict() == {"count": 0, "largest": 0, "singletons": 0, "ties": 0}
        assert components.largest_label == -1


def test_no_links_means_singletons() -> None:
    graph = Graph.from_edges([], [], 7)
    assert strong_components(graph).singletons == 7
    assert weak_components(graph).singletons == 7


@pytest.mark.parametrize("length", [2, 1000, 300_000])
def test_one_giant_cycle_is_one_component_however_deep_the_search(length: int) -> None:
    pages = np.arange(length)
    graph = Graph.from_edges(pages, (pages + 1) % length)
    assert strong_components(graph).sizes.tolist() == [length]
    assert weak_components(graph).sizes.tolist() == [length]


def test_a_long_path_is_all_singletons_in_order() -> None:
    graph = Graph.from_edges(np.arange(99_999), np.arange(1, 100_000))
    strong = strong_components(graph)
    assert strong.labels.tolist() == list(range(100_000))
    assert weak_components(graph).count == 1


def test_of_equal_components_the_one_with_the_smallest_page_is_the_largest() -> None:
    graph = Graph.from_edges([2, 3, 0, 1], [3, 2, 1, 0], 5)
    strong = strong_components(graph)
    assert strong.ties == 2
    assert strong.members(strong.largest_label).tolist() == [0, 1]


def test_an_undirected_graph_has_the_same_strong_and_weak_components() -> None:
    for graph in random_graphs(30, seed=5):
        sources, targets = links_of(graph)
        both = Graph.from_edges(np.r_[sources, targets], np.r_[targets, sources], graph.nodes)
        assert partition(strong_components(both).labels) == partition(weak_components(both).labels)


def test_cnr_2000_has_the_published_partition(cnr: Graph) -> None:
    strong = strong_components(cnr)
    assert (strong.count, strong.largest, strong.singletons) == (100_977, 112_023, 98_756)
    text = lzma.decompress((data_path("cnr-2000") / "scc-labels-from-webgraph-rs.txt.xz").read_bytes())
    published = np.array(text.split(), dtype=np.int64)
    pairs = np.unique(np.c_[published, strong.labels], axis=0)
    assert len(pairs) == 100_977
    assert partition(strong_components(cnr, by_parts=True).labels) == partition(strong.labels)
    assert weak_components(cnr).count == 1


def test_the_core_is_cut_out_first_where_links_lead_far(monkeypatch: pytest.MonkeyPatch) -> None:
    from periplus.structure.connectivity import components

    asked = []
    real = components._by_parts
    monkeypatch.setattr(components, "_PARTS_FROM", 100)
    monkeypatch.setattr("periplus.graph.locality.NEAR", 5)
    monkeypatch.setattr(components, "_by_parts", lambda graph, offsets: asked.append(graph) or real(graph, offsets))
    rng = np.random.default_rng(1)
    far = Graph.from_edges(rng.integers(0, 400, 4000), rng.integers(0, 400, 4000), 400)
    near = Graph.from_edges(np.arange(400), (np.arange(400) + 1) % 400, 400)
    strong_components(far)  # without its transpose
    for graph in (far, near):
        assert graph.in_sources is not None
        strong_components(graph)
    assert asked == [far]
