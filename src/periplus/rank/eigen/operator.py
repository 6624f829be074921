"""The adjacency matrix as an operator: x → A x and y → Aᵀ y, pulled over the rows of either side by both cores.

A[i, j] = 1 when page i links to page j. `hubs` returns A·a (a page sums the authorities it links to, over its out row),
`authorities` returns Aᵀ·h (a page sums the hubs that link to it, over its in row). A link costs 4 bytes and one gather;
no value is stored for it. Chunks of rows are fixed by the graph, so sums do not depend on the number of threads.

`cocitation` returns AᵀA·a, and the steps of the Lanczos recurrence with it: a·AᵀA·a = ‖A·a‖² comes with the sums over
the rows, and the vectors that a step subtracts are read while its result is at hand. Where vectors stay in cache each
out row is read once: the sum over the row is added to all its targets while their ids are at hand, in a vector for each
half of the rows. Where they do not, scattered writes cost more than they save, and the two products follow each other.
So does a product of its own, which measures what a recurrence has reached: it adds long rows up in pieces.
"""

from __future__ import annotations

import numpy as np
from numba import njit, prange

from periplus.graph.graph import Graph
from periplus.numeric.arrays import AnyArray, Floats, Ids, Offsets
from periplus.numeric.blas import one_thread
from periplus.rank.eigen.lanczos import SAME_EIGENVALUE
from periplus.rank.linear.passes import CHUNKS, PIECE, UNIT_ROUNDOFF, chunk_bounds, row_sum

# Below this many links one core is done before a second one has woken up.
SMALL = 2**16
# Up to so many pages three vectors fit in a cache of a few megabytes per core.
CACHED = 2**19


