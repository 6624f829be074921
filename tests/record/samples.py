"""Small graphs with and without URLs, and every kind of record made from them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from periplus.graph import Graph
from periplus.graph.urls.table import UrlTable
from periplus.rank import indegree, monte_carlo, pagerank
from periplus.record import (
    PagePositions,
    Record,
    Scores,
)
from periplus.structure import bowtie, strong_components, weak_components

LINKS = [(0, 1), (1, 2), (2, 0), (2, 3), (4, 0), (5, 5)]


def web(*, urls: bool, nodes: int = 7) -> Graph:
    """A core of three pages, IN, OUT, a page by itself with a link to itself, and one without links."""
    sources, targets = np.array([link for link in LINKS if max(link) < nodes]).reshape(-1, 2).T
    names = UrlTable.from_urls([f"https://example.org/{page}" for page in range(nodes)]) if urls else None
    return Graph.from_edges(sources, targets, nodes, urls=names)


def positions(graph: Graph) -> PagePositions:
    points = np.random.default_rng(1).random((graph.nodes, 3))
    return PagePositions("drawn", points, graph_digest=graph.digest, urls=graph.urls)


def all_nan(graph: Graph) -> Scores:
    values = np.full(graph.nodes, np.nan)
    return Scores("nan", values, graph_digest=graph, urls=graph.urls)


# Every kind of record, made by what makes it.
MAKERS: dict[str, Callable[[Graph], Record]] = {
    "pagerank": pagerank,
    "indegree": indegree,
    "monte-carlo": monte_carlo,
    "nan": all_nan,
    "strong": strong_components,
    "weak": weak_components,
    "bowtie": bowtie,
    "positions": positions,
}
GRAPHS = {
    "with URLs": web(urls=True),
    "without URLs": web(urls=False),
    "one page": web(urls=True, nodes=1),
    "empty": web(urls=False, nodes=0),
    "empty with URLs": web(urls=True, nodes=0),
}
makers = pytest.mark.parametrize("maker", MAKERS.values(), ids=MAKERS)
graphs = pytest.mark.parametrize("graph", GRAPHS.values(), ids=GRAPHS)
