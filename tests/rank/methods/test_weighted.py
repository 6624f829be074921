"""Weighted HITS and topic distillation against the dense weights."""

from __future__ import annotations

import numpy as np
import pytest
from tests.oracles import rankings as oracle
from tests.oracles.rankings import graph_of

from periplus.errors import NotConvergedError, ParameterError
from periplus.graph.graph import Graph
from periplus.graph.urls.table import NameTable
from periplus.numeric.stop import MaxIter, Tol
from periplus.rank import hits, topic_distillation, weighted_hits

STOP = Tol(1e-9) | MaxIter(20_000)


@pytest.mark.parametrize("same_host", ["drop", "keep"])
def test_agrees_with_the_dense_weights(same_host):
    rng = np.random.default_rng(0)
    compared = 0
    for graph in oracle.linked_graphs(200, seed=11, largest=14):
        hosts = rng.integers(0, 5, graph.nodes)
        wanted = oracle.weighted_hits(graph, hosts, np.ones(graph.nodes), drop=same_host == "drop")
        if wanted is None:
            with pytest.raises(ParameterError, match="different hosts"):
                weighted_hits(graph, hosts=hosts, same_host=same_host)
            continue
        found = weighted_hits(graph, hosts=hosts, same_host=same_host, stop=STOP)
        np.testing.assert_allclose(found.values, wanted[0], atol=1e-6)
        np.testing.assert_allclose(found.extra["hubs"], wanted[1], atol=1e-6)
        compared += 1
    assert compared > 100


def test_with_one_page_a_host_it_is_hits():
    rng = np.random.default_rng(1)
    ends = rng.integers(0, 60, (2, 400))
    graph = Graph.from_edges(*ends[:, ends[0] != ends[1]], 60)
    found = weighted_hits(graph, hosts=np.arange(60), stop=STOP)
    np.testing.assert_allclose(found.values, hits(graph).values, atol=1e-8)


def test_a_thousand_pages_of_one_host_are_one_voice():
    """Twenty pages of one host push page 30, three hosts recommend page 31 and 32: HITS is fooled, this is not."""
    links = [(k, 30) for k in range(20)] + [(20 + k, 31 + j) for k in range(3) for j in range(2)]
    hosts = np.array([0] * 20 + [1, 2, 3] + [4] * 10)
    graph = graph_of(links, 33)
    assert int(hits(graph).best(1)[0]) == 30
    assert weighted_hits(graph, hosts=hosts).values[30] < 1e-6
    assert int(weighted_hits(graph, hosts=hosts).best(1)[0]) == 31


def test_hosts_come_from_the_urls():
    urls = NameTable.from_names(["a.org/1", "http://a.org/2", "http://b.org", "http:/c", "http:/c/y"])  # as crawls have
    edges = np.array([(0, 2), (1, 2), (2, 3), (0, 3), (3, 4), (1, 4)])
    graph = Graph.from_edges(edges[:, 0], edges[:, 1], 5, urls=urls)
    by_urls = weighted_hits(graph)
    by_labels = weighted_hits(graph, hosts=np.array([0, 0, 1, 2, 2]))
    assert np.array_equal(by_urls.values, by_labels.values)


@pytest.mark.parametrize("threshold", [0.0, 0.4, "median", "tenth", "0.4"])
def test_distillation_agrees_with_the_dense_weights(threshold):
    rng = np.random.default_rng(2)
    compared = 0
    for graph in oracle.linked_graphs(60, seed=12, largest=14):
        hosts, relevance = rng.integers(0, 6, graph.nodes), rng.random(graph.nodes)
        least = {"median": np.median(relevance), "tenth": relevance.max() / 10}.get(threshold)
        kept = np.where(relevance >= float(threshold if least is None else least), relevance, 0.0)
        wanted = oracle.weighted_hits(graph, hosts, kept, drop=True)
        if wanted is None:
            continue
        found = topic_distillation(graph, relevance=relevance, threshold=threshold, hosts=hosts, stop=STOP)
        np.testing.assert_allclose(found.values, wanted[0], atol=1e-6)
        assert not found.values[kept == 0].any()
        compared += 1
    assert compared > 20


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        ({"relevance": np.array([1.0, np.nan, 1.0])}, "relevance"),
        ({"relevance": np.array([1.0, -1.0, 1.0])}, "relevance"),
        ({"relevance": np.zeros(3)}, "relevance"),
        ({"relevance": np.ones(2)}, "relevance"),
        ({"relevance": np.ones(3), "threshold": 2.0}, "threshold"),
        ({"relevance": np.ones(3), "threshold": "half"}, "threshold"),
        ({"relevance": np.ones(3), "threshold": float("nan")}, "threshold"),
        ({"relevance": np.ones(3), "hosts": np.arange(2)}, "hosts"),
        ({"relevance": np.ones(3), "hosts": None}, "hosts"),
        ({"relevance": np.ones(3), "same_host": "maybe"}, "same_host"),
    ],
)
def test_bad_arguments_are_named(arguments, name):
    graph = graph_of([(0, 1), (1, 2)])
    with pytest.raises(ParameterError) as caught:
        topic_distillation(graph, **{"hosts": np.arange(3)} | arguments)
    assert caught.value.name == name


def test_too_few_passes():
    rng = np.random.default_rng(1)
    graph = Graph.from_edges(rng.integers(0, 60, 400), rng.integers(0, 60, 400), 60)
    with pytest.raises(NotConvergedError):
        weighted_hits(graph, hosts=np.arange(60), stop=Tol(1e-9) | MaxIter(3))
