"""Component by component: each strongly connected component is solved once, when all that feeds it is known.

The condensation of a graph has no cycles, so with the components in topological order a page outside every cycle
needs one update, and a component iterates on its own links only (as PRPACK does: Gleich, Gray, Greif and Lau 2010).
Within a component: Gauss–Seidel sweeps, and from the third on Anderson mixing: the combination of the last iterates
whose step is least in ℓ2. A component has one Perron value and often little near it, which is what mixing removes.

A component with what comes in as base stops when its own ‖residual‖₁ ≤ target · its mass; the residuals add up.
Cost: one depth-first search (Tarjan), one rebuild of the links in the new order, then the sweeps.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from periplus.rank.passes import link_weights
from periplus.rank.system import Solution, System

MEMORY = 3


def scc(system: System) -> Solution:
    """Solve the strongly connected components in topological order."""
    graph = system.graph
    label, count = strong_components(graph.out_offsets, graph.out_targets)
    label = count - 1 - label
    starts = np.concatenate(([0], np.cumsum(np.bincount(label, minlength=count)))).astype(np.int64)
    order = np.argsort(label, kind="stable")
    position = np.empty(graph.nodes, np.uint32)
    position[order] = np.arange(graph.nodes, dtype=np.uint32)
    offsets, middle, sources, self_linked = regroup(graph.in_offsets, graph.in_sources, order, position, label)
    weights = link_weights(graph, system.damping)[order]
    diagonal = 1.0 / (1.0 - np.where(self_linked, weights, 0.0))
    permuted = system.start[order]
    allowed = system.max_passes
    links_read = solve_components(
        offsets, middle, sources, starts, weights, diagonal, system.base[order], permuted, system.target, allowed
    )
    values = np.empty(graph.nodes)
    values[order] = permuted
    return Solution(values, int(np.ceil(links_read / graph.links)))


@njit(cache=True, nogil=True)
def strong_components(offsets, targets):  # type: ignore[no-untyped-def]
    """Tarjan's algorithm without recursion: (label, number of labels), labels in reverse topological order."""
    nodes = len(offsets) - 1
    label = np.full(nodes, -1, np.int64)
    number, low = np.zeros(nodes, np.uint32), np.zeros(nodes, np.uint32)
    next_link = np.empty(nodes, np.int64)
    path, waiting = np.empty(nodes, np.uint32), np.empty(nodes, np.uint32)
    seen, labels, depth, held = 0, 0, 0, 0
    for root in range(nodes):
        if number[root] != 0:
            continue
        page, entering = np.uint32(root), True
        while True:
            if entering:
                seen += 1
                number[page] = low[page] = seen
                next_link[page] = offsets[page]
                path[depth] = waiting[held] = page
                depth, held = depth + 1, held + 1
                entering = False
            lowest = low[page]
            link = next_link[page]
            while link < offsets[page + 1]:
                target = targets[link]
                link += 1
                if number[target] == 0:
                    entering = True
                    break
                if label[target] < 0 and low[target] < lowest:
                    lowest = low[target]
            low[page], next_link[page] = lowest, link
            if entering:
                page = target
                continue
            depth -= 1
            if lowest == number[page]:
                member = page + 1
                while member != page:
                    held -= 1
                    member = waiting[held]
                    label[member] = labels
                labels += 1
            if depth == 0:
                break
            parent = path[depth - 1]
            low[parent] = min(low[parent], lowest)
            page = parent
    return label, labels


@njit(cache=True, nogil=True)
def regroup(offsets, sources, order, position, label):  # type: ignore[no-untyped-def]
    """The in side in the new order: offsets, where a row's own component begins, sources, who links to itself."""
    nodes = len(order)
    new_offsets, middle = np.empty(nodes + 1, np.int64), np.empty(nodes, np.int64)
    new_sources = np.empty(len(sources), np.uint32)
    self_linked = np.zeros(nodes, np.bool_)
    place = 0
    for row in range(nodes):
        page = order[row]
        own = label[page]
        first, last = offsets[page], offsets[page + 1]
        new_offsets[row] = place
        for link in range(first, last):
            if label[sources[link]] != own:
                new_sources[place] = position[sources[link]]
                place += 1
        middle[row] = place
        for link in range(first, last):
            source = sources[link]
            if source == page:
                self_linked[row] = True
            elif label[source] == own:
                new_sources[place] = position[source]
                place += 1
    new_offsets[nodes] = place
    return new_offsets, middle, new_sources, self_linked


