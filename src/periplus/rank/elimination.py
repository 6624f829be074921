"""Gaussian elimination of x = k + M x for a sparse M ≥ 0, in the order that fills in least.

To eliminate unknown v, every row r that reads x_v takes in row v instead:

    M_rs += M_rv M_vs / (1 − M_vv)      for all s in row v.

The next unknown is one with the least product (reads in its row) · (rows that read it), Markowitz's bound on the fill
(1957), to an eighth of a doubling. The columns of M sum to less than one in a weighted norm and all terms are positive:
pivots on the diagonal are stable, and nothing cancels. Web graphs are nearly trees of sites and fill in little (on
cnr-2000 the factors have 1.5 times the links between its classes); random graphs fill in without end. So room and work
are bounded, and `eliminate` gives up rather than go beyond.

The result is x = U⁻¹ L⁻¹ k: going up the order k_r += lower_rv z_v with z_v = pivot_v k_v, then going back
x_v = z_v + Σ upper_vs x_s.
"""

from __future__ import annotations

import numpy as np
from numba import njit

# Products from 2^85 on do not occur; eight steps a doubling.
STEPS = 8
BUCKETS = 85 * STEPS


@njit(cache=True, nogil=True)
def eliminate(offsets, sources, weights, loops, most_links, most_work):  # type: ignore[no-untyped-def]
    """(done, order, pivots, lower columns, upper rows), each side as (offsets, ends, weights), in order of elimination.

    `done` is less than the number of unknowns where the room or the work did not suffice.
    """
    size, links = len(offsets) - 1, len(sources)
    reads, readers = np.diff(offsets), np.bincount(sources, minlength=size)
    # Rows: sources and weights. Columns: the rows that read an unknown, and where in the row. Both grow by moving.
    room = links + 2 * most_links
    row_first, row_used, row_room = offsets[:size].copy(), reads.copy(), reads.copy()
    ends, amounts = np.empty(room, np.uint32), np.empty(room)
    ends[:links], amounts[:links] = sources, weights
    col_first, col_used, col_room = np.cumsum(readers) - readers, np.zeros(size, np.int64), readers.copy()
    users, spots = np.empty(room, np.uint32), np.empty(room, np.uint32)
    for row in range(size):
        for link in range(offsets[row], offsets[row + 1]):
            place = col_first[sources[link]] + col_used[sources[link]]
            users[place], spots[place] = row, link - offsets[row]
            col_used[sources[link]] += 1
    row_top, col_top, work, done = links, links, 0, 0
    queue = np.full((3, max(size, BUCKETS)), -1, np.int64)
    bucket = np.zeros(size, np.int64)
    for unknown in range(size - 1, -1, -1):
        enqueue(unknown, reads[unknown], readers[unknown], bucket, queue)
    gone, mark, loop = np.zeros(size, np.bool_), np.zeros(size, np.int64), loops.copy()
    order, pivots = np.empty(size, np.uint32), np.empty(size)
    low_offsets, low_ends, low = np.zeros(size + 1, np.int64), np.empty(most_links, np.uint32), np.empty(most_links)
    up_offsets, up_ends, up = np.zeros(size + 1, np.int64), np.empty(most_links, np.uint32), np.empty(most_links)
    lows, ups, lowest = 0, 0, 0
    while done < size and work <= most_work:
        while queue[0, lowest] < 0:
            lowest += 1
        pivot = queue[0, lowest]
        fill = reads[pivot] * readers[pivot]
        if ups + reads[pivot] > most_links or lows + readers[pivot] > most_links:
            break
        dequeue(pivot, bucket, queue)
        gone[pivot], order[done], pivots[done] = True, pivot, 1.0 / (1.0 - loop[pivot])
        first_low, first_up = lows, ups
        for place in range(row_first[pivot], row_first[pivot] + row_used[pivot]):
            if not gone[ends[place]]:
                up_ends[ups], up[ups] = ends[place], amounts[place] * pivots[done]
                ups += 1
        for place in range(col_first[pivot], col_first[pivot] + col_used[pivot]):
            if not gone[users[place]]:
                low_ends[lows], low[lows] = users[place], amounts[row_first[users[place]] + spots[place]]
                reads[users[place]] -= 1
                lows += 1
        work += row_used[pivot] + col_used[pivot] + fill
        for above in range(first_up, ups):
            source = up_ends[above]
            for place in range(col_first[source], col_first[source] + col_used[source]):
                mark[users[place]] = spots[place]
            work += col_used[source]
            readers[source] -= 1
            for below in range(first_low, lows):
                row, more = low_ends[below], low[below] * up[above]
                if row == source:
                    loop[row] += more
                    continue
                if mark[row] < row_used[row] and ends[row_first[row] + mark[row]] == source:
                    amounts[row_first[row] + mark[row]] += more
                    continue
                row_top = make_room(row, row_first, row_used, row_room, row_top, ends, amounts)
                col_top = make_room(source, col_first, col_used, col_room, col_top, users, spots)
                if row_top < 0 or col_top < 0:
                    return done, order, pivots, (low_offsets, low_ends, low), (up_offsets, up_ends, up)
                ends[row_first[row] + row_used[row]], amounts[row_first[row] + row_used[row]] = source, more
                place = col_first[source] + col_used[source]
                users[place], spots[place] = row, row_used[row]
                row_used[row], col_used[source] = row_used[row] + 1, col_used[source] + 1
                reads[row], readers[source] = reads[row] + 1, readers[source] + 1
        for above in range(first_up, ups):
            lowest = min(lowest, requeue(up_ends[above], reads, readers, bucket, queue))
        for below in range(first_low, lows):
            lowest = min(lowest, requeue(low_ends[below], reads, readers, bucket, queue))
        done += 1
        low_offsets[done], up_offsets[done] = lows, ups
    return done, order, pivots, (low_offsets, low_ends[:lows], low[:lows]), (up_offsets, up_ends[:ups], up[:ups])


@njit(cache=True, nogil=True)
def make_room(line, first, used, room, top, ids, data):  # type: ignore[no-untyped-def]
    """Room for one more in a line, moved to `top` where it is full; the new top, −1 when the pool is full."""
    if used[line] < room[line]:
        return top
    wanted = 2 * room[line] + 4
    if top + wanted > len(ids):
        return -1
    ids[top : top + used[line]] = ids[first[line] : first[line] + used[line]]
    data[top : top + used[line]] = data[first[line] : first[line] + used[line]]
    first[line], room[line] = top, wanted
    return top + wanted


@njit(cache=True, nogil=True)
def enqueue(unknown, reads, readers, bucket, queue):  # type: ignore[no-untyped-def]
    """Put an unknown in front of its bucket: queue rows are the heads, the next and the previous."""
    at = np.int64(STEPS * np.log2(1.0 + float(reads) * float(readers)))
    bucket[unknown], queue[2, unknown], queue[1, unknown] = at, -1, queue[0, at]
    if queue[0, at] >= 0:
        queue[2, queue[0, at]] = unknown
    queue[0, at] = unknown
    return at


@njit(cache=True, nogil=True)
def dequeue(unknown, bucket, queue):  # type: ignore[no-untyped-def]
    after, before = queue[1, unknown], queue[2, unknown]
    if before >= 0:
        queue[1, before] = after
    else:
        queue[0, bucket[unknown]] = after
    if after >= 0:
        queue[2, after] = before


@njit(cache=True, nogil=True)
def requeue(unknown, reads, readers, bucket, queue):  # type: ignore[no-untyped-def]
    dequeue(unknown, bucket, queue)
    return enqueue(unknown, reads[unknown], readers[unknown], bucket, queue)
