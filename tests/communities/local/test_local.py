"""Min-cut, eigenvectors, sites by counting links, aggregates, centres: each against its definition."""

from __future__ import annotations

import networkx
import numpy as np
import pytest
from tests.communities.webs import blocks

from periplus.communities import aggregates, centres, eigenvectors, min_cut, sites
from periplus.communities.local.aggregates import articulation_points
from periplus.communities.local.mincut import vicinity
from periplus.communities.modular.weighted import undirected
from periplus.errors import ParameterError
from periplus.graph.graph import Graph
from periplus.graph.urls.table import UrlTable


def random_graph(nodes: int, links: int, seed: int) -> Graph:
    rng = np.random.default_rng(seed)
    return Graph.from_edges(rng.integers(0, nodes, links), rng.integers(0, nodes, links), nodes)


def multigraph(graph: Graph) -> networkx.MultiGraph:
    made = networkx.MultiGraph()
    made.add_nodes_from(range(graph.nodes))
    made.add_edges_from((p, int(t)) for p in range(graph.nodes) for t in graph.successors(p) if t != p)
    return made


# -- min-cut -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(12))
def test_every_member_has_more_links_inside_than_outside(seed: int) -> None:
    graph = random_graph(400, 1600, seed) if seed % 2 else blocks(4, 4, 20, links=(6, 2, 1), seed=seed)
    chosen = [3, 5, 9]
    found = min_cut(graph, seeds=chosen, limit=150, k=2 + seed % 3)
    assert found.extra["weakly_tied"] == 0
    members = set(found.members(0).tolist())
    assert set(chosen) <= members
    links = multigraph(graph)
    for page in members - set(chosen):
        ends = [other for _, other in links.edges(page)]
        inside = sum(other in members for other in ends)
        assert inside > len(ends) - inside


def test_the_cut_is_the_smallest_there_is() -> None:
    """Against networkx on the same network; the side is the smallest of all smallest cuts."""
    graph = blocks(3, 3, 15, links=(5, 2, 1), seed=4)
    chosen, k = [0, 1], 3
    found = min_cut(graph, seeds=chosen, k=k, limit=60)
    near = vicinity(graph, np.array(chosen), steps=2, limit=60)
    network, links = networkx.DiGraph(), multigraph(graph)
    for page in near.tolist():
        for other in {end for _, end in links.edges(page)}:
            if other in near:
                network.add_edge(page, other, capacity=k * links.number_of_edges(page, other))
        outside = sum(end not in near for _, end in links.edges(page))
        if page in chosen:
            network.add_edge("source", page)
        else:
            network.add_edge(page, "sink", capacity=1 + k * outside)
    value, (side, _) = networkx.minimum_cut(network, "source", "sink")
    assert found.extra["cut"] == value
    assert set(found.members(0).tolist()) == side - {"source"}


def test_the_community_of_a_block_is_the_block() -> None:
    graph = blocks(5, 2, 30, links=(12, 1, 0), seed=3)
    found = min_cut(graph, seeds=[0, 4, 11, 20], k=20)
    members = found.members(0)
    assert np.mean(members < 60) > 0.95
    assert np.sum(members < 30) > 25


@pytest.mark.parametrize("limit", [2, 10, 57])
def test_a_vicinity_is_bounded_and_near(limit: int) -> None:
    graph = random_graph(500, 3000, 2)
    near = vicinity(graph, np.array([7]), steps=2, limit=limit)
    assert len(near) == limit
    lengths = networkx.single_source_shortest_path_length(networkx.Graph(multigraph(graph)), 7)
    assert max(lengths[page] for page in near.tolist()) <= 2
    near_ones = {page for page, length in lengths.items() if length == 1}
    assert len(near_ones & set(near.tolist())) == min(limit - 1, len(near_ones))


def test_seeds_without_links_and_no_seeds() -> None:
    graph = Graph.from_edges([0, 1], [1, 0], 4)
    assert min_cut(graph, seeds=[3]).members(0).tolist() == [3]
    star = Graph.from_edges(np.arange(1, 100_001), np.zeros(100_000, np.int64), 100_001)
    assert 0 in min_cut(star, seeds=[0]).members(0)
    assert 5 in min_cut(star, seeds=[5]).members(0)
    for seeds in ([], [9], "ab", None):
        with pytest.raises(ParameterError, match="seeds"):
            min_cut(graph, seeds=seeds)
    with pytest.raises(ParameterError, match="smaller capacity"):
        min_cut(graph, seeds=[0], k=2**30)


# -- eigenvectors --------------------------------------------------------------------------------------------


