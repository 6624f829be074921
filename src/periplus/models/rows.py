"""From what generators draw to a `Graph`.

Rows of a fixed width: each row is sorted and freed of repeats, then all are closed up.

A generator whose rows can be made independently fills a table of `width` targets a row, piece by piece on several
threads. `graph_of_rows` does the rest in place, so the peak is the table itself (4·width bytes a row) and the offsets.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numba import njit

from periplus.graph.graph import Graph
from periplus.numeric.arrays import AnyArray, Ids, Offsets
from periplus.numeric.pairs import SHORT, sort_row
from periplus.numeric.parallel import ordered_map

ROWS_A_PIECE = 1 << 16

Fill = Callable[[int, int, Ids], None]


def graph_of_rows(rows: int, width: int, fill: Fill, *, empty: int = 0) -> Graph:
    """The graph in which row i ≥ `empty` holds what `fill` wrote for it; the first `empty` rows are without links.

    `fill(begin, end, table)` writes the targets of rows begin … end − 1 into `table`, `width` a row.
    """
    table = np.empty(max(rows - empty, 0) * width, dtype=np.uint32)
    offsets = np.zeros(rows + 1, dtype=np.int64)

    def piece(begin: int) -> None:
        end = min(begin + ROWS_A_PIECE, rows)
        part = table[(begin - empty) * width : (end - empty) * width]
        fill(begin, end, part)
        unite_rows(part, width, offsets[begin + 1 : end + 1])

    for _ in ordered_map(piece, range(empty, rows, ROWS_A_PIECE)):
        pass
    links = close_up(table, width, empty, offsets)
    return Graph(offsets, table[:links])


def undirected(sources: AnyArray, targets: AnyArray, nodes: int) -> Graph:
    """The graph with both directions of every pair."""
    return Graph.from_edges(np.concatenate((sources, targets)), np.concatenate((targets, sources)), nodes=nodes)


def sort_rows(table: Ids, width: int) -> None:
    """Sort each row of a table of `width` entries a row, in place."""
    step = ROWS_A_PIECE * width
    for _ in ordered_map(lambda begin: _sort_table(table[begin : begin + step], width), range(0, len(table), step)):
        pass


@njit(cache=True, nogil=True)
def _sort_table(table: Ids, width: int) -> None:
    ranks, values = np.empty(SHORT, dtype=np.uint32), np.empty(SHORT, dtype=np.uint32)
    for start in range(0, len(table), width):
        sort_row(table, start, start + width, ranks, values)


@njit(cache=True, nogil=True)
def unite_rows(table: Ids, width: int, lengths: Offsets) -> None:
    """Sort each row of the table and drop its repeats; `lengths` gets what is left of each."""
    ranks, values = np.empty(SHORT, dtype=np.uint32), np.empty(SHORT, dtype=np.uint32)
    for row in range(len(lengths)):
        start = row * width
        sort_row(table, start, start + width, ranks, values)
        kept = 0
        for at in range(start, start + width):
            if kept == 0 or table[at] != table[start + kept - 1]:
                table[start + kept] = table[at]
                kept += 1
        lengths[row] = kept


@njit(cache=True, nogil=True)
def close_up(table: Ids, width: int, empty: int, offsets: Offsets) -> int:
    """Move the rows together to the left, and turn their lengths into offsets; returns the number of links."""
    into = 0
    for row in range(empty, len(offsets) - 1):
        length = offsets[row + 1]
        start = (row - empty) * width
        if start != into:
            for at in range(length):
                table[into + at] = table[start + at]
        into += length
        offsets[row + 1] = into
    return into
