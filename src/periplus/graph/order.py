"""Orders of the nodes: ids near each other for pages that link alike, so that every pass reads memory it has just read.

    "url"     by reversed host, then path: a site is a range (Boldi and Vigna, WWW 2004); needs URLs
    "bfs"     breadth first along the links, from the smallest id not yet seen (Apostolico and Drovandi, 2009)
    "llp"     layered label propagation (Boldi, Rosa, Santini and Vigna, WWW 2011)
    "degree"  most linked-to pages first, so that the scores that are read most lie together

An order is a permutation: `permutation[old] = new`, `inverse[new] = old`. Locality is measured as the mean of
log₂(1 + gap) over the links, gaps taken within the sorted rows: what a link costs to write, in bits.

Layered label propagation. In every layer each node i, taken in a random order, joins the label ℓ that maximises k_ℓ − γ
(v_ℓ − k_ℓ), where k_ℓ counts the neighbours of i (either way) that bear ℓ and v_ℓ all nodes that do; γ sets how small
the clusters are (γ = 0: plain label propagation). Each layer refines the order of the one before: clusters are placed
by their first member, and the members of a cluster keep their order. Cost: a few passes over the symmetrised graph per
layer, on one thread. The same seed gives the same order everywhere.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numba import njit

from periplus.catalog import checked
from periplus.errors import ParameterError
from periplus.graph.cut import subgraph
from periplus.graph.graph import Graph
from periplus.numeric.arrays import AnyArray, Ids, Offsets
from periplus.numeric.rows import log_gaps

GAMMAS = (1.0, 2.0**-2, 2.0**-4, 2.0**-8, 0.0)
SWEEPS = 8
_SETTLED = 0.01  # a layer ends when fewer of the nodes than this change their label in a sweep


@dataclass(frozen=True, slots=True)
class Ordering:
    """A new numbering of the nodes and its way back."""

    method: str
    permutation: Ids
    inverse: Ids


@checked
def ordering(graph: Graph, method: str, *, seed: int = 0) -> Ordering:
    """The order of one of the `ORDERS`; `seed` matters to "llp" alone."""
    if method not in ORDERS:
        raise ParameterError("order", method, "one of " + ", ".join(ORDERS))
    inverse = ORDERS[method](graph, seed).astype(np.uint32)
    return Ordering(method, _inverted(inverse), inverse)


def reordered(graph: Graph, order: str | AnyArray) -> Graph:
    """The graph under other ids; `order` names a method or gives the new id of each page."""
    if isinstance(order, str):
        return subgraph(graph, ordering(graph, order).inverse)
    permutation = np.asarray(order)
    if permutation.shape != (graph.nodes,) or not np.array_equal(np.sort(permutation), np.arange(graph.nodes)):
        raise ParameterError("order", permutation, f"a permutation of 0 … {graph.nodes - 1}")
    return subgraph(graph, _inverted(permutation.astype(np.uint32)))


def mean_log_gap(graph: Graph) -> float:
    """Bits that a link costs, about: the mean of log₂(1 + gap); smaller is more local."""
    return log_gaps(graph.out_offsets, graph.out_targets) / graph.links if graph.links else 0.0


def _inverted(permutation: Ids) -> Ids:
    inverse = np.empty(len(permutation), np.uint32)
    inverse[permutation] = np.arange(len(permutation), dtype=np.uint32)
    return inverse


def _by_url(graph: Graph, seed: int) -> AnyArray:
    from periplus.web.url import sort_key

    if graph.urls is None:
        raise ParameterError("order", "url", 'only for a graph with URLs: try "llp" or "bfs"')
    keys = []
    for name in graph.urls:
        after_scheme = name.partition("://")[2]
        # Graphs of others have URLs without the slash that ends a bare host, and names that are no URLs.
        keys.append(sort_key(name if "/" in after_scheme else f"{name}/") if after_scheme else name)
    return np.array(sorted(range(graph.nodes), key=keys.__getitem__), np.int64)


def _by_degree(graph: Graph, seed: int) -> AnyArray:
    return np.argsort(-graph.in_degrees, kind="stable")


def _breadth_first(graph: Graph, seed: int) -> AnyArray:
    return breadth_first(graph.out_offsets, graph.out_targets)


def _layered(graph: Graph, seed: int) -> AnyArray:
    # Breadth first before the first layer: the sweeps then read near memory, and the final order is better too.
    start = breadth_first(graph.out_offsets, graph.out_targets)
    both = subgraph(Graph(graph.out_offsets, graph.out_targets).symmetrised(), start)
    random = np.random.default_rng(seed)
    order: AnyArray = np.arange(graph.nodes)
    for gamma in GAMMAS:
        labels = np.arange(graph.nodes, dtype=np.uint32)
        visits = random.permutation(graph.nodes).astype(np.uint32)
        propagate_labels(both.out_offsets, both.out_targets, visits, labels, gamma)
        place = np.empty(graph.nodes, np.int64)
        place[order] = np.arange(graph.nodes)
        first = np.full(graph.nodes, graph.nodes, np.int64)
        np.minimum.at(first, labels, place)
        order = np.lexsort((place, first[labels]))
    return start[order]


ORDERS: dict[str, Callable[[Graph, int], AnyArray]] = {
    "url": _by_url,
    "bfs": _breadth_first,
    "llp": _layered,
    "degree": _by_degree,
}


@njit(cache=True, nogil=True)
def breadth_first(offsets: Offsets, targets: Ids) -> Ids:
    """Nodes in the order in which a breadth-first search along the links meets them."""
    nodes = len(offsets) - 1
    order = np.empty(nodes, np.uint32)
    seen = np.zeros(nodes, np.bool_)
    met = 0
    done = 0
    for root in range(nodes):
        if seen[root]:
            continue
        seen[root] = True
        order[met] = root
        met += 1
        while done < met:
            row = order[done]
            done += 1
            for i in range(offsets[row], offsets[row + 1]):
                if not seen[targets[i]]:
                    seen[targets[i]] = True
                    order[met] = targets[i]
                    met += 1
    return order


@njit(cache=True, nogil=True)
def propagate_labels(offsets: Offsets, targets: Ids, visits: Ids, labels: Ids, gamma: float) -> None:
    """One layer: sweeps over the nodes in the order `visits`, until few labels change; `labels` is changed in place."""
    nodes = len(labels)
    volume = np.zeros(nodes, np.int64)
    for node in range(nodes):
        volume[labels[node]] += 1
    near = np.zeros(nodes, np.int64)
    for _ in range(SWEEPS):
        changed = 0
        for node in visits:
            start, end = offsets[node], offsets[node + 1]
            own = labels[node]
            volume[own] -= 1
            for i in range(start, end):
                near[labels[targets[i]]] += targets[i] != node  # a loop would tie the node to its own label
            best, best_value = own, near[own] - gamma * (volume[own] - near[own])
            for i in range(start, end):
                label = labels[targets[i]]
                value = near[label] - gamma * (volume[label] - near[label])
                if value > best_value:
                    best, best_value = label, value
            for i in range(start, end):
                near[labels[targets[i]]] = 0
            volume[best] += 1
            labels[node] = best
            changed += best != own
        if changed <= _SETTLED * nodes:
            break
