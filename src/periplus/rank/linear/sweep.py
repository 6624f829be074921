"""Gauss–Seidel, and lumping: solve at once what needs no iteration.

**Gauss–Seidel.** Row after row, y_j ← (c b_j + α Σ_{i→j, i≠j} y_i/d⁺(i)) / (1 − α [j→j]/d⁺(j)) with the newest values.
The sweep's step bounds the residual that it leaves: what a row misses is α times the later steps of its sources, so
‖residual‖₁ ≤ α ‖step‖₁. The jumps c b are balanced before each sweep as in power iteration, c = Σ (1 − ω_i) y_i / Σ b
with ω_i the share of its rank that page i hands on inside: the vector has any scale until the last sweep's c divides
it. A sweep is a regular splitting of that chain, so it gains α at least, and about twice what a pass does.
Rows are taken against the links: from the last id to the first where most links lead to smaller ids, as in a graph that
grew; then one sweep carries rank all the way. One vector, one core. `auto` never takes it alone. It is for webs that
fill the memory, where no other solver has room: 203 million pages in docs/scale.md.

**Lumped.** The pages that no cycle feeds (peeled from the front: no in-link, once those before are gone) are solved
exactly by handing on their rank, once. The pages that feed no cycle (peeled from the back: dangling pages, then pages
whose links all lead to such) are filled in at the end by one read of their rows: Lee, Golub and Zenios's two-stage
algorithm (2003) taken to its end. Gauss–Seidel runs on the core that is left; a graph without cycles has none.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numba import njit

from periplus.numeric.arrays import Floats, Ids
from periplus.rank.linear.pace import Pace
from periplus.rank.linear.passes import hand_out, has_link, lead_down, link_weights
from periplus.rank.linear.system import Solution, System

PIECE = 1024


def gauss_seidel(system: System) -> Solution:
    """Sweeps over all rows, in the order of the ids or against it."""
    graph = system.graph
    values = system.start.copy()
    weights, given = link_weights(graph, system.damping), np.empty(graph.nodes)
    down = lead_down(graph.in_offsets, graph.in_sources)
    order = np.arange(graph.nodes - 1, -1, -1, dtype=np.uint32) if down else np.arange(graph.nodes, dtype=np.uint32)
    base = system.full_base
    rows = _Rows(order, weights, base, base.sum(), lambda: hand_out(values, weights, system.damping, given))
    sweeps, _, jump = _sweep_until(system, rows, values, given)
    values /= jump
    return Solution(values, sweeps)


def lumped(system: System, patience: float = np.inf) -> Solution:
    """Front and back peeled off and solved directly, Gauss–Seidel on the core; given up if that takes too long."""
    graph = system.graph
    offsets, sources = graph.in_offsets, graph.in_sources
    weights = link_weights(graph, system.damping)
    state = np.empty((graph.nodes, 2))
    state[:, 0], state[:, 1] = system.base, graph.in_degrees
    front = hand_on(graph.out_offsets, graph.out_targets, weights, state)
    values, left = state[:, 0].copy(), state[:, 1]
    if front == graph.nodes:
        return Solution(values, 1)
    core, back, inside = peel_back(offsets, sources, graph.out_degrees, left)
    links = int((offsets[core + np.uint32(1)] - offsets[core]).sum())
    base = values.copy()  # with what the front gives, which therefore is not given again
    values[core] = system.start[core]
    given, kept = np.zeros(graph.nodes), 1.0 - inside * weights[core]
    given[core] = values[core] * weights[core]
    order = core[::-1].copy() if lead_down(offsets, sources) else core
    rows = _Rows(order, weights, base, base[core].sum(), lambda: held(core, kept, values))
    sweeps, ended, jump = _sweep_until(system, rows, values, given, patience)
    values[core] /= jump
    np.multiply(values, weights, out=given)
    sweep(offsets, sources, back, weights, system.full_base, 1.0, values, given)
    return Solution(values, int(np.ceil(sweeps * links / max(graph.links, 1))) + 1, ended)


@dataclass(frozen=True, slots=True)
class _Rows:
    """The rows that are swept, in their order; `balance` gives the rank that they do not hand on to each other.

    `total`, the sum of their base, and the balance are summed with care: were one off by a part in 10¹², so would be
    every step, and no sweep would bring it below that.
    """

    order: Ids
    weights: Floats
    base: Floats
    total: float
    balance: Callable[[], float]


def _sweep_until(
    system: System, rows: _Rows, values: Floats, given: Floats, patience: float = np.inf
) -> tuple[int, bool, float]:
    """Sweep until the step is small enough, or too many sweeps are foreseen: (sweeps, whether it was, last jump c)."""
    offsets, sources = system.graph.in_offsets, system.graph.in_sources
    pace = Pace(system.target, patience)
    sweeps, ended, jump = 0, False, 1.0
    # Rows that no preference reaches have no mass.
    least = float(system.base.sum()) * len(rows.order) / len(system.base)
    while sweeps < system.max_passes:
        sweeps += 1
        balance = rows.balance()
        jump = balance / rows.total if balance > 0 and rows.total > 0 else 1.0
        jump = jump if np.isfinite(jump) else 1.0
        change, mass = sweep(offsets, sources, rows.order, rows.weights, rows.base, jump, values, given)
        residual = system.damping * change / max(mass, jump * least)
        ended = residual <= system.target
        if ended or pace.too_slow(residual):
            break
    return sweeps, ended or sweeps == system.max_passes, jump


@njit(cache=True, nogil=True)
def held(rows, kept, values):  # type: ignore[no-untyped-def]
    """Σ kept · values over `rows`, in pieces: a sum of as many terms as there are pages loses digits."""
    total = 0.0
    for first in range(0, len(rows), PIECE):
        part = 0.0
        for place in range(first, min(first + PIECE, len(rows))):
            part += kept[place] * values[rows[place]]
        total += part
    return total


@njit(cache=True, nogil=True)
def sweep(offsets, sources, rows, weights, base, jump, values, given):  # type: ignore[no-untyped-def]
    """One Gauss–Seidel sweep over `rows` in their order; returns (‖step‖₁, Σ values) over them."""
    change, mass = 0.0, 0.0
    for row in rows:
        total, own = jump * base[row], given[row]
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
def hand_on(offsets, targets, weights, state):  # type: ignore[no-untyped-def]
    """Solve every page that no cycle feeds: each hands its rank on as soon as all its sources have.

    `state` has two numbers per page, side by side so that a link costs one cache miss: the value, which comes in as b,
    and the sources yet to come, at first the in-degree. A solved page ends with −1 there and its exact value; the
    others keep b plus what solved pages gave them. The first round goes from the last id down (a graph that grew
    links back, and is done in that round); what becomes ready behind it waits its turn. Returns the number of solved
    pages.
    """
    nodes = len(state)
    loops = take_self_links(offsets, targets, state)
    ready = np.empty(nodes, np.uint32)
    found, done = 0, 0
    for turn in range(2 * nodes):
        if turn < nodes:
            page = np.uint32(nodes - 1 - turn)
            if state[page, 1] != 0.0:
                continue
        elif turn - nodes < found:
            page = ready[turn - nodes]
        else:
            break
        state[page, 1] = -1.0
        done += 1
        if loops[page]:
            state[page, 0] /= 1.0 - weights[page]
        gift = state[page, 0] * weights[page]
        for link in range(offsets[page], offsets[page + 1]):
            target = targets[link]
            if target != page:
                state[target, 0] += gift
                state[target, 1] -= 1.0
                if state[target, 1] == 0.0 and (target > page or turn >= nodes):
                    ready[found] = target
                    found += 1
    return done


@njit(cache=True, nogil=True)
def take_self_links(offsets, targets, state):  # type: ignore[no-untyped-def]
    """Which pages link to themselves; such a link is not a source to wait for."""
    nodes = len(state)
    loops = np.zeros(nodes, np.bool_)
    for page in range(nodes):
        if has_link(offsets, targets, page, page):
            loops[page] = True
            state[page, 1] -= 1.0
    return loops


@njit(cache=True, nogil=True)
def peel_back(offsets, sources, out_degrees, left):  # type: ignore[no-untyped-def]
    """(core, back, inside): the pages on or between cycles; those that feed none, each after its sources; and how many
    links of each page of the core stay in the core."""
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
    core, inside = np.empty(nodes, np.uint32), np.empty(nodes, np.int64)
    count = 0
    for page in range(nodes):
        if left[page] >= 0 and remaining[page] >= 0:
            core[count] = page
            inside[count] = remaining[page] + (1 if has_link(offsets, sources, page, page) else 0)
            count += 1
    return core[:count].copy(), back[:found][::-1].copy(), inside[:count].copy()
