"""Leiden: quality against igraph's and against brute force, connected communities, the same answer every time."""

from __future__ import annotations

from itertools import product

import igraph
import networkx
import numpy as np
import pytest
from tests.conftest import data_path

from periplus.communities import leiden, modularity
from periplus.communities.modular.moves import quality_of
from periplus.communities.modular.partition import RUN, order_of, partition
from periplus.communities.modular.weighted import aggregate, undirected
from periplus.graph.graph import Graph
from periplus.pipeline import open_graph
from periplus.record import PageLabels


def random_graph(nodes: int, links: int, seed: int) -> Graph:
    rng = np.random.default_rng(seed)
    return Graph.from_edges(rng.integers(0, nodes, links), rng.integers(0, nodes, links), nodes)


def cliques(count: int, size: int) -> Graph:
    """Cliques in a ring, one link between neighbours."""
    inside = [(c * size + a, c * size + b) for c in range(count) for a in range(size) for b in range(size) if a != b]
    between = [(c * size, ((c + 1) % count) * size + 1) for c in range(count)]
    return Graph.from_edges(*np.array(inside + between).T, count * size)


def textbook_modularity(graph: Graph, labels: np.ndarray, resolution: float = 1.0) -> float:
    """From the dense matrix: Σ over pairs of one community of (w − γ k k' / 2m) / 2m."""
    matrix = np.zeros((graph.nodes, graph.nodes))
    for page in range(graph.nodes):
        matrix[page, graph.successors(page)] += 1
    np.fill_diagonal(matrix, 0)
    matrix += matrix.T
    degrees, total = matrix.sum(axis=0), matrix.sum()
    same = labels[:, None] == labels[None, :]
    return float(((matrix - resolution * np.outer(degrees, degrees) / total) * same).sum() / total)


def dense_of(weighted) -> np.ndarray:
    matrix = np.zeros((weighted.nodes, weighted.nodes))
    for row in range(weighted.nodes):
        at = slice(weighted.offsets[row], weighted.offsets[row + 1])
        matrix[row, weighted.neighbours[at]] = weighted.weights[at]
    return matrix


def test_weights_are_the_links_both_ways() -> None:
    graph = random_graph(30, 200, 1)
    weighted, matrix = undirected(graph), np.zeros((30, 30))
    for page in range(30):
        matrix[page, graph.successors(page)] = 1
    np.fill_diagonal(matrix, 0)
    assert np.array_equal(dense_of(weighted), matrix + matrix.T)
    assert np.array_equal(weighted.sizes, (matrix + matrix.T).sum(axis=0))
    labels = np.arange(30) % 4
    groups = np.eye(4)[labels]
    merged = aggregate(weighted, labels, 4)
    expected = groups.T @ (matrix + matrix.T) @ groups
    assert np.array_equal(merged.inside, np.diag(expected) / 2)
    assert np.array_equal(merged.sizes, expected.sum(axis=0))
    np.fill_diagonal(expected, 0)
    assert np.array_equal(dense_of(merged), expected)


def test_cliques_in_a_ring_come_apart() -> None:
    graph = cliques(12, 6)
    found = leiden(graph)
    assert found.count == 12
    assert all(len(set(found.labels[c * 6 : c * 6 + 6])) == 1 for c in range(12))
    assert found.extra["modularity"] == pytest.approx(textbook_modularity(graph, found.labels))
    assert leiden(graph, quality="cpm", resolution=0.5).count == 12


@pytest.mark.parametrize("resolution", [0.5, 1.0, 3.0])
def test_modularity_is_the_textbook_s(resolution: float) -> None:
    graph = random_graph(40, 160, 7)
    found = leiden(graph, resolution=resolution)
    assert found.extra["reached"] == pytest.approx(textbook_modularity(graph, found.labels, resolution))
    assert modularity(graph, found) == pytest.approx(textbook_modularity(graph, found.labels))


@pytest.mark.parametrize("seed", range(6))
def test_small_graphs_reach_the_best_of_all_partitions(seed: int) -> None:
    graph = random_graph(8, 18, seed)
    best = max(textbook_modularity(graph, np.array(labels)) for labels in product(range(3), repeat=8))
    assert max(leiden(graph, seed=s).extra["modularity"] for s in range(5)) >= best - 1e-9


@pytest.mark.parametrize("name", ["cnr-2000", "wb-cs-stanford", "polblogs"])
def test_as_good_as_igraph(name: str) -> None:
    path = {"cnr-2000": "cnr-2000", "wb-cs-stanford": "edges.tsv.xz", "polblogs": "polblogs.gml.xz"}[name]
    graph = open_graph(data_path(name) / path)
    ours, weighted = leiden(graph), undirected(graph)
    sources = np.repeat(np.arange(weighted.nodes), np.diff(weighted.offsets))
    once = sources < weighted.neighbours
    theirs = igraph.Graph(weighted.nodes, np.stack([sources[once], weighted.neighbours[once]], axis=1))
    weights = weighted.weights[once].tolist()
    found = theirs.community_leiden("modularity", weights=weights, n_iterations=2)
    assert ours.extra["modularity"] > theirs.modularity(found.membership, weights=weights) - 0.002


