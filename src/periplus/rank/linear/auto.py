"""`auto`: how a solver of the PageRank system is chosen among those of `SOLVERS` (`periplus.rank.table`).

`pagerank` does not rely on what a solver claims: it measures the residual of the final vector by a pass of its own.
To add one: a function `System -> Solution` in its own module and a row in `SOLVERS`; the contract test reads the table.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np
from numba import njit

from periplus.graph.graph import Graph
from periplus.graph.locality import near_share
from periplus.numeric.random import below_at, stream_key
from periplus.rank.linear.bins import pays
from periplus.rank.linear.krylov import krylov
from periplus.rank.linear.passes import has_link
from periplus.rank.linear.power import blocking, power
from periplus.rank.linear.scc import scc
from periplus.rank.linear.sweep import lumped
from periplus.rank.linear.system import Solution, System

# From this share of pages without in-links on, peeling may pay: graphs that grew by addition have little core.
FRONT_SHARE = 0.1
# Walks back along the links that tell such a graph from one with cycles: how many, their length, how many may go on.
WALKS, STEPS, MAY_GO_ON = 64, 30, 8
# From here on a plain sweep gains too little; what mixes or minimises over many sweeps takes over.
HIGH_DAMPING = 0.95
# Give up passes when more than 40 are foreseen: by then `scc` is cheaper. So are passes than 25 sweeps of a core.
PATIENCE, SWEEPS = 40, 25
# Links that stay within this part of all ids cut a graph into pieces that little leads out of: passes take long.
NEIGHBOURHOOD, SAMPLE = 64, 2_000
# After five passes or fewer a warm start is not worth one extra vector.
SHORT = 5


def auto(system: System) -> Solution:
    """Try peeling, then passes, each while it promises to end soon; then the solver that always gains.

    Peeling is for graphs that grew; passes end soon where links lead everywhere, and are not begun where most stay
    near; the components are solved one by one where neither holds, as on most web graphs. On graphs past the caches
    whose links lead far, passes go through bins.
    """
    far, high = pays(system.graph), system.damping >= HIGH_DAMPING
    passes, sure = ("blocking", krylov if high else blocking) if far else ("power", scc)
    hopeful = [("lumped", partial(lumped, patience=SWEEPS))] if not high and grew(system.graph) else []
    if passes != sure.__name__ and system.target > 0 and not stays_near(system.graph):
        hopeful.append((passes, partial(blocking if far else power, patience=PATIENCE)))
    done = 0
    for name, way in hopeful:
        solution = way(system)
        done += solution.passes
        if solution.ended:
            return replace(solution, passes=done, solver=name)
        start = solution.values if solution.passes > SHORT else system.start
        system = replace(system, start=start, max_passes=max(system.max_passes - solution.passes, 1))
        del solution, start
    solution = sure(system)
    return replace(solution, passes=done + solution.passes, solver=sure.__name__)


def stays_near(graph: Graph) -> bool:
    """Whether most links lead to pages near by in the order of the ids, as URLs in order have it."""
    return near_share(graph, SAMPLE, within=graph.nodes // NEIGHBOURHOOD) > 0.5


def grew(graph: Graph) -> bool:
    """Whether a graph looks as if it grew by addition, with few cycles.

    Then many pages have no in-link yet, and a walk back along the links soon reaches one of them.
    """
    if np.count_nonzero(graph.in_degrees == 0) < FRONT_SHARE * graph.nodes:
        return False
    return bool(walks_that_go_on(graph.in_offsets, graph.in_sources, WALKS, STEPS) <= MAY_GO_ON)


@njit(cache=True, nogil=True)
def walks_that_go_on(offsets, sources, walks, steps):  # type: ignore[no-untyped-def]
    """How many random walks against the links have not ended after `steps`; each begins at the source of some link.

    A page whose only in-link is its own ends a walk too.
    """
    alive = 0
    for walk in range(walks):
        key = stream_key(0, walk)
        page = np.int64(sources[below_at(key, 0, len(sources))]) if len(sources) else 0
        for step in range(1, steps + 1):
            first, last = offsets[page], offsets[page + 1]
            loop = has_link(offsets, sources, page, page)
            if last - first - loop == 0:
                break
            page = np.int64(sources[first + below_at(key, step, last - first)])
        else:
            alive += 1
    return alive
