"""Orders by name: every one a permutation, those of the sky near to the links."""

from __future__ import annotations

import numpy as np
import pytest
from tests.communities.webs import blocks

from periplus.errors import ParameterError
from periplus.graph.graph import Graph
from periplus.graph.order import ORDERS, mean_log_gap
from periplus.graph.urls.table import NameTable, UrlTable
from periplus.pipeline.orders import FROM_THE_TREE, order_of


def web() -> Graph:
    plain = blocks(3, 5, 20, links=(8, 2, 1), seed=2)
    urls = [f"http://h{page % 7}.example/{page:03}" for page in range(plain.nodes)]
    return Graph(plain.out_offsets, plain.out_targets, urls=UrlTable.from_urls(urls))


@pytest.mark.parametrize("method", [*ORDERS, *FROM_THE_TREE])
def test_every_order_names_each_page_once(method: str) -> None:
    graph = web()
    order = order_of("web.npz", graph, method)
    assert sorted(order.tolist()) == list(range(graph.nodes))


@pytest.mark.parametrize("method", ["tree", "sky"])
def test_tree_and_sky_bring_linked_pages_together(method: str) -> None:
    graph = web()
    shuffled = graph.subgraph(np.random.default_rng(0).permutation(graph.nodes))
    assert mean_log_gap(shuffled.subgraph(order_of("web.npz", shuffled, method))) < mean_log_gap(shuffled) - 0.8


def test_unknown_orders_and_missing_urls_are_refused() -> None:
    with pytest.raises(ParameterError, match="sky-and-site"):
        order_of("web.npz", web(), "heaven")
    bare = Graph.from_edges(np.arange(5), np.arange(1, 6), 6)
    with pytest.raises(ParameterError, match="only for a graph with URLs"):
        order_of("web.npz", bare, "sky-and-site")


def test_urls_that_others_wrote_are_ordered_too() -> None:
    names = ["http://b.example", "http://a.example/x", "no url", "http://a.example", "ftp://"]
    graph = Graph.from_edges(np.array([0]), np.array([1]), 5, urls=NameTable.from_names(names))
    order = order_of("web.npz", graph, "url").tolist()
    assert sorted(order) == list(range(5))
    assert [names[page] for page in order if "example" in names[page]] == [names[3], names[1], names[0]]
