"""Power iteration, plain and extrapolated.

    y ← α Hᵀ y + b

shrinks the residual by α or better a pass (Špánek §4). The rows are shared by both cores, each link is read once a
pass, and nothing depends on the order of the pages.

**Extrapolation.** After some passes the error lies close to the span of a few eigenvectors, and so do the last
differences of iterates. Every `PERIOD` passes the iterate is replaced by the combination of the last ones whose residual
is least in ℓ2 (reduced-rank extrapolation; with two differences this is Kamvar et al.'s quadratic extrapolation, 2003).
Where that does not help, the next passes mend it: the stopping test looks at a plain pass only.
"""

from __future__ import annotations

from collections import deque

import numpy as np

from periplus.numeric.arrays import Floats
from periplus.rank.passes import chunk_bounds, link_weights, pull
from periplus.rank.system import Solution, System

PERIOD = 5
DEPTH = 3


def power(system: System) -> Solution:
    """y ← α Hᵀ y + b until the step is small enough."""
    return _iterate(system, extrapolated=False)


def extrapolation(system: System) -> Solution:
    """Power iteration with a reduced-rank extrapolation every few passes."""
    return _iterate(system, extrapolated=True)


def _iterate(system: System, *, extrapolated: bool) -> Solution:
    graph = system.graph
    offsets, sources = graph.in_offsets, graph.in_sources
    bounds = chunk_bounds(offsets)
    sums = np.zeros((len(bounds) - 1, 2))
    weights = link_weights(graph, system.damping)
    values, given = system.start.copy(), np.empty(graph.nodes)
    history: deque[Floats] = deque(maxlen=DEPTH + 1)
    for passes in range(1, system.max_passes + 1):
        np.multiply(values, weights, out=given)
        if extrapolated:
            history.append(values.copy())
        pull(offsets, sources, bounds, given, system.base, values, values, sums)
        change, mass = sums.sum(axis=0)
        # The step from y to αHᵀy + b is y's residual; the new vector's is at most α times it.
        if system.damping * change <= system.target * mass:
            return Solution(values, passes)
        if extrapolated and passes % PERIOD == 0:
            values = reduced_rank(np.array([*history, values]))
            history.clear()
    return Solution(values, system.max_passes)


def reduced_rank(iterates: Floats) -> Floats:
    """Σ γ_k x_k with Σ γ_k = 1 whose first difference Σ γ_k (x_{k+1} − x_k) is least in ℓ2."""
    steps = np.diff(iterates, axis=0)
    bends = np.diff(steps, axis=0)
    gram = bends @ bends.T
    mixing = np.linalg.lstsq(gram, bends @ steps[-1], rcond=1e-12)[0]
    return np.maximum(iterates[-1] - mixing @ steps[1:], 0.0)
