from __future__ import annotations

import sys

import numpy as np
import pytest
from hypothesis import given, settings
from scipy import sparse
from tests.oracles.graph_sets import Links, links_of, small_link_lists

from periplus.errors import MissingDependencyError, ParameterError, PeriplusWarning
from periplus.graph import Graph, convert
from periplus.graph.urls.table import UrlTable

NODES = 13


def graph_of(links: Links) -> Graph:
    pairs = np.array(links, np.int64).reshape(-1, 2)
    return Graph.from_edges(pairs[:, 0], pairs[:, 1], NODES)


@given(small_link_lists)
@settings(max_examples=40, derandomize=True, deadline=None)
def test_scipy(links: Links) -> None:
    graph = graph_of(links)
    matrix = convert.to_scipy(graph)
    dense = np.zeros((NODES, NODES))
    for a, b in links:
        dense[a, b] = 1
    assert np.array_equal(matrix.toarray(), dense)
    assert convert.from_scipy(matrix).digest == graph.digest
    assert convert.from_scipy(sparse.coo_array(dense)).digest == graph.digest
    assert convert.from_scipy(matrix.T).digest == graph.reverse().digest


def test_scipy_shares_the_arrays() -> None:
    graph = graph_of([(0, 1), (3, 2)])
    matrix = convert.to_scipy(graph)
    assert np.shares_memory(matrix.indices, graph.out_targets)
    assert np.shares_memory(convert.from_scipy(matrix).out_targets, matrix.indices)


def test_scipy_zeros_duplicates_and_shapes() -> None:
    stored_zero = sparse.csr_array((np.array([1.0, 0.0]), np.array([1, 0]), np.array([0, 2, 2])), shape=(2, 2))
    assert links_of(convert.from_scipy(stored_zero)) == {(0, 1)}
    twice = sparse.csr_array((np.ones(3), np.array([1, 0, 1]), np.array([0, 3, 3])), shape=(2, 2))
    assert links_of(convert.from_scipy(twice)) == {(0, 0), (0, 1)}
    with pytest.raises(ParameterError, match="square"):
        convert.from_scipy(sparse.csr_array((2, 3)))


@given(small_link_lists)
@settings(max_examples=15, derandomize=True, deadline=None)
def test_networkx_and_igraph(links: Links) -> None:
    graph = graph_of(links)
    assert set(convert.to_networkx(graph).edges()) == set(links)
    assert convert.from_networkx(convert.to_networkx(graph)).digest == graph.digest
    assert set(convert.to_igraph(graph).get_edgelist()) == set(links)
    assert convert.from_igraph(convert.to_igraph(graph)).digest == graph.digest


def test_undirected_edges_become_links_each_way() -> None:
    networkx = pytest.importorskip("networkx")
    assert links_of(convert.from_networkx(networkx.path_graph(3))) == {(0, 1), (1, 0), (1, 2), (2, 1)}


def test_networkx_carries_urls() -> None:
    graph = Graph.from_edges(np.array([0]), np.array([1]))
    graph.urls = UrlTable.from_urls(["https://a.example/", "https://b.example/"])
    assert convert.to_networkx(graph).nodes[1]["url"] == "https://b.example/"


def test_networkit() -> None:
    pytest.importorskip("networkit")
    graph = graph_of([(0, 1), (3, 3), (3, 12)])
    other = convert.to_networkit(graph)
    assert (other.numberOfNodes(), other.numberOfEdges(), other.isDirected()) == (NODES, 3, True)
    assert convert.from_networkit(other).digest == graph.digest


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_tables(library: str) -> None:
    pytest.importorskip(library)
    graph = graph_of([(0, 1), (3, 3), (3, 12)])
    make = {"pandas": convert.to_pandas, "polars": convert.to_polars, "pyarrow": convert.to_arrow}[library]
    table = make(graph)
    assert np.asarray(table["source"]).tolist() == [0, 3, 3]
    assert np.asarray(table["target"]).tolist() == [1, 3, 12]
    assert convert.from_table(table, nodes=NODES).digest == graph.digest


def test_a_library_that_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "networkx", None)
    with pytest.raises(MissingDependencyError, match="networkx"):
        convert.to_networkx(graph_of([]))


def test_networkx_keeps_names_and_attributes() -> None:
    networkx = pytest.importorskip("networkx")
    other = networkx.DiGraph()
    other.add_node("north", camp="left", size=3)
    other.add_node(("a", 1), size=4)
    other.add_edge("north", ("a", 1), weight=0.5)
    graph = convert.from_networkx(other)
    assert list(graph.urls) == ["north", "('a', 1)"]
    assert graph.node_attributes.to_dict() == {"camp": ["left", None], "size": [3, 4]}
    assert graph.link_attributes.to_dict() == {"weight": [0.5]}
    back = convert.to_networkx(graph)
    assert dict(back.nodes(data=True)) == {
        0: {"url": "north", "camp": "left", "size": 3},
        1: {"url": "('a', 1)", "size": 4},
    }
    again = convert.from_networkx(back)
    assert list(again.urls) == list(graph.urls)
    assert again.node_attributes.to_dict() == graph.node_attributes.to_dict()


def test_parallel_edges_keep_the_first_and_say_so() -> None:
    networkx = pytest.importorskip("networkx")
    other = networkx.MultiGraph([(0, 1, {"w": 1}), (1, 0, {"w": 2})])
    with pytest.warns(PeriplusWarning, match="1 link came again"):
        graph = convert.from_networkx(other)
    assert graph.link_attributes.to_dict() == {"w": [1, 1]}


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_tables_of_names_with_attributes(library: str) -> None:
    made = pytest.importorskip(library)
    make = made.table if library == "pyarrow" else made.DataFrame
    links = make({"to": ["b", "c", "a"], "weight": [1.5, None, 2.0], "by": ["a", "b", "c"], "from": ["x", None, "z"]})
    graph = convert.from_table(links, source="by", target="to")
    assert (list(graph.urls), graph.out_targets.tolist()) == (["a", "b", "c"], [1, 2, 0])
    assert graph.link_attributes.to_dict() == {"weight": [1.5, None, 2.0], "from": ["x", None, "z"]}
    about = make({"id": ["c", "a", "b", "d"], "camp": [True, False, True, False]})
    graph = convert.from_table(links, source="by", target="to", about=about)
    assert (list(graph.urls), graph.nodes) == (["c", "a", "b", "d"], 4)
    assert graph.node_attributes.to_dict() == {"camp": [True, False, True, False]}
    with pytest.raises(ParameterError, match="a column of the table: to, weight, by, from"):
        convert.from_table(links)


def test_a_graph_becomes_one_of_networkx_and_has_a_length() -> None:
    graph = Graph.from_edges([0, 0, 2], [1, 2, 0], nodes=4)
    other = graph.to_networkx()
    assert sorted(other.edges()) == [(0, 1), (0, 2), (2, 0)]
    assert len(graph) == len(other) == 4
    assert Graph.from_edges([], [], nodes=0)  # empty, and still a graph
