"""Kernels over sorted rows (offsets, columns): taking, dropping and comparing links; one pass each."""

from __future__ import annotations

import numpy as np
from numba import njit

from periplus.numeric.arrays import AnyArray, Bools, Ids, Offsets
from periplus.numeric.pairs import SHORT, sort_row

ABSENT = 2**32 - 1


@njit(cache=True, nogil=True)
def count_taken(offsets: Offsets, columns: Ids, taken: Ids, place: Ids) -> Offsets:
    """Offsets of the graph induced by the rows `taken`; `place[old]` is the new id, or `ABSENT`."""
    ends = np.zeros(len(taken) + 1, np.int64)
    for row in range(len(taken)):
        count = 0
        for i in range(offsets[taken[row]], offsets[taken[row] + 1]):
            count += place[columns[i]] != ABSENT
        ends[row + 1] = ends[row] + count
    return ends


@njit(cache=True, nogil=True)
def take_rows(offsets: Offsets, columns: Ids, taken: Ids, place: Ids, new_offsets: Offsets) -> Ids:
    """Columns of the graph induced by the rows `taken`, renumbered, each row sorted."""
    new_columns = np.empty(new_offsets[-1], np.uint32)
    ranks, values = np.empty(SHORT, np.uint32), np.empty(SHORT, np.uint32)
    for row in range(len(taken)):
        at = new_offsets[row]
        for i in range(offsets[taken[row]], offsets[taken[row] + 1]):
            new = place[columns[i]]
            if new != ABSENT:
                new_columns[at] = new
                at += 1
        sort_row(new_columns, new_offsets[row], at, ranks, values)
    return new_columns


@njit(cache=True, nogil=True)
def kept_offsets(offsets: Offsets, dropped: Bools) -> Offsets:
    """Offsets after the marked links are dropped."""
    ends = np.zeros(len(offsets), np.int64)
    for row in range(len(offsets) - 1):
        count = 0
        for i in range(offsets[row], offsets[row + 1]):
            count += not dropped[i]
        ends[row + 1] = ends[row] + count
    return ends


@njit(cache=True, nogil=True)
def same_label(offsets: Offsets, columns: Ids, labels: Ids) -> Bools:
    """For each link, whether its two ends bear one label."""
    same = np.empty(len(columns), np.bool_)
    for row in range(len(offsets) - 1):
        for i in range(offsets[row], offsets[row + 1]):
            same[i] = labels[row] == labels[columns[i]]
    return same


@njit(cache=True, nogil=True)
def label_pairs(offsets: Offsets, columns: Ids, labels: Ids) -> AnyArray:
    """For each link, the labels of its ends as one number: source · 2³² + target."""
    pairs = np.empty(len(columns), np.uint64)
    for row in range(len(offsets) - 1):
        high = np.uint64(labels[row]) << np.uint64(32)
        for i in range(offsets[row], offsets[row + 1]):
            pairs[i] = high | np.uint64(labels[columns[i]])
    return pairs


@njit(cache=True, nogil=True)
def count_loops(offsets: Offsets, columns: Ids) -> int:
    """Links from a row to itself."""
    loops = 0
    for row in range(len(offsets) - 1):
        for i in range(offsets[row], offsets[row + 1]):
            loops += columns[i] == row
    return loops


@njit(cache=True, nogil=True)
def largest_count(columns: Ids, rows: int) -> int:
    """The largest number of times that one column occurs: the largest in-degree, without the transpose."""
    counts = np.zeros(rows, np.uint32)
    most = np.uint32(0)
    for i in range(len(columns)):
        counts[columns[i]] += np.uint32(1)
        most = max(most, counts[columns[i]])
    return int(most)


@njit(cache=True, nogil=True)
def first_fault(offsets: Offsets, columns: Ids) -> int:
    """The first row whose offsets fall or whose columns are not increasing ids below the row count; −1: none."""
    rows = len(offsets) - 1
    for row in range(rows):
        if offsets[row + 1] < offsets[row] or offsets[row + 1] > len(columns):
            return row
        previous = -1
        for i in range(offsets[row], offsets[row + 1]):
            if int(columns[i]) <= previous or columns[i] >= rows:
                return row
            previous = int(columns[i])
    return -1


@njit(cache=True, nogil=True)
def log_gaps(offsets: Offsets, columns: Ids) -> float:
    """Sum over the links of log₂(1 + gap), the gap to the previous link of the row, or to the row itself."""
    total = 0.0
    for row in range(len(offsets) - 1):
        previous = row
        for i in range(offsets[row], offsets[row + 1]):
            total += np.log2(1.0 + abs(int(columns[i]) - previous))
            previous = int(columns[i])
    return total
