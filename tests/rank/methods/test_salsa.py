"""SALSA in closed form against the walk it is the limit of."""

from __future__ import annotations

import numpy as np
import pytest
from tests.oracles import rankings as oracle
from tests.oracles.rankings import graph_of

from periplus.errors import ParameterError
from periplus.graph.graph import Graph
from periplus.rank import hits, indegree, salsa


def test_closed_form_is_the_limit_of_the_walk():
    for graph in oracle.linked_graphs(300, seed=1):
        found = salsa(graph)
        authorities, hubs = oracle.salsa_walk(graph)
        np.testing.assert_allclose(found.values, authorities, atol=1e-9)
        np.testing.assert_allclose(found.extra["hubs"], hubs, atol=1e-9)
        assert found.values.sum() == pytest.approx(1)
        assert found.extra["hubs"].sum() == pytest.approx(1)


def test_in_one_component_salsa_is_in_degree():
    rng = np.random.default_rng(3)
    graph = Graph.from_edges(rng.integers(0, 500, 4000), rng.integers(0, 500, 4000), 500)
    found = salsa(graph)
    assert found.extra["components"] == 1
    np.testing.assert_allclose(found.values, indegree(graph).values / graph.links, rtol=1e-14)


def test_components_are_those_of_the_two_sided_graph():
    import networkx

    for graph in oracle.linked_graphs(100, seed=5):
        two_sided = networkx.Graph()
        for page in range(graph.nodes):
            two_sided.add_edges_from((("hub", page), ("authority", int(other))) for other in graph.successors(page))
        assert salsa(graph).extra["components"] == networkx.number_connected_components(two_sided)


def test_long_chains_of_components_join():
    """Each hub joins two neighbouring authorities, in an order that makes deep trees for a careless union–find."""
    links = [(1000 + k, page) for k in range(999) for page in (998 - k, 999 - k)]
    assert salsa(graph_of(links)).extra["components"] == 1


def test_tightly_knit_community_does_not_take_all():
    """The graph on which HITS sees only the 6 × 6 core: SALSA gives each community its share of the authorities."""
    core = [(i, 6 + j) for i in range(6) for j in range(6)]
    sparse = [(12 + i, 52 + (i + k) % 5) for i in range(40) for k in range(2)]
    graph = graph_of(core + sparse)
    assert salsa(graph).values[6:12].sum() == pytest.approx(6 / 11)
    assert salsa(graph).values[52:].sum() == pytest.approx(5 / 11)
    assert int(hits(graph).best(1)[0]) in range(6, 12)
    np.testing.assert_allclose(salsa(graph).values[[*range(6, 12), *range(52, 57)]], 1 / 11)


@pytest.mark.parametrize("name", ["empty", "one page", "no links"])
def test_without_links_there_is_no_answer(name):
    with pytest.raises(ParameterError, match="at least one link"):
        salsa(oracle.special_graphs()[name])
