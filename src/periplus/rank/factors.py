"""The system of a graph factored once, to correct its solution after some links changed.

`reduction` gives pages with the same in-links one unknown S_c, y_j = q_j (b_j + S_c). The strongly connected components
of these classes, in topological order, are eliminated once each (`elimination`); A⁻¹ r, with A = I − αHᵀ, is then one
pass over the factors: each component forwards, backwards, and along the links that leave it.

**The change.** In A′ = A − E the columns of the changed pages C differ. The correction Δ of A′ Δ = r is A⁻¹ (r + E f),
once f equals Δ at C; for any f at all the residual left is E (Δ_C − f), which is known exactly and costs the links of C
alone. With S = (A⁻¹E)_CC that is the small system (I − S) f = (A⁻¹ r)_C. S is nearly diagonal, but not small: a page
with nothing but a link to itself, changed, has −5.7 there. Its entries are estimated by pushing each column of E
through the links near by; with that S̃ as preconditioner a few solves meet nine digits.
Memory: 12 bytes for each entry of the factors, 24 a page.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import njit

from periplus.graph.graph import Graph
from periplus.numeric.arrays import AnyArray, Bools, Floats, Ids, Offsets
from periplus.rank.elimination import eliminate
from periplus.rank.forward import Settled, move_links
from periplus.rank.passes import chunk_bounds, link_weights
from periplus.rank.reduction import find_classes, merge, row_hashes
from periplus.structure.components import strong_components

# The factors may have so many times the links of the classes, and take so much work a link.
MOST_FILL, MOST_WORK = 3, 250
# What a response may leave behind on a page, for each of its links, and the least entry of S̃ worth keeping.
NEAR = 3e-4
MOST_SOLVES = 12

Lines = tuple[Offsets, Ids, Floats]


@dataclass(frozen=True, slots=True)
class Factors:
    """A⁻¹ of a graph's system: `place` is the unknown of each page, `spot` the same for one page of each class."""

    graph: Graph
    place: Ids
    spot: Ids  # the number of unknowns for all other pages
    shrink: Floats
    starts: Offsets
    component: Ids
    pivots: Floats
    lower: Lines
    upper: Lines
    leaving: Lines

    def settle(self, after: Graph, changed: Ids, residual: Floats, damping: float, allowed: float) -> Settled:
        """Correct for `residual` over `after`, whose rows differ from those factored for `changed` pages only."""
        rows = (self.graph.out_offsets, self.graph.out_targets, after.out_offsets, after.out_targets)
        place, shrink = self._extended(after.nodes)
        first = np.flatnonzero(residual).astype(np.uint32)
        total, sources, near = residual.copy(), residual, first
        left, solves, taken = 0.0, 0, np.zeros(len(changed))
        if len(changed):
            refine, ends = _near_inverse(rows, changed, damping), _ends(rows, changed)
            needed = self._needed(place[changed])
            reached, steps = np.zeros(len(changed)), list[tuple[Floats, Floats]]()
            while True:
                x = self._solved(sources, near, damping, needed)
                reached += shrink[changed] * (sources[changed] + x[place[changed]])
                sources, near, solves = np.zeros(after.nodes), ends, solves + 1
                move_links(*rows, changed, damping * (reached - taken), sources)
                left = float(np.abs(sources[ends]).sum())
                if left <= allowed or solves == MOST_SOLVES:
                    break
                push = _mixed(steps, taken, refine(reached - taken))
                taken, sources[ends] = taken + push, 0.0
                move_links(*rows, changed, damping * push, sources)
            move_links(*rows, changed, damping * taken, total)
            near = np.union1d(first, ends)
        sums = self._solved(total, near, damping, np.ones(len(self.pivots), np.bool_))
        entries = len(self.lower[1]) + len(self.upper[1]) + len(self.leaving[1])
        return Settled(expand(total, sums, place, shrink), left, solves + 1, (solves + 1) * entries)

    def _solved(self, sources: Floats, pages: Ids, damping: float, needed: Bools) -> Floats:
        """The sums S that `sources`, which are zero but on `pages`, cause; right where they are needed."""
        x = np.zeros(len(self.pivots) + 1)
        out = (self.graph.out_offsets, self.graph.out_targets)
        gather_sources(out, self.shrink, self.spot, damping, sources, pages, x)
        solve(self.starts, self.pivots, self.lower, self.upper, self.leaving, needed, x)
        return x

    def _needed(self, unknowns: Ids) -> Bools:
        """The unknowns that must be known for the given ones to be."""
        needed = np.zeros(len(self.pivots) + 1, np.bool_)
        needed[unknowns] = True
        mark_needed(self.starts, self.component, self.upper, self.leaving, needed)
        return needed

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
    merged = merge(offsets, sources, first, closed, class_of, gifts, shrink, np.zeros(graph.nodes))
    offsets, sources, weights, _, loops = merged
    # Read as links the rows run backwards, so the labels fall along the real links.
    labels = strong_components(Graph(offsets, sources)).labels.astype(np.int64)
    rows = np.repeat(every, np.diff(offsets))
    inside = labels[rows] == labels[sources]
    links = max(len(sources), 16)
    done, order, pivots, lower, upper = eliminate(
        _offsets(rows[inside], size), sources[inside], weights[inside], loops, MOST_FILL * links, MOST_WORK * links
    )
    if done < size:
        return None
    steps = np.lexsort((_near_order(order, lower, upper), -labels[order]))
    order = order[steps]
    rank = np.empty(size, np.uint32)
    rank[order] = every
    starts = np.flatnonzero(np.diff(labels[order], prepend=-1, append=-1))
    component = np.repeat(np.arange(len(starts) - 1, dtype=np.uint32), np.diff(starts))
    out = np.argsort(sources[~inside], kind="stable")
    leaving = (_offsets(sources[~inside], size), rows[~inside][out], weights[~inside][out])
    spot = np.full(graph.nodes, size, np.uint32)
    spot[first] = rank
    return Factors(
        graph, rank[class_of], spot, shrink, starts, component, pivots[steps],
        renumber(lower, steps, rank), renumber(upper, steps, rank), renumber(leaving, order, rank),
    )  # fmt: skip


