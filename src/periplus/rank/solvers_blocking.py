"""Propagation blocking: power iteration for graphs whose ids carry no locality.

Pulling reads α y_i/d⁺(i) at random: on a graph without locality every link misses the cache. Here the pass has two
halves (Beamer, Asanović and Patterson 2017; with one value a page and bin, as in Lakhotia et al.'s PCPM, 2018):

1. *bin*: pages in order put what they give into bins, one bin a range of targets; a page that links to several
   pages of one bin writes its gift once;
2. *add*: each bin's gifts are read in order and added to its range of targets, which fits the cache.

Both halves stream through memory. The order of addition is fixed by the graph, so the sums do not depend on the
threads. Memory: the targets once more in bin order (4 bytes a link), and the gifts (8 bytes a page and bin).
"""

from __future__ import annotations

import numpy as np
from numba import njit, prange

from periplus.numeric.arrays import Offsets
from periplus.rank.passes import chunk_bounds, link_weights
from periplus.rank.system import Solution, System

# Targets of one bin: 2¹⁷ float64 sums are 1 MiB, the second-level cache of one core.
BIN_BITS = 17
NEW_GIFT = np.uint32(1 << 31)


def blocking(system: System) -> Solution:
    """Power iteration in bins."""
    graph = system.graph
    nodes = graph.nodes
    bits = BIN_BITS
    bins = (nodes - 1 >> bits) + 1
    cuts = chunk_bounds(graph.out_offsets, 16)
    gifts, links = count_bins(graph.out_offsets, graph.out_targets, cuts, bits, bins)
    gift_starts, link_starts = bin_starts(gifts), bin_starts(links)
    within = np.empty(graph.links, np.uint32)
    fill_bins(graph.out_offsets, graph.out_targets, cuts, bits, link_starts, within)
    stream = np.empty(int(gifts.sum()))
    weights = link_weights(graph, system.damping)
    values, base = system.start.copy(), system.full_base
    sums = np.zeros((bins, 2))
    for passes in range(1, system.max_passes + 1):
        put(graph.out_offsets, graph.out_targets, cuts, bits, gift_starts, values, weights, stream)
        add(within, stream, link_starts, gift_starts, bits, base, values, sums)
        change, mass = sums.sum(axis=0)
        if system.damping * change <= system.target * mass:
            return Solution(values, passes)
    return Solution(values, system.max_passes)


def bin_starts(counts: Offsets) -> Offsets:
    """Where chunk c's part of bin k begins, bins first: each bin's entries lie together, in the order of the pages."""
    return np.concatenate(([0], np.cumsum(counts.T.ravel()))).astype(np.int64)


@njit(cache=True, nogil=True, parallel=True)
def count_bins(offsets, targets, cuts, bits, bins):  # type: ignore[no-untyped-def]
    """Gifts and links from each chunk of pages into each bin."""
    chunks = len(cuts) - 1
    gifts, links = np.zeros((chunks, bins), np.int64), np.zeros((chunks, bins), np.int64)
    for chunk in prange(chunks):
        for page in range(cuts[chunk], cuts[chunk + 1]):
            last = -1
            for link in range(offsets[page], offsets[page + 1]):
                place = np.int64(targets[link]) >> bits
                links[chunk, place] += 1
                if place != last:
                    gifts[chunk, place] += 1
                    last = place
    return gifts, links


@njit(cache=True, nogil=True, parallel=True)
def fill_bins(offsets, targets, cuts, bits, starts, within):  # type: ignore[no-untyped-def]
    """The targets of each bin, as places within it; the top bit marks the first one of each gift."""
    chunks = len(cuts) - 1
    bins = (len(starts) - 1) // chunks
    for chunk in prange(chunks):
        heads = np.empty(bins, np.int64)
        for k in range(bins):
            heads[k] = starts[k * chunks + chunk]
        for page in range(cuts[chunk], cuts[chunk + 1]):
            last = -1
            for link in range(offsets[page], offsets[page + 1]):
                place = np.int64(targets[link]) >> bits
                mark = np.uint32(0)
                if place != last:
                    mark = NEW_GIFT
                    last = place
                within[heads[place]] = np.uint32(targets[link] - (place << bits)) | mark
                heads[place] += 1


@njit(cache=True, nogil=True, parallel=True)
def put(offsets, targets, cuts, bits, starts, values, weights, stream):  # type: ignore[no-untyped-def]
    """Each page writes α y_i/d⁺(i) once into every bin that it links to."""
    chunks = len(cuts) - 1
    bins = (len(starts) - 1) // chunks
    for chunk in prange(chunks):
        heads = np.empty(bins, np.int64)
        for k in range(bins):
            heads[k] = starts[k * chunks + chunk]
        for page in range(cuts[chunk], cuts[chunk + 1]):
            gift = values[page] * weights[page]
            last = -1
            for link in range(offsets[page], offsets[page + 1]):
                place = np.int64(targets[link]) >> bits
                if place != last:
                    stream[heads[place]] = gift
                    heads[place] += 1
                    last = place


@njit(cache=True, nogil=True, parallel=True)
def add(within, stream, link_starts, gift_starts, bits, base, values, sums):  # type: ignore[no-untyped-def]
    """values = base + the gifts of each bin; sums[bin] = (‖step‖₁, Σ values)."""
    bins = len(sums)
    chunks = (len(link_starts) - 1) // bins
    for k in prange(bins):
        first, last = k << bits, min((k + 1) << bits, len(values))
        total = base[first:last].copy()
        gift = gift_starts[k * chunks] - 1
        for link in range(link_starts[k * chunks], link_starts[(k + 1) * chunks]):
            entry = within[link]
            if entry & NEW_GIFT:
                gift += 1
            total[entry & ~NEW_GIFT] += stream[gift]
        change, mass = 0.0, 0.0
        for row in range(first, last):
            change += abs(total[row - first] - values[row])
            mass += total[row - first]
            values[row] = total[row - first]
        sums[k, 0], sums[k, 1] = change, mass
