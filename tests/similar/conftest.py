"""Random webs whose links have an order, as graphs and as plain dicts."""

from __future__ import annotations

import numpy as np

from periplus.graph.graph import Graph


def ordered_web(nodes: int, most: int, seed: int, *, urls: object = None) -> tuple[Graph, np.ndarray, dict]:
    """A web of pages with up to `most` links each, in random order, some of them near-copies of one another."""
    rng = np.random.default_rng(seed)
    web = {page: rng.permutation(nodes)[: rng.integers(0, most)].tolist() for page in range(nodes)}
    for copy in rng.integers(0, nodes, nodes // 6).tolist():
        original = int(rng.integers(0, nodes))
        web[copy] = list(web[original])
        if len(web[copy]) > 20 and rng.random() < 0.5:
            web[copy].pop(int(rng.integers(len(web[copy]))))
    ends = np.array([(page, target) for page, links in web.items() for target in links], dtype=np.int64).reshape(-1, 2)
    graph = Graph.from_edges(ends[:, 0], ends[:, 1], nodes, urls=urls)
    places = [web[page].index(target) for page in range(nodes) for target in graph.successors(page).tolist()]
    return graph, np.array(places, np.uint32), web
