"""Sweeps: everything that can be reached from some pages, marked in a bitmap of one bit a page.

A bitmap of 203 million pages is 25 MB and stays in the processor's cache, so that a sweep reads each link of a
reached page once and little else. Pages are taken in the order in which they were met, which says long before a row
is read that it will be: its place in memory is asked for in time (`prefetch`). Two sweeps that share no bitmap run
side by side, one per core (`both`): the set that is reached does not depend on the order of the visits, so the answer
is the same however the threads run.

Bit p of a bitmap is `bits[p >> 3] >> (p & 7) & 1`. All kernels trust that targets are below n; `Graph` holds that.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt
from numba import njit

from periplus.graph import Graph
from periplus.numeric.arrays import AnyArray, Bools, Ids
from periplus.structure.connectivity.prefetch import prefetch

Bits = npt.NDArray[np.uint8]
A = TypeVar("A")
B = TypeVar("B")
_AHEAD = 32  # pages between asking for a row and reading it


def bits_of(pages: int) -> Bits:
    """An empty bitmap for that many pages."""
    return np.zeros((pages >> 3) + 1, np.uint8)


def as_bools(bits: Bits, pages: int) -> Bools:
    """The bitmap as one boolean a page."""
    return np.unpackbits(bits, count=pages, bitorder="little").view(np.bool_)


def reach(graph: Graph, starts: AnyArray, *, forward: bool = True) -> Bits:
    """The bitmap of all pages reached from `starts` (themselves included) along, or against, the links."""
    queue = np.empty(graph.nodes, np.uint32)
    starts = np.unique(np.asarray(starts, dtype=np.uint32))
    queue[: len(starts)] = starts
    seen = bits_of(graph.nodes)
    mark(seen, starts)
    offsets, ends = (graph.out_offsets, graph.out_targets) if forward else (graph.in_offsets, graph.in_sources)
    spread(offsets, ends, seen, queue, len(starts))
    return seen


def both(one: Callable[[], A], other: Callable[[], B]) -> tuple[A, B]:
    """Two kernels that release the interpreter, side by side."""
    with ThreadPoolExecutor(2) as pool:
        first, second = pool.submit(one), pool.submit(other)
        return first.result(), second.result()


def sweeps_from(graph: Graph, pivot: int) -> tuple[Bits, Bits]:
    """The pages that a page reaches, and those that reach it, found side by side."""
    in_offsets, in_sources = graph.in_offsets, graph.in_sources
    start = np.array([pivot], np.uint32)

    def one_way(offsets: Any, ends: Any) -> Bits:
        seen, queue = bits_of(graph.nodes), np.empty(graph.nodes, np.uint32)
        mark(seen, start)
        queue[0] = pivot
        spread(offsets, ends, seen, queue, 1)
        return seen

    return both(lambda: one_way(graph.out_offsets, graph.out_targets), lambda: one_way(in_offsets, in_sources))


@njit(cache=True, nogil=True)
def pivot_of(out_offsets, in_offsets):  # type: ignore[no-untyped-def]
    """The page with the largest product of in- and out-degree; of equal ones the first."""
    best, page = -1.0, 0
    for v in range(len(out_offsets) - 1):
        product = float(out_offsets[v + 1] - out_offsets[v]) * float(in_offsets[v + 1] - in_offsets[v])
        if product > best:
            best, page = product, v
    return page


@njit(cache=True, nogil=True)
def mark(bits: Bits, pages: Ids) -> None:
    """Set the bits of some pages."""
    for page in pages:
        bits[page >> np.uint32(3)] |= np.uint8(1) << np.uint8(page & np.uint32(7))


@njit(cache=True, nogil=True, inline="always")
def _ask_ahead(offsets, ends, queue, at, filled):  # type: ignore[no-untyped-def]
    """Ask for the row of a page further down the queue, and for where the row of one behind it begins."""
    far = at + np.uint64(_AHEAD)
    if far < filled:
        prefetch(offsets, np.uint64(queue[far]))
        prefetch(ends, np.uint64(offsets[np.uint64(queue[at + np.uint64(_AHEAD >> 1)])]))


@njit(cache=True, nogil=True, inline="always")
def _take(ends, first, last, seen, queue, filled):  # type: ignore[no-untyped-def]
    """Mark the unseen pages of a row and put them at the end of the queue; returns where it ends now."""
    for link in range(first, last):
        there = ends[link]
        bit = np.uint8(1) << np.uint8(there & np.uint32(7))
        byte = seen[there >> np.uint32(3)]
        if byte & bit == 0:
            seen[there >> np.uint32(3)] = byte | bit
            queue[filled] = there
            filled += np.uint64(1)
    return filled


@njit(cache=True, nogil=True)
def spread(offsets, ends, seen, queue, waiting):  # type: ignore[no-untyped-def]
    """Mark all that can be reached from the `waiting` pages in the queue; returns how many were marked now."""
    one, at, filled = np.uint64(1), np.uint64(0), np.uint64(waiting)
    while at < filled:
        page = np.uint64(queue[at])
        _ask_ahead(offsets, ends, queue, at, filled)
        filled = _take(ends, np.uint64(offsets[page]), np.uint64(offsets[page + one]), seen, queue, filled)
        at += one
    return np.int64(filled) - waiting


@njit(cache=True, nogil=True)
def spread_undirected(out_offsets, targets, in_offsets, sources, seen, queue, waiting):  # type: ignore[no-untyped-def]
    """As `spread`, along the links both ways."""
    one, at, filled = np.uint64(1), np.uint64(0), np.uint64(waiting)
    while at < filled:
        page = np.uint64(queue[at])
        filled = _take(targets, np.uint64(out_offsets[page]), np.uint64(out_offsets[page + one]), seen, queue, filled)
        filled = _take(sources, np.uint64(in_offsets[page]), np.uint64(in_offsets[page + one]), seen, queue, filled)
        at += one
    return np.int64(filled) - waiting


@njit(cache=True, nogil=True)
def levels(offsets, ends, start, seen, queue, counts):  # type: ignore[no-untyped-def]
    """Breadth-first search: adds the pages at each distance to `counts`; returns (reached, farthest distance).

    `seen` must be empty and is left marked; the pages stand in `queue` in order of distance. Distances beyond the
    last place of `counts` are added to that place.
    """
    one, at, level_end, filled = np.uint64(1), np.uint64(0), np.uint64(1), np.uint64(1)
    seen[start >> 3] |= np.uint8(1) << np.uint8(start & 7)
    queue[0] = start
    distance = 0
    counts[0] += 1
    while at < filled:
        while at < level_end:
            page = np.uint64(queue[at])
            _ask_ahead(offsets, ends, queue, at, filled)
            filled = _take(ends, np.uint64(offsets[page]), np.uint64(offsets[page + one]), seen, queue, filled)
            at += one
        if filled > level_end:
            distance += 1
            counts[min(distance, len(counts) - 1)] += np.int64(filled - level_end)
            level_end = filled
    return np.int64(filled), distance