def _near_order(order: Ids, lower: Lines, upper: Lines) -> AnyArray:
    """A number for each step, rising along what it writes to and reads from, that keeps near in memory what is near."""
    sources = np.concatenate((np.repeat(order, np.diff(lower[0])), np.repeat(order, np.diff(upper[0]))))
    dependence = Graph.from_edges(sources, np.concatenate((lower[1], upper[1])), len(order))
    return strong_components(dependence).labels[order]


def _offsets(lines: AnyArray, size: int) -> Offsets:
    return np.concatenate(([0], np.cumsum(np.bincount(lines, minlength=size)))).astype(np.int64)


def _ends(rows: tuple[Offsets, Ids, Offsets, Ids], pages: Ids) -> Ids:
    """All pages that the given pages link to, before or after."""
    old = pages[pages < len(rows[0]) - 1]
    lists = [rows[1][rows[0][page] : rows[0][page + 1]] for page in old]
    lists += [rows[3][rows[2][page] : rows[2][page + 1]] for page in pages]
    return np.unique(np.concatenate([np.empty(0, np.uint32), *lists]))


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


def _near_inverse(rows: tuple[Offsets, Ids, Offsets, Ids], changed: Ids, damping: float) -> Any:
    """(I − S̃)⁻¹ as a function, from what each changed page's links do near by."""
    from scipy.sparse import csc_matrix, identity
    from scipy.sparse.linalg import splu

    size, nodes = len(changed), len(rows[2]) - 1
    number = np.full(nodes, size, np.uint32)
    number[changed] = np.arange(size, dtype=np.uint32)
    columns, places, values = responses(*rows, changed, number, damping, NEAR)
    near = csc_matrix((values, (places, columns)), shape=(size, size))
    return splu(identity(size, format="csc") - near).solve if size else None


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
def mark_needed(starts, component, upper, leaving, needed):  # type: ignore[no-untyped-def]
    """Add all that the `needed` unknowns depend on; of a component below, whatever has a link into it."""
    up_offsets, up_ends, _ = upper
    out_offsets, out_ends, _ = leaving
    wanted = np.zeros(len(starts), np.bool_)
    for place in range(len(starts) - 2, -1, -1):
        for unknown in range(starts[place], starts[place + 1]):
            for link in range(out_offsets[unknown], out_offsets[unknown + 1]):
                needed[unknown] |= wanted[component[out_ends[link]]]
            if needed[unknown]:
                wanted[place] = True
                for link in range(up_offsets[unknown], up_offsets[unknown + 1]):
                    needed[up_ends[link]] = True


