"""Component by component on the reduced system: each strongly connected component is solved once, when all that
feeds it is known.

`reduction` first merges the pages that share their in-links and substitutes chains away. The condensation of what is
left has no cycles, so with the components in topological order a root outside every cycle needs one update, and a
component iterates on its own rows only (as in PRPACK: Gleich, Gray, Greif and Lau 2010).

Within a component: Gauss–Seidel sweeps, and every `EVERY` sweeps Anderson mixing: the combination of the last iterates
whose step is least in ℓ2. A component has one Perron value and often little near it, which is what mixing removes.
Where mixing made the step larger, plain sweeps (which always gain) follow for twice as long as the last time.

A component stops when its step, counted in pages, is small beside its mass; the residuals add up.
Cost: the reduction, one depth-first search, then the sweeps.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from periplus.graph.graph import Graph
from periplus.rank.reduction import reduce
from periplus.rank.system import Solution, System
from periplus.structure.components import strong_components

MEMORY = 3
EVERY = 3
# The step overstates the residual that a sweep leaves, on real graphs more than tenfold; `pagerank` measures the
# residual itself and asks again should this once be too little.
STEP_TO_RESIDUAL = 0.15


def scc(system: System) -> Solution:
    """Solve the strongly connected components of the reduced system in topological order."""
    reduced = reduce(system)
    # The reduced rows list sources: read as links they run backwards, so the labels fall along the real links.
    labels = strong_components(Graph(reduced.offsets, reduced.sources)).labels
    order = np.argsort(labels, kind="stable")[::-1].astype(np.uint32)
    starts = np.flatnonzero(np.diff(labels[order], prepend=labels.max(initial=0) + 1, append=labels.max(initial=0) + 1))
    sums = reduced.start(system.start)
    links_read = solve_components(
        reduced.offsets, reduced.sources, reduced.weights, reduced.constant, reduced.diagonal, reduced.reach,
        order, starts, sums, system.target / STEP_TO_RESIDUAL, system.max_passes,
    )  # fmt: skip
    return Solution(reduced.expand(sums), int(np.ceil(links_read / system.graph.links)) + 1)


@njit(cache=True, nogil=True)
def solve_components(  # type: ignore[no-untyped-def]
    offsets, sources, weights, constant, diagonal, reach, order, starts, sums, target, most_sweeps
):
    """Solve one component after the other in `sums`; gives the number of links read."""
    largest = 1
    for component in range(len(starts) - 1):
        largest = max(largest, starts[component + 1] - starts[component])
    history = np.empty((largest, 2 * (MEMORY + 1)))
    read = 0
    for component in range(len(starts) - 1):
        rows = order[starts[component] : starts[component + 1]]
        if len(rows) == 1:
            row = rows[0]
            total = constant[row]
            for link in range(offsets[row], offsets[row + 1]):
                total += weights[link] * sums[sources[link]]
            sums[row] = total * diagonal[row]
            read += offsets[row + 1] - offsets[row]
            continue
        held, wait, rest, least = 0, 0, 2, np.inf
        for _ in range(most_sweeps):
            slot = held % (MEMORY + 1)
            step, mass, links = sweep(
                offsets, sources, weights, constant, diagonal, reach, rows, sums, history, 2 * slot
            )
            read += links
            if step <= target * mass:
                break
            if step > 2 * least:
                held, wait = 0, rest
                rest *= 2
            else:
                held += 1
                wait -= 1
            least = min(least, step)
            if held > 2 and wait <= 0:
                mix(history, slot, min(MEMORY, held - 1), rows, sums)
                wait = EVERY
    return read


@njit(cache=True, nogil=True)
def sweep(offsets, sources, weights, constant, diagonal, reach, rows, sums, history, column):  # type: ignore[no-untyped-def]
    """One Gauss–Seidel sweep, kept in `history` as (point, step); (‖step‖₁, mass, links read), counted in pages."""
    step, mass, read = 0.0, 0.0, 0
    for place in range(len(rows)):
        row = rows[place]
        first, last = offsets[row], offsets[row + 1]
        total = constant[row]
        for link in range(first, last):
            total += weights[link] * sums[sources[link]]
        total *= diagonal[row]
        change = total - sums[row]
        step += reach[row] * abs(change)
        mass += reach[row] * abs(total)
        read += last - first
        sums[row] = total
        history[place, column] = total
        history[place, column + 1] = change
    return step, mass, read


@njit(cache=True, nogil=True)
def mix(history, slot, depth, rows, sums):  # type: ignore[no-untyped-def]
    """Anderson mixing: the affine combination of the last `depth` + 1 points whose step is least in ℓ2."""
    slots = history.shape[1] // 2
    gram, right = np.zeros((MEMORY, MEMORY)), np.zeros(MEMORY)
    older = np.empty(MEMORY, np.int64)
    for a in range(depth):
        older[a] = 2 * ((slot - 1 - a) % slots)
    bend = np.empty(MEMORY)
    for place in range(len(rows)):
        newest = history[place, 2 * slot + 1]
        for a in range(depth):
            bend[a] = newest - history[place, older[a] + 1]
            right[a] += bend[a] * newest
            for b in range(a + 1):
                gram[a, b] += bend[a] * bend[b]
    if not solve_small(gram, right, depth):
        return
    for place in range(len(rows)):
        point = history[place, 2 * slot]
        total = point
        for a in range(depth):
            total -= right[a] * (point - history[place, older[a]])
        sums[rows[place]] = total


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
