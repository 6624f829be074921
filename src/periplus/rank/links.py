"""The adjacency matrix as an operator: x → A x and y → Aᵀ y, pulled over the rows of either side by both cores.

A[i, j] = 1 when page i links to page j. `hubs` gives A·a (a page sums the authorities it links to, over its out row),
`authorities` gives Aᵀ·h (a page sums the hubs that link to it, over its in row). A link costs 4 bytes and one gather;
no value is stored for it. Chunks of rows are fixed by the graph, so sums do not depend on the number of threads.
"""

from __future__ import annotations

import numpy as np
from numba import njit, prange

from periplus.errors import ParameterError
from periplus.graph.graph import Graph
from periplus.numeric.arrays import Floats, Ids, Offsets
from periplus.rank.passes import chunk_bounds

# Below this many links one core is done before a second one has woken up.
SMALL = 2**16


class LinkOperator:
    """A and Aᵀ of one graph."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self._out_bounds = chunk_bounds(graph.out_offsets)
        self._in_bounds = chunk_bounds(graph.in_offsets)
        self._memory: Floats | None = None

    def hubs(self, authorities: Floats) -> Floats:
        """A·a."""
        result = np.empty(self.graph.nodes)
        return _gather(self.graph.out_offsets, self.graph.out_targets, self._out_bounds, authorities, result)

    def authorities(self, hubs: Floats) -> Floats:
        """Aᵀ·h."""
        result = np.empty(self.graph.nodes)
        return _gather(self.graph.in_offsets, self.graph.in_sources, self._in_bounds, hubs, result)

    def cocitation(self, authorities: Floats) -> Floats:
        """AᵀA·a, the matrix whose principal eigenvector HITS is. The next call uses the memory of the result again."""
        if self._memory is None:
            self._memory = np.empty((2, self.graph.nodes))
        hubs, result = self._memory
        _gather(self.graph.out_offsets, self.graph.out_targets, self._out_bounds, authorities, hubs)
        return _gather(self.graph.in_offsets, self.graph.in_sources, self._in_bounds, hubs, result)


def require_links(graph: Graph, method: str) -> None:
    """A graph without links has no hubs and no authorities: say so instead of dividing by zero."""
    if graph.links == 0:
        raise ParameterError("graph", repr(graph), f"at least one link ({method} without links is undefined)")


def _gather(offsets: Offsets, neighbours: Ids, bounds: Offsets, given: Floats, result: Floats) -> Floats:
    """Σ of `given` over the neighbours of each row, into `result`."""
    if len(neighbours) < SMALL:
        sum_rows(offsets, neighbours, 0, len(result), given, result)
    else:
        _sum_chunks(offsets, neighbours, bounds, given, result)
    return result


@njit(cache=True, nogil=True)
def sum_rows(offsets, neighbours, first, last, given, result):  # type: ignore[no-untyped-def]
    """result_i = Σ_{j in row i} given_j for first ≤ i < last."""
    link = offsets[first]
    for row in range(first, last):
        total, end = 0.0, offsets[row + 1]
        while link < end:
            total += given[neighbours[link]]
            link += 1
        result[row] = total


@njit(cache=True, nogil=True, parallel=True)
def _sum_chunks(offsets, neighbours, bounds, given, result):  # type: ignore[no-untyped-def]
    for chunk in prange(len(bounds) - 1):
        sum_rows(offsets, neighbours, bounds[chunk], bounds[chunk + 1], given, result)