@pytest.mark.parametrize("nodes", [1, 1500, RUN * 80, RUN * 80 + 5])
def test_every_node_is_taken_once(nodes: int) -> None:
    order = order_of(nodes, np.random.default_rng(0))
    assert np.array_equal(np.sort(order), np.arange(nodes))
    assert nodes == 1 or not np.array_equal(order, np.arange(nodes))


def test_runs_of_ids_are_as_good_as_single_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = cliques(200, 6)
    single = leiden(graph).extra["modularity"]
    monkeypatch.setattr("periplus.communities.modular.partition.CACHED", 100)
    monkeypatch.setattr("periplus.communities.modular.partition.RUN", 16)
    assert leiden(graph).extra["modularity"] == pytest.approx(single, abs=0.003)


@pytest.mark.parametrize("quality", ["modularity", "cpm"])
def test_every_community_is_connected(quality: str) -> None:
    for seed in range(8):
        graph = random_graph(300, 500, seed)
        found = leiden(graph, quality=quality, resolution=1.0 if quality == "modularity" else 0.05, seed=seed)
        linked = networkx.Graph()
        linked.add_edges_from((page, int(other)) for page in range(300) for other in graph.successors(page))
        for label in range(found.count):
            members = found.members(label).tolist()
            assert networkx.is_connected(linked.subgraph(members)), (seed, label)


def test_the_seed_decides_and_threads_do_not(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = random_graph(500, 1500, 3)
    first = leiden(graph, seed=4).labels
    monkeypatch.setenv("PERIPLUS_THREADS", "7")
    assert np.array_equal(first, leiden(graph, seed=4).labels)
    assert not np.array_equal(first, leiden(graph, seed=5).labels)


def test_rounds_never_lose_quality() -> None:
    weighted = undirected(random_graph(2000, 9000, 2))
    gamma = 1.0 / weighted.sizes.sum()
    reached = [partition(weighted, gamma, rounds=rounds).quality for rounds in (1, 2, 5)]
    assert reached == sorted(reached)
    found = partition(weighted, gamma)
    assert quality_of(weighted, gamma, found.labels) >= found.quality - 1e-6
    assert np.all(np.diff(np.bincount(found.labels)) <= 0)


@pytest.mark.parametrize(
    ("links", "nodes", "labels"),
    [([], 0, []), ([], 1, [-1]), ([(0, 0)], 2, [-1, -1]), ([(0, 1)], 3, [0, 0, -1]), ([(0, 1), (1, 0)], 2, [0, 0])],
)
def test_tiny_webs(links: list[tuple[int, int]], nodes: int, labels: list[int]) -> None:
    ends = np.array(links).reshape(-1, 2).T
    found = leiden(Graph.from_edges(*ends, nodes))
    assert found.labels.tolist() == labels
    assert found.extra["modularity"] == 0


def test_one_giant_community_and_equal_nodes() -> None:
    clique = cliques(1, 40)
    assert leiden(clique).count == 1
    star = Graph.from_edges(np.arange(1, 50_001), np.zeros(50_000, np.int64), 50_001)
    assert leiden(star).count == 1
    pairs = Graph.from_edges(np.arange(0, 10_000, 2), np.arange(1, 10_000, 2), 10_000)
    assert leiden(pairs).count == 5000


def test_modularity_of_a_grouping_that_leaves_pages_out() -> None:
    graph = random_graph(20, 80, 5)
    labels = np.where(np.arange(20) < 10, np.arange(20) % 3, -1)
    alone = np.where(labels < 0, 100 + np.arange(20), labels)
    given = PageLabels("given", labels)
    assert modularity(graph, given) == pytest.approx(textbook_modularity(graph, alone))


def test_blogs_stand_with_their_camp() -> None:
    """Of the 1,224 blogs of polblogs with links, 95 % are in a community that is mostly of their camp."""
    graph = open_graph(data_path("polblogs") / "polblogs.gml.xz")
    camps = np.asarray(graph.node_attributes["value"]).astype(np.int64)
    labels = leiden(graph).labels
    linked = labels >= 0
    votes = np.zeros((labels.max() + 1, 2))
    np.add.at(votes, (labels[linked], camps[linked]), 1)
    assert linked.sum() == 1224 or linked.sum() == 1222
    assert np.sum(np.bincount(labels[linked]) >= 10) <= 4
    assert votes.max(axis=1).sum() / linked.sum() >= 0.95
