"""The adjacency matrix as an operator: x → A x and y → Aᵀ y, pulled over the rows of either side by both cores.

A[i, j] = 1 when page i links to page j. `hubs` gives A·a (a page sums the authorities it links to, over its out row),
`authorities` gives Aᵀ·h (a page sums the hubs that link to it, over its in row). A link costs 4 bytes and one gather;
no value is stored for it. Chunks of rows are fixed by the graph, so sums do not depend on the number of threads.

`cocitation` gives AᵀA·a. Where vectors stay in cache it reads each out row once: the sum over the row is added to all
its targets while their ids are at hand, in a vector for each half of the rows. Where they do not, scattered writes cost
more than they save, and the two products follow each other.
"""

from __future__ import annotations

import numpy as np
from numba import njit, prange

from periplus.errors import ParameterError
from periplus.graph.graph import Graph
from periplus.numeric.arrays import AnyArray, Floats, Ids, Offsets
from periplus.rank.lanczos import SAME_EIGENVALUE
from periplus.rank.passes import chunk_bounds

# Below this many links one core is done before a second one has woken up.
SMALL = 2**16
# Up to so many pages three vectors fit in a cache of a few megabytes a core.
CACHED = 2**19


class LinkOperator:
    """A and Aᵀ of one graph."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self._out_bounds = chunk_bounds(graph.out_offsets)
        self._in_bounds = chunk_bounds(graph.in_offsets)
        self._halves = chunk_bounds(graph.out_offsets, 2)
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
        offsets, targets, nodes = self.graph.out_offsets, self.graph.out_targets, self.graph.nodes
        if self._memory is None:
            self._memory = np.empty((2, nodes))
        first, second = self._memory
        if len(targets) < SMALL:
            first.fill(0.0)
            spread_rows(offsets, targets, 0, nodes, authorities, first)
            return first
        if nodes <= CACHED:
            _spread_halves(offsets, targets, self._halves, authorities, self._memory)
            return first
        _gather(offsets, targets, self._out_bounds, authorities, first)
        return _gather(self.graph.in_offsets, self.graph.in_sources, self._in_bounds, first, second)


def dense_eigenpairs(graph: Graph) -> tuple[AnyArray, Floats, Floats, Floats]:
    """The pages that have an in-link, and all eigenpairs of AᵀA over them by LAPACK: for few of them.

    Values fall; column k of the vectors belongs to value k; then the residuals. Of the largest value the projection of
    the in-degrees comes first, which is what the power method finds.
    """
    from scipy.sparse import csr_matrix

    linked = np.flatnonzero(graph.in_degrees)
    places = np.searchsorted(linked, graph.out_targets)
    rows = csr_matrix((np.ones(graph.links), places, graph.out_offsets), shape=(graph.nodes, len(linked)))
    matrix, start = (rows.T @ rows).toarray(), graph.in_degrees[linked].astype(np.float64)
    values, vectors = np.linalg.eigh(matrix)
    values, vectors = values[::-1], vectors[:, ::-1]
    top = int(np.count_nonzero(values >= values[0] * (1 - SAME_EIGENVALUE)))
    projection = vectors[:, :top] @ (vectors[:, :top].T @ start)
    vectors[:, :top] = np.linalg.qr(np.column_stack((projection, vectors[:, :top])))[0][:, :top]
    vectors[:, 0] *= np.sign(vectors[:, 0] @ start)
    return linked, values, vectors, np.linalg.norm(matrix @ vectors - values * vectors, axis=0)


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
    link = np.uint64(offsets[first])
    for row in range(first, last):
        total, end = 0.0, np.uint64(offsets[row + 1])
        while link < end:
            total += given[neighbours[link]]
            link += np.uint64(1)
        result[row] = total


@njit(cache=True, nogil=True, parallel=True)
def _sum_chunks(offsets, neighbours, bounds, given, result):  # type: ignore[no-untyped-def]
    for chunk in prange(len(bounds) - 1):
        sum_rows(offsets, neighbours, bounds[chunk], bounds[chunk + 1], given, result)


@njit(cache=True, nogil=True)
def spread_rows(offsets, targets, first, last, given, result):  # type: ignore[no-untyped-def]
    """result_k += Σ_{j in row i} given_j for every k in row i, first ≤ i < last: the rows' share of AᵀA·given."""
    link = np.uint64(offsets[first])
    for row in range(first, last):
        begin, end, total = link, np.uint64(offsets[row + 1]), 0.0
        while link < end:
            total += given[targets[link]]
            link += np.uint64(1)
        link = begin
        while link < end:
            result[targets[link]] += total
            link += np.uint64(1)


@njit(cache=True, nogil=True, parallel=True)
def _spread_halves(offsets, targets, halves, given, results):  # type: ignore[no-untyped-def]
    """AᵀA·given into the first of two results, one for each half of the rows."""
    for half in prange(2):
        results[half] = 0.0
        if half + 1 < len(halves):  # one row has no halves
            spread_rows(offsets, targets, halves[half], halves[half + 1], given, results[half])
    for page in prange(results.shape[1]):
        results[0, page] += results[1, page]
