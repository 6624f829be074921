"""Robustness: what remains connected when the best known pages are taken away.

Pages are removed in order of in-degree, highest first; after each class of equal in-degree the largest weak
component of what remains is measured. Broder found that the web's connectivity does not rest on its hubs: without
all pages of in-degree 5 and more, most of the rest still hangs together. Beside it stands the same number of pages
removed at random.

Run backwards, removal is insertion: pages join in order of increasing in-degree, and union–find keeps the size of
the largest component, so the whole curve costs one pass over the links, O((n + m) α(n)).
Deo & Gupta 4.1; Albert, Jeong, Barabási, "Error and attack tolerance of complex networks", Nature 406 (2000).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import njit

from periplus.catalog import checked
from periplus.graph import Graph
from periplus.numeric.arrays import AnyArray, Offsets
from periplus.numeric.unionfind import root


@dataclass(frozen=True, slots=True)
class Robustness:
    """Row k: all pages of in-degree ≥ `thresholds[k]` are removed, `removed[k]` pages; `largest[k]` stay connected.

    `at_random[k]` is the largest weak component after removing as many pages at random. Row 0 removes none.
    """

    thresholds: Offsets
    removed: Offsets
    largest: Offsets
    at_random: Offsets
    nodes: int
    seed: int

    def to_dict(self, rows: int = 60) -> dict[str, Any]:
        """About `rows` rows: the last ones, where one threshold removes many pages, in full, the others spread."""
        every = len(self.removed)
        spread = np.linspace(0, every - 1, min(rows, every)).astype(np.int64)
        kept = np.unique(np.concatenate([spread, np.arange(max(every - rows // 2, 0), every)]))
        return {
            "threshold": self.thresholds[kept].tolist(),
            "removed": self.removed[kept].tolist(),
            "largest": self.largest[kept].tolist(),
            "at_random": self.at_random[kept].tolist(),
        }

    def at_threshold(self, in_degree: int) -> tuple[int, int]:
        """Pages removed, and the largest weak component left, without the pages of that in-degree and more."""
        row = max(int(np.searchsorted(-self.thresholds, -in_degree, side="right")) - 1, 0)
        return int(self.removed[row]), int(self.largest[row])


@checked
def robustness(graph: Graph, *, seed: int = 0) -> Robustness:
    """The curve of the largest weak component against removed pages."""
    degrees = graph.in_degrees
    order = np.argsort(degrees, kind="stable")
    sizes = _insertion(graph.out_offsets, graph.out_targets, graph.in_offsets, graph.in_sources, order)
    shuffled = np.random.default_rng(seed).permutation(graph.nodes)
    by_chance = _insertion(graph.out_offsets, graph.out_targets, graph.in_offsets, graph.in_sources, shuffled)
    thresholds = np.unique(degrees)[::-1]  # highest first
    kept = np.searchsorted(degrees[order], thresholds, side="left")  # pages left when those ≥ the threshold are gone
    kept = np.concatenate([[graph.nodes], kept])
    above_all = int(thresholds[0]) + 1 if len(thresholds) else 0
    return Robustness(
        thresholds=np.concatenate([[above_all], thresholds]).astype(np.int64),
        removed=graph.nodes - kept,
        largest=sizes[kept],
        at_random=by_chance[kept],
        nodes=graph.nodes,
        seed=seed,
    )


@njit(cache=True, nogil=True)
def _insertion(out_offsets, targets, in_offsets, sources, order: AnyArray):  # type: ignore[no-untyped-def]
    """sizes[k]: the largest weak component of the first k pages of the order."""
    nodes = len(order)
    parent = np.full(nodes, -1, np.int64)  # −1: not there yet
    size = np.ones(nodes, np.int64)
    sizes = np.zeros(nodes + 1, np.int64)
    largest = 0
    for k in range(nodes):
        v = order[k]
        parent[v] = v
        largest = max(largest, 1)
        for side in range(2):
            offsets, ends = (out_offsets, targets) if side == 0 else (in_offsets, sources)
            for at in range(offsets[v], offsets[v + 1]):
                w = np.int64(ends[at])
                if parent[w] < 0:
                    continue
                a, b = root(parent, v), root(parent, w)
                if a != b:
                    if size[a] < size[b]:
                        a, b = b, a
                    parent[b] = a
                    size[a] += size[b]
                    largest = max(largest, size[a])
        sizes[k + 1] = largest
    return sizes
