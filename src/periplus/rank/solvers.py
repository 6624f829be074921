"""Ways to solve the pseudo-rank system y = α Hᵀ y + b, each by name in `SOLVERS`.

Every solver takes a `System` and gives a `Solution`; it stops when ‖b + α Hᵀ y − y‖₁ ≤ target · ‖y‖₁. The matrix
I − α Hᵀ has an inverse with ℓ1 norm at most 1/(1−α), so such a y is within target · ‖y‖₁ / (1−α) of the solution.
What a solver claims is not believed: `pagerank` measures the residual of the final vector by a pass of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from periplus.graph.graph import Graph
from periplus.numeric.arrays import Floats
from periplus.rank.passes import chunk_bounds, link_weights, pull


@dataclass(frozen=True, slots=True)
class System:
    """y = α Hᵀ y + b over `graph`, to be solved from `start` to a relative ℓ1 residual of `target`."""

    graph: Graph
    damping: float
    base: Floats
    start: Floats
    target: float
    max_passes: int


@dataclass(frozen=True, slots=True)
class Solution:
    """The vector reached and the passes over all links (in links read, rounded up) that it took."""

    values: Floats
    passes: int


def power(system: System) -> Solution:
    """y ← α Hᵀ y + b: the residual shrinks by α or better a pass; both cores share the rows."""
    graph = system.graph
    offsets, sources = graph.in_offsets, graph.in_sources
    bounds = chunk_bounds(offsets)
    sums = np.zeros((len(bounds) - 1, 2))
    weights = link_weights(graph, system.damping)
    values, given = system.start.copy(), np.empty(graph.nodes)
    passes = 0
    while passes < system.max_passes:
        np.multiply(values, weights, out=given)
        pull(offsets, sources, bounds, given, system.base, values, values, sums)
        passes += 1
        change, mass = sums.sum(axis=0)
        # The step from y to αHᵀy + b is y's residual; the new vector's is at most α times it.
        if system.damping * change <= system.target * mass:
            break
    return Solution(values, passes)


SOLVERS: dict[str, Callable[[System], Solution]] = {
    "power": power,
}


def choose(graph: Graph, damping: float) -> str:
    """The solver that `auto` takes for this graph."""
    return "power"
