"""Kernels that turn pairs (row, column) into sorted rows: a counting sort in two steps, each inside the caches.

Step one, `group_pairs`, reads pairs as they come and groups them by the upper 16 bits of the row: what remains
of the row is 16 bits, so a grouped pair takes 6 bytes. Step two, `sort_buckets`, takes the pairs of one group (at
most 65,536 rows) out of many such runs, counts them by row, puts every column into its row, sorts each row and
drops repeats. Both steps are one pass over memory with writes that stay near each other: about 2 and 6 ns a pair.

    row     = bucket · 2¹⁶ + low
    run     = pairs of one chunk of the input, grouped by bucket; `bounds[b] : bounds[b + 1]` is bucket b

The result depends only on the set of pairs, not on how they were cut into runs.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from periplus.numeric.arrays import AnyArray, Ids, Offsets

LOW_BITS = 16
ROWS = 1 << LOW_BITS
SHORT = 80  # rows up to this long are sorted by rank: measured 6 ns per column, where a quicksort takes 30


@njit(cache=True, nogil=True)
def count_buckets(rows: Ids, columns: Ids, counts: Offsets) -> tuple[int, int]:
    """Add the pairs to `counts` by bucket; the largest row and the largest column (−1 where there is no pair)."""
    largest_row = np.int64(-1)
    largest_column = np.int64(-1)
    for i in range(len(rows)):
        largest_row = max(largest_row, np.int64(rows[i]))
        largest_column = max(largest_column, np.int64(columns[i]))
        counts[rows[i] >> LOW_BITS] += 1
    return int(largest_row), int(largest_column)


@njit(cache=True, nogil=True)
def group_pairs(rows: Ids, columns: Ids, cursors: Offsets, low: AnyArray, grouped: Ids) -> None:
    """Write every pair at its bucket's cursor: the lower half of the row to `low`, the column to `grouped`."""
    for i in range(len(rows)):
        bucket = rows[i] >> LOW_BITS
        at = cursors[bucket]
        cursors[bucket] = at + 1
        low[at] = rows[i] & (ROWS - 1)
        grouped[at] = columns[i]


@njit(cache=True, nogil=True)
def sort_row(columns: Ids, start: int, end: int, ranks: Ids, values: Ids) -> None:
    """Sort one row in place; a row that is in order already costs one pass. The last two are working space.

    A short row is sorted by counting for each column how many come before it: more comparisons than a sort needs,
    but none that the processor can guess wrongly, and eight at a time.
    """
    first_fall = start + 1
    while first_fall < end and columns[first_fall - 1] <= columns[first_fall]:
        first_fall += 1
    if first_fall >= end:
        return
    length = end - start
    if length > SHORT:
        columns[start:end].sort()
        return
    one = np.uint32(1)
    for i in range(length):
        value = columns[start + i]
        values[i] = value
        before = np.uint32(0)
        for j in range(i):
            not_after = np.uint32(values[j] <= value)
            before += not_after
            ranks[j] += one - not_after
        ranks[i] = before
    for i in range(length):
        columns[start + ranks[i]] = values[i]


@njit(cache=True, nogil=True)
def sort_and_unite(columns: Ids, ends: Offsets, begin: int, into: int, degrees: AnyArray) -> int:
    """Sort rows that lie one after another from `begin` and close them up, without repeats, from `into` on.

    `ends[r]` is where row r ends; its length without repeats goes to `degrees[r]`. Returns where the last one
    ends now. `into` is at most `begin`: nothing is overwritten before it is read.
    """
    ranks, values = np.empty(SHORT, np.uint32), np.empty(SHORT, np.uint32)
    start = begin
    for row in range(len(ends)):
        end = ends[row]
        sort_row(columns, start, end, ranks, values)
        before = into
        for i in range(start, end):
            if into == before or columns[into - 1] != columns[i]:
                columns[into] = columns[i]
                into += 1
        degrees[row] = into - before
        start = end
    return into


@njit(cache=True, nogil=True)
def sort_buckets(low: AnyArray, grouped: Ids, starts: Offsets, degrees: AnyArray, columns: Ids) -> int:
    """Rows of consecutive buckets from grouped runs; returns how many columns were kept.

    `starts[r, b] : starts[r, b + 1]` is bucket b of run r. `degrees` has one place per row (the last bucket may have
    fewer than 65,536), `columns` one a pair; both are filled from the left.
    """
    runs, buckets = starts.shape[0], starts.shape[1] - 1
    kept = 0
    space = np.empty(min(ROWS, len(degrees)), np.int64)
    for bucket in range(buckets):
        rows = degrees[bucket * ROWS : (bucket + 1) * ROWS]
        cursors = space[: len(rows)]
        cursors[:] = 0
        for run in range(runs):
            for i in range(starts[run, bucket], starts[run, bucket + 1]):
                cursors[low[i]] += 1
        at = kept
        for row in range(len(cursors)):
            count = cursors[row]
            cursors[row] = at
            at += count
        for run in range(runs):
            for i in range(starts[run, bucket], starts[run, bucket + 1]):
                row = low[i]
                columns[cursors[row]] = grouped[i]
                cursors[row] += 1
        kept = sort_and_unite(columns, cursors, kept, kept, rows)
    return kept


@njit(cache=True, nogil=True)
def merge_rows(parts: Ids, part_degrees: AnyArray, degrees: AnyArray, columns: Ids) -> int:
    """Unite the same rows of several sorted parts; `part_degrees[p, r]` columns of row r come from part p.

    `parts` holds the columns of part 0, then of part 1, …. Returns how many columns were kept.
    """
    count, rows = part_degrees.shape
    ends = np.zeros(rows, np.int64)
    for row in range(rows):
        for part in range(count):
            ends[row] += part_degrees[part, row]
    at = np.int64(0)
    for row in range(rows):
        length = ends[row]
        ends[row] = at
        at += length
    source = np.int64(0)
    for part in range(count):
        for row in range(rows):
            for _ in range(part_degrees[part, row]):
                columns[ends[row]] = parts[source]
                ends[row] += 1
                source += 1
    return sort_and_unite(columns, ends, 0, 0, degrees)
