"""The graph with directions forgotten: rows of distinct neighbours, without self-links.

Row v is the union of the successors and predecessors of v, ascending; every edge stands in two rows.
Cost: one merge of two sorted rows per page, O(n + m).
"""

from __future__ import annotations

import numpy as np
from numba import njit

from periplus.graph import Graph
from periplus.numeric.arrays import Ids, Offsets


def undirected(graph: Graph) -> tuple[Offsets, Ids]:
    """Offsets and neighbours of the undirected graph."""
    sides = graph.out_offsets, graph.out_targets, graph.in_offsets, graph.in_sources
    offsets = np.zeros(graph.nodes + 1, np.int64)
    _merge_rows(*sides, offsets, np.empty(0, np.uint32))
    np.cumsum(offsets, out=offsets)
    neighbours = np.empty(int(offsets[-1]), np.uint32)
    _merge_rows(*sides, offsets, neighbours)
    offsets.flags.writeable = neighbours.flags.writeable = False  # as in a Graph: kernels are compiled once for both
    return offsets, neighbours


@njit(cache=True, nogil=True)
def _merge_rows(out_offsets, targets, in_offsets, sources, offsets, neighbours):  # type: ignore[no-untyped-def]
    """With no room for neighbours: the length of row v into `offsets[v + 1]`. Otherwise: the rows themselves."""
    writing = len(neighbours) > 0
    for v in range(len(out_offsets) - 1):
        a, a_end = out_offsets[v], out_offsets[v + 1]
        b, b_end = in_offsets[v], in_offsets[v + 1]
        at = offsets[v]
        length = 0
        while a < a_end or b < b_end:
            if b == b_end or (a < a_end and targets[a] <= sources[b]):
                w = targets[a]
                if b < b_end and sources[b] == w:
                    b += 1
                a += 1
            else:
                w = sources[b]
                b += 1
            if w != v:
                if writing:
                    neighbours[at + length] = w
                length += 1
        if not writing:
            offsets[v + 1] = length
