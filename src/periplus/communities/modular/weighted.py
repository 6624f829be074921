"""`Weighted`: an undirected graph with weights on its links and sizes on its nodes, as compressed sparse rows.

Row v lists the neighbours of v with the weights of the links between; every link stands in two rows, a loop in none:
no partition changes what it adds, which `inside` keeps. From a directed graph: w(u, v) = A[u, v] + A[v, u], so two
pages that link to each other are tied twice as strongly.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from periplus.graph.graph import Graph
from periplus.numeric.arrays import AnyArray, Floats, Ids, Offsets


class Weighted(NamedTuple):
    """Rows of neighbours and weights; the size of every node; the weight of links within each node."""

    offsets: Offsets
    neighbours: Ids
    weights: Floats
    sizes: Floats
    inside: Floats

    @property
    def nodes(self) -> int:
        return len(self.sizes)


def undirected(graph: Graph) -> Weighted:
    """The graph without directions and loops; a node's size is the weight of its links."""
    offsets, neighbours, weights = _both_ways(graph.out_offsets, graph.out_targets, graph.in_offsets, graph.in_sources)
    return sized_by_links(offsets, neighbours, weights)


def sized_by_links(offsets: Offsets, neighbours: Ids, weights: Floats) -> Weighted:
    """Rows as a graph whose sizes are the weights of the rows: what modularity compares with."""
    return Weighted(offsets, neighbours, weights, row_sums(offsets, weights), np.zeros(len(offsets) - 1))


@njit(cache=True, nogil=True)
def row_sums(offsets: Offsets, weights: Floats) -> Floats:
    """The sum of each row."""
    sums = np.zeros(len(offsets) - 1)
    for row in range(len(sums)):
        for at in range(offsets[row], offsets[row + 1]):
            sums[row] += weights[at]
    return sums


@njit(cache=True, nogil=True)
def _both_ways(out_offsets: Offsets, targets: Ids, in_offsets: Offsets, sources: Ids) -> tuple[Offsets, Ids, Floats]:
    """Merge the sorted out-row and in-row of every page; who stands in both weighs 2.

    Entries are written first and kept by stepping on: the loop has no branch that a processor would have to guess.
    """
    nodes = len(out_offsets) - 1
    offsets = np.zeros(nodes + 1, np.int64)
    neighbours, weights = np.empty(2 * len(targets) + 1, np.uint32), np.empty(2 * len(targets) + 1)
    at = 0
    for page in range(nodes):
        a, b, last_a, last_b = out_offsets[page], in_offsets[page], out_offsets[page + 1], in_offsets[page + 1]
        while a < last_a and b < last_b:
            forward, backward = targets[a], sources[b]
            first = min(forward, backward)
            neighbours[at], weights[at] = first, 1.0 + (forward == backward)
            a += forward == first
            b += backward == first
            at += first != page
        for k in range(a, last_a):
            neighbours[at], weights[at] = targets[k], 1.0
            at += targets[k] != page
        for k in range(b, last_b):
            neighbours[at], weights[at] = sources[k], 1.0
            at += sources[k] != page
        offsets[page + 1] = at
    return offsets, neighbours[:at], weights[:at]


@njit(cache=True, nogil=True)
def aggregate(graph: Weighted, labels: AnyArray, count: int) -> Weighted:
    """One node per label, with the sums of weights, sizes and what lies inside."""
    nodes = len(graph.sizes)
    starts = np.zeros(count + 1, np.int64)
    for node in range(nodes):
        starts[labels[node] + 1] += 1
    for label in range(count):
        starts[label + 1] += starts[label]
    members, cursor = np.empty(nodes, np.uint32), starts[:-1].copy()
    for node in range(nodes):
        members[cursor[labels[node]]] = node
        cursor[labels[node]] += 1
    offsets, neighbours = np.zeros(count + 1, np.int64), np.empty(len(graph.neighbours), np.uint32)
    weights, sizes, inside = np.empty(len(graph.neighbours)), np.zeros(count), np.zeros(count)
    sums, seen, at = np.zeros(count), np.empty(count, np.int64), 0
    for label in range(count):
        found = 0
        for k in range(starts[label], starts[label + 1]):
            node = members[k]
            sizes[label] += graph.sizes[node]
            inside[label] += graph.inside[node]
            for e in range(graph.offsets[node], graph.offsets[node + 1]):
                other = labels[graph.neighbours[e]]
                if sums[other] == 0.0:
                    seen[found] = other
                    found += 1
                sums[other] += graph.weights[e]
        for k in range(found):
            other = seen[k]
            if other == label:
                inside[label] += sums[other] / 2
            else:
                neighbours[at], weights[at] = other, sums[other]
                at += 1
            sums[other] = 0.0
        offsets[label + 1] = at
    return Weighted(offsets, neighbours[:at].copy(), weights[:at].copy(), sizes, inside)
