"""Kernels of Leiden: moving nodes between communities, and refining communities into well-connected parts.

The quality of a partition is Σ_c [ w(c) − γ·S_c²/2 ], w(c) the weight of the links inside c and S_c the sum of its
sizes. With sizes = weights of the rows and γ = resolution / (sum of all rows) this is modularity times the weight of
all links; with sizes = pages it is the constant Potts model. Node v gains w(v, c) − γ·s_v·S_c in community c (without
v).
"""

from __future__ import annotations

import numpy as np
from numba import njit

from periplus.communities.modular.weighted import Weighted
from periplus.numeric.arrays import AnyArray

# A gain below this part of what is compared is rounding: moving for it might go on for ever.
_ROUNDING = 1e-12


@njit(cache=True, nogil=True)
def move_nodes(graph: Weighted, gamma: float, labels: AnyArray, order: AnyArray) -> int:
    """Move nodes to the neighbouring community where they gain most, until none gains; returns how often.

    Nodes wait in a queue, at first in the order given; a move puts the neighbours back into it.
    """
    nodes = len(graph.sizes)
    totals, members, empty, free = count_members(graph, labels)
    queue, waits = order.copy(), np.ones(nodes, np.bool_)
    sums, seen = np.zeros(nodes), np.empty(nodes, np.int64)
    head, waiting, moves = 0, nodes, 0
    while waiting:
        node = queue[head]
        head = head + 1 if head + 1 < nodes else 0
        waiting -= 1
        waits[node] = False
        size, own = graph.sizes[node], labels[node]
        found = weigh_neighbours(graph, node, labels, sums, seen)
        totals[own] -= size
        best, gain = best_label(own, gamma * size, totals, sums, seen[:found])
        if gain < 0.0 and members[own] > 1:
            free -= 1
            best = empty[free]
        totals[best] += size
        if best == own:
            continue
        moves += 1
        members[best] += 1
        members[own] -= 1
        if members[own] == 0:
            empty[free] = own
            free += 1
        labels[node] = best
        for at in range(graph.offsets[node], graph.offsets[node + 1]):
            other = graph.neighbours[at]
            if not waits[other] and labels[other] != best:
                tail = head + waiting
                queue[tail if tail < nodes else tail - nodes] = other
                waiting += 1
                waits[other] = True
    return moves


@njit(cache=True, nogil=True)
def count_members(graph, labels):  # type: ignore[no-untyped-def]
    """The size and the nodes of each community, the labels that no node has, and how many of these there are."""
    nodes = len(graph.sizes)
    totals, members = np.zeros(nodes), np.zeros(nodes, np.int64)
    for node in range(nodes):
        totals[labels[node]] += graph.sizes[node]
        members[labels[node]] += 1
    empty, free = np.empty(nodes, np.int64), 0
    for label in range(nodes):
        if members[label] == 0:
            empty[free] = label
            free += 1
    return totals, members, empty, free


@njit(cache=True, nogil=True, forceinline=True)
def weigh_neighbours(graph, node, labels, sums, seen):  # type: ignore[no-untyped-def]
    """Add up the weights of a node's links by community in `sums`; returns how many communities are now in `seen`."""
    found = 0
    for at in range(graph.offsets[node], graph.offsets[node + 1]):
        label = labels[graph.neighbours[at]]
        if sums[label] == 0.0:
            seen[found] = label
            found += 1
        sums[label] += graph.weights[at]
    return found


@njit(cache=True, nogil=True, forceinline=True)
def best_label(own, cost, totals, sums, seen):  # type: ignore[no-untyped-def]
    """The community that gains most, and the gain; another than `own` only if it gains more than rounding.

    `sums` is zero again afterwards.
    """
    best, gain = own, sums[own] - cost * totals[own]
    least = gain + _ROUNDING * (1.0 + abs(gain))
    for label in seen:
        if label != own:
            value = sums[label] - cost * totals[label]
            if value > least:
                best, least = label, value
        sums[label] = 0.0
    return best, least