@njit(cache=True, nogil=True)
def solve_components(offsets, middle, sources, starts, weights, diagonal, base, values, target, allowed):  # type: ignore[no-untyped-def]
    """Solve one component after the other in `values`; gives the number of links read."""
    given = values * weights
    largest = np.max(np.diff(starts))
    points, steps = np.empty((MEMORY + 1, largest)), np.empty((MEMORY + 1, largest))
    read = 0
    for component in range(len(starts) - 1):
        first, last = starts[component], starts[component + 1]
        inside = 0
        for row in range(first, last):
            total = base[row]
            for link in range(offsets[row], middle[row]):
                total += given[sources[link]]
            base[row] = total
            read += middle[row] - offsets[row]
            inside += offsets[row + 1] - middle[row]
        if last - first == 1:
            values[first] = base[first] * diagonal[first]
            given[first] = values[first] * weights[first]
            continue
        depth, rest, least = 0, 2, np.inf
        for sweeps in range(1, allowed + 1):
            slot = sweeps % (MEMORY + 1)
            step, mass = 0.0, 0.0
            for row in range(first, last):
                total = base[row]
                for link in range(middle[row], offsets[row + 1]):
                    total += given[sources[link]]
                total *= diagonal[row]
                change = total - values[row]
                step += abs(change)
                mass += abs(total)
                points[slot, row - first], steps[slot, row - first] = total, change
                values[row] = total
                given[row] = total * weights[row]
            read += inside
            if step <= target * mass:
                break
            if step > 2 * least:
                # Mixing led astray: plain sweeps, which always gain, for twice as long as the last time.
                depth = -rest
                rest *= 2
            least = min(least, step)
            if depth > 1:
                mix(points, steps, slot, min(MEMORY, depth), values[first:last])
                for row in range(first, last):
                    given[row] = values[row] * weights[row]
            depth += 1
    return read


@njit(cache=True, nogil=True)
def mix(points, steps, slot, depth, values):  # type: ignore[no-untyped-def]
    """Anderson mixing: the affine combination of the last `depth` + 1 points whose step is least in ℓ2."""
    size, slots = len(values), len(points)
    gram, right = np.zeros((depth, depth)), np.zeros(depth)
    for a in range(depth):
        older = (slot - 1 - a) % slots
        for b in range(a, depth):
            other = (slot - 1 - b) % slots
            total = 0.0
            for k in range(size):
                total += (steps[slot, k] - steps[older, k]) * (steps[slot, k] - steps[other, k])
            gram[a, b] = gram[b, a] = total
        total = 0.0
        for k in range(size):
            total += (steps[slot, k] - steps[older, k]) * steps[slot, k]
        right[a] = total
    if not solve_small(gram, right):
        return
    for k in range(size):
        total = points[slot, k]
        for a in range(depth):
            total -= right[a] * (points[slot, k] - points[(slot - 1 - a) % slots, k])
        values[k] = total


@njit(cache=True, nogil=True)
def solve_small(matrix, right):  # type: ignore[no-untyped-def]
    """Cholesky-like elimination of a small symmetric system in place, with a touch of damping; False if singular."""
    size = len(right)
    trace = 0.0
    for a in range(size):
        trace += matrix[a, a]
    if not trace > 0.0:
        return False
    for a in range(size):
        matrix[a, a] += 1e-14 * trace
    for a in range(size):
        if not matrix[a, a] > 0.0:
            return False
        for b in range(a + 1, size):
            factor = matrix[b, a] / matrix[a, a]
            for c in range(a, size):
                matrix[b, c] -= factor * matrix[a, c]
            right[b] -= factor * right[a]
    for a in range(size - 1, -1, -1):
        total = right[a]
        for c in range(a + 1, size):
            total -= matrix[a, c] * right[c]
        right[a] = total / matrix[a, a]
    return True
