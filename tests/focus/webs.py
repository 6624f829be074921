"""Webs of known links with matches for a query, for the tests of its rankings."""

from __future__ import annotations

import numpy as np

from periplus.focus import Focus, Matches, Web, focus_on
from periplus.graph.graph import Graph
from periplus.graph.urls.table import UrlTable

SITES = 12


def web(pages: int = 400, links: int = 2400, seed: int = 3, *, sites: int = SITES) -> Web:
    """A web of several sites, a few pages linked often, with a PageRank of its own and five topics."""
    rng = np.random.default_rng(seed)
    urls = UrlTable.from_urls([f"http://s{page * sites // pages:02d}.example/{page:05d}" for page in range(pages)])
    targets = (pages * rng.random(links) ** 2).astype(np.int64)
    graph = Graph.from_edges(rng.integers(0, pages, links), rng.permutation(pages)[targets], pages, urls=urls)
    standing = (graph.in_degrees + 1.0) / (graph.in_degrees + 1.0).sum()
    return Web(graph, standing, np.arange(pages) % 5)


def matches(pages: int, count: int = 60, seed: int = 4) -> Matches:
    """Pages that have the words, best first, and twice as many that have some."""
    rng = np.random.default_rng(seed)
    found = rng.permutation(pages)[: 3 * count].astype(np.uint32)
    text = np.sort(rng.random(count))[::-1] * 9 + 1
    return Matches(found[:count], text, text * (1 + rng.random(count)), found, rng.random(len(found)))


def focus(count: int = 60, **options: int) -> Focus:
    made = web(**options)
    return focus_on(made, matches(made.graph.nodes, count))
