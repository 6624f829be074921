"""The system of a graph factored once, to correct its solution after some links changed.

`reduction` gives pages with the same in-links one unknown S_c, y_j = q_j (b_j + S_c). The strongly connected components
of these classes, in topological order, are eliminated once each (`elimination`); A⁻¹ r, with A = I − αHᵀ, is then one
pass over the factors: each component forwards, backwards, and along the links that leave it. On the web one component
has nearly half of the work and the others, without it, fall apart into many groups: the threads share these out.

**The change.** In A′ = A − E the columns of the changed pages C differ (`edits`). The correction Δ of A′ Δ = r is
A⁻¹ (r + E f), once f equals Δ at C; for any f at all the residual left is E (Δ_C − f), which is known exactly and costs
the links of C alone. As r = E y_C, the right one is f = (I − S)⁻¹ y_C − y_C with S = (A⁻¹E)_CC. An estimate S̃ from the
links near by (`responses`) gives a first f to three digits; each solve, restricted to what the changed pages depend on,
gains two more, and the last one, of everything, tells what is left.
Memory: 12 bytes for each entry of the factors, 24 a page.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass

import numpy as np
from numba import njit, prange

from periplus.graph.graph import Graph
from periplus.numeric.arrays import AnyArray, Bools, Floats, Ids, Offsets
from periplus.rank.edits import Edits
from periplus.rank.elimination import eliminate
from periplus.rank.forward import Settled
from periplus.rank.passes import chunk_bounds, link_weights, threads_for
from periplus.rank.reduction import find_classes, merge, row_hashes
from periplus.rank.responses import near_inverse
from periplus.structure.components import strong_components, weak_components

# The factors may have so many times the links of the classes, and take so much work a link.
MOST_FILL, MOST_WORK = 3, 250
MOST_SOLVES = 12
# Runs of components without a link between them, for the threads.
PARTS = 4
# The work on an unknown beside that on its entries, in entries.
UNKNOWN = 16
# Of more pages than this share (and these few) what they do to each other fills in, and a cold solve is faster.
MOST_CHANGED, FEW = 0.05, 100
# What a solve leaves of the residual that it starts from, or less: when to make the next one the last.
GAIN = 0.02

Lines = tuple[Offsets, Ids, Floats]


@dataclass(frozen=True, slots=True)
class Factors:
    """A⁻¹ of a graph's system: `place` is the unknown of each page, `spot` the same for one page of each class."""

    graph: Graph
    place: Ids
    spot: Ids  # the number of unknowns for all other pages
    shrink: Floats
    starts: Offsets
    parts: Offsets  # the first run of components comes before all others, which do not depend on each other
    component: Ids
    pivots: Floats
    lower: Lines
    upper: Lines  # the line of the last unknown first, as it is read; so in `leaving`
    leaving: Lines
    entering: tuple[Offsets, Ids]  # the unknowns with a link into each component

    def settle(
        self, after: Graph, changes: Edits, values: Floats, residual: Floats, damping: float, allowed: float
    ) -> Settled:
        """Correct `values` in place for their `residual`, which is used up, over `after`, as `changes` made it.

        Where that does not help (too many changes, or the estimate misleads) `values` stay, and the residual left is
        given as infinity.
        """
        place, shrink = self._extended(after.nodes)
        changes = changes.differing
        pages = changes.pages
        if len(pages) > max(FEW, MOST_CHANGED * after.nodes):
            return Settled(np.inf, 0, 0)
        everything = np.ones(len(self.starts), np.bool_), np.ones(len(self.pivots) + 1, np.bool_)
        ends, where = np.unique(changes.targets, return_inverse=True)
        near = _support(residual, ends)
        sums, solves, given = np.zeros(len(self.pivots) + 1), 0, residual[ends]
        left = first = float(np.abs(given).sum())
        taken, steps, full = np.zeros(len(pages)), list[tuple[Floats, Floats]](), not len(ends)
        if not full:
            refine, some = near_inverse(self.graph, changes, values, damping), self._needed(place[pages])
            taken = refine(values[pages]) - values[pages]
        while np.isfinite(taken).all():
            residual[ends] = given + _spread(changes, where, taken, len(ends))
            self._solve(residual, near, damping, everything if full else some, sums)
            solves += 1
            missed = shrink[pages] * (residual[pages] + sums[place[pages]]) - taken
            previous, left = left, float(np.abs(_spread(changes, where, missed, len(ends))).sum())
            if full and (left <= allowed or not len(ends) or solves >= MOST_SOLVES):
                break
            taken = taken + _mixed(steps, taken, refine(missed))
            soon = GAIN * left <= allowed or left * left <= allowed * previous
            full = full or soon or solves + 1 >= MOST_SOLVES
        entries = len(self.lower[1]) + len(self.upper[1]) + len(self.leaving[1])
        if not np.isfinite(taken).all() or not left <= max(first, allowed):
            return Settled(np.inf, solves, solves * entries)
        with threads_for(len(values)):
            expand(residual, sums, place, shrink, values)
        return Settled(left, solves, solves * entries)

    def _solve(self, sources: Floats, pages: Ids, damping: float, needed: tuple[Bools, Bools], sums: Floats) -> None:
        """The sums S that `sources`, which are zero but on `pages`, cause; right where they are `needed`."""
        sums.fill(0.0)
        out = (self.graph.out_offsets, self.graph.out_targets)
        gather_sources(out, self.shrink, self.spot, damping, sources, pages, sums)
        with threads_for(len(self.lower[1]) + len(self.upper[1])):
            solve(self.parts, self.starts, self.pivots, self.lower, self.upper, self.leaving, needed, sums)

    def _needed(self, unknowns: Ids) -> tuple[Bools, Bools]:
        """The components, and the unknowns, that must be known for the given unknowns to be."""
        components, needed = np.zeros(len(self.starts), np.bool_), np.zeros(len(self.pivots) + 1, np.bool_)
        needed[unknowns] = True
        components[self.component[unknowns[unknowns < len(self.pivots)]]] = True
        mark_needed(self.starts, self.component, self.upper, self.entering, components, needed)
        return components, needed

    def _extended(self, nodes: int) -> tuple[Ids, Floats]:
        """`place` and `shrink` with the new pages, which the old system does not know: they keep what they get."""
        more = nodes - len(self.place)
        if not more:
            return self.place, self.shrink
        return np.append(self.place, np.full(more, len(self.pivots), np.uint32)), np.append(self.shrink, np.ones(more))


