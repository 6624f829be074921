"""Sweeps: everything that can be reached from some pages, marked in a bitmap of one bit a page.

A bitmap of 203 million pages is 25 MB and stays in the processor's cache, so that a sweep reads each link of a
reached page once and little else. Two sweeps that share no bitmap run side by side, one a core (`both`): the set
that is reached does not depend on the order of the visits, so the answer is the same however the threads run.

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

Bits = npt.NDArray[np.uint8]
A = TypeVar("A")
B = TypeVar("B")


def bits_of(pages: int) -> Bits:
    """An empty bitmap for that many pages."""
    return np.zeros((pages >> 3) + 1, np.uint8)


def as_bools(bits: Bits, pages: int) -> Bools:
    """The bitmap as one boolean a page."""
    return np.unpackbits(bits, count=pages, bitorder="little").view(np.bool_)


def reach(graph: Graph, starts: AnyArray, *, forward: bool = True) -> Bits:
    """The bitmap of all pages reached from `starts` (themselves included) along, or against, the links."""
    stack = np.empty(graph.nodes, np.uint32)
    starts = np.unique(np.asarray(starts, dtype=np.uint32))
    stack[: len(starts)] = starts
    seen = bits_of(graph.nodes)
    mark(seen, starts)
    offsets, ends = (graph.out_offsets, graph.out_targets) if forward else (graph.in_offsets, graph.in_sources)
    spread(offsets, ends, seen, stack, len(starts))
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
        seen, stack = bits_of(graph.nodes), np.empty(graph.nodes, np.uint32)
        mark(seen, start)
        stack[0] = pivot
        spread(offsets, ends, seen, stack, 1)
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


@njit(cache=True, nogil=True)
def spread(offsets, ends, seen, stack, waiting):  # type: ignore[no-untyped-def]
    """Mark all that can be reached from the `waiting` pages on the stack; returns how many were marked now."""
    one, three, seven = np.uint64(1), np.uint32(3), np.uint32(7)
    top, found = np.uint64(waiting), np.int64(0)
    while top > np.uint64(0):
        top -= one
        page = np.uint64(stack[top])
        for at in range(np.uint64(offsets[page]), np.uint64(offsets[page + one])):
            there = ends[at]
            bit = np.uint8(1) << np.uint8(there & seven)
            byte = seen[there >> three]
            if byte & bit == 0:
                seen[there >> three] = byte | bit
                stack[top] = there
                top += one
                found += 1
    return found


@njit(cache=True, nogil=True)
def spread_undirected(out_offsets, targets, in_offsets, sources, seen, stack, waiting):  # type: ignore[no-untyped-def]
    """As `spread`, along the links both ways."""
    one, three, seven = np.uint64(1), np.uint32(3), np.uint32(7)
    top, found = np.uint64(waiting), np.int64(0)
    while top > np.uint64(0):
        top -= one
        page = np.uint64(stack[top])
        first, middle = np.uint64(out_offsets[page]), np.uint64(out_offsets[page + one])
        start = np.uint64(in_offsets[page])
        last = middle + np.uint64(in_offsets[page + one]) - start
        for at in range(first, last):
            there = targets[at] if at < middle else sources[at - middle + start]
            bit = np.uint8(1) << np.uint8(there & seven)
            byte = seen[there >> three]
            if byte & bit == 0:
                seen[there >> three] = byte | bit
                stack[top] = there
                top += one
                found += 1
    return found


@njit(cache=True, nogil=True)
def levels(offsets, ends, start, seen, queue, counts):  # type: ignore[no-untyped-def]
    """Breadth-first search: adds the pages at each distance to `counts`; returns (reached, farthest distance).

    `seen` must be empty and is left marked; the pages stand in `queue` in order of distance. Distances beyond the
    last place of `counts` are added to that place.
    """
    one, three, seven = np.uint64(1), np.uint32(3), np.uint32(7)
    seen[start >> 3] |= np.uint8(1) << np.uint8(start & 7)
    queue[0] = start
    at, level_end, filled = np.uint64(0), np.uint64(1), np.uint64(1)
    distance = 0
    counts[0] += 1
    while at < filled:
        while at < level_end:
            page = np.uint64(queue[at])
            at += one
            for link in range(np.uint64(offsets[page]), np.uint64(offsets[page + one])):
                there = ends[link]
                bit = np.uint8(1) << np.uint8(there & seven)
                byte = seen[there >> three]
                if byte & bit == 0:
                    seen[there >> three] = byte | bit
                    queue[filled] = there
                    filled += one
        if filled > level_end:
            distance += 1
            counts[min(distance, len(counts) - 1)] += np.int64(filled - level_end)
            level_end = filled
    return np.int64(filled), distance
