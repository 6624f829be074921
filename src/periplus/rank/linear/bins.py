"""A pass over the links through bins, for graphs whose ids carry no locality.

Pulling new_j = base_j + Σ_{i→j} given_i reads `given` at random, and once that vector outgrows the caches nearly every
link waits for memory. Propagation blocking (Beamer, Asanović and Patterson 2017) makes two streams of it:

1. *put*: the pages in order write what they give, once per link, into bins, one bin per range of targets;
2. *add*: each bin's gifts are read in order and added to its range of targets, which the cache of a core holds.

The targets of a bin, in the same order, are known beforehand: two bytes per link. Neither half branches: one gift for
several links of a page into a bin would save memory, and the test for it costs more than it saves.
The order of addition is fixed by the graph: sums do not depend on the threads.
Memory: ten bytes per link. To make it: two reads of the links.
"""

from __future__ import annotations

import numpy as np
from numba import njit, prange

from periplus.graph.graph import Graph
from periplus.graph.locality import near_share
from periplus.numeric.arrays import Floats
from periplus.rank.linear.passes import chunk_bounds

# Targets of one bin: 2¹⁴ float64 sums are 128 KiB of a second-level cache, 2¹⁶ the most that two bytes can number.
# Larger bins only where there would be too many: a line of cache for each must lie near while gifts are put.
LEAST_BITS, MOST_BITS, MANY_BINS = 14, 16, 1024
# Pieces of pages, and runs of bins, of about equally many links: what the threads share out.
PIECES, RUNS = 16, 32
# Past so many pages the vector outgrows the caches, and whether links stay near decides.
PAGES_OUT_OF_CACHE = 4_000_000


def pays(graph: Graph) -> bool:
    """Whether a pass through bins is faster than pulling, by the size of the graph and a sample of its links."""
    return graph.nodes > PAGES_OUT_OF_CACHE and near_share(graph) < 0.5


def bits_for(pages: int) -> int:
    """The size of a bin, as a power of two."""
    return min(max((pages // MANY_BINS).bit_length(), LEAST_BITS), MOST_BITS)


class Bins:
    """The links of a graph, to be called like `passes.Pull`."""

    def __init__(self, graph: Graph) -> None:
        self.bits = bits_for(graph.nodes)
        bins = (max(graph.nodes, 1) - 1 >> self.bits) + 1
        self.links = graph.out_offsets, graph.out_targets, chunk_bounds(graph.out_offsets, PIECES)
        counts = count_bins(*self.links, self.bits, bins)
        # Bins first: the gifts to one bin lie together, in the order of the pages.
        self.starts = np.concatenate(([0], np.cumsum(counts.T.ravel()))).astype(np.int64)
        self.runs = chunk_bounds(self.starts[:: len(counts)].copy(), RUNS)
        self.within, self.gifts = np.empty(graph.links, np.uint16), np.empty(graph.links)
        fill_bins(*self.links, self.bits, self.starts, self.within)
        self.sums = np.zeros((bins, 2))

    def __call__(self, given: Floats, base: Floats, values: Floats, jump: float = 1.0) -> tuple[float, float]:
        """values ← jump · base + Aᵀ given; returns (‖step‖₁, Σ values)."""
        put(*self.links, self.bits, self.starts, given, self.gifts)
        add((self.within, self.starts, self.runs), self.gifts, self.bits, base, jump, values, self.sums)
        change, mass = self.sums.sum(axis=0)
        return float(change), float(mass)


@njit(cache=True, nogil=True, parallel=True)
def count_bins(offsets, targets, cuts, bits, bins):  # type: ignore[no-untyped-def]
    """The links from each piece of pages into each bin."""
    counts = np.zeros((len(cuts) - 1, bins), np.int64)
    for piece in prange(len(cuts) - 1):
        for link in range(offsets[cuts[piece]], offsets[cuts[piece + 1]]):
            counts[piece, targets[link] >> np.uint32(bits)] += 1
    return counts


@njit(cache=True, nogil=True)
def bin_heads(starts, pieces, piece):  # type: ignore[no-untyped-def]
    """Where the first link of a piece into each bin goes."""
    heads = np.empty((len(starts) - 1) // pieces, np.uint64)
    for place in range(len(heads)):
        heads[place] = starts[place * pieces + piece]
    return heads


@njit(cache=True, nogil=True, parallel=True)
def fill_bins(offsets, targets, cuts, bits, starts, within):  # type: ignore[no-untyped-def]
    """The targets of all links, bin by bin, as places within the bin."""
    pieces, shift, mask = len(cuts) - 1, np.uint32(bits), np.uint32((1 << bits) - 1)
    for piece in prange(pieces):
        heads = bin_heads(starts, pieces, piece)
        for link in range(offsets[cuts[piece]], offsets[cuts[piece + 1]]):
            place = np.uint64(targets[link] >> shift)
            within[heads[place]] = targets[link] & mask
            heads[place] += np.uint64(1)


@njit(cache=True, nogil=True, parallel=True)
def put(offsets, targets, cuts, bits, starts, given, gifts):  # type: ignore[no-untyped-def]
    """Every page writes given_i for each of its links into the bin of the target; two links at a time."""
    pieces, shift, one, two = len(cuts) - 1, np.uint32(bits), np.uint64(1), np.uint64(2)
    for piece in prange(pieces):
        heads = bin_heads(starts, pieces, piece)
        link = np.uint64(offsets[cuts[piece]])
        for page in range(cuts[piece], cuts[piece + 1]):
            gift, end = given[page], np.uint64(offsets[page + 1])
            while link + one < end:
                first, second = np.uint64(targets[link] >> shift), np.uint64(targets[link + one] >> shift)
                head = heads[first]
                heads[first] = head + one
                gifts[head] = gift
                head = heads[second]
                heads[second] = head + one
                gifts[head] = gift
                link += two
            if link < end:
                first = np.uint64(targets[link] >> shift)
                gifts[heads[first]] = gift
                heads[first] += one
                link += one


@njit(cache=True, nogil=True, parallel=True)
def add(links, gifts, bits, base, jump, values, sums):  # type: ignore[no-untyped-def]
    """values ← jump · base + the gifts to each page; sums[bin] = (‖step‖₁, Σ values)."""
    within, starts, runs = links
    pieces = (len(starts) - 1) // len(sums)
    for run in prange(len(runs) - 1):
        totals = np.empty(1 << bits)
        for place in range(runs[run], runs[run + 1]):
            first, last = place << bits, min((place + 1) << bits, len(values))
            for row in range(first, last):
                totals[row - first] = jump * base[row]
            add_gifts(within, gifts, np.uint64(starts[place * pieces]), np.uint64(starts[(place + 1) * pieces]), totals)
            change, mass = 0.0, 0.0
            for row in range(first, last):
                total = totals[row - first]
                change += abs(total - values[row])
                mass += total
                values[row] = total
            sums[place, 0], sums[place, 1] = change, mass


@njit(cache=True, nogil=True)
def add_gifts(within, gifts, link, end, totals):  # type: ignore[no-untyped-def]
    """totals_j += gift for the links of one bin; four at a time, each after the one before."""
    one, two, three, four = np.uint64(1), np.uint64(2), np.uint64(3), np.uint64(4)
    while link + three < end:
        totals[np.uint64(within[link])] += gifts[link]
        totals[np.uint64(within[link + one])] += gifts[link + one]
        totals[np.uint64(within[link + two])] += gifts[link + two]
        totals[np.uint64(within[link + three])] += gifts[link + three]
        link += four
    while link < end:
        totals[np.uint64(within[link])] += gifts[link]
        link += one