def factors(graph: Graph, damping: float) -> Factors | None:
    """The factors of a graph's system; None where they would fill in too much."""
    gifts = link_weights(graph, damping)
    offsets, sources = graph.in_offsets, graph.in_sources
    class_of, closed, first = find_classes(offsets, sources, row_hashes(offsets, sources, chunk_bounds(offsets)), gifts)
    shrink = np.where(closed, 1.0 / (1.0 + gifts), 1.0)
    size = len(first)
    every = np.arange(size, dtype=np.uint32)
    weights = np.empty(graph.links + graph.nodes)
    merged = merge(offsets, sources, first, closed, class_of, gifts * shrink, np.zeros(graph.nodes), weights)
    offsets, sources, _, loops = merged
    weights = weights[: len(sources)]
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
    work = np.bincount(number[order], np.diff(lower[0]) + np.diff(upper[0]) + UNKNOWN)
    places, parts = in_parts(work, number[sources[~inside]], number[rows[~inside]])
    number = places[number]
    steps = np.argsort(number[order], kind="stable")
    order = order[steps]
    rank = np.empty(size, np.uint32)
    rank[order] = every
    starts = np.flatnonzero(np.diff(number[order], prepend=-1, append=-1))
    component = np.repeat(np.arange(len(starts) - 1, dtype=np.uint32), np.diff(starts))
    out = np.argsort(sources[~inside], kind="stable")
    leaving = (_offsets(sources[~inside], size), rows[~inside][out], weights[~inside][out])
    into = component[rank[rows[~inside]]]
    entering = (_offsets(into, len(starts) - 1), rank[sources[~inside][np.argsort(into, kind="stable")]])
    spot = np.full(graph.nodes, size, np.uint32)
    spot[first] = rank
    return Factors(
        graph, rank[class_of], spot, shrink, starts, parts, component, pivots[steps],
        renumber(lower, steps, rank), renumber(upper, steps[::-1].copy(), rank),
        renumber(leaving, order[::-1].copy(), rank), entering,
    )  # fmt: skip


def in_parts(work: AnyArray, heads: AnyArray, tails: AnyArray) -> tuple[AnyArray, Offsets]:
    """New numbers for components, still topological: up to the one with the most work, then `PARTS` runs; their bounds.

    Components come numbered in topological order, with links heads → tails. No link leads from one of the last runs to
    another, and their work is about equal: groups of linked components go, the largest first, where there is least.
    """
    first = int(np.argmax(work)) + 1 if len(work) else 0
    later = heads >= first
    groups = weak_components(Graph.from_edges(heads[later] - first, tails[later] - first, len(work) - first)).labels
    loads = np.bincount(groups, work[first:])
    part, least = np.zeros(len(loads), np.int64), [(0.0, part) for part in range(PARTS)]
    for group in np.argsort(-loads, kind="stable").tolist():
        load, part[group] = least[0]
        heapq.heapreplace(least, (load + float(loads[group]), int(part[group])))
    order = np.append(np.arange(first), first + np.argsort(part[groups], kind="stable"))
    places = np.empty(len(work), np.int64)
    places[order] = np.arange(len(work))
    return places, np.cumsum([0, first, *np.bincount(part[groups], minlength=PARTS)])


def _offsets(lines: AnyArray, size: int) -> Offsets:
    return np.concatenate(([0], np.cumsum(np.bincount(lines, minlength=size)))).astype(np.int64)


def _spread(changes: Edits, where: AnyArray, amounts: Floats, size: int) -> Floats:
    """E · amounts where E has entries: `where` numbers the targets of the changes."""
    shares = changes.shares * np.repeat(amounts, np.diff(changes.offsets))
    return np.bincount(where, shares, minlength=size).astype(np.float64, copy=False)


