from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from tests.oracles.graph_sets import Links, links_of, small_link_lists

from periplus.errors import ParameterError
from periplus.graph import Graph
from periplus.graph.building.text import read_edge_list
from periplus.graph.order import ORDERS, mean_log_gap, ordering
from periplus.graph.urls.table import NameTable

NODES = 13


def graph_of(links: Links) -> Graph:
    pairs = np.array(links, np.int64).reshape(-1, 2)
    names = [f"https://h{page % 3}.example/{page:02}" for page in range(NODES)]
    return Graph.from_edges(pairs[:, 0], pairs[:, 1], NODES, urls=NameTable.from_names(names))


@pytest.mark.parametrize("method", ORDERS)
@given(links=small_link_lists)
@settings(max_examples=25, derandomize=True, deadline=None)
def test_an_order_renumbers_and_keeps_the_way_back(method: str, links: Links) -> None:
    graph = graph_of(links)
    order = ordering(graph, method)
    assert np.array_equal(order.permutation[order.inverse], np.arange(NODES))
    renumbered = graph.reordered(method)
    assert links_of(renumbered) == {(int(order.permutation[a]), int(order.permutation[b])) for a, b in links}
    assert renumbered.original_ids is not None
    assert np.array_equal(renumbered.original_ids, order.inverse)
    assert [renumbered.urls[i] for i in range(NODES)] == [graph.urls[int(old)] for old in order.inverse]
    assert graph.reordered(order.permutation).digest == renumbered.digest
    assert renumbered.reordered(order.inverse).digest == graph.digest


def test_breadth_first_meets_nodes_by_distance() -> None:
    graph = Graph.from_edges(np.array([0, 0, 4, 3]), np.array([4, 3, 1, 2]))
    assert ordering(graph, "bfs").inverse.tolist() == [0, 3, 4, 2, 1]


def test_degree_puts_the_most_linked_first_and_ties_by_id() -> None:
    graph = Graph.from_edges(np.array([0, 1, 2, 0]), np.array([3, 3, 3, 2]))
    assert ordering(graph, "degree").inverse.tolist() == [3, 2, 0, 1]


def test_url_order_gathers_hosts() -> None:
    order = ordering(graph_of([]), "url")
    hosts = [int(page) % 3 for page in order.inverse]
    assert hosts == sorted(hosts)


def test_label_propagation_finds_shuffled_cliques() -> None:
    random = np.random.default_rng(2)
    cliques, size = 40, 8
    names = random.permutation(cliques * size)
    within = [
        (names[c * size + a], names[c * size + b]) for c in range(cliques) for a in range(size) for b in range(size)
    ]
    links = np.array(within)
    graph = Graph.from_edges(links[:, 0], links[:, 1])
    renumbered = graph.reordered("llp")
    clique_of = np.empty(cliques * size, int)
    clique_of[names] = np.arange(cliques * size) // size
    assert renumbered.original_ids is not None
    runs = np.count_nonzero(np.diff(clique_of[renumbered.original_ids])) + 1
    assert runs == cliques
    assert ordering(graph, "llp").inverse.tolist() == renumbered.original_ids.tolist()


def test_mean_log_gap() -> None:
    graph = Graph.from_edges(np.array([0, 0, 4]), np.array([1, 4, 4]))
    assert mean_log_gap(graph) == pytest.approx((np.log2(2) + np.log2(4) + np.log2(1)) / 3)
    assert mean_log_gap(Graph.from_edges(np.array([]).astype(int), np.array([]).astype(int))) == 0


def test_orders_that_are_none() -> None:
    graph = Graph.from_edges(np.array([0]), np.array([1]))
    for order in ("random", "url", np.array([0, 0]), np.array([0])):
        with pytest.raises(ParameterError):
            graph.reordered(order)


def test_locality_comes_back_on_a_real_web(real_data) -> None:
    """cnr-2000 in URL order costs 2.5 bits per link, shuffled 12.9; orders that see links only win most of it back."""
    graph = read_edge_list(real_data("cnr-2000") / "edges.tsv.xz")
    shuffled = graph.reordered(np.random.default_rng(0).permutation(graph.nodes))
    assert mean_log_gap(graph) < 2.6
    assert mean_log_gap(shuffled) > 12
    assert mean_log_gap(shuffled.reordered("bfs")) < 5
    assert mean_log_gap(shuffled.reordered("llp")) < 2.9
