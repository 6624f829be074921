"""Gauss–Seidel, and lumping: solve at once what needs no iteration.

**Gauss–Seidel.** Row after row, y_j ← (b_j + α Σ_{i→j, i≠j} y_i/d⁺(i)) / (1 − α [j→j]/d⁺(j)) with the newest values.
The sweep's step bounds the residual that it leaves: what a row misses is α times the later steps of its sources, so
‖residual‖₁ ≤ α ‖step‖₁. One vector, about half the passes of the power method.

**Lumped.** The pages that no cycle feeds (peeled from the front: no in-link, once those before are gone) are solved
exactly by handing on their rank, once. The pages that feed no cycle (peeled from the back: dangling pages, then pages
whose links all lead to such) are filled in at the end by one read of their rows: Lee, Golub and Zenios's two-stage
algorithm (2003) taken to its end. Gauss–Seidel runs on the core that is left; a graph without cycles has none.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from periplus.numeric.arrays import Floats, Ids
from periplus.rank.passes import link_weights
from periplus.rank.system import Solution, System


def gauss_seidel(system: System) -> Solution:
    """Sweeps over all rows, in the order of the ids."""
    graph = system.graph
    values = system.start.copy()
    weights = link_weights(graph, system.damping)
    rows = np.arange(graph.nodes, dtype=np.uint32)
    passes = sweep_until(system, rows, values, weights, values * weights)
    return Solution(values, passes)


def lumped(system: System) -> Solution:
    """Front and back peeled off and solved directly, Gauss–Seidel on the core."""
    graph = system.graph
    offsets, sources = graph.in_offsets, graph.in_sources
    weights = link_weights(graph, system.damping)
    values = system.base.copy()
    left = graph.in_degrees.astype(np.int32)
    front = hand_on(graph.out_offsets, graph.out_targets, weights, values, left)
    if front == graph.nodes:
        return Solution(values, 1)
    core, back = peel_back(offsets, sources, graph.out_degrees, left)
    values[core] = system.start[core]
    given = values * weights
    solver_rows = core.astype(np.uint32)
    links = int((offsets[core + 1] - offsets[core]).sum())
    sweeps = sweep_until(system, solver_rows, values, weights, given)
    sweep(offsets, sources, back, weights, system.base, values, given)
    return Solution(values, int(np.ceil(sweeps * links / max(graph.links, 1))) + 1)


def sweep_until(system: System, rows: Ids, values: Floats, weights: Floats, given: Floats) -> int:
    """Sweep `rows` until the step is small enough; the sweeps that it took."""
    offsets, sources = system.graph.in_offsets, system.graph.in_sources
    for sweeps in range(1, system.max_passes + 1):
        change, mass = sweep(offsets, sources, rows, weights, system.base, values, given)
        if system.damping * change <= system.target * mass:
            return sweeps
    return system.max_passes


@njit(cache=True, nogil=True)
def sweep(offsets, sources, rows, weights, base, values, given):  # type: ignore[no-untyped-def]
    """One Gauss–Seidel sweep over `rows` in their order; gives (‖step‖₁, Σ values) over them."""
    change, mass = 0.0, 0.0
    for row in rows:
        total, own = base[row], given[row]
        diagonal = 1.0
        for link in range(offsets[row], offsets[row + 1]):
            source = sources[link]
            if source == row:
                diagonal -= weights[row]
                total -= own
            total += given[source]
        total /= diagonal
        change += abs(total - values[row])
        mass += total
        values[row] = total
        given[row] = total * weights[row]
    return change, mass


@njit(cache=True, nogil=True)
def hand_on(offsets, targets, weights, values, left):  # type: ignore[no-untyped-def]
    """Solve every page that no cycle feeds: each hands its rank on as soon as all its sources have.

    `values` comes in as b and `left` as the in-degrees. A solved page ends with left = −1 and its exact value; the
    others keep in `values` b plus what solved pages gave them. Gives the number of solved pages.
    """
    nodes = len(left)
    ready = np.empty(nodes, np.uint32)
    found = 0
    self_linked = np.zeros(nodes, np.bool_)
    for page in range(nodes):
        for link in range(offsets[page], offsets[page + 1]):
            if targets[link] == page:
                self_linked[page] = True
                left[page] -= 1
        if left[page] == 0:
            ready[found] = page
            found += 1
    done = 0
    while done < found:
        page = ready[done]
        done += 1
        left[page] = -1
        if self_linked[page]:
            values[page] /= 1.0 - weights[page]
        gift = values[page] * weights[page]
        for link in range(offsets[page], offsets[page + 1]):
            target = targets[link]
            if target != page:
                values[target] += gift
                left[target] -= 1
                if left[target] == 0:
                    ready[found] = target
                    found += 1
    return done


@njit(cache=True, nogil=True)
def peel_back(offsets, sources, out_degrees, left):  # type: ignore[no-untyped-def]
    """(core, back): the pages on or between cycles, and those that feed none, each after its sources."""
    nodes = len(left)
    remaining = out_degrees.copy()
    back = np.empty(nodes, np.uint32)
    found = 0
    for page in range(nodes):
        for link in range(offsets[page], offsets[page + 1]):
            if sources[link] == page:
                remaining[page] -= 1
        if remaining[page] == 0 and left[page] >= 0:
            back[found] = page
            found += 1
    done = 0
    while done < found:
        page = back[done]
        done += 1
        remaining[page] = -1
        for link in range(offsets[page], offsets[page + 1]):
            source = sources[link]
            if source != page and left[source] >= 0:
                remaining[source] -= 1
                if remaining[source] == 0:
                    back[found] = source
                    found += 1
    core = np.empty(nodes, np.int64)
    count = 0
    for page in range(nodes):
        if left[page] >= 0 and remaining[page] >= 0:
            core[count] = page
            count += 1
    return core[:count], back[:found][::-1].copy()
