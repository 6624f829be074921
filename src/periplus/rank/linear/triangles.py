"""x = k + M x solved through factors that are found once, for a sparse M ≥ 0.

The strongly connected components of M, in topological order, are eliminated once each (`elimination`). A solve is then
one pass over the factors: each component forwards through its lower columns, backwards through its upper rows, and
along the links that leave it. Numbers of unknowns follow that order, so memory is read from end to end: lower lines
rising, upper and leaving lines falling. Where only some unknowns are wanted the way back is made for those alone that
they depend on. `sharing` finds what the threads can do at the same time: the two sides of the largest component, and
runs of the components after it. All sums are in an order fixed by M, whatever the number of threads.
Memory: 12 bytes for each entry, 29 for each unknown.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit, prange

from periplus.graph.graph import Graph
from periplus.numeric.arrays import AnyArray, Bools, Floats, Ids, Offsets
from periplus.rank.linear.elimination import eliminate
from periplus.rank.linear.passes import threads_for
from periplus.rank.linear.sharing import Lines, in_parts, in_sides
from periplus.structure.connectivity.components import strong_components

# The factors may have so many times the links of the classes, and take so much work a link.
MOST_FILL, MOST_WORK = 3, 250
# The work on an unknown beside that on its entries, in entries.
UNKNOWN = 16

Wanted = tuple[Bools, Bools]


@dataclass(frozen=True, slots=True)
class Triangles:
    """The factors of I − M: component c has the unknowns from starts[c] to starts[c + 1]."""

    starts: Offsets
    parts: Offsets  # the first run of components comes before all others, which do not depend on each other
    sides: Offsets  # of the last component of the first run: one side, the other, the top, the end
    component: Ids
    pivots: Floats
    lower: Lines
    upper: Lines  # the line of the last unknown first, as it is read; so in `leaving`
    leaving: Lines
    entering: tuple[Offsets, Ids]  # the unknowns with a link into each component

    @property
    def entries(self) -> int:
        return len(self.lower[1]) + len(self.upper[1]) + len(self.leaving[1])

    @property
    def everything(self) -> Wanted:
        return np.ones(len(self.starts), np.bool_), np.ones(len(self.pivots) + 1, np.bool_)

    def needed(self, unknowns: Ids) -> Wanted:
        """The components, and the unknowns, that must be known for the given unknowns to be."""
        components, needed = np.zeros(len(self.starts), np.bool_), np.zeros(len(self.pivots) + 1, np.bool_)
        needed[unknowns] = True
        components[self.component[unknowns[unknowns < len(self.pivots)]]] = True
        mark_needed(self.starts, self.component, self.upper, self.entering, components, needed)
        return components, needed

    def solve(self, wanted: Wanted, x: Floats, far: Floats) -> None:
        """x ← (I − M)⁻¹ x, right where it is `wanted`; `far` is as long as x, and zero before and after."""
        with threads_for(self.entries):
            order = self.starts, self.parts, self.sides
            solve(*order, self.pivots, self.lower, self.upper, self.leaving, wanted, x, far)


def triangles(offsets: Offsets, sources: Ids, weights: Floats, loops: Floats) -> tuple[Triangles, Ids] | None:
    """The factors, and the number of each unknown in them; None where they would fill in too much.

    Row r of M has `weights` at `sources` from offsets[r] to offsets[r + 1], and loops[r] on the diagonal.
    """
    size = len(offsets) - 1
    every = np.arange(size, dtype=np.uint32)
    # Read as links the rows run backwards, so the labels fall along the real links, and these numbers rise.
    labels = strong_components(Graph(offsets, sources)).labels.astype(np.int64)
    number = labels.max(initial=0) - labels
    rows = np.repeat(every, np.diff(offsets))
    inside = number[rows] == number[sources]
    links = max(len(sources), 16)
    done, order, pivots, lower, upper = eliminate(
        _offsets(rows[inside], size), sources[inside], weights[inside], loops, MOST_FILL * links, MOST_WORK * links
    )
    if done < size:
        return None
    heads, tails, gifts = sources[~inside], rows[~inside], weights[~inside]
    work = np.diff(lower[0]) + np.diff(upper[0]) + UNKNOWN
    places, parts = in_parts(np.bincount(number[order], work), number[heads], number[tails])
    number = places[number]
    side, counts = _sides(work, order, number == parts[1] - 1, lower, upper)
    steps = np.argsort(3 * number[order] + side, kind="stable")
    order = order[steps]
    rank = np.empty(size, np.uint32)
    rank[order] = every
    starts = _offsets(number, len(places))
    component = np.repeat(np.arange(len(starts) - 1, dtype=np.uint32), np.diff(starts))
    out = np.argsort(heads, kind="stable")
    leaving = (_offsets(heads, size), tails[out], gifts[out])
    into = component[rank[tails]]
    found = Triangles(
        starts, parts, starts[max(parts[1] - 1, 0)] + np.cumsum([0, *counts]), component, pivots[steps],
        renumber(lower, steps, rank), renumber(upper, steps[::-1].copy(), rank),
        renumber(leaving, order[::-1].copy(), rank),
        (_offsets(into, len(starts) - 1), rank[heads[np.argsort(into, kind="stable")]]),
    )  # fmt: skip
    return found, rank


def _sides(work: AnyArray, order: Ids, members: Bools, lower: Lines, upper: Lines) -> tuple[AnyArray, AnyArray]:
    """The side of every line, 0 outside the component of `members`, and how many lines of it each side has."""
    lines = np.flatnonzero(members[order])
    local = np.full(len(order), len(order))
    local[order[lines]] = np.arange(len(lines))
    found = in_sides(work[lines], lines, local, lower, upper)
    side = np.zeros(len(order), np.int64)
    side[lines] = found
    return side, np.bincount(found, minlength=3)


def _offsets(lines: AnyArray, size: int) -> Offsets:
    return np.concatenate(([0], np.cumsum(np.bincount(lines, minlength=size)))).astype(np.int64)


def renumber(old: Lines, lines: AnyArray, rank: Ids) -> Lines:
    """The lines in another order, their ends under other numbers; offsets in four bytes where these are enough."""
    offsets = np.zeros(len(old[0]), np.uint32 if len(old[1]) < 2**32 else np.int64)
    ends, weights = np.empty_like(old[1]), np.empty_like(old[2])
    renumber_lines(*old, lines, rank, offsets, ends, weights)
    return offsets, ends, weights


@njit(cache=True, nogil=True)
def renumber_lines(offsets, ends, weights, lines, rank, new_offsets, new_ends, new_weights):  # type: ignore[no-untyped-def]
    top = 0
    for place in range(len(lines)):
        for link in range(offsets[lines[place]], offsets[lines[place] + 1]):
            new_ends[top], new_weights[top] = rank[ends[link]], weights[link]
            top += 1
        new_offsets[place + 1] = top


@njit(cache=True, nogil=True)
def mark_needed(starts, component, upper, entering, components, needed):  # type: ignore[no-untyped-def]
    """Add all that the `needed` unknowns depend on; of a component below, whatever has a link into it."""
    up_offsets, up_ends, _ = upper
    in_offsets, in_sources = entering
    last_line = len(up_offsets) - 2
    for place in range(len(starts) - 2, -1, -1):
        if not components[place]:
            continue
        for unknown in range(starts[place], starts[place + 1]):
            if needed[unknown]:
                line = last_line - unknown
                for link in range(up_offsets[line], up_offsets[line + 1]):
                    needed[up_ends[link]] = True
        for link in range(in_offsets[place], in_offsets[place + 1]):
            needed[in_sources[link]] = True
            components[component[in_sources[link]]] = True


@njit(cache=True, nogil=True, parallel=True)
def solve(starts, parts, sides, pivots, lower, upper, leaving, wanted, x, far):  # type: ignore[no-untyped-def]
    """x ← (I − M)⁻¹ x, right where it is `wanted`; `far` stands in for x where the second side would meet the first."""
    largest = parts[1] - 1
    solve_run(0, largest, starts, pivots, lower, upper, leaving, wanted, x)
    if largest >= 0 and wanted[0][largest]:
        begin, middle, top, end = sides
        for side in prange(2):
            if side == 0:
                forwards(begin, middle, top, pivots, lower, x, x)
            else:
                forwards(middle, top, top, pivots, lower, x, far)
        move(far, x, top, end)
        forwards(top, end, len(x), pivots, lower, x, x)
        backwards(top, end, upper, leaving, wanted[1], x, x)
        for side in prange(2):
            if side == 0:
                backwards(begin, middle, upper, leaving, wanted[1], x, x)
            else:
                backwards(middle, top, upper, leaving, wanted[1], x, far)
        move(far, x, end, len(x))
    for part in prange(1, len(parts) - 1):
        solve_run(parts[part], parts[part + 1], starts, pivots, lower, upper, leaving, wanted, x)


@njit(cache=True, nogil=True)
def solve_run(first, last, starts, pivots, lower, upper, leaving, wanted, x):  # type: ignore[no-untyped-def]
    """The components from `first` to `last`, one after the other."""
    for component in range(first, last):
        if wanted[0][component]:
            forwards(starts[component], starts[component + 1], len(x), pivots, lower, x, x)
            backwards(starts[component], starts[component + 1], upper, leaving, wanted[1], x, x)


@njit(cache=True, nogil=True)
def forwards(begin, end, top, pivots, lower, x, far):  # type: ignore[no-untyped-def]
    """x_v ← pivot_v x_v, then added with its weight to every row that reads it; from `top` on in `far`."""
    offsets, ends, weights = lower
    one = np.uint64(1)
    for unknown in range(begin, end):
        if x[unknown] != 0.0:
            value = x[unknown] * pivots[unknown]
            x[unknown] = value
            link, last = np.uint64(offsets[unknown]), np.uint64(offsets[unknown + 1])
            while link < last:
                if ends[link] < top:
                    x[ends[link]] += weights[link] * value
                else:
                    far[ends[link]] += weights[link] * value
                link += one


@njit(cache=True, nogil=True)
def backwards(begin, end, upper, leaving, needed, x, far):  # type: ignore[no-untyped-def]
    """x_v += what it reads of those after it, then given along the links that leave the component, into `far`."""
    up_offsets, up_ends, up = upper
    out_offsets, out_ends, out = leaving
    last_line, one, two = len(up_offsets) - 2, np.uint64(1), np.uint64(2)
    for unknown in range(end - 1, begin - 1, -1):
        if needed[unknown]:
            line = last_line - unknown
            # Two sums that need not wait for each other.
            total, other = x[unknown], 0.0
            link, last = np.uint64(up_offsets[line]), np.uint64(up_offsets[line + 1])
            while link + one < last:
                total += up[link] * x[up_ends[link]]
                other += up[link + one] * x[up_ends[link + one]]
                link += two
            if link < last:
                total += up[link] * x[up_ends[link]]
            total += other
            x[unknown] = total
            if total != 0.0:
                link, last = np.uint64(out_offsets[line]), np.uint64(out_offsets[line + 1])
                while link < last:
                    far[out_ends[link]] += out[link] * total
                    link += one


@njit(cache=True, nogil=True)
def move(far, x, begin, end):  # type: ignore[no-untyped-def]
    """x += far, which is left zero."""
    for place in range(begin, end):
        x[place] += far[place]
        far[place] = 0.0
