"""What changed pages do to each other, estimated from the links near by.

With A = I − αHᵀ and E the columns in which the matrix changed (`edits`), S = (A⁻¹E)_CC tells how much a unit more at
one changed page brings to every other. It is nearly diagonal, but not small: a page with nothing but a link to itself,
changed, has −5.7 there. Each column of E is pushed along the links until little is left on a page, the less the more
rank the changed page has to move; with that S̃ (I − S̃)⁻¹ y meets (I − S)⁻¹ y to some three digits, and as a
preconditioner it gains two or three with each solve.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numba import njit, prange

from periplus.graph.graph import Graph
from periplus.numeric.arrays import Floats
from periplus.rank.updating.edits import Edits

# What the response to a changed page of mean rank may leave behind on a page, for each of its links, and the least
# entry of S̃ worth keeping; for other ranks in inverse proportion, within bounds.
NEAR = 6e-4
# Links to read for one changed page, at most: so many, and this share of a pass for all of them together.
READS, SHARE = 10_000, 4
FINEST, COARSEST = 1e-5, 1e-2
# Of the factors of I − S̃, entries that are less than this beside their column, and the room they may take: an estimate
# of three digits needs no more, and where the changed pages link to each other exact factors would fill in.
DROPPED, FILL = 1e-5, 8


def near_inverse(graph: Graph, changes: Edits, values: Floats, damping: float) -> Callable[[Floats], Floats]:
    """(I − S̃)⁻¹ as a function, for pushes over the links of `graph`, the one before the changes."""
    from scipy.sparse import csc_matrix, identity
    from scipy.sparse.linalg import spilu

    size, given = len(changes.pages), values[changes.pages]
    number = np.full(len(values), size, np.uint32)
    number[changes.pages] = np.arange(size, dtype=np.uint32)
    near = np.clip(NEAR * given.mean() / given, FINEST, COARSEST)
    columns = (changes.offsets, changes.targets, changes.shares)
    places, found = responses(graph.out_offsets, graph.out_targets, columns, number, damping, near)
    estimate = csc_matrix((found, places.T), shape=(size, size))
    try:
        system = identity(size, format="csc") - estimate
        solve: Callable[[Floats], Floats] = spilu(system, drop_tol=DROPPED, fill_factor=FILL).solve
    except RuntimeError:  # the estimate is singular, S itself never is
        return lambda right: np.full_like(right, np.nan)
    return solve


@njit(cache=True, nogil=True, parallel=True)
def responses(offsets, targets, edits, number, damping, near):  # type: ignore[no-untyped-def]
    """Places (row, column) and entries of S̃; `number[page]` is the row of a changed page, their count elsewhere."""
    size = len(edits[0]) - 1
    parts, room = 2, 16 * size + 32
    places, values = np.empty((parts, room, 2), np.uint32), np.empty((parts, room))
    found = np.zeros(parts, np.int64)
    for part in prange(parts):
        first, last = part * size // parts, (part + 1) * size // parts
        found[part] = respond(offsets, targets, edits, number, damping, near, first, last, places[part], values[part])
    return (
        np.concatenate((places[0, : found[0]], places[1, : found[1]])),
        np.concatenate((values[0, : found[0]], values[1, : found[1]])),
    )


@njit(cache=True, nogil=True)
def respond(offsets, targets, edits, number, damping, near, first, last, places, values):  # type: ignore[no-untyped-def]
    """The entries of the columns from `first` to `last`, as many as there is room for; gives their number."""
    edit_offsets, edit_targets, shares = edits
    size, nodes, found = len(edit_offsets) - 1, len(number), 0
    # The pages reached by one column lie together, numbered as they come: `slot` is that number, `nodes` elsewhere.
    slot, reached = np.full(nodes, nodes, np.uint32), np.empty(nodes, np.uint32)
    taken, waiting, queued = np.empty(nodes), np.empty(nodes), np.empty(nodes, np.bool_)
    queue = np.empty(nodes + 1, np.uint32)
    budget = READS + SHARE * len(targets) // size
    for column in range(first, last):
        begin = edit_offsets[column]
        count = edit_offsets[column + 1] - begin
        for start in range(count):
            reached[start], slot[edit_targets[begin + start]] = edit_targets[begin + start], start
            taken[start], waiting[start] = 0.0, shares[begin + start]
            queue[start], queued[start] = start, True
        lines = reached, taken, waiting, queued
        count = push_near(offsets, targets, damping, near[column], budget, count, slot, lines, queue)
        for place in range(count):
            page = reached[place]
            value = taken[place] + waiting[place]
            if number[page] < size and found < len(values) and abs(value) > near[column]:
                places[found, 0], places[found, 1], values[found] = number[page], column, value
                found += 1
            slot[page] = nodes
    return found


@njit(cache=True, nogil=True)
def push_near(offsets, targets, damping, near, budget, count, slot, lines, queue):  # type: ignore[no-untyped-def]
    """Push what waits at the first `count` places until little is left; gives the number of places in use then."""
    reached, taken, waiting, queued = lines
    known, nodes = len(offsets) - 1, len(slot)
    head, tail = 0, count
    while head != tail:
        place = queue[head]
        head = head + 1 if head < nodes else 0
        queued[place] = False
        page, amount = reached[place], waiting[place]
        degree = offsets[page + 1] - offsets[page] if page < known else 0
        if abs(amount) <= near * max(degree, 1) or budget < degree:
            continue
        taken[place] += amount
        waiting[place] = 0.0
        budget -= degree
        if degree == 0:  # nor has a new page a row in these offsets
            continue
        for link in range(offsets[page], offsets[page] + degree):
            target = targets[link]
            end = slot[target]
            if end == nodes:
                end, slot[target] = count, count
                reached[count], taken[count], waiting[count], queued[count] = target, 0.0, 0.0, False
                count += 1
            waiting[end] += amount * damping / degree
            if not queued[end] and abs(waiting[end]) > near:
                queue[tail], queued[end] = end, True
                tail = tail + 1 if tail < nodes else 0
    return count
