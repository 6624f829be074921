"""Which pages to protect first: every order against its own definition, and against nobody's order."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest

from periplus.dynamics.immunisation import ORDERS, protection
from periplus.errors import ParameterError
from periplus.graph import Graph
from periplus.models.generators.preferential import preferential_attachment
from periplus.rank.methods.pagerank import pagerank


def test_orders_are_what_they_say() -> None:
    graph = Graph.from_edges(np.array([0, 1, 2, 3, 4, 4]), np.array([4, 4, 4, 5, 5, 3]), nodes=7)
    by_degree, by_pagerank, by_between, _ = (
        one.order for one in protection(graph, counts=[0], sources=7, by=tuple(ORDERS))
    )
    peer = nx.Graph(list(zip([0, 1, 2, 3, 4, 4], [4, 4, 4, 5, 5, 3], strict=True)))
    peer.add_nodes_from(range(7))
    assert by_degree.tolist() == sorted(range(7), key=lambda page: (-peer.degree[page], page))
    ranks = pagerank(graph).values
    assert by_pagerank.tolist() == sorted(range(7), key=lambda page: (-ranks[page], page))
    between = nx.betweenness_centrality(peer)
    assert by_between[0] == max(between, key=between.get)


def test_every_good_order_leaves_less_than_a_random_one() -> None:
    graph = preferential_attachment(3000, m0=2, seed=1)
    found = {one.method: one for one in protection(graph, counts=[0, 300, 600], seed=2)}
    assert list(found) == list(ORDERS)
    for name in ("degree", "pagerank", "betweenness"):
        assert found[name].left[0] == 3000
        assert found[name].left[2] < 0.2 * found["random"].left[2]
    for one in found.values():
        assert sorted(one.order) == list(range(3000))
        assert (np.diff(one.left) <= 0).all()


def test_bad_input_is_refused_by_name() -> None:
    graph = preferential_attachment(50, m0=2)
    with pytest.raises(ParameterError, match="by = 'luck'"):
        protection(graph, by=("luck",), counts=[1])
    with pytest.raises(ParameterError, match="sources"):
        protection(graph, by=("betweenness",), counts=[1], sources=0)
    with pytest.raises(ParameterError, match="counts"):
        protection(graph, by=("degree",), counts=[-1])
    with pytest.raises(ParameterError, match="seed"):
        protection(graph, by=("random",), counts=[1], seed=-1)
    with pytest.raises(ParameterError, match="graph"):
        protection(Graph.from_edges(np.zeros(0, np.int64), np.zeros(0, np.int64), nodes=0), counts=[0])