@njit(cache=True, nogil=True)
def refine(graph: Weighted, gamma: float, labels: AnyArray, order: AnyArray) -> AnyArray:
    """Parts of each community, grown from single nodes by merging: all connected, and well connected to the rest.

    A node that is still alone joins the part of its community where it gains most. Node and part must be tied to the
    rest of the community at least as strongly as γ expects, so what is left over cannot be cut off.
    """
    nodes = len(graph.sizes)
    totals = np.zeros(nodes)
    for node in range(nodes):
        totals[labels[node]] += graph.sizes[node]
    parts, sizes, alone = np.arange(nodes), graph.sizes.copy(), np.ones(nodes, np.bool_)
    outside = np.zeros(nodes)  # of each part: the weight of its links to the rest of its community
    for node in range(nodes):
        for at in range(graph.offsets[node], graph.offsets[node + 1]):
            if labels[graph.neighbours[at]] == labels[node]:
                outside[node] += graph.weights[at]
    sums, seen = np.zeros(nodes), np.empty(nodes, np.int64)
    for node in order:
        own, size = labels[node], graph.sizes[node]
        tied = outside[node]
        if not alone[node] or tied < gamma * size * (totals[own] - size):
            continue
        found = 0
        for at in range(graph.offsets[node], graph.offsets[node + 1]):
            other = graph.neighbours[at]
            if labels[other] == own:
                part = parts[other]
                if sums[part] == 0.0:
                    seen[found] = part
                    found += 1
                sums[part] += graph.weights[at]
        best, most, shared = node, 0.0, 0.0
        for k in range(found):
            part = seen[k]
            gain = sums[part] - gamma * size * sizes[part]
            if gain > most and outside[part] >= gamma * sizes[part] * (totals[own] - sizes[part]):
                best, most, shared = part, gain, sums[part]
            sums[part] = 0.0
        if best != node:
            parts[node] = best
            alone[best] = False
            sizes[best] += size
            outside[best] += tied - 2 * shared
    return parts


@njit(cache=True, nogil=True)
def renumber(labels: AnyArray) -> tuple[AnyArray, int]:
    """The same partition with labels 0, 1, … in the order of first members, and their number."""
    new = np.full(len(labels), -1, np.int64)
    result, count = np.empty(len(labels), np.int64), 0
    for node in range(len(labels)):
        if new[labels[node]] < 0:
            new[labels[node]] = count
            count += 1
        result[node] = new[labels[node]]
    return result, count


@njit(cache=True, nogil=True)
def quality_of(graph: Weighted, gamma: float, labels: AnyArray) -> float:
    """Σ_c [ w(c) − γ·S_c²/2 ]."""
    totals = np.zeros(len(labels))
    inside = 0.0
    for node in range(len(labels)):
        totals[labels[node]] += graph.sizes[node]
        inside += graph.inside[node]
        for at in range(graph.offsets[node], graph.offsets[node + 1]):
            if labels[graph.neighbours[at]] == labels[node]:
                inside += graph.weights[at] / 2
    return inside - gamma * np.sum(totals * totals) / 2


@njit(cache=True, nogil=True)
def connected_parts(graph: Weighted, labels: AnyArray) -> AnyArray:
    """The same partition, every community cut into its connected parts."""
    nodes = len(labels)
    parts, stack, count = np.full(nodes, -1, np.int64), np.empty(nodes, np.int64), 0
    for first in range(nodes):
        if parts[first] >= 0:
            continue
        parts[first], stack[0], waiting = count, first, 1
        while waiting:
            waiting -= 1
            node = stack[waiting]
            for at in range(graph.offsets[node], graph.offsets[node + 1]):
                other = graph.neighbours[at]
                if parts[other] < 0 and labels[other] == labels[node]:
                    parts[other], stack[waiting] = count, other
                    waiting += 1
        count += 1
    return parts
