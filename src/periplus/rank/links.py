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
from periplus.numeric.arrays import Floats
from periplus.rank.passes import chunk_bounds


class LinkOperator:
    """A and Aᵀ of one graph."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self._out_bounds = chunk_bounds(graph.out_offsets)
        self._in_bounds = chunk_bounds(graph.in_offsets)

    def hubs(self, authorities: Floats) -> Floats:
        """A·a."""
        result = np.empty(self.graph.nodes)
        gather(self.graph.out_offsets, self.graph.out_targets, self._out_bounds, authorities, result)
        return result

    def authorities(self, hubs: Floats) -> Floats:
        """Aᵀ·h."""
        result = np.empty(self.graph.nodes)
        gather(self.graph.in_offsets, self.graph.in_sources, self._in_bounds, hubs, result)
        return result

    def cocitation(self, authorities: Floats) -> Floats:
        """AᵀA·a, the matrix whose principal eigenvector HITS is."""
        return self.authorities(self.hubs(authorities))


def require_links(graph: Graph, method: str) -> None:
    """A graph without links has no hubs and no authorities: say so instead of dividing by zero."""
    if graph.links == 0:
        raise ParameterError("graph", repr(graph), f"at least one link ({method} without links is undefined)")


@njit(cache=True, nogil=True, parallel=True)
def gather(offsets, neighbours, bounds, given, result):  # type: ignore[no-untyped-def]
    """result_i = Σ_{j in row i} given_j."""
    for chunk in prange(len(bounds) - 1):
        for row in range(bounds[chunk], bounds[chunk + 1]):
            total = 0.0
            for link in range(offsets[row], offsets[row + 1]):
                total += given[neighbours[link]]
            result[row] = total