class LinkOperator:
    """A and Aᵀ of one graph."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self._out_bounds = chunk_bounds(graph.out_offsets)
        self._in_bounds = chunk_bounds(graph.in_offsets)

    def hubs(self, authorities: Floats) -> Floats:
        """A·a."""
        result = np.empty(self.graph.nodes)
        _gather(self.graph.out_offsets, self.graph.out_targets, self._out_bounds, authorities, result)
        return result

    def authorities(self, hubs: Floats) -> Floats:
        """Aᵀ·h."""
        result = np.empty(self.graph.nodes)
        _gather(self.graph.in_offsets, self.graph.in_sources, self._in_bounds, hubs, result)
        return result

    @property
    def cocitation(self) -> CocitationOperator:
        """AᵀA, the matrix whose principal eigenvector HITS is."""
        return CocitationOperator(self.graph)


class CocitationOperator:
    """AᵀA of one graph, as an `Operator` for Lanczos; it has memory of its own, which every call uses again."""

    def __init__(self, graph: Graph) -> None:
        self._out = graph.out_offsets, graph.out_targets
        self._into = graph.in_offsets, graph.in_sources
        self._one_core, self._cached = graph.links < SMALL, graph.nodes <= CACHED
        self._halves, self._out_bounds = chunk_bounds(graph.out_offsets, 2), chunk_bounds(graph.out_offsets)
        self._in_bounds = chunk_bounds(graph.in_offsets)
        self._memory = np.empty((2, graph.nodes))
        # A sum of d numbers takes d − 1 roundings, `row_sum` at most PIECE + 2; two more make the difference from θ·a.
        longest = (min(int(degrees.max(initial=0)), PIECE + 2) for degrees in (graph.out_degrees, graph.in_degrees))
        self.rounding = UNIT_ROUNDOFF * (sum(longest) + 2)

    def __call__(self, authorities: Floats, /) -> Floats:
        """AᵀA·a."""
        first, second = self._memory
        _gather(*self._out, self._out_bounds, authorities, first)
        _gather(*self._into, self._in_bounds, first, second)
        return second

    def step(self, current: Floats, previous: Floats, beta: float, following: Floats) -> tuple[float, float]:
        """following ← AᵀA·current − α·current − β·previous with α = ‖A·current‖²; returns α and ‖following‖₂."""
        if self._one_core:
            alpha, square = step_rows(*self._out, current, previous, beta, following)
        elif self._cached:
            alpha = spread_halves(*self._out, self._halves, current, self._memory)
            square = subtract(self._memory, current, previous, alpha, beta, following).sum()
        else:
            alpha = sum_chunks(*self._out, self._out_bounds, current, self._memory[0]).sum()
            given = self._memory[0], current, previous
            square = step_chunks(*self._into, self._in_bounds, given, alpha, beta, following).sum()
        return float(alpha), float(np.sqrt(square))


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
    with one_thread():
        values, vectors = np.linalg.eigh(matrix)
        values, vectors = values[::-1], vectors[:, ::-1]
        top = int(np.count_nonzero(values >= values[0] * (1 - SAME_EIGENVALUE)))
        projection = vectors[:, :top] @ (vectors[:, :top].T @ start)
        vectors[:, :top] = np.linalg.qr(np.column_stack((projection, vectors[:, :top])))[0][:, :top]
        vectors[:, 0] *= np.sign(vectors[:, 0] @ start)
        return linked, values, vectors, np.linalg.norm(matrix @ vectors - values * vectors, axis=0)


def _gather(offsets: Offsets, neighbours: Ids, bounds: Offsets, given: Floats, result: Floats) -> None:
    """Σ of `given` over the neighbours of each row, into `result`."""
    if len(neighbours) < SMALL:
        sum_rows(offsets, neighbours, 0, len(result), given, result)
    else:
        sum_chunks(offsets, neighbours, bounds, given, result)


@njit(cache=True, nogil=True)
def sum_rows(offsets, neighbours, first, last, given, result):  # type: ignore[no-untyped-def]
    """result_i = Σ_{j in row i} given_j for first ≤ i < last; returns Σ result_i²."""
    link, squares = np.uint64(offsets[first]), 0.0
    for row in range(first, last):
        total, other, end = 0.0, 0.0, np.uint64(offsets[row + 1])
        if end - link > np.uint64(PIECE):
            total, link = row_sum(given, neighbours, link, end), end
        while link + np.uint64(1) < end:
            total += given[neighbours[link]]
            other += given[neighbours[link + np.uint64(1)]]
            link += np.uint64(2)
        if link < end:
            total += given[neighbours[link]]
            link += np.uint64(1)
        total += other
        result[row] = total
        squares += total * total
    return squares


@njit(cache=True, nogil=True, parallel=True)
def sum_chunks(offsets, neighbours, bounds, given, result):  # type: ignore[no-untyped-def]
    """`sum_rows` over all rows, and what it gives, chunk by chunk."""
    squares = np.zeros(len(bounds) - 1)
    for chunk in prange(len(bounds) - 1):
        squares[chunk] = sum_rows(offsets, neighbours, bounds[chunk], bounds[chunk + 1], given, result)
    return squares


@njit(cache=True, nogil=True, parallel=True)
def step_chunks(offsets, neighbours, bounds, given, alpha, beta, result):  # type: ignore[no-untyped-def]
    """result_i = Σ_{j in row i} sums_j − α current_i − β previous_i for `given` = (sums, current, previous).

    Returns Σ result_i² chunk by chunk.
    """
    sums, current, previous = given
    squares = np.zeros(len(bounds) - 1)
    for chunk in prange(len(bounds) - 1):
        link, square = np.uint64(offsets[bounds[chunk]]), 0.0
        for row in range(bounds[chunk], bounds[chunk + 1]):
            total, other, end = 0.0, 0.0, np.uint64(offsets[row + 1])
            while link + np.uint64(1) < end:
                total += sums[neighbours[link]]
                other += sums[neighbours[link + np.uint64(1)]]
                link += np.uint64(2)
            if link < end:
                total += sums[neighbours[link]]
                link += np.uint64(1)
            total += other - (alpha * current[row] + beta * previous[row])
            result[row] = total
            square += total * total
        squares[chunk] = square
    return squares


@njit(cache=True, nogil=True)
def spread_rows(offsets, targets, first, last, given, result):  # type: ignore[no-untyped-def]
    """result_k += Σ_{j in row i} given_j for every k in row i, first ≤ i < last: the rows' share of AᵀA·given.

    Returns Σ (A·given)_i² over the same rows.
    """
    link, squares = np.uint64(offsets[first]), 0.0
    for row in range(first, last):
        begin, end, total, other = link, np.uint64(offsets[row + 1]), 0.0, 0.0
        while link + np.uint64(1) < end:
            total += given[targets[link]]
            other += given[targets[link + np.uint64(1)]]
            link += np.uint64(2)
        if link < end:
            total += given[targets[link]]
        total += other
        squares += total * total
        link = begin
        while link < end:
            result[targets[link]] += total
            link += np.uint64(1)
    return squares


@njit(cache=True, nogil=True)
def step_rows(offsets, targets, current, previous, beta, result):  # type: ignore[no-untyped-def]
    """A whole step by one core: result = AᵀA·current − α·current − β·previous; returns α and ‖result‖²."""
    result[:] = 0.0
    alpha, square = spread_rows(offsets, targets, 0, len(current), current, result), 0.0
    for page in range(len(current)):
        result[page] -= alpha * current[page] + beta * previous[page]
        square += result[page] * result[page]
    return alpha, square


@njit(cache=True, nogil=True, parallel=True)
def spread_halves(offsets, targets, halves, given, results):  # type: ignore[no-untyped-def]
    """AᵀA·given as the sum of two results, one for each half of the rows; returns ‖A·given‖²."""
    squares = np.zeros(2)
    for half in prange(2):
        results[half] = 0.0
        if half + 1 < len(halves):  # one row has no halves
            squares[half] = spread_rows(offsets, targets, halves[half], halves[half + 1], given, results[half])
    return squares[0] + squares[1]


@njit(cache=True, nogil=True, parallel=True, fastmath={"reassoc", "contract"})
def subtract(halves, current, previous, alpha, beta, result):  # type: ignore[no-untyped-def]
    """result = halves_0 + halves_1 − α·current − β·previous; returns ‖result‖² chunk by chunk."""
    pages = len(current)
    squares = np.zeros(CHUNKS)
    for chunk in prange(CHUNKS):
        square = 0.0
        for page in range(chunk * pages // CHUNKS, (chunk + 1) * pages // CHUNKS):
            total = halves[0, page] + halves[1, page] - alpha * current[page] - beta * previous[page]
            result[page] = total
            square += total * total
        squares[chunk] = square
    return squares
