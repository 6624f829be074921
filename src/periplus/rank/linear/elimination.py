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
    size = len(offsets) - 1
    reads, readers = np.diff(offsets), np.bincount(sources, minlength=size)
    rows, columns, tops = lines_of(offsets, sources, weights, readers, len(sources) + 2 * most_links)
    queue, bucket = np.full((3, max(size, BUCKETS)), -1, np.int64), np.zeros(size, np.int64)
    for unknown in range(size - 1, -1, -1):
        enqueue(unknown, reads[unknown], readers[unknown], bucket, queue)
    gone, mark, loop = np.zeros(size, np.bool_), np.zeros(size, np.int64), loops.copy()
    order, pivots = np.empty(size, np.uint32), np.empty(size)
    lower = np.zeros(size + 1, np.int64), np.empty(most_links, np.uint32), np.empty(most_links)
    upper = np.zeros(size + 1, np.int64), np.empty(most_links, np.uint32), np.empty(most_links)
    done, work, lowest = 0, 0, 0
    while done < size and work <= most_work:
        while queue[0, lowest] < 0:
            lowest += 1
        pivot = queue[0, lowest]
        if upper[0][done] + reads[pivot] > most_links or lower[0][done] + readers[pivot] > most_links:
            break
        dequeue(pivot, bucket, queue)
        gone[pivot], order[done], pivots[done] = True, pivot, 1.0 / (1.0 - loop[pivot])
        work += reads[pivot] * readers[pivot] + rows[1][pivot] + columns[1][pivot]
        take_out(done, pivot, pivots[done], rows, columns, gone, lower, upper)
        more = fill_in(done, lower, upper, rows, columns, tops, reads, readers, mark, loop)
        if more < 0:
            break
        work += more
        for line in (upper, lower):
            for place in range(line[0][done], line[0][done + 1]):
                lowest = min(lowest, requeue(line[1][place], reads, readers, bucket, queue))
        done += 1
    lows, ups = lower[0][done], upper[0][done]
    return done, order, pivots, (lower[0], lower[1][:lows], lower[2][:lows]), (upper[0], upper[1][:ups], upper[2][:ups])


@njit(cache=True, nogil=True)
def lines_of(offsets, sources, weights, readers, room):  # type: ignore[no-untyped-def]
    """Rows: what each unknown reads, with weights. Columns: the rows that read it, and where in the row it stands.

    Each as (first, used, room, ends, data), in pools with space to grow by moving; and where the space begins.
    """
    size, links = len(offsets) - 1, len(sources)
    reads = np.diff(offsets)
    rows = offsets[:size].copy(), reads.copy(), reads.copy(), np.empty(room, np.uint32), np.empty(room)
    rows[3][:links], rows[4][:links] = sources, weights
    first = np.cumsum(readers) - readers
    columns = first, np.zeros(size, np.int64), readers.copy(), np.empty(room, np.uint32), np.empty(room, np.uint32)
    for row in range(size):
        for link in range(offsets[row], offsets[row + 1]):
            place = columns[0][sources[link]] + columns[1][sources[link]]
            columns[3][place], columns[4][place] = row, link - offsets[row]
            columns[1][sources[link]] += 1
    return rows, columns, np.full(2, links)


@njit(cache=True, nogil=True)
def take_out(done, unknown, pivot, rows, columns, gone, lower, upper):  # type: ignore[no-untyped-def]
    """Write the unknown's row and column, of what is not gone yet, as line `done` of the factors."""
    first, used, _, ends, amounts = rows
    place_up = upper[0][done]
    for place in range(first[unknown], first[unknown] + used[unknown]):
        if not gone[ends[place]]:
            upper[1][place_up], upper[2][place_up] = ends[place], amounts[place] * pivot
            place_up += 1
    upper[0][done + 1] = place_up
    col_first, col_used, _, users, spots = columns
    place_low = lower[0][done]
    for place in range(col_first[unknown], col_first[unknown] + col_used[unknown]):
        if not gone[users[place]]:
            lower[1][place_low], lower[2][place_low] = users[place], amounts[first[users[place]] + spots[place]]
            place_low += 1
    lower[0][done + 1] = place_low


@njit(cache=True, nogil=True)
def fill_in(done, lower, upper, rows, columns, tops, reads, readers, mark, loop):  # type: ignore[no-untyped-def]
    """Every row of line `done` takes in what the eliminated unknown read; gives the work, −1 when a pool is full."""
    first, used, room, ends, amounts = rows
    col_first, col_used, col_room, users, spots = columns
    work = 0
    for below in range(lower[0][done], lower[0][done + 1]):
        reads[lower[1][below]] -= 1
    for above in range(upper[0][done], upper[0][done + 1]):
        source = upper[1][above]
        for place in range(col_first[source], col_first[source] + col_used[source]):
            mark[users[place]] = spots[place]
        work += col_used[source]
        readers[source] -= 1
        for below in range(lower[0][done], lower[0][done + 1]):
            row, more = lower[1][below], lower[2][below] * upper[2][above]
            if row == source:
                loop[row] += more
            elif mark[row] < used[row] and ends[first[row] + mark[row]] == source:
                amounts[first[row] + mark[row]] += more
            else:
                tops[0] = make_room(row, first, used, room, tops[0], ends, amounts)
                tops[1] = make_room(source, col_first, col_used, col_room, tops[1], users, spots)
                if tops[0] < 0 or tops[1] < 0:
                    return -1
                ends[first[row] + used[row]], amounts[first[row] + used[row]] = source, more
                place = col_first[source] + col_used[source]
                users[place], spots[place] = row, used[row]
                used[row], col_used[source] = used[row] + 1, col_used[source] + 1
                reads[row], readers[source] = reads[row] + 1, readers[source] + 1
    return work


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