def test_two_senses_of_a_word_come_apart() -> None:
    """Two bipartite groups: each fills an end of its own."""
    links = [(fan, 20 + centre) for fan in range(8) for centre in range(5)]
    links += [(8 + fan, 30 + centre) for fan in range(6) for centre in range(4)]
    graph = Graph.from_edges(*np.array(links).T, 34)
    found = eigenvectors(graph, count=2)
    assert found[0].parts["authorities"].tolist() == [20, 21, 22, 23, 24]
    assert found[0].parts["hubs"].tolist() == list(range(8))
    assert found[1].parts["authorities"].tolist() == [30, 31, 32, 33]
    assert found[1].facts["eigenvector"] == 2
    assert len(eigenvectors(Graph.from_edges([], [], 3))) == 0


# -- sites ---------------------------------------------------------------------------------------------------


def test_ranges_of_addresses_that_hold_together() -> None:
    urls = [f"http://a.example/one/{k}" for k in range(4)] + [f"http://a.example/two/{k}" for k in range(4)]
    urls += [f"http://b.example/{k}" for k in range(4)]
    links = [(a, b) for a in range(4) for b in range(4) if a != b]  # one/: 12 inside
    links += [(0, 4), (4, 0), (4, 5), (5, 8), (6, 9), (7, 10), (4, 11)]  # two/: 1 inside, 6 across
    links += [(8, 9), (9, 10), (10, 11)]  # b: 3 inside, 4 across
    graph = Graph.from_edges(*np.array(links).T, 12, urls=UrlTable.from_urls(urls))
    found = sites(graph)
    assert (
        found.labels.tolist() == [0 if found.labels[0] == 0 else 1] * 4 + [found.labels[4]] * 4 + [found.labels[8]] * 4
    )
    assert found.name(int(found.labels[0])).endswith("one")
    assert "a.example" in found.name(int(found.labels[4]))
    assert sites(graph, ratio=2.0).labels[8] in (-1, sites(graph, ratio=2.0).labels[9])
    assert set(sites(graph, ratio=1e9).labels.tolist()) == {-1}


def test_without_urls_ranges_of_ids() -> None:
    graph = blocks(4, 1, 64, links=(6, 1, 0), seed=1)
    found = sites(graph)
    assert found.count >= 4
    for label in range(found.count):
        members = found.members(label)
        assert np.array_equal(members, np.arange(members[0], members[-1] + 1))


# -- aggregates ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(20))
def test_articulation_points_are_those_of_networkx(seed: int) -> None:
    graph = random_graph(60, 40 + 4 * seed, seed)
    weighted = undirected(graph)
    found = np.flatnonzero(articulation_points(weighted.offsets, weighted.neighbours))
    assert set(found.tolist()) == set(networkx.articulation_points(networkx.Graph(multigraph(graph))))


def test_two_clusters_that_hang_on_a_portal() -> None:
    links = [(a, b) for base in (0, 5) for a in range(base, base + 5) for b in range(base, base + 5) if a != b]
    graph = Graph.from_edges(*np.array([*links, (10, 0), (10, 5), (10, 11)]).T, 12)
    found = aggregates(graph)
    assert found.extra["articulation_points"] == [0, 5, 10]
    assert found.labels.tolist() == [-1, 0, 0, 0, 0, -1, 1, 1, 1, 1, -1, -1]
    long = Graph.from_edges(np.arange(100_000), np.arange(1, 100_001), 100_001)
    assert len(aggregates(long).extra["articulation_points"]) == 99_999


# -- centres -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(6))
def test_centres_are_those_of_networkx(seed: int) -> None:
    graph = random_graph(50, 90, seed)
    found = centres(graph, best=50)
    plain = networkx.Graph(multigraph(graph))
    for group in found:
        part = plain.subgraph(group.parts["pages"].tolist())
        assert networkx.is_connected(part)
        assert set(group.parts["centres"].tolist()) == set(networkx.center(part))
        assert group.facts["eccentricity"] == networkx.radius(part)
    assert sorted(map(len, (g.parts["pages"] for g in found)), reverse=True) == [len(g.parts["pages"]) for g in found]


def test_attractors_of_a_result_set() -> None:
    graph = Graph.from_edges([0, 1, 2, 3, 4, 9], [5, 5, 5, 6, 6, 5], 10)
    found = centres(graph, results=[0, 1, 2, 5, 9, 3], best=1)
    assert len(found) == 1
    assert found[0].parts["attractors"].tolist() == [5]
    assert found[0].parts["centres"].tolist() == [5]
    assert 3 not in found[0].parts["pages"]
    assert len(centres(Graph.from_edges([], [], 0))) == 0
    with pytest.raises(ParameterError, match="results"):
        centres(graph, results=[77])
