"""Sites by counting links (Deo & Gupta 7.1): a stretch of addresses with more links inside than out of it.

Addresses follow one another by reversed host and path, so a host, a directory, or several of them are a range of ids.
For each directory of the tree of addresses (host, first piece of the path, second, …) the links that stay inside are
compared with those that leave it or come in. A page belongs to the smallest directory around it whose ratio

    links inside / links across its border

is at least `ratio`. Without URLs the ids themselves are cut into halves, quarters, …: in a graph in the order of its
crawl neighbours lie near.

O(m) for each level of the tree of addresses.
"""

from __future__ import annotations

from urllib.parse import urlsplit

import numpy as np

from periplus.catalog import checked
from periplus.communities.table import COMMUNITIES
from periplus.graph.graph import Graph
from periplus.numeric.arrays import AnyArray
from periplus.record import PageLabels
from periplus.web.url import site_of_host

_LEVELS = 6
_SMALLEST_HALF = 16


@checked(COMMUNITIES["sites"])
def sites(graph: Graph, *, ratio: float = 1.0, least: int = 3) -> PageLabels:
    """The smallest ranges of addresses that hold together; −1 for pages in none."""
    levels = _directories(graph) if graph.urls is not None else _halves(graph.nodes)
    sources, targets = graph.sources, graph.out_targets
    apart = sources != targets
    sources, targets = sources[apart], targets[apart]
    labels, names = np.full(graph.nodes, -1, np.int64), list[str]()
    for places, titles in levels:  # from the widest to the narrowest, which counts last
        begin, end = places[sources], places[targets]
        inside = np.bincount(begin[begin == end], minlength=len(titles))
        across = np.bincount(begin[begin != end], minlength=len(titles))
        across += np.bincount(end[begin != end], minlength=len(titles))
        sizes = np.bincount(places, minlength=len(titles))
        for place in np.flatnonzero((sizes >= least) & (inside > 0) & (inside >= ratio * across)).tolist():
            labels[places == place] = len(names)
            names.append(titles[place])
    used, labels_from_0 = np.unique(labels, return_inverse=True)
    first = int(used[0] < 0) if len(used) else 0
    return PageLabels(
        "sites",
        (labels_from_0 - first).astype(np.int64),
        [names[label] for label in used[first:].tolist()],
        parameters={"ratio": ratio, "least": least},
        graph_digest=graph,
        urls=graph.urls,
    )


def _directories(graph: Graph) -> list[tuple[AnyArray, list[str]]]:
    """For each level the directory of every page, as a number, and the directories' names."""
    parts = [_pieces(str(url)) for url in graph.urls]
    levels = []
    for depth in range(1, _LEVELS + 1):
        numbers: dict[str, int] = {}
        places = [numbers.setdefault("/".join(one[:depth]), len(numbers)) for one in parts]
        levels.append((np.array(places, np.int64), list(numbers)))
    return levels


def _pieces(url: str) -> list[str]:
    """Site, host, then the directories of the path."""
    split = urlsplit(url)
    host = split.hostname or ""
    return [site_of_host(host) if host else "", host, *split.path.split("/")[1:-1]]


def _halves(nodes: int) -> list[tuple[AnyArray, list[str]]]:
    """Ranges of ids: halves, quarters, …"""
    levels: list[tuple[AnyArray, list[str]]] = []
    parts = 2
    while nodes // parts >= _SMALLEST_HALF and len(levels) < 12:
        places = np.arange(nodes) * parts // nodes
        edges = -(-np.arange(parts + 1) * nodes // parts)
        levels.append((places, [f"{edges[at]}–{edges[at + 1] - 1}" for at in range(parts)]))
        parts *= 2
    return levels
