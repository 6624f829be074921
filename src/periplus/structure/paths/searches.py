"""Sixty-four breadth-first searches at once, as the bits of a word.

Bit k of `seen[v]` says that the k-th search has reached page v. One step hands the bits that are new at a page on to
the pages it links to; where the searches run over the same pages, which they soon do in a web, one link read serves all
of them. While few pages have new bits they are kept in a queue, so that a long chain costs no more than its links;
once many have, all pages are gone through in their order, which memory likes better.
Cost: from as little as one pass over the links for 64 searches to 64 passes, where they never meet; 32 bytes a page.
"""

from __future__ import annotations

import numpy as np
from numba import njit

_CROWD = 16  # a queue of one page in so many, or more, is not gone through as such


@njit(cache=True, nogil=True)
def search_64(offsets, ends, starts):  # type: ignore[no-untyped-def]
    """From up to 64 distinct pages: pairs at each distance, the largest distance from each, and the links read."""
    nodes = len(offsets) - 1
    seen, now, then = np.zeros(nodes, np.uint64), np.zeros(nodes, np.uint64), np.zeros(nodes, np.uint64)
    queue, touched = np.empty(nodes, np.uint32), np.empty(nodes, np.uint32)
    filled = len(starts)
    for k in range(filled):
        seen[starts[k]] = now[starts[k]] = np.uint64(1) << np.uint64(k)
        queue[k] = starts[k]
    farthest = np.zeros(len(starts), np.int32)
    counts = [0.0]
    read = 0
    while filled:
        crowd = filled * _CROWD >= nodes
        reading = nodes if crowd else filled
        count = 0
        for at in range(reading):
            v = np.int64(at) if crowd else np.int64(queue[at])
            bits = now[v]
            if bits == np.uint64(0):
                continue
            now[v] = np.uint64(0)
            read += offsets[v + 1] - offsets[v]
            for link in range(offsets[v], offsets[v + 1]):
                there = ends[link]
                if not crowd and then[there] == np.uint64(0):
                    touched[count] = there
                    count += 1
                then[there] |= bits
        filled, found, reached = 0, 0, np.uint64(0)
        for at in range(nodes if crowd else count):
            v = np.int64(at) if crowd else np.int64(touched[at])
            fresh = then[v] & ~seen[v]
            then[v] = np.uint64(0)
            if fresh != np.uint64(0):
                seen[v] |= fresh
                now[v] = fresh
                queue[filled] = v
                filled += 1
                found += _ones(fresh)
                reached |= fresh
        if filled:
            for k in range(len(starts)):
                if (reached >> np.uint64(k)) & np.uint64(1):
                    farthest[k] = len(counts)
            counts.append(float(found))
    return np.array(counts), farthest, read


@njit(cache=True, nogil=True, inline="always")
def _ones(x):  # type: ignore[no-untyped-def]
    """The number of bits set in a word: sums of 2, 4 and 8 bits side by side, added up by one multiplication."""
    x = x - ((x >> np.uint64(1)) & np.uint64(0x5555555555555555))
    x = (x & np.uint64(0x3333333333333333)) + ((x >> np.uint64(2)) & np.uint64(0x3333333333333333))
    x = (x + (x >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((x * np.uint64(0x0101010101010101)) >> np.uint64(56))
