"""Aggregates by articulation points (Botafogo & Shneiderman 1991; Deo & Gupta 7).

Take the links without their directions. A page whose removal would cut the web in two is an articulation point: an
index page, a menu, a portal. With these removed the rest falls into pieces, and each piece is an aggregate. An index
page that belongs to many is in none. Tarjan's search finds all such pages in one pass, O(n + m), without recursion.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from periplus.catalog import checked
from periplus.communities.modular.moves import connected_parts
from periplus.communities.modular.partition import by_size
from periplus.communities.modular.weighted import Weighted, undirected
from periplus.communities.table import COMMUNITIES
from periplus.graph.graph import Graph
from periplus.numeric.arrays import Bools, Ids, Offsets
from periplus.record import PageLabels


@checked(COMMUNITIES["aggregates"])
def aggregates(graph: Graph, *, least: int = 3) -> PageLabels:
    """The pieces left without articulation points; −1 for these, and for pieces of fewer than `least` pages."""
    weighted = undirected(graph)
    cutting = articulation_points(weighted.offsets, weighted.neighbours)
    labels = connected_parts(weighted, np.where(cutting, 1 + np.arange(graph.nodes), 0))
    return PageLabels(
        "aggregates",
        _kept(weighted, labels, cutting, least),
        parameters={"least": least},
        graph_digest=graph,
        extra={"articulation_points": np.flatnonzero(cutting).tolist()},
        urls=graph.urls,
    )


def _kept(weighted: Weighted, labels: Offsets, cutting: Bools, least: int) -> Offsets:
    """Labels by size; −1 for articulation points and small pieces."""
    sizes = np.bincount(labels, minlength=1)
    kept = ~cutting & (sizes[labels] >= least)
    found = np.full(weighted.nodes, -1, np.int64)
    if kept.any():
        found[kept] = by_size(np.unique(labels[kept], return_inverse=True)[1])
    return found


@njit(cache=True, nogil=True)
def articulation_points(offsets: Offsets, neighbours: Ids) -> Bools:
    """Pages whose removal leaves more connected pieces than there were.

    `low[v]` is the earliest page that v or a page below it in the search is tied to. A page is a cut if some child
    reaches nothing earlier than it; the first page of a search if it has two children.
    """
    nodes = len(offsets) - 1
    found = np.zeros(nodes, np.bool_)
    time, low = np.zeros(nodes, np.int64), np.zeros(nodes, np.int64)
    parent, at, stack = np.full(nodes, -1, np.int64), offsets[:-1].copy(), np.empty(nodes, np.int64)
    clock = 0
    for root in range(nodes):
        if time[root]:
            continue
        clock += 1
        time[root] = low[root] = clock
        stack[0], depth, children = root, 1, 0
        while depth:
            page = stack[depth - 1]
            if at[page] < offsets[page + 1]:
                other = np.int64(neighbours[at[page]])
                at[page] += 1
                if not time[other]:
                    clock += 1
                    time[other] = low[other] = clock
                    parent[other] = page
                    children += page == root
                    stack[depth] = other
                    depth += 1
                elif other != parent[page]:
                    low[page] = min(low[page], time[other])
            else:
                depth -= 1
                above = parent[page]
                if above >= 0:
                    low[above] = min(low[above], low[page])
                    if above != root and low[page] >= time[above]:
                        found[above] = True
        found[root] = children > 1
    return found
