"""One pass over the links: the kernels that the PageRank solvers share.

With H the row-normalised adjacency matrix (zero rows where a page is dangling) every solver works on the system

    y = α Hᵀ y + b                                                                    (pseudo-rank system)

by *pulling*: row j of the in side lists the pages i that link to j, and y_j = b_j + α Σ_{i→j} y_i / d⁺(i).
The values are divided by the out-degree once per page, not per link, so a link costs one id and one gather. A kernel
walks the links with one running number, unsigned so that no index is checked for a sign: a `range` of signed numbers a
row costs a fifth more on short rows. It adds them up in two sums that need not wait for each other, which saves a tenth
to a seventh. (The same lines stand in every kernel, here and in `eigen.operator`: as a function, inlined or not, they
take 1.5 to 2 times as long.)
Chunks of rows hold about equally many links and are fixed by the graph alone: the sums are the same, bit by
bit, whatever the number of threads. No array is given to a parallel kernel twice, as what is read and as what is
written: the compiler takes the two for different ones, and may write before it reads.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
from numba import get_num_threads, njit, prange, set_num_threads

from periplus.graph.graph import Graph
from periplus.numeric.arrays import AnyArray, Floats, Ids, Offsets

CHUNKS = 64
# What one rounding may lose of a float64, relatively: the u of the certificates.
UNIT_ROUNDOFF = 2.0**-53
# Links of a row that are added up one after the other: a longer row is added up in pieces, what is lost made good.
PIECE = 64
# Below so many links waking the second thread costs more than it brings.
LINKS_FOR_THREADS = 100_000


@contextmanager
def threads_for(links: int) -> Iterator[None]:
    """One thread where there is little to do, all of them otherwise."""
    before = get_num_threads()
    if links < LINKS_FOR_THREADS:
        set_num_threads(1)
    try:
        yield
    finally:
        set_num_threads(before)


@njit(cache=True, nogil=True)
def chunk_bounds(offsets: Offsets, chunks: int = CHUNKS) -> Offsets:
    """Row numbers that cut the rows into `chunks` runs of about equally many links and rows."""
    rows = len(offsets) - 1
    chunks = max(1, min(chunks, rows))
    bounds = np.zeros(chunks + 1, np.int64)
    for cut in range(1, chunks + 1):
        wanted = cut * (float(offsets[rows]) + rows) / chunks
        # The least k with offsets[k] + k ≥ wanted.
        low, high = bounds[cut - 1], rows
        while low < high:
            middle = (low + high) >> 1
            if offsets[middle] + middle < wanted:
                low = middle + 1
            else:
                high = middle
        bounds[cut] = low
    bounds[chunks] = rows
    return bounds


def link_weights(graph: Graph, damping: float) -> Floats:
    """α / d⁺(i), and 0 for a dangling page: what page i gives to each page that it links to, per unit of rank."""
    degrees = graph.out_degrees
    return np.divide(damping, degrees, out=np.zeros(graph.nodes), where=degrees > 0)


@njit(cache=True, nogil=True)
def has_link(offsets, ends, row, end):  # type: ignore[no-untyped-def]
    """Whether `end` is in a row, which is sorted."""
    low, high = offsets[row], offsets[row + 1]
    while low < high:
        middle = (low + high) >> 1
        if ends[middle] < end:
            low = middle + 1
        else:
            high = middle
    return low < offsets[row + 1] and ends[low] == end


def lead_down(offsets: Offsets, sources: Ids, sample: int = 4_096) -> bool:
    """Whether most links lead to a smaller id, from an even sample of the rows' links: pages of a graph that grew."""
    links = np.linspace(0, len(sources) - 1, min(sample, len(sources))).astype(np.int64)
    rows = np.searchsorted(offsets, links, side="right") - 1
    return bool(2 * np.count_nonzero(sources[links] > rows) > len(links))


@njit(cache=True, nogil=True)
def row_sum(given, neighbours, link, end):  # type: ignore[no-untyped-def]
    """Σ given over neighbours[link:end], off by no more than u·(min(d, PIECE) + 2)·Σ|given| for d links.

    Adding d equal numbers one after the other may lose d·u of their sum, since every step rounds the same way. Here
    the sums of pieces are added with what each addition loses (two-sum: Knuth), so that long rows lose no more than
    short ones.
    """
    total, lost = 0.0, 0.0
    while link < end:
        last, piece = min(link + np.uint64(PIECE), end), 0.0
        while link < last:
            piece += given[neighbours[link]]
            link += np.uint64(1)
        before, total = total, total + piece
        back = total - before
        lost += (before - (total - back)) + (piece - back)
    return total + lost