def _support(residual: Floats, ends: Ids) -> Ids:
    """The pages where there is a residual or changes may bring one."""
    if np.count_nonzero(residual) == np.count_nonzero(residual[ends]):
        return ends
    return np.union1d(np.flatnonzero(residual).astype(np.uint32), ends)


def _mixed(steps: list[tuple[Floats, Floats]], point: Floats, step: Floats) -> Floats:
    """Anderson mixing: the step from the combination of all points so far whose step is least; remembers this one."""
    steps.append((point, step))
    if len(steps) == 1:
        return step
    moved = np.stack([point - old for old, _ in steps[:-1]], axis=1)
    bend = np.stack([step - old for _, old in steps[:-1]], axis=1)
    share = np.linalg.lstsq(bend, step, rcond=None)[0]
    mixed: Floats = step - (moved + bend) @ share
    return mixed


@njit(cache=True, nogil=True)
def renumber(old, lines, rank):  # type: ignore[no-untyped-def]
    """The lines in another order, their ends under other numbers."""
    offsets, ends, weights = old
    new_offsets, new_ends, new_weights = np.zeros(len(offsets), np.int64), np.empty_like(ends), np.empty_like(weights)
    top = 0
    for place in range(len(lines)):
        for link in range(offsets[lines[place]], offsets[lines[place] + 1]):
            new_ends[top], new_weights[top] = rank[ends[link]], weights[link]
            top += 1
        new_offsets[place + 1] = top
    return new_offsets, new_ends, new_weights


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
def solve(parts, starts, pivots, lower, upper, leaving, wanted, x):  # type: ignore[no-untyped-def]
    """x ← (I − M)⁻¹ x; wrong where it is not needed: `wanted` is (components, unknowns)."""
    solve_run(parts[0], parts[1], starts, pivots, lower, upper, leaving, wanted, x)
    for part in prange(1, len(parts) - 1):
        solve_run(parts[part], parts[part + 1], starts, pivots, lower, upper, leaving, wanted, x)


@njit(cache=True, nogil=True)
def solve_run(first, last, starts, pivots, lower, upper, leaving, wanted, x):  # type: ignore[no-untyped-def]
    """The components from `first` to `last`, one after the other."""
    low_offsets, low_ends, low = lower
    up_offsets, up_ends, up = upper
    out_offsets, out_ends, out = leaving
    components, needed = wanted
    last_line = len(pivots) - 1
    for component in range(first, last):
        if not components[component]:
            continue
        begin, end = starts[component], starts[component + 1]
        for unknown in range(begin, end):
            if x[unknown] != 0.0:
                value = x[unknown] * pivots[unknown]
                x[unknown] = value
                for link in range(low_offsets[unknown], low_offsets[unknown + 1]):
                    x[low_ends[link]] += low[link] * value
        for unknown in range(end - 1, begin - 1, -1):
            if needed[unknown]:
                line = last_line - unknown
                total = x[unknown] + weighed(up, up_ends, up_offsets[line], up_offsets[line + 1], x)
                x[unknown] = total
                if total != 0.0:
                    for link in range(out_offsets[line], out_offsets[line + 1]):
                        x[out_ends[link]] += out[link] * total


@njit(cache=True, nogil=True)
def weighed(weights, ends, begin, end, x):  # type: ignore[no-untyped-def]
    """Σ weight · x_end over one line, in four sums that do not wait for each other."""
    link, last = np.uint64(begin), np.uint64(end)
    one, two, three, four = np.uint64(1), np.uint64(2), np.uint64(3), np.uint64(4)
    first, second, third, fourth = 0.0, 0.0, 0.0, 0.0
    while link + three < last:
        first += weights[link] * x[ends[link]]
        second += weights[link + one] * x[ends[link + one]]
        third += weights[link + two] * x[ends[link + two]]
        fourth += weights[link + three] * x[ends[link + three]]
        link += four
    while link < last:
        first += weights[link] * x[ends[link]]
        link += one
    return (first + second) + (third + fourth)


@njit(cache=True, nogil=True)
def gather_sources(rows, shrink, spot, damping, amounts, pages, x):  # type: ignore[no-untyped-def]
    """k_c = Σ w_i q_i amount_i over the row of each class c, which for a clique holds the page itself."""
    offsets, targets = rows
    known, unknowns = len(offsets) - 1, len(x) - 1
    for place in range(len(pages)):
        page = pages[place]
        if page >= known or offsets[page + 1] == offsets[page]:
            continue
        given = amounts[page] * shrink[page] * damping / (offsets[page + 1] - offsets[page])
        for link in range(offsets[page], offsets[page + 1]):
            x[spot[targets[link]]] += given
        if shrink[page] < 1.0:
            x[spot[page]] += given
    x[unknowns] = 0.0


@njit(cache=True, nogil=True, parallel=True)
def expand(sources, sums, place, shrink, values):  # type: ignore[no-untyped-def]
    """values_j += q_j (source_j + S_c), with c the class of page j."""
    for page in prange(len(values)):
        values[page] += shrink[page] * (sources[page] + sums[place[page]])
