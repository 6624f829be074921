"""From what generators draw to a `Graph`.

Rows of a fixed width: each row is sorted, repeats are dropped, and the gaps between rows are closed.

A generator whose rows can be made independently fills a table of `width` targets per row, piece by piece on several
threads. `graph_of_rows` does the rest in place, so the peak is the table itself (4·width bytes per row) and the
offsets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

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

    run_all(piece, range(empty, rows, ROWS_A_PIECE))
    links = close_up(table, width, empty, offsets)
    return Graph(offsets, table[:links])


def run_all(work: Callable[[int], None], pieces: Iterable[int]) -> None:
    """Do pieces of work on all threads, and wait for the last."""
    for _ in ordered_map(work, pieces):
        pass


def joined(parts: list[Ids]) -> Ids:
    """All parts one after another, copied on all threads; each part is let go of once it is copied."""
    ends = np.cumsum([len(part) for part in parts], dtype=np.int64)
    whole = np.empty(int(ends[-1]) if parts else 0, dtype=np.uint32)

    def copy(at: int) -> None:
        part, parts[at] = parts[at], whole[:0]
        whole[ends[at] - len(part) : ends[at]] = part

    run_all(copy, range(len(parts)))
    return whole


def undirected(sources: AnyArray, targets: AnyArray, nodes: int) -> Graph:
    """The graph with both directions of every pair."""
    return Graph.from_edges(np.concatenate((sources, targets)), np.concatenate((targets, sources)), nodes=nodes)


@njit(cache=True, nogil=True, inline="always")
def signed(number: np.unsignedinteger[Any]) -> int:
    """An unsigned number as a signed one: compiled sums of the two kinds would be floats."""
    return np.int64(number)  # type: ignore[return-value]


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