def row_rounding(degrees: AnyArray) -> Floats:
    """min(d, PIECE) + 6: times u and a value, what may be lost of it by `row_sum` and four roundings more."""
    return np.minimum(degrees, PIECE) + 6.0


class Pull:
    """A graph's pass over its in-links; `bins.Bins` is the same through bins."""

    def __init__(self, graph: Graph) -> None:
        self.rows = graph.in_offsets, graph.in_sources, chunk_bounds(graph.in_offsets)
        self.sums = np.zeros((len(self.rows[2]) - 1, 2))

    def __call__(self, given: Floats, base: Floats, values: Floats, jump: float = 1.0) -> tuple[float, float]:
        """values ← jump · base + Aᵀ given; returns (‖step‖₁, Σ values)."""
        pull(*self.rows, given, base, jump, values, self.sums)
        change, mass = self.sums.sum(axis=0)
        return float(change), float(mass)


@njit(cache=True, nogil=True, parallel=True)
def pull(offsets, sources, bounds, given, base, jump, values, sums):  # type: ignore[no-untyped-def]
    """values_j ← jump · base_j + Σ_{i→j} given_i; sums[c] = (‖step‖₁, Σ values) over the rows of chunk c."""
    for chunk in prange(len(bounds) - 1):
        change, mass = 0.0, 0.0
        link = np.uint64(offsets[bounds[chunk]])
        for row in range(bounds[chunk], bounds[chunk + 1]):
            total, other, end = 0.0, 0.0, np.uint64(offsets[row + 1])
            if end - link > np.uint64(PIECE):
                total, link = row_sum(given, sources, link, end), end
            while link + np.uint64(1) < end:
                total += given[sources[link]]
                other += given[sources[link + np.uint64(1)]]
                link += np.uint64(2)
            if link < end:
                total += given[sources[link]]
                link += np.uint64(1)
            total += other + jump * base[row]
            change += abs(total - values[row])
            mass += total
            values[row] = total
        sums[chunk, 0] = change
        sums[chunk, 1] = mass


def residual_of(graph: Graph, damping: float, values: Floats, base: Floats) -> Floats:
    """b + α Hᵀ y − y, by one pass."""
    residual = np.zeros(graph.nodes)
    Pull(graph)(values * link_weights(graph, damping), base, residual)
    residual -= values
    return residual


def hand_out(values: Floats, weights: Floats, damping: float, given: Floats) -> float:
    """given_i = w_i values_i; returns what the pages do not hand on: Σ (1 − α) values, all of a dangling page's."""
    kept = np.zeros(CHUNKS)
    multiply(values, weights, damping, given, kept)
    return float(kept.sum())


@njit(cache=True, nogil=True, parallel=True)
def multiply(values, weights, damping, given, kept):  # type: ignore[no-untyped-def]
    """`hand_out`, with what is kept chunk by chunk."""
    pages = len(values)
    for chunk in prange(len(kept)):
        total = 0.0
        for page in range(chunk * pages // len(kept), (chunk + 1) * pages // len(kept)):
            value, weight = values[page], weights[page]
            given[page] = value * weight
            total += value * (1.0 - damping) if weight > 0.0 else value
        kept[chunk] = total


@njit(cache=True, nogil=True, parallel=True)
def residual_sums(offsets, sources, bounds, given, base, values, sums):  # type: ignore[no-untyped-def]
    """sums[c] = (Σ |base_j + Σ_{i→j} given_i − values_j|, Σ (min(d⁻(j), PIECE) + 6) |values_j|) over the rows of c."""
    for chunk in prange(len(bounds) - 1):
        residual, rounding = 0.0, 0.0
        link = np.uint64(offsets[bounds[chunk]])
        for row in range(bounds[chunk], bounds[chunk + 1]):
            total, other, end = 0.0, 0.0, np.uint64(offsets[row + 1])
            rounding += (min(end - link, np.uint64(PIECE)) + 6.0) * abs(values[row])
            if end - link > np.uint64(PIECE):
                total, link = row_sum(given, sources, link, end), end
            while link + np.uint64(1) < end:
                total += given[sources[link]]
                other += given[sources[link + np.uint64(1)]]
                link += np.uint64(2)
            if link < end:
                total += given[sources[link]]
                link += np.uint64(1)
            residual += abs(total + other + base[row] - values[row])
        sums[chunk, 0] = residual
        sums[chunk, 1] = rounding
