"""Sixty-four breadth-first searches at once, as the bits of a word.

Bit k of `seen[v]` says that the k-th search has reached page v. One step hands the bits that are new at a page on to
the pages it links to; where the searches run over the same pages, which they soon do in a web, one link read serves all
of them. While few pages have new bits they are kept in a queue, so that a long chain costs no more than its links;
once many have, all pages are gone through in their order, which memory likes better.
Cost: from as little as one pass over the links for 64 searches to 64 passes, where they never meet; 32 bytes per page.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from periplus.numeric.arrays import AnyArray, Ids
from periplus.numeric.bits import ones

_CROWD = 16  # a queue of one page in so many, or more, is not gone through as such


class Bits(NamedTuple):
    """Per page: the searches that have reached it, those that did in this step, and those that will in the next.

    `queue` holds the pages with new bits; `touched` those that they link to, while few pages have new bits.
    """

    seen: AnyArray
    now: AnyArray
    then: AnyArray
    queue: Ids
    touched: Ids


@njit(cache=True, nogil=True)
def search_64(offsets, ends, starts):  # type: ignore[no-untyped-def]
    """From up to 64 distinct pages: pairs at each distance, the largest distance from each, and the links read."""
    bits = new_bits(len(offsets) - 1)
    filled = begin(bits, starts)
    farthest = np.zeros(len(starts), np.int32)
    counts = [0.0]
    read = 0
    while filled:
        filled, found, reached, links = step(offsets, ends, bits, filled)
        read += links
        if filled:
            for k in range(len(starts)):
                if (reached >> np.uint64(k)) & np.uint64(1):
                    farthest[k] = len(counts)
            counts.append(float(found))
    return np.array(counts), farthest, read


@njit(cache=True, nogil=True)
def new_bits(nodes):  # type: ignore[no-untyped-def]
    """No search has reached any page yet."""
    words = np.zeros((3, nodes), np.uint64)
    return Bits(words[0], words[1], words[2], np.empty(nodes, np.uint32), np.empty(nodes, np.uint32))


@njit(cache=True, nogil=True)
def begin(bits, starts):  # type: ignore[no-untyped-def]
    """The k-th search begins at starts[k], up to 64 distinct pages; returns the pages with new bits, in the queue."""
    for k in range(len(starts)):
        bits.seen[starts[k]] = bits.now[starts[k]] = np.uint64(1) << np.uint64(k)
        bits.queue[k] = starts[k]
    return len(starts)


@njit(cache=True, nogil=True)
def step(offsets, ends, bits, filled):  # type: ignore[no-untyped-def]
    """All searches go one link further: (pages with new bits, new bits, whose they are, links read).

    The pages are at the head of `bits.queue`, their new bits in `bits.now`.
    """
    crowd = filled * _CROWD >= len(bits.seen)
    read, touched = hand_on(offsets, ends, bits, filled, crowd)
    filled, found, reached = arrive(bits, touched, crowd)
    return filled, found, reached, read


@njit(cache=True, nogil=True)
def hand_on(offsets, ends, bits, filled, crowd):  # type: ignore[no-untyped-def]
    """Every page hands its new bits on to the pages it links to; returns the links read and the pages touched."""
    now, then, queue, touched = bits.now, bits.then, bits.queue, bits.touched
    read, count = 0, 0
    for at in range(len(now) if crowd else filled):
        v = np.int64(at) if crowd else np.int64(queue[at])
        fresh = now[v]
        if fresh == np.uint64(0):
            continue
        now[v] = np.uint64(0)
        read += offsets[v + 1] - offsets[v]
        for link in range(offsets[v], offsets[v + 1]):
            there = ends[link]
            if not crowd and then[there] == np.uint64(0):
                touched[count] = there
                count += 1
            then[there] |= fresh
    return read, count


@njit(cache=True, nogil=True)
def arrive(bits, touched, crowd):  # type: ignore[no-untyped-def]
    """What was handed on and is new is there for the next step; returns (pages with new bits, new bits, whose)."""
    seen, now, then = bits.seen, bits.now, bits.then
    filled, found, reached = 0, 0, np.uint64(0)
    for at in range(len(now) if crowd else touched):
        v = np.int64(at) if crowd else np.int64(bits.touched[at])
        fresh = then[v] & ~seen[v]
        then[v] = np.uint64(0)
        if fresh != np.uint64(0):
            seen[v] |= fresh
            now[v] = fresh
            bits.queue[filled] = v
            filled += 1
            found += ones(fresh)
            reached |= fresh
    return filled, found, reached
