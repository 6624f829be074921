"""Power iteration: plain, through bins, and extrapolated.

    y ← α Hᵀ y + b

shrinks the residual by α or better a pass (Špánek §4). The rows are shared by both cores, each link is read once a
pass, and nothing depends on the order of the pages. **Blocking** is the same through `bins`, for graphs whose links
lead anywhere: no read at random.

**Extrapolation.** After some passes the error lies close to the span of a few eigenvectors, and so do the last
differences of iterates. Every `PERIOD` passes the iterate is replaced by the combination of the last ones whose
residual is least in ℓ2 (reduced-rank extrapolation; with two differences this is Kamvar et al.'s quadratic
extrapolation, 2003). Where that does not help, the next passes mend it: the stopping test looks at a plain pass only.
"""

from __future__ import annotations

from collections import deque

import numpy as np

from periplus.numeric.arrays import Floats
from periplus.rank.bins import Bins
from periplus.rank.passes import Pull, link_weights
from periplus.rank.system import Solution, System

PERIOD = 5
DEPTH = 3


def power(system: System) -> Solution:
    """y ← α Hᵀ y + b until the step is small enough."""
    return _iterated(system, _Pass(system, Pull(system.graph)))


def blocking(system: System) -> Solution:
    """The same through bins."""
    return _iterated(system, _Pass(system, Bins(system.graph)))


def _iterated(system: System, one_pass: _Pass) -> Solution:
    values = system.start.copy()
    for passes in range(1, system.max_passes + 1):
        if one_pass(values) <= system.target:
            return Solution(values, passes)
    return Solution(values, system.max_passes)


def extrapolation(system: System) -> Solution:
    """Power iteration with a reduced-rank extrapolation now and then; one that made things worse is taken back."""
    values = plain = system.start.copy()
    one_pass = _Pass(system, Pull(system.graph))
    history: deque[Floats] = deque(maxlen=DEPTH + 1)
    wait, next_try, reached = PERIOD, PERIOD, np.inf
    for passes in range(1, system.max_passes + 1):
        history.append(values.copy())
        residual = one_pass(values)
        if residual <= system.target:
            return Solution(values, passes)
        if residual > reached:
            values, reached = plain, np.inf
            history.clear()
            wait *= 2
            next_try = passes + wait
        elif passes >= next_try:
            plain, reached = values, residual
            values = reduced_rank(np.array([*history, values]))
            history.clear()
            next_try = passes + wait
    return Solution(values, system.max_passes)


class _Pass:
    """One pass in place; gives the relative ℓ1 residual that the new vector has at most."""

    def __init__(self, system: System, links: Pull | Bins) -> None:
        self.damping, self.links = system.damping, links
        self.weights = link_weights(system.graph, system.damping)
        self.given, self.base = np.empty(system.graph.nodes), system.full_base

    def __call__(self, values: Floats) -> float:
        np.multiply(values, self.weights, out=self.given)
        change, mass = self.links(self.given, self.base, values, values)
        # The step from y to αHᵀy + b is y's residual; the new vector's is at most α times it.
        return self.damping * change / mass


def reduced_rank(iterates: Floats) -> Floats:
    """Σ γ_k x_k with Σ γ_k = 1 whose first difference Σ γ_k (x_{k+1} − x_k) is least in ℓ2."""
    steps = np.diff(iterates, axis=0)
    bends = np.diff(steps, axis=0)
    gram = bends @ bends.T
    mixing = np.linalg.lstsq(gram, bends @ steps[-1], rcond=1e-12)[0]
    return np.maximum(iterates[-1] - mixing @ steps[1:], 0.0)
