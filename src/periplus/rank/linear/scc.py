"""Component by component on the reduced system: each strongly connected component is solved once, when all that
feeds it is known.

`reduction` first merges the pages that share their in-links and substitutes chains away. The condensation of what is
left has no cycles, so with the components in topological order a root outside every cycle needs one update, and a
component iterates on its own rows only (as in PRPACK: Gleich, Gray, Greif and Lau 2010).

Within a component: Gauss–Seidel sweeps (from the last id to the first where most links lead to smaller ones, as in a
graph that grew), and every few of them Anderson mixing: the combination of the points since the last
mixing whose step is least in ℓ2. A component has one Perron value and often little near it, which is what mixing
removes; the nearer the damping is to one, the more sweeps are mixed. Where a window after mixing ends with a larger
step than the one before it, windows of plain sweeps (which always gain) follow, twice as many as the last time.

A component stops when its step, counted in pages, is small beside its mass; the residuals add up.
Cost: the reduction, one depth-first search, then the sweeps.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from periplus.graph.graph import Graph
from periplus.numeric.arrays import Floats, Ids, Offsets
from periplus.rank.linear.passes import lead_down
from periplus.rank.linear.reduction import reduce
from periplus.rank.linear.system import Solution, System
from periplus.structure.connectivity.components import strong_components

# Sweeps that are mixed, and from which damping on how many.
WINDOW, LONG_WINDOW, LONG_FROM = 5, 12, 0.9
# The step overstates the residual that a sweep leaves, on real graphs more than tenfold; `pagerank` measures the
# residual itself and asks again should this once be too little.
STEP_TO_RESIDUAL = 0.15


class RootRows(NamedTuple):
    """The reduced system as its kernels read it: S_r = (constant + Σ weight · S_source) · diagonal; see `Reduced`."""

    offsets: Offsets
    sources: Ids
    weights: Floats
    constant: Floats
    diagonal: Floats
    reach: Floats


class SweepRules(NamedTuple):
    """Sweeps from mixing to mixing; the least mass of a root; the step to reach, relative to the mass; most sweeps."""

    window: int
    floor: float
    target: float
    most_sweeps: int


def scc(system: System) -> Solution:
    """Solve the strongly connected components of the reduced system in topological order."""
    reduced = reduce(system)
    # The reduced rows list sources: read as links they run backwards, so the labels fall along the real links.
    labels = strong_components(Graph(reduced.offsets, reduced.sources)).labels
    order, starts = falling(labels, lead_down(reduced.offsets, reduced.sources))
    sums = reduced.start(system.start)
    rows = RootRows(
        reduced.offsets, reduced.sources, reduced.weights, reduced.constant, reduced.diagonal, reduced.reach
    )
    window = LONG_WINDOW if system.damping >= LONG_FROM else WINDOW
    # A component may have no mass at all, where the preference is zero: each of its roots counts for the mean then.
    floor = float(system.base.sum()) / max(len(sums), 1)
    rules = SweepRules(window, floor, system.target / STEP_TO_RESIDUAL, system.max_passes)
    links_read = solve_components(rows, order, starts, sums, rules)
    return Solution(reduced.expand(sums), int(np.ceil(links_read / system.graph.links)) + 1)


@njit(cache=True, nogil=True)
def falling(labels, backwards):  # type: ignore[no-untyped-def]
    """The roots by label, the largest first, and where each label begins among them; `backwards`: ids fall as well."""
    count = 0
    for label in labels:
        count = max(count, label + 1)
    starts = np.zeros(count + 1, np.int64)
    for label in labels:
        starts[count - label] += 1
    starts = np.cumsum(starts)
    order, place = np.empty(len(labels), np.uint32), starts.copy()
    for turn in range(len(labels)):
        root = len(labels) - 1 - turn if backwards else turn
        at = count - 1 - labels[root]
        order[place[at]] = root
        place[at] += 1
    return order, starts


@njit(cache=True, nogil=True)
def solve_components(rows, order, starts, sums, rules):  # type: ignore[no-untyped-def]
    """Solve one component after the other in `sums`; returns the number of links read."""
    offsets, sources, weights, constant, diagonal, _ = rows
    largest = 1
    for component in range(len(starts) - 1):
        largest = max(largest, starts[component + 1] - starts[component])
    history = np.empty((largest, rules.window))
    read = 0
    for component in range(len(starts) - 1):
        members = order[starts[component] : starts[component + 1]]
        if len(members) > 1:
            read += solve_cycles(rows, members, sums, history, rules)
            continue
        row = members[0]
        total = constant[row]
        for link in range(offsets[row], offsets[row + 1]):
            total += weights[link] * sums[sources[link]]
        sums[row] = total * diagonal[row]
        read += offsets[row + 1] - offsets[row]
    return read


@njit(cache=True, nogil=True)
def solve_cycles(rows, members, sums, history, rules):  # type: ignore[no-untyped-def]
    """Sweeps over one component, every window of them mixed, until the step is small; returns the links read."""
    held, wait, rest, reached, read = 0, 0, 1, np.inf, 0
    for _ in range(rules.most_sweeps):
        step, mass, links = sweep(rows, members, sums, history, held)
        read += links
        if step <= rules.target * max(mass, rules.floor * len(members)):
            break
        held += 1
        if held < rules.window:
            continue
        if wait > 0:
            wait -= 1
        elif step > reached:  # the window since the last mixing has gained nothing
            wait, reached = rest, step
            rest *= 2
        else:
            mix(history, members, sums)
            reached = step
        held = 0
    return read


@njit(cache=True, nogil=True)
def sweep(rows, members, sums, history, column):  # type: ignore[no-untyped-def]
    """One Gauss–Seidel sweep, its step kept in `history`; (‖step‖₁, mass, links read), counted in pages.

    A row is added up in two sums that need not wait for each other: a quarter faster.
    """
    offsets, sources, weights, constant, diagonal, reach = rows
    step, mass, read, one, two = 0.0, 0.0, 0, np.uint64(1), np.uint64(2)
    for place in range(len(members)):
        row = members[place]
        link, end = np.uint64(offsets[row]), np.uint64(offsets[row + 1])
        total, other = constant[row], 0.0
        while link + one < end:
            total += weights[link] * sums[sources[link]]
            other += weights[link + one] * sums[sources[link + one]]
            link += two
        if link < end:
            total += weights[link] * sums[sources[link]]
        total = (total + other) * diagonal[row]
        change = total - sums[row]
        step += reach[row] * abs(change)
        mass += reach[row] * abs(total)
        read += offsets[row + 1] - offsets[row]
        sums[row] = total
        history[place, column] = change
    return step, mass, read


@njit(cache=True, nogil=True)
def mix(history, rows, sums):  # type: ignore[no-untyped-def]
    """Anderson mixing: the affine combination of the points of the window whose step is least in ℓ2.

    No mixing came between these points, so what they differ by are the steps themselves.
    """
    depth = history.shape[1] - 1
    gram, right, bend = np.zeros((depth, depth)), np.zeros(depth), np.empty(depth)
    for place in range(len(rows)):
        newest = history[place, depth]
        for a in range(depth):
            bend[a] = newest - history[place, a]
            right[a] += bend[a] * newest
            for b in range(a + 1):
                gram[a, b] += bend[a] * bend[b]
    if not solve_small(gram, right, depth):
        return
    # The point before step a + 1 lies behind by the steps since: each is weighted by all that lie before it.
    for a in range(1, depth):
        right[a] += right[a - 1]
    for place in range(len(rows)):
        total = 0.0
        for a in range(depth):
            total += right[a] * history[place, a + 1]
        sums[rows[place]] -= total


@njit(cache=True, nogil=True)
def solve_small(matrix, right, size):  # type: ignore[no-untyped-def]
    """Cholesky on the lower triangle of a small symmetric system, with a touch of damping; False if singular."""
    trace = 0.0
    for a in range(size):
        trace += matrix[a, a]
    if not trace > 0.0:
        return False
    for a in range(size):
        matrix[a, a] += 1e-14 * trace
        for b in range(a + 1):
            total = matrix[a, b]
            for c in range(b):
                total -= matrix[a, c] * matrix[b, c]
            if b < a:
                matrix[a, b] = total / matrix[b, b]
            elif total > 0.0:
                matrix[a, a] = np.sqrt(total)
            else:
                return False
        total = right[a]
        for c in range(a):
            total -= matrix[a, c] * right[c]
        right[a] = total / matrix[a, a]
    for a in range(size - 1, -1, -1):
        total = right[a]
        for c in range(a + 1, size):
            total -= matrix[c, a] * right[c]
        right[a] = total / matrix[a, a]
    return True
