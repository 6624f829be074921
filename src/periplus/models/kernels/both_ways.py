"""Undirected graphs out of rows that hold each link once.

Row i lists far ends of page i; the graph gets both i → far and far → i. The pages are cut into pieces of 2¹⁴ (2¹⁶ where
there are many), and the links are reversed in two steps, each of which stays inside the caches:

1. the links of one piece of near ends are grouped by the piece of their far ends, 4 bytes each: which row of the one
   piece, which row of the other;
2. for one piece of far ends, the groups from all pieces in turn are put into their rows, beside the rows' own far ends.

Near ends come into every row in increasing order. So row i of the result is sorted already where all far ends are
earlier pages in order (growth: its own first) or later ones (a triangle of the matrix, walked by rows: its own last).
Otherwise each row is sorted, and repeats are united. O(n + m), 4 bytes per link beside what comes in and goes out, and
nothing depends on the number of threads.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numba import njit

from periplus.graph.graph import Graph
from periplus.models.kernels.rows import run_all, undirected
from periplus.numeric.arrays import Ids, Offsets
from periplus.numeric.pairs import sort_and_unite
from periplus.numeric.parallel import ordered_map

_ROWS_A_PIECE = 1 << 16
_FEW, _MANY = 1 << 22, 1 << 28  # up to so many pages there are pieces of 2¹⁴, and of 2¹⁶; the table of groups is small
_ONE = np.uint64(1)
FarEnds = Literal["any", "earlier", "later"]


def both_ways(offsets: Offsets, far: Ids, far_ends: FarEnds = "any") -> Graph:
    """The undirected graph of rows of far ends.

    `far_ends` "earlier" or "later" promises rows in order, without repeats, whose far ends all come before the row's
    own page or all after it.
    """
    nodes = len(offsets) - 1
    if nodes > _MANY:
        return undirected(np.repeat(np.arange(nodes, dtype=np.uint32), np.diff(offsets)), far, nodes)
    ends, columns = mirrored(offsets, far, own_last=far_ends == "later")
    return united(ends, columns) if far_ends == "any" else symmetric(ends, columns)


def mirrored(offsets: Offsets, far: Ids, *, own_last: bool = False) -> tuple[Offsets, Ids]:
    """Offsets and columns of both directions: of every row its own far ends and, in order, the near ends of others."""
    nodes = len(offsets) - 1
    bits = 14 if nodes <= _FEW and nodes < len(far) else 16
    pieces = (nodes >> bits) + 1
    bounds = np.empty((pieces, pieces + 1), dtype=np.int64)  # of the groups of each piece
    grouped = np.empty(len(far), dtype=np.uint32)

    def group(piece: int) -> None:
        _group(offsets[piece << bits : ((piece + 1) << bits) + 1], far, bits, bounds[piece], grouped)

    run_all(group, range(pieces))
    met = np.concatenate(([0], np.cumsum(np.diff(bounds, axis=1).sum(axis=0))))
    ends = np.zeros(nodes + 1, dtype=np.int64)
    columns = np.empty(2 * len(far), dtype=np.uint32)

    def place(piece: int) -> None:
        rows = slice(piece << bits, ((piece + 1) << bits) + 1)
        begin = offsets[rows][0] + met[piece]
        _place(offsets[rows], far, (bits, begin, own_last), bounds[:, piece : piece + 2], grouped, ends[rows], columns)

    run_all(place, range(pieces))
    return ends, columns


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
    return symmetric(np.cumsum(degrees), columns[:into])


def symmetric(offsets: Offsets, columns: Ids) -> Graph:
    """The graph of rows that have both directions of every link: it is its own transpose."""
    graph = Graph(offsets, columns)
    graph.__dict__["_transposed"] = (graph.out_offsets, graph.out_targets)
    return graph


@njit(cache=True, nogil=True)
def _group(offsets: Offsets, far: Ids, bits: int, bounds: Offsets, grouped: Ids) -> None:
    """Group the links of one piece by the piece of their far end; group b is `bounds[b] : bounds[b + 1]`."""
    cursors = np.zeros(len(bounds), dtype=np.uint64)
    for at in range(offsets[0], offsets[-1]):
        cursors[far[at] >> bits] += _ONE
    place = np.uint64(offsets[0])
    for b in range(len(bounds)):
        count = cursors[b]
        bounds[b] = cursors[b] = place
        place += count
    low = np.uint32((1 << bits) - 1)
    link = np.uint64(offsets[0])
    for row in range(len(offsets) - 1):
        near, last = np.uint32(row << bits), np.uint64(offsets[row + 1])
        while link < last:
            end = far[link]
            b = end >> bits
            grouped[cursors[b]] = near | (end & low)
            cursors[b] += _ONE
            link += _ONE


@njit(cache=True, nogil=True)
def _place(
    offsets: Offsets,
    far: Ids,
    how: tuple[int, int, bool],
    bounds: Offsets,
    grouped: Ids,
    ends: Offsets,
    columns: Ids,
) -> None:
    """The rows of one piece: own far ends, and near ends out of its group of every piece."""
    bits, begin, own_last = how
    low = np.uint32((1 << bits) - 1)
    cursors = np.zeros(len(offsets) - 1, dtype=np.uint64)  # unsigned: they need no look whether they are negative
    for piece in range(len(bounds)):
        for at in range(bounds[piece, 0], bounds[piece, 1]):
            cursors[grouped[at] & low] += _ONE
    place, link = np.uint64(begin), np.uint64(offsets[0])
    for row in range(len(cursors)):
        met, last = cursors[row], np.uint64(offsets[row + 1])
        own = last - link
        cursors[row] = place if own_last else place + own
        into = place + met if own_last else place
        while link < last:
            columns[into] = far[link]
            into += _ONE
            link += _ONE
        place += met + own
        ends[row + 1] = place
    for piece in range(len(bounds)):
        first = np.uint32(piece << bits)
        for at in range(bounds[piece, 0], bounds[piece, 1]):
            row = grouped[at] & low
            columns[cursors[row]] = first + (grouped[at] >> bits)
            cursors[row] += _ONE
