"""Undirected graphs out of rows that hold each link once: one pass that counts, one that writes both directions.

Row i lists far ends of page i; the graph gets both i → far and far → i. Rows are walked in order and every link is
appended to both of its rows, so that row i of the result is

    earlier pages that listed i, in order · its own far ends, in their order · later pages that listed i, in order.

Where all far ends are later pages in order (a triangle of the matrix, walked by rows), or all are earlier ones in order
(growth), that is sorted already. Otherwise each row is sorted, and repeats are united. The writes of a range of rows
go to one thread; the result does not depend on how rows are shared out. O(n + m), nothing is sorted as a whole.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numba import njit

from periplus.graph.graph import Graph
from periplus.models.rows import undirected
from periplus.numeric.arrays import Ids, Offsets
from periplus.numeric.pairs import sort_and_unite
from periplus.numeric.parallel import ordered_map, thread_count

_ROWS_A_PIECE = 1 << 16
_WIDE = 1 << 21  # from here on every write would miss the caches, and a sort in two steps is faster: measured


def both_ways(offsets: Offsets, far: Ids, *, in_order: bool = False, near: bool = False) -> Graph:
    """The undirected graph of rows of far ends.

    `in_order` promises rows that come out sorted, without repeats; `near` rows without repeats, most of whose far ends
    are close by.
    """
    nodes = len(offsets) - 1
    if nodes > _WIDE and not near:
        return undirected(np.repeat(np.arange(nodes, dtype=np.uint32), np.diff(offsets)), far, nodes)
    ends = np.zeros(nodes + 1, dtype=np.int64)
    columns = np.empty(2 * len(far), dtype=np.uint32)
    shares = [nodes * share // thread_count() for share in range(thread_count() + 1)]

    def count(share: int) -> None:
        _count(offsets, far, shares[share], shares[share + 1], ends[1:])

    def write(share: int) -> None:
        _write(offsets, far, shares[share], shares[share + 1], cursors, columns)

    _run(count, range(thread_count()))
    np.cumsum(ends, out=ends)
    cursors = ends[:-1].copy()
    _run(write, range(thread_count()))
    if near:
        _sort_near(ends, columns)
        return _symmetric(ends, columns)
    return _symmetric(ends, columns) if in_order else united(ends, columns)


def _run(work: Callable[[int], None], pieces: range) -> None:
    for _ in ordered_map(work, pieces):
        pass


def _sort_near(ends: Offsets, columns: Ids) -> None:
    nodes = len(ends) - 1
    _run(
        lambda first: _insert_strays(columns, ends, first, min(first + _ROWS_A_PIECE, nodes)),
        range(0, nodes, _ROWS_A_PIECE),
    )


def united(ends: Offsets, columns: Ids) -> Graph:
    """The undirected graph whose rows have both directions already: each is sorted, and repeats become one link."""
    nodes = len(ends) - 1
    degrees = np.empty(nodes + 1, dtype=np.int64)
    degrees[0] = 0

    def piece(first: int) -> tuple[int, int]:
        last = min(first + _ROWS_A_PIECE, nodes)
        begin = int(ends[first])
        return begin, sort_and_unite(columns, ends[first + 1 : last + 1], begin, begin, degrees[first + 1 : last + 1])

    into = 0
    for begin, end in ordered_map(piece, range(0, nodes, _ROWS_A_PIECE)):
        if into < begin:
            columns[into : into + end - begin] = columns[begin:end]
        into += end - begin
    return _symmetric(np.cumsum(degrees), columns[:into])


def _symmetric(offsets: Offsets, columns: Ids) -> Graph:
    graph = Graph(offsets, columns)
    graph.__dict__["_transposed"] = (graph.out_offsets, graph.out_targets)  # it is its own transpose
    return graph


@njit(cache=True, nogil=True)
def _count(offsets: Offsets, far: Ids, low: int, high: int, degrees: Offsets) -> None:
    """Links of the rows low … high − 1, their own and those of others to them."""
    for row in range(low, high):
        degrees[row] += offsets[row + 1] - offsets[row]
    for at in range(len(far)):
        if low <= far[at] < high:
            degrees[far[at]] += 1


@njit(cache=True, nogil=True)
def _write(offsets: Offsets, far: Ids, low: int, high: int, cursors: Offsets, columns: Ids) -> None:
    """Append every link to those of its two rows that lie in low … high − 1."""
    for row in range(len(offsets) - 1):
        begin, end = offsets[row], offsets[row + 1]
        if low <= row < high:
            into = cursors[row] - begin
            for at in range(begin, end):
                columns[into + at] = far[at]
            cursors[row] += end - begin
        for at in range(begin, end):
            other = far[at]
            if low <= other < high:
                columns[cursors[other]] = row
                cursors[other] += 1


@njit(cache=True, nogil=True)
def _insert_strays(columns: Ids, ends: Offsets, first: int, last: int) -> None:
    """Sort the rows first … last − 1, in which hardly an entry is out of its place."""
    for row in range(first, last):
        for at in range(ends[row] + 1, ends[row + 1]):
            value = columns[at]
            place = at
            while place > ends[row] and columns[place - 1] > value:
                columns[place] = columns[place - 1]
                place -= 1
            columns[place] = value