@njit(cache=True, nogil=True)
def solve(starts, pivots, lower, upper, leaving, needed, x):  # type: ignore[no-untyped-def]
    """x ← (I − M)⁻¹ x, component by component; wrong where it is not `needed`."""
    low_offsets, low_ends, low = lower
    up_offsets, up_ends, up = upper
    out_offsets, out_ends, out = leaving
    for component in range(len(starts) - 1):
        begin, end = starts[component], starts[component + 1]
        for unknown in range(begin, end):
            if x[unknown] != 0.0:
                value = x[unknown] * pivots[unknown]
                x[unknown] = value
                for link in range(low_offsets[unknown], low_offsets[unknown + 1]):
                    x[low_ends[link]] += low[link] * value
        for unknown in range(end - 1, begin - 1, -1):
            if needed[unknown]:
                total = x[unknown]
                for link in range(up_offsets[unknown], up_offsets[unknown + 1]):
                    total += up[link] * x[up_ends[link]]
                x[unknown] = total
        for unknown in range(begin, end):
            if needed[unknown] and x[unknown] != 0.0:
                for link in range(out_offsets[unknown], out_offsets[unknown + 1]):
                    x[out_ends[link]] += out[link] * x[unknown]


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


@njit(cache=True, nogil=True)
def expand(total, sums, place, shrink):  # type: ignore[no-untyped-def]
    for page in range(len(total)):
        total[page] = shrink[page] * (total[page] + sums[place[page]])
    return total


@njit(cache=True, nogil=True)
def responses(old_offsets, old_targets, new_offsets, new_targets, pages, number, damping, near):  # type: ignore[no-untyped-def]
    """Entries (column, row, value) of S̃: what a unit more at a changed page does to the changed pages near by."""
    size, nodes, known = len(pages), len(number), len(old_offsets) - 1
    columns, rows, values = np.empty(32 * size, np.uint32), np.empty(32 * size, np.uint32), np.empty(32 * size)
    taken, waiting, queued = np.zeros(nodes), np.zeros(nodes), np.zeros(nodes, np.bool_)
    one, unit = np.empty(1, np.uint32), np.full(1, damping)
    queue, touched = np.empty(nodes + 1, np.uint32), np.empty(nodes, np.uint32)
    seen = np.zeros(nodes, np.bool_)
    found = 0
    for column in range(size):
        one[0] = pages[column]
        move_links(old_offsets, old_targets, new_offsets, new_targets, one, unit, waiting)
        head, tail, reached = 0, 0, 0
        page = pages[column]
        for side in range(2):
            if side == 0 and page >= known:
                continue
            offsets, targets = (old_offsets, old_targets) if side == 0 else (new_offsets, new_targets)
            for link in range(offsets[page], offsets[page + 1]):
                target = targets[link]
                if not seen[target]:
                    seen[target] = True
                    touched[reached] = target
                    reached += 1
                    if waiting[target] != 0.0:
                        queue[tail], queued[target] = target, True
                        tail += 1
        while head != tail:
            page = queue[head]
            head = head + 1 if head < nodes else 0
            queued[page] = False
            amount = waiting[page]
            degree = old_offsets[page + 1] - old_offsets[page] if page < known else 0
            if abs(amount) <= near * max(degree, 1):
                continue
            taken[page] += amount
            waiting[page] = 0.0
            for link in range(old_offsets[page], old_offsets[page] + degree):
                target = old_targets[link]
                waiting[target] += amount * damping / degree
                if not seen[target]:
                    seen[target] = True
                    touched[reached] = target
                    reached += 1
                if not queued[target] and abs(waiting[target]) > near:
                    queue[tail], queued[target] = target, True
                    tail = tail + 1 if tail < nodes else 0
        for place in range(reached):
            page = touched[place]
            value = taken[page] + waiting[page]
            if number[page] < size and found < len(values) and abs(value) > near:
                columns[found], rows[found], values[found] = column, number[page], value
                found += 1
            taken[page], waiting[page], seen[page] = 0.0, 0.0, False
    return columns[:found], rows[:found], values[:found]
